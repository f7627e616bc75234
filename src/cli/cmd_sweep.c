/* cmd_sweep.c - leno sweep: schemes over the values of their parameters. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/option_rows.h"
#include "report/batch.h"
#include "report/elements_put.h"
#include "report/sweep_put.h"
#include "session/cluster.h"
#include "session/sweep_batch.h"

extern const struct command command_sweep;

struct sweep_values {
    bool all, json, csv, fresh, energy, list, is_slurm, is_written, wants_status;
    uint64_t jobs;
    const char *folder, *out, *shard;
    struct slurm_options slurm;
    struct program_values programs;
};

static const struct sweep_values defaults = { .out = "leno-out" };

#define AT(field) offsetof(struct sweep_values, field)
static const struct option options[] = {
    { "list", OPTION_FLAG, NULL, "print the points and run nothing", AT(list), NULL },
    ROW_ALL(AT(all)),
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_SHARD(AT(shard)),
    { "slurm", OPTION_FLAG, NULL, "submit the slices as a Slurm job array",
      AT(is_slurm), NULL },
    { "slurm-write", OPTION_FLAG, NULL, "write the job script and do not submit it",
      AT(is_written), NULL },
    { "slurm-elements", OPTION_COUNT, "N", "number of slices (default: 16)",
      AT(slurm.elements), NULL },
    { "slurm-time", OPTION_TEXT, "TIME", "time limit of an element, e.g. 2:00:00",
      AT(slurm.time), NULL },
    { "slurm-cpus", OPTION_COUNT, "N", "cores, and parallel runs, of an element (1)",
      AT(slurm.cpus), NULL },
    { "slurm-memory", OPTION_TEXT, "SIZE",
      "memory of an element (default: 512M per core)", AT(slurm.memory), NULL },
    { "slurm-partition", OPTION_TEXT, "NAME", "Slurm's partition", AT(slurm.partition),
      NULL },
    { "slurm-option", OPTION_LIST, "OPTION", "any other option of sbatch (repeatable)",
      AT(slurm.more), NULL },
    { "status", OPTION_FLAG, NULL, "print what became of the slices", AT(wants_status),
      NULL },
    ROW_ENERGY(AT(energy)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "run"),
    ROW_WORKLOADS(AT(folder)),
    ROWS_PROGRAMS(programs),
};

enum { MAX_BYTES = 1 << 20 };

/* At the end: points that could not be run, unless something else failed. */
static int judge_points(const struct sweep *s, struct err *err)
{
    size_t n = 0;

    if (!s->n_invalid)
        return 0;
    while (!sweep_why_invalid(s, n))
        n++;
    return err_set(err, "%zu of %zu points %s invalid; the first: %s", s->n_invalid,
                   s->n_points, s->n_invalid == 1 ? "is" : "are",
                   sweep_why_invalid(s, n));
}

static enum sweep_format format_of(const struct sweep_values *v)
{
    if (v->json)
        return SWEEP_JSON;
    if (v->csv)
        return SWEEP_CSV;
    return v->energy ? SWEEP_ENERGY : SWEEP_TEXT;
}

static int run_all(struct console *console, const struct sweep_values *v,
                   const struct sweep *s, struct batch *b, struct err *err)
{
    struct buf folder = { 0 };
    int failed = programs_folder(b->program, b->n_programs, v->folder, &folder, err);

    b->folder = buf_text(&folder);
    if (!failed) {
        failed = batch_run(b, console, err);
        if (b->shard.n && b->kept_in)
            batch_print_slice(b, console->out);
        else if (batch_has_results(b))
            sweep_print(s, b, format_of(v), console->out);
    }
    batch_free(b);
    buf_free(&folder);
    return failed;
}

/* The programs of the file or of the command line; by default those of the file's
 * first machine. */
static int prepare_sweep(struct program_list *l, const struct sweep_values *v,
                         const struct operands *ops, const struct sweep *s,
                         struct console *console, struct err *err)
{
    struct prepare_job job = { .all = v->all,
                               .gpu = s->gpus.at[0],
                               .out = v->out,
                               .jobs = v->jobs,
                               .fresh = v->fresh };
    struct machine *m = machine_new(s->gpus.at[0], NULL, err);
    int failed = m ? options_programs(&job, &v->programs, ops, err) : -1;

    job.request.named = s->programs.at;
    job.request.n_named = s->programs.n;
    if (!failed)
        failed =
            options_check_all(&job, err) || prepare_programs(l, &job, m, console, err);
    machine_free(m);
    return failed;
}

/* ---- clusters ---- */

/* Options of the command line that a slice does not need, those that the job's next
 * submission has again first. */
static const char *const not_of_slices[] = {
    "slurm-elements",  "slurm-time",   "slurm-cpus",  "slurm-memory",
    "slurm-partition", "slurm-option", "slurm-write", "slurm",
    "shard",           "status",       "jobs",        NULL
};
enum { N_AGAIN = 6 };

/* The command line that runs the study, without some options. */
static void put_command(struct buf *out, const char *program,
                        const struct sweep_values *v, const struct operands *ops,
                        const char *const *without)
{
    buf_shell_word(out, program);
    buf_puts(out, " sweep ");
    buf_shell_word(out, ops->at[0]);
    options_put(&command_sweep, v, without, out);
}

static int print_status(struct console *console, const struct cluster_job *job,
                        const struct shard_study *study, struct err *err)
{
    struct buf folder = { 0 };
    struct elements e;
    int failed = cluster_read(job, study, &folder, &e, err);

    if (!failed)
        elements_print(&e, buf_text(&folder), console->out);
    elements_free(&e);
    buf_free(&folder);
    return failed;
}

/* --slurm, --slurm-write or --status. */
static int use_cluster(struct console *console, const struct sweep_values *v,
                       const struct operands *ops, struct batch *b, struct err *err)
{
    struct buf command = { 0 }, rest = { 0 }, next = { 0 }, again = { 0 };
    struct buf folder = { 0 };
    struct cluster_job job = { .study = b->study,
                               .out = v->out,
                               .options = &v->slurm,
                               .writes_only = v->is_written };
    struct shard_study study;
    char self[PATH_MAX];
    int failed = -1;

    if (!realpath("/proc/self/exe", self))
        return err_set(err, "/proc/self/exe: the path of leno cannot be found");
    put_command(&command, self, v, ops, not_of_slices);
    operands_put_command(ops, &rest);
    put_command(&next, "leno", v, ops, not_of_slices);
    put_command(&again, "leno", v, ops, not_of_slices + N_AGAIN);
    job.command = buf_text(&command);
    job.rest = buf_text(&rest);
    job.next = buf_text(&next);
    job.again = buf_text(&again);
    if (!workload_folder(v->folder, &folder, err)) {
        b->folder = buf_text(&folder);
        failed = batch_study(b, console, &study, err);
    }
    if (!failed)
        failed = v->wants_status ? print_status(console, &job, &study, err)
                                 : cluster_submit(&job, &study, console, err);
    buf_free(&command);
    buf_free(&rest);
    buf_free(&next);
    buf_free(&again);
    buf_free(&folder);
    return failed;
}

static bool uses_cluster(const struct sweep_values *v)
{
    return v->is_slurm || v->is_written || v->wants_status;
}

static int check_cluster(const struct sweep_values *v, struct err *err)
{
    if (!uses_cluster(v))
        return 0;
    if (v->shard || v->json || v->csv || v->list || v->fresh)
        return err_set(err, "--slurm and --status cannot be combined with --shard, "
                            "--json, --csv, --list or --fresh");
    return slurm_check(&v->slurm, err);
}

/* ---- the command ---- */

static int run_sweep(struct console *console, const struct sweep_values *v,
                     const struct operands *ops, const struct sweep *s, struct err *err)
{
    struct batch b = {
        .out = v->out, .study = ops->at[0], .jobs = v->jobs, .fresh = v->fresh
    };
    struct program_list programs = { 0 };
    int failed = options_shard(&b.shard, v->shard, v->json || v->csv, err) ||
                 sweep_fill_batch(s, &b, err) ||
                 prepare_sweep(&programs, v, ops, s, console, err);

    b.program = programs.at;
    b.n_programs = programs.n;
    if (!failed && v->list) {
        sweep_list(s, b.n_programs, console->out);
    } else if (!failed) {
        sweep_list_invalid(s, console->log);
        failed = uses_cluster(v) ? use_cluster(console, v, ops, &b, err)
                                 : run_all(console, v, s, &b, err);
    }
    program_list_free(&programs);
    return failed ? -1 : judge_points(s, err);
}

static int sweep_command(struct console *console, const void *values,
                         const struct operands *ops, struct err *err)
{
    const struct sweep_values *v = values;
    struct sweep s;
    struct file file;
    int failed;

    if (options_check_format(v->json, v->csv, err) || check_cluster(v, err))
        return -1;
    if (ops->n_named != 1)
        return err_set(err, "expected one FILE; leno sweep --help has an example");
    if (file_read(ops->at[0], MAX_BYTES, &file, err))
        return -1;
    failed = sweep_read(&s, ops->at[0], (const char *)file.data, file.size, err) ||
             run_sweep(console, v, ops, &s, err);
    sweep_free(&s);
    file_free(&file);
    return failed ? -1 : 0;
}

const struct command command_sweep = {
    COMMAND_NAMED(sweep),
    .summary = "compare schemes over values of parameters",
    .operands = "FILE [-- COMMAND...]",
    .details =
        "Runs every combination that FILE describes, in parallel:\n"
        "\n"
        "  schemes  = inorder, ghost     ; as for leno compare\n"
        "  programs = lud, nn            ; default: a dozen of the workloads\n"
        "  gpus     = rtx2060s-ghost     ; the default\n"
        "  baseline = inorder            ; default: the first scheme\n"
        "  size     = tiny               ; default: small; also: seed, sms\n"
        "\n"
        "  [set]                         ; for every point\n"
        "  regfile.collectors = 4\n"
        "\n"
        "  [sweep]                       ; each value with each of the others\n"
        "  ghost.entries = 4, 8, 16\n"
        "  sched.policy  = gto, lrr\n"
        "\n"
        "A scheme that lacks a parameter has fewer points: here inorder has two, ghost\n"
        "has six. Parameters that vary together stand on one line:\n"
        "\n"
        "  core.warps, core.threads = 16:512, 32:1024\n"
        "\n"
        "Each point is compared with the baseline at the same settings, as far\n"
        "as the baseline has them. A point whose values are not possible is reported as\n"
        "invalid and the others run; the exit status is then 1. Results are cached as by\n"
        "leno compare. In place of schemes and [sweep], points may be listed one by one:\n"
        "\n"
        "  [columns]\n"
        "  IN_L = inorder:sched.policy=lrr\n"
        "  G_L  = ghost:sched.policy=lrr over IN_L   ; default: the first on its GPU\n"
        "  G_A  = ghost on rtx3070-ghost             ; default: the first of gpus\n"
        "\n"
        "A study can be divided among machines: --shard I/N runs every Nth point into a file\n"
        "of its own, DIR/shards/NAME-STUDY/I-of-N.jsonl, and continues it if it is there;\n"
        "leno merge collects the files. --slurm submits all slices as a Slurm job array,\n"
        "--status lists them, and --slurm again submits those that were killed, timed out or\n"
        "failed (docs/clusters.md).\n",
    .examples =
        "  leno sweep buffer.ini --list\n"
        "  leno sweep buffer.ini\n"
        "  leno sweep buffer.ini --csv > buffer.csv\n"
        "  leno sweep buffer.ini -- ./bfs graph65536.txt\n"
        "  leno sweep buffer.ini --shard 3/16\n"
        "  leno sweep buffer.ini --slurm --slurm-elements 32 --slurm-time 2:00:00\n"
        "  leno sweep buffer.ini --status\n",
    .defaults = &defaults,
};
