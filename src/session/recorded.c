/* recorded.c - which commands have a recording that is up to date; the others are run. */
#include "session/recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "session/exec_start.h"
#include "session/jobs.h"
#include "session/pool.h"
#include "session/progress.h"
#include "session/provenance.h"
#include "session/recorded_task.h"

/* A command on its way to a recording. */
struct making {
    struct program *program;
    char *base; /* path of its files, without the ending */
    bool is_needed, is_running;
};

struct work {
    const struct recorded_job *job;
    struct console *console;
    struct buf folder, libraries; /* of the recordings, and Leno's; absolute */
    struct making *at;
    size_t n, n_begun;
    pid_t pid; /* this process */
    struct progress progress;
    struct buf running;
};

/* ---- names ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return hash_bytes(hash, &number, sizeof number);
}

/* Everything that determines the launches, apart from the contents of files. */
static uint64_t hash_command(const struct work *w, const struct program *p)
{
    const struct launch_choice *c = &p->choice;
    char here[PATH_MAX] = "";
    uint64_t hash = hash_text(HASH_START, getcwd(here, sizeof here));

    hash = hash_text(hash, p->folder);
    for (size_t i = 0; p->argv[i]; i++)
        hash = hash_text(hash, p->argv[i]);
    hash = hash_text(hash, w->job->gpu);
    hash = hash_text(hash, c->match);
    hash = hash_number(hash, c->first);
    hash = hash_number(hash, c->last);
    hash = hash_number(hash, c->every);
    return hash_mix(hash_number(hash, c->first_of_each));
}

static void name_files(const struct work *w, struct making *m)
{
    struct buf base = { 0 };

    buf_printf(&base, "%s/", buf_text(&w->folder));
    for (const char *c = m->program->name; *c; c++)
        buf_putc(&base, strchr("/ \t", *c) ? '_' : *c);
    buf_printf(&base, "-%016" PRIx64, hash_command(w, m->program));
    m->base = base.data;
}

static char *path_with(const char *base, const char *ending)
{
    struct buf path = { 0 };

    buf_printf(&path, "%s%s", base, ending);
    return path.data;
}

/* ---- recordings that are there ---- */

/* The recording has the chosen launches, and no others; they are whole. */
static void take_recording(struct making *m)
{
    struct launch_choice *c = &m->program->choice;

    *c = (struct launch_choice){ .cap_cycles = c->cap_cycles,
                                 .cap_insts = c->cap_insts,
                                 .sample = c->sample };
    m->program->source = path_with(m->base, ".leno");
    m->is_needed = false;
}

/* Takes the recording if it is up to date; else says why it is made again. */
static void look_up(const struct work *w, struct making *m)
{
    char *recording = path_with(m->base, ".leno"), *list = path_with(m->base, ".from");
    struct buf why = { 0 };

    m->is_needed = true;
    if (!w->job->fresh && !access(recording, R_OK)) {
        if (provenance_holds(list, &why))
            take_recording(m);
        else if (why.len)
            fprintf(w->console->log, "%s is recorded again: %s\n", m->program->name,
                    buf_text(&why));
    }
    buf_free(&why);
    free(recording);
    free(list);
}

/* ---- tasks of the pool ---- */

static void show_progress(void *to)
{
    struct work *w = to;

    buf_clear(&w->running);
    for (size_t i = 0; i < w->n; i++)
        if (w->at[i].is_running)
            buf_printf(&w->running, "%s%s", w->running.len ? ", " : "recording ",
                       w->at[i].program->name);
    w->progress.running = buf_text(&w->running);
    progress_show(&w->progress);
}

static int next_command(void *to, size_t *task, struct err *err)
{
    struct work *w = to;

    (void)err;
    for (; w->n_begun < w->n; w->n_begun++)
        if (w->at[w->n_begun].is_needed) {
            *task = w->n_begun++;
            w->at[*task].is_running = true;
            show_progress(w);
            return 1;
        }
    return 0;
}

static struct recorded_task task_of(const struct work *w, size_t i)
{
    return (struct recorded_task){ .program = w->at[i].program,
                                   .base = w->at[i].base,
                                   .gpu = w->job->gpu,
                                   .sm = w->job->sm,
                                   .libraries = buf_text(&w->libraries),
                                   .owner = w->pid };
}

static int run_command(void *to, size_t task, struct buf *answer, struct err *err)
{
    struct recorded_task t = task_of(to, task);

    (void)answer;
    return recorded_task_run(&t, err);
}

static int command_done(void *to, size_t task, const struct pool_end *end,
                        struct err *err)
{
    struct work *w = to;
    struct making *m = &w->at[task];
    struct buf why = { 0 };

    (void)err;
    w->progress.n_done++;
    m->is_running = false;
    progress_clear(&w->progress);
    if (end->err.code) {
        buf_printf(&why, "the program %s", end->err.text);
        m->program->why = why.data;
        m->program->exit_code = err_exit(&end->err);
        fprintf(w->console->log, "[%zu/%zu] recording %s: FAILED: %s\n",
                w->progress.n_done, w->progress.n, m->program->name, end->err.text);
    } else {
        take_recording(m);
        if (!w->console->shows_progress)
            fprintf(w->console->log, "[%zu/%zu] recorded %s, %.1f s\n",
                    w->progress.n_done, w->progress.n, m->program->name, end->seconds);
    }
    fflush(w->console->log);
    return 0;
}

/* ---- the whole ---- */

static int make_folder(struct work *w, struct err *err)
{
    char out[PATH_MAX];

    mkdir(w->job->out, 0777);
    if (!realpath(w->job->out, out))
        return err_set(err, "%s: %s", w->job->out, strerror(errno));
    buf_printf(&w->folder, "%s/recordings", out);
    if (mkdir(buf_text(&w->folder), 0777) && errno != EEXIST)
        return err_set(err, "%s: %s", buf_text(&w->folder), strerror(errno));
    return 0;
}

/* A signal came, and the tasks that ran were killed. */
static void obey_signal(const struct work *w, int number)
{
    for (size_t i = 0; i < w->n; i++) {
        struct recorded_task t = task_of(w, i);

        if (w->at[i].is_running)
            recorded_task_clean(&t);
    }
    fprintf(w->console->log, "stopped while programs were recorded; the same command "
                             "continues with those that were not\n");
    fflush(NULL);
    signal(number, SIG_DFL);
    raise(number);
}

static int run_commands(struct work *w, struct err *err)
{
    struct host host = host_read("");
    struct pool pool = { .to = w,
                         .next = next_command,
                         .work = run_command,
                         .done = command_done,
                         .idle = show_progress,
                         .stop = SIGTERM }; /* which ends the program, too */
    int ended;

    w->progress = (struct progress){ .console = w->console, .seconds_left = -1 };
    for (size_t i = 0; i < w->n; i++)
        w->progress.n += w->at[i].is_needed;
    if (!w->progress.n)
        return 0;
    pool.jobs = jobs_choose(&host, w->job->jobs, w->progress.n, w->console->log);
    w->progress.jobs = pool.jobs;
    ended = pool_run(&pool, err);
    progress_clear(&w->progress);
    if (ended > 0)
        obey_signal(w, ended);
    return ended ? -1 : 0;
}

static int make_recordings(struct work *w, struct program_list *l, struct err *err)
{
    if (exec_find_libraries(w->job->libraries, &w->libraries, err) ||
        make_folder(w, err))
        return -1;
    w->at = calloc(l->n, sizeof *w->at);
    if (!w->at)
        return err_memory(err, "the commands");
    for (size_t i = 0; i < l->n; i++) {
        struct making *m = &w->at[w->n];

        if (!l->at[i].argv)
            continue;
        m->program = &l->at[i];
        name_files(w, m);
        look_up(w, m);
        w->n++;
    }
    return run_commands(w, err);
}

int recorded_make(const struct recorded_job *job, struct program_list *l,
                  struct console *console, struct err *err)
{
    struct work w = { .job = job, .console = console, .pid = getpid() };
    int failed = make_recordings(&w, l, err);

    for (size_t i = 0; i < w.n; i++)
        free(w.at[i].base);
    free(w.at);
    buf_free(&w.folder);
    buf_free(&w.libraries);
    buf_free(&w.running);
    return failed;
}
