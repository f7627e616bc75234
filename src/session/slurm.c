/* slurm.c - writes the script of a job array, submits it and reads the queue. */
#include "session/slurm.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/program.h"
#include "session/jobs.h"
#include "session/shard.h"

#define JOBS_FILE   "slurm.jobs"
#define SCRIPT_FILE "slurm.sh"
enum { MAX_JOBS_BYTES = 1 << 20 };

/* ---- options ---- */

int64_t slurm_seconds(const char *text)
{
    long long part[4] = { 0 };
    const char *dash = strchr(text, '-');
    int used = 0, n;

    if (strspn(text, "0123456789:-") != strlen(text) || strlen(text) > 20)
        return -1;
    if (dash) {
        n = sscanf(text, "%lld-%lld%n:%lld%n:%lld%n", &part[0], &part[1], &used,
                   &part[2], &used, &part[3], &used);
        return n >= 2 && !text[used]
                   ? ((part[0] * 24 + part[1]) * 60 + part[2]) * 60 + part[3]
                   : -1;
    }
    n = sscanf(text, "%lld%n:%lld%n:%lld%n", &part[0], &used, &part[1], &used, &part[2],
               &used);
    if (n < 1 || text[used])
        return -1;
    return n == 3 ? (part[0] * 60 + part[1]) * 60 + part[2] : part[0] * 60 + part[1];
}

/* A value stands between single quotes in a line that sbatch reads. */
static int check_text(const char *option, const char *text, struct err *err)
{
    for (const char *at = text; at && *at; at++)
        if (*at == '\'' || iscntrl((unsigned char)*at))
            return err_set(err, "%s %s: expected no quote and no control character",
                           option, text);
    return 0;
}

int slurm_check(const struct slurm_options *o, struct err *err)
{
    if (check_text("--slurm-memory", o->memory, err) ||
        check_text("--slurm-partition", o->partition, err))
        return -1;
    if (o->time && slurm_seconds(o->time) <= 0)
        return err_set(err,
                       "--slurm-time %s: expected minutes, H:M:S or D-H, as for sbatch",
                       o->time);
    for (size_t i = 0; i < o->more.n; i++) {
        if (check_text("--slurm-option", o->more.at[i], err))
            return -1;
        if (o->more.at[i][0] != '-')
            return err_set(err,
                           "--slurm-option %s: expected an option of sbatch, as in "
                           "--slurm-option=--account=x",
                           o->more.at[i]);
    }
    return 0;
}

/* ---- the script ---- */

static void put_option(struct buf *out, const char *name, const char *value)
{
    if (value)
        buf_printf(out, "#SBATCH '--%s=%s'\n", name, value);
}

static void put_head(struct buf *out, const struct slurm_script *s,
                     const struct slurm_options *o)
{
    const char *slash = strrchr(s->study, '/');
    unsigned long long cpus = o->cpus ? o->cpus : 1;

    buf_puts(
        out,
        "#!/bin/sh\n"
        "# A job array of Leno's (docs/clusters.md): each element runs one slice.\n"
        "#SBATCH '--job-name=leno-");
    for (const char *at = slash ? slash + 1 : s->study; *at; at++)
        buf_putc(out, isalnum((unsigned char)*at) || strchr("._-", *at) ? *at : '_');
    buf_printf(out,
               "'\n#SBATCH --array=%s\n#SBATCH --output=/dev/null\n#SBATCH --ntasks=1\n"
               "#SBATCH --cpus-per-task=%llu\n",
               s->list, cpus);
    put_option(out, "time", o->time);
    put_option(out, "partition", o->partition);
    if (o->memory)
        put_option(out, "mem", o->memory);
    else
        buf_printf(out, "#SBATCH --mem=%lluM\n",
                   cpus * (unsigned long long)(JOBS_RUN_BYTES >> 20));
    for (size_t i = 0; i < o->more.n; i++)
        buf_printf(out, "#SBATCH '%s'\n", o->more.at[i]);
}

/* name='value' */
static void put_variable(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, "%s=", name);
    buf_shell_word(out, value);
    buf_putc(out, '\n');
}

/* What leno needs of the environment, which sbatch need not hand on. */
static void put_environment(struct buf *out)
{
    static const char *const names[] = { "LENO_WORKLOADS", "LENO_LIBRARIES" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i])) {
            buf_puts(out, "export ");
            put_variable(out, names[i], getenv(names[i]));
        }
}

/* A signal that stops the job goes to leno, too, and leno ends after it has written its
 * file. After a trap, wait ends although leno runs. */
static const char body[] =
    "me=$SLURM_ARRAY_TASK_ID-of-$n\n"
    "job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\n"
    "note() { # kind, text: a file that is there whole or not at all\n"
    "    printf '%s\\n' \"$2\" > \"$folder/$me.$1.new\" &&\n"
    "        mv \"$folder/$me.$1.new\" \"$folder/$me.$1\"\n"
    "}\n"
    "exec >> \"$folder/$me.log\" 2>&1 < /dev/null\n"
    "began=$(date +%s)\n"
    "ends=0\n"
    "[ \"$limit\" = 0 ] || ends=$((began + limit))\n"
    "rm -f \"$folder/$me.end\"\n"
    "note start \"$job $(uname -n) $began ${SLURM_JOB_END_TIME:-$ends}\" || exit 1\n"
    "pid=\n"
    "trap '[ -z \"$pid\" ] || kill -TERM \"$pid\" 2> /dev/null' TERM INT HUP\n"
    "run_slice --shard \"$SLURM_ARRAY_TASK_ID/$n\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" &\n"
    "pid=$!\n"
    "status=0\n"
    "wait \"$pid\" || status=$?\n"
    "while kill -0 \"$pid\" 2> /dev/null; do\n"
    "    status=0\n"
    "    wait \"$pid\" || status=$?\n"
    "done\n"
    "note end \"$job $status $(date +%s)\"\n"
    "exit \"$status\"\n";

int slurm_write(const struct slurm_script *s, const struct slurm_options *o,
                struct err *err)
{
    struct buf out = { 0 }, path = { 0 };
    char cwd[PATH_MAX], folder[PATH_MAX];
    int failed;

    if (!getcwd(cwd, sizeof cwd) || !realpath(s->folder, folder))
        return err_set(err, "%s: its absolute path cannot be found", s->folder);
    put_head(&out, s, o);
    put_variable(&out, "folder", folder);
    buf_printf(&out, "n=%zu\nlimit=%lld\n", s->n,
               o->time ? (long long)slurm_seconds(o->time) : 0);
    put_environment(&out);
    buf_puts(&out, "cd ");
    buf_shell_word(&out, cwd);
    buf_printf(&out, " || exit 1\nrun_slice() {\n    exec %s \"$@\"%s\n}\n%s",
               s->command, s->rest, body);
    buf_printf(&path, "%s/" SCRIPT_FILE, s->folder);
    failed = file_write(buf_text(&path), out.data, out.len, err);
    buf_free(&path);
    buf_free(&out);
    return failed;
}

/* ---- sbatch ---- */

/* The text of slurm.jobs; nothing if there is no such file. */
static int read_jobs(const char *folder, struct buf *text, struct err *err)
{
    struct buf path = { 0 };
    struct file file = { 0 };
    int failed = 0;

    buf_printf(&path, "%s/" JOBS_FILE, folder);
    if (!access(buf_text(&path), F_OK)) {
        failed = file_read(buf_text(&path), MAX_JOBS_BYTES, &file, err);
        if (!failed)
            buf_add(text, file.data, file.size);
        file_free(&file);
    }
    buf_free(&path);
    return failed;
}

static int note_job(const struct slurm_script *s, const char *job, struct err *err)
{
    struct buf text = { 0 }, path = { 0 };
    int failed = read_jobs(s->folder, &text, err);

    buf_printf(&path, "%s/" JOBS_FILE, s->folder);
    buf_printf(&text, "%s %zu %s\n", job, s->n, s->list);
    if (!failed)
        failed = file_write(buf_text(&path), text.data, text.len, err);
    buf_free(&text);
    buf_free(&path);
    return failed;
}

/* --parsable: "123" or "123;cluster" on a line, perhaps after warnings. */
static bool find_job(const char *said, struct buf *job)
{
    for (; *said; said += strcspn(said, "\n"), said += *said == '\n') {
        size_t n = strspn(said, "0123456789");

        if (!n || (said[n] && !strchr(";\n", said[n])))
            continue;
        buf_add(job, said, n);
        return true;
    }
    return false;
}

int slurm_submit(const struct slurm_script *s, struct buf *job, struct err *err)
{
    struct buf sbatch = { 0 }, script = { 0 }, said = { 0 };
    char *argv[] = { NULL, (char *)(uintptr_t) "--parsable", NULL, NULL };
    int failed = -1;

    buf_puts(&script, SCRIPT_FILE);
    if (!program_in_path("sbatch", &sbatch)) {
        err_set(err,
                "sbatch is not in PATH; %s/" SCRIPT_FILE
                " is written and can be submitted elsewhere",
                s->folder);
    } else {
        argv[0] = sbatch.data;
        argv[2] = script.data;
        failed = program_run(argv, s->folder, &said, err);
        if (failed > 0 || (!failed && !find_job(buf_text(&said), job)))
            failed = err_set(err, "sbatch %s/" SCRIPT_FILE ": %.600s", s->folder,
                             said.len ? said.data : "it failed without a message");
    }
    if (!failed)
        failed = note_job(s, buf_text(job), err);
    buf_free(&sbatch);
    buf_free(&script);
    buf_free(&said);
    return failed ? -1 : 0;
}

/* ---- jobs ---- */

int slurm_elements(const char *folder, size_t *n, struct err *err)
{
    struct buf text = { 0 };
    int failed = read_jobs(folder, &text, err);

    *n = 0;
    if (!failed && text.len &&
        (sscanf(text.data, "%*u %zu", n) != 1 || !*n || *n > SHARD_MAX))
        failed =
            err_set(err, "%s/" JOBS_FILE ":1: expected a job and its elements", folder);
    buf_free(&text);
    return failed;
}

/* Is this one of the jobs in the text of slurm.jobs? */
static bool is_ours(const char *jobs, unsigned long long job)
{
    char *end;

    while (*jobs) {
        if (strtoull(jobs, &end, 10) == job && *end == ' ')
            return true;
        jobs += strcspn(jobs, "\n");
        jobs += *jobs == '\n';
    }
    return false;
}

static void read_queue(char *said, const char *jobs,
                       void (*found)(void *to, size_t, const char *), void *to)
{
    char *rest = NULL, state[24];
    unsigned long long job;
    size_t element;

    for (char *line = strtok_r(said, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        if (sscanf(line, "%llu|%zu|%23[A-Z_]", &job, &element, state) == 3 &&
            is_ours(jobs, job))
            found(to, element, state);
}

static bool ask_queue(struct buf *said, struct buf *why)
{
    char user[32];
    char *argv[] = { NULL,
                     (char *)(uintptr_t) "--noheader",
                     (char *)(uintptr_t) "--array",
                     (char *)(uintptr_t) "--format=%F|%K|%T",
                     user,
                     NULL };
    struct buf squeue = { 0 };
    struct err err = { 0 };
    int failed = -1;

    snprintf(user, sizeof user, "--user=%u", (unsigned)geteuid());
    if (program_in_path("squeue", &squeue)) {
        argv[0] = squeue.data;
        failed = program_run(argv, "/", said, &err);
        if (failed)
            buf_printf(why, "squeue: %.300s", err.code ? err.text : buf_text(said));
    } else {
        buf_puts(why, "squeue is not in PATH");
    }
    buf_free(&squeue);
    return !failed;
}

bool slurm_queue(const char *folder, void (*found)(void *to, size_t, const char *),
                 void *to, struct buf *why)
{
    struct buf jobs = { 0 }, said = { 0 };
    struct err err = { 0 };
    bool is_known = !read_jobs(folder, &jobs, &err);

    if (!is_known)
        buf_puts(why, err.text);
    if (is_known && jobs.len) /* else nothing was submitted */
        is_known = ask_queue(&said, why);
    if (is_known && said.len)
        read_queue(said.data, buf_text(&jobs), found, to);
    buf_free(&jobs);
    buf_free(&said);
    return is_known;
}
