/* batch.c - plans cells, looks them up, runs them and keeps their results. */
#include "session/batch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "session/batch_keep.h"
#include "session/jobs.h"
#include "session/kind.h"
#include "session/progress.h"

struct work {
    struct batch *b;
    struct console *console;
    struct cells cells;
    double *seconds; /* by program: of one run, as far as known; else 0 */
    struct keep keep;
    struct facts_reader *reader;
    struct buf running;
    struct progress progress;
    struct progress_share *share; /* by cell; NULL: nothing is shown */
    struct err first;             /* failure of a cell */
    struct run_threads threads;   /* of each process */
};

static size_t n_cells(const struct work *w)
{
    return cells_number(&w->cells);
}

static size_t program_of(const struct work *w, size_t cell)
{
    return cells_program(&w->cells, cell);
}

static size_t column_of(const struct work *w, size_t cell)
{
    return cells_column(&w->cells, cell);
}

/* ---- results ---- */

/* Warns of a damaged row, once. */
static void tell_damaged(struct work *w, size_t i, const struct err *why)
{
    if (!w->cells.at[i].is_told)
        fprintf(w->console->log,
                "%s; the row is ignored and the program is run again\n", why->text);
    w->cells.at[i].is_told = true;
}

/* The facts of a result, and its extras, if there are to be some. */
static int read_result(struct work *w, size_t i, const char *json, struct err *err)
{
    struct batch *b = w->b;

    if (facts_read(w->reader, json, &b->facts[i], err))
        return -1;
    free(b->extras[i]);
    b->extras[i] = extras_any(&b->extra) ? facts_extras(w->reader, json) : NULL;
    return 0;
}

/* Takes the result of a cell from the store, if it is there and not damaged. */
static int look_up(struct work *w, size_t i, struct err *err)
{
    struct buf json = { 0 };
    struct err why = { 0 };
    int found = keep_get(&w->keep, i, &json, &why);

    if (found == 1 && read_result(w, i, buf_text(&json), &why)) {
        err_prefix(&why, "%s: a result of %s", buf_text(&w->keep.path),
                   w->b->name[program_of(w, i)]);
        found = STORE_DAMAGED;
    }
    if (found == 1) {
        w->cells.at[i].state = CELL_DONE;
        w->b->n_stored++;
    } else if (found == STORE_DAMAGED) {
        tell_damaged(w, i, &why);
    } else if (found < 0) {
        err_kind(err, why.code, "%s", why.text);
    }
    buf_free(&json);
    return found < 0 ? -1 : 0;
}

static int look_up_all(struct work *w, struct err *err)
{
    for (size_t i = 0; i < n_cells(w); i++) {
        if (!w->b->fresh && w->cells.at[i].state == CELL_TODO && look_up(w, i, err))
            return -1;
        if (!(w->seconds[program_of(w, i)] > 0) && w->cells.at[i].state != CELL_INVALID)
            w->seconds[program_of(w, i)] = keep_seconds(&w->keep, i);
    }
    return 0;
}

/* A result that cannot be kept is still printed. */
static void keep_result(struct work *w, size_t i, const struct pool_end *end)
{
    struct err why = { 0 };

    if (keep_put(&w->keep, i, end, &why) && !w->b->n_unkept++)
        w->b->unkept = why;
}

/* ---- progress ---- */

/* Estimated CPU seconds left: a program takes as long as before, one that never ran as long
 * as the others on average. */
static double seconds_left(const struct work *w)
{
    double known = 0, sum = 0;
    size_t n = 0;

    for (size_t p = 0; p < w->b->n_programs; p++) {
        known += w->seconds[p];
        n += w->seconds[p] > 0;
    }
    if (!n)
        return -1;
    for (size_t i = 0; i < n_cells(w); i++) {
        const struct cell *c = &w->cells.at[i];
        double expected = w->seconds[program_of(w, i)];

        expected = expected > 0 ? expected : known / (double)n;
        if (c->state == CELL_RUNNING)
            expected = fmax(0, expected - (wall_seconds() - c->start));
        sum += c->state <= CELL_RUNNING ? expected : 0;
    }
    return sum;
}

static void show_progress(void *to)
{
    struct work *w = to;

    buf_clear(&w->running);
    for (size_t i = 0; i < n_cells(w); i++)
        if (w->cells.at[i].state == CELL_RUNNING) {
            buf_printf(&w->running, "%s%s %s", w->running.len ? ", " : "",
                       w->b->name[program_of(w, i)],
                       w->b->column[column_of(w, i)].spec);
            progress_share_put(w->share, i, &w->running);
        }
    w->progress.running = buf_text(&w->running);
    w->progress.seconds_left = seconds_left(w);
    progress_show(&w->progress);
}

/* A line for a cell that ended. */
static void tell_cell_ended(struct work *w, size_t i, const struct pool_end *end)
{
    const char *program = w->b->name[program_of(w, i)];
    const char *spec = w->b->column[column_of(w, i)].spec;
    FILE *log = w->console->log;

    progress_clear(&w->progress);
    if (end->err.code)
        fprintf(log, "[%zu/%zu] %s %s: FAILED: %s\n", w->progress.n_done, w->progress.n,
                program, spec, end->err.text);
    else if (!w->console->shows_progress)
        fprintf(log, "[%zu/%zu] %s %s: %.0f cycles, %.1f s\n", w->progress.n_done,
                w->progress.n, program, spec, w->b->facts[i].cycles, end->seconds);
    fflush(log);
}

/* ---- tasks of the pool ---- */

static bool is_running(const struct work *w, size_t program)
{
    for (size_t c = 0; c < w->b->n_columns; c++)
        if (w->cells.at[program * w->b->n_columns + c].state == CELL_RUNNING)
            return true;
    return false;
}

/* Longer cells are more urgent. A program that never ran goes first, once, so that its
 * length becomes known. */
static double urgency_of(const struct work *w, size_t program)
{
    if (w->seconds[program] > 0)
        return w->seconds[program];
    return is_running(w, program) ? 0 : (double)INFINITY;
}

/* The longest cell that is left, so that none ends long after the others. */
static bool find_longest_cell(const struct work *w, size_t *best)
{
    double most = -1;

    for (size_t i = 0; i < n_cells(w); i++)
        if (w->cells.at[i].state == CELL_TODO &&
            urgency_of(w, program_of(w, i)) > most) {
            most = urgency_of(w, program_of(w, i));
            *best = i;
        }
    return most >= 0;
}

static int next_cell(void *to, size_t *task, struct err *err)
{
    struct work *w = to;

    while (find_longest_cell(w, task)) {
        struct cell *c = &w->cells.at[*task];

        /* Another process may have cached it since. */
        if (!w->b->fresh && look_up(w, *task, err))
            return -1;
        if (c->state == CELL_DONE) {
            w->progress.n--;
            continue;
        }
        c->state = CELL_RUNNING;
        c->start = wall_seconds();
        show_progress(w);
        return 1;
    }
    return 0;
}

static int run_cell(void *to, size_t task, struct buf *answer, struct err *err)
{
    struct work *w = to;
    const struct program *p = &w->b->program[program_of(w, task)];
    struct timed_run r = { .machine = w->cells.machine[column_of(w, task)],
                           .program = p->source,
                           .name = p->name,
                           .choice = p->choice,
                           .size = w->b->size,
                           .seed = w->b->seed,
                           .arch = w->b->arch,
                           .folder = w->b->folder,
                           .limits.watch = progress_share_watch(w->share, task),
                           .threads = w->threads };
    struct extras_run extras = { .choice = &w->b->extra };
    struct gpu_result *result = NULL;

    extras_attach(&extras, &r);
    if (!timed_run(&r, err))
        result = gpu_result_new(r.gpu, err);
    if (result) {
        timed_json(&r, result, err, answer);
        extras_put(&extras, &r, w->b->column[column_of(w, task)].spec, answer);
    }
    gpu_result_free(result);
    timed_run_free(&r);
    extras_free(&extras);
    return result ? 0 : -1;
}

static int cell_done(void *to, size_t task, const struct pool_end *end, struct err *err)
{
    struct work *w = to;
    struct cell *c = &w->cells.at[task];

    w->progress.n_done++;
    c->state = end->err.code ? CELL_FAILED : CELL_DONE;
    if (end->err.code) {
        w->b->why[task] = strdup(end->err.text);
        if (!w->b->why[task])
            err_memory_exit("a message");
        w->b->exit_code[task] = err_exit(&end->err);
        if (!w->b->n_failed++)
            w->first = end->err;
    } else {
        w->seconds[program_of(w, task)] = end->seconds;
        if (read_result(w, task, end->answer, err))
            return -1;
    }
    keep_result(w, task, end);
    w->b->n_run++;
    tell_cell_ended(w, task, end);
    return 0;
}

/* ---- the whole ---- */

static void take_same(struct batch *b, size_t cell, size_t same)
{
    b->facts[cell] = b->facts[same];
    b->exit_code[cell] = b->exit_code[same];
    if (b->extras[same])
        b->extras[cell] = strdup(b->extras[same]);
    if (b->why[same])
        b->why[cell] = strdup(b->why[same]);
}

/* The first program that could not be recorded. */
static const struct program *find_missing(const struct batch *b)
{
    for (size_t i = 0; i < b->n_programs; i++)
        if (b->program[i].why)
            return &b->program[i];
    return NULL;
}

/* The outcome of all cells: the first failure, or results that were not cached. */
static int judge_cells(const struct work *w, struct err *err)
{
    const struct batch *b = w->b;
    const struct program *missing = find_missing(b);

    if (missing)
        return err_kind(err, (enum err_code)missing->exit_code, "%s: %s", missing->name,
                        missing->why);
    if (b->n_failed)
        return err_kind(err, w->first.code, "%zu of %zu failed; the first: %s",
                        b->n_failed, w->cells.n_mine, w->first.text);
    if (b->n_unkept && !b->is_readonly)
        return err_kind(err, b->unkept.code, "%zu of %zu results were not kept: %s",
                        b->n_unkept, b->n_run, b->unkept.text);
    return 0;
}

/* What a slice has not written so far. If all of it is in the file in the end, nothing is
 * lost. */
static void write_rest(struct work *w)
{
    struct err why = { 0 };

    if (w->keep.store)
        return;
    w->b->n_unkept = 0;
    if (keep_write(&w->keep, &why)) {
        w->b->n_unkept = 1;
        w->b->unkept = why;
    }
}

static int run_cells(struct work *w, struct err *err)
{
    struct batch *b = w->b;
    struct host host = host_read("");
    size_t n_left = w->cells.n_mine - b->n_stored;
    struct pool pool = { .jobs = jobs_choose(&host, b->jobs, n_left, w->console->log),
                         .to = w,
                         .next = next_cell,
                         .work = run_cell,
                         .done = cell_done,
                         .idle = show_progress };
    int ended;

    w->progress =
        (struct progress){ .console = w->console, .n = n_left, .jobs = pool.jobs };
    w->threads = jobs_threads(b->threads, pool.jobs < n_left ? pool.jobs : n_left);
    if (b->n_stored)
        fprintf(w->console->log, "%zu of %zu results taken from the cache in %s\n",
                b->n_stored, w->cells.n_mine, buf_text(&w->keep.path));
    if (w->console->shows_progress)
        w->share = progress_share_new(n_cells(w));
    ended = pool_run(&pool, err);
    write_rest(w);
    progress_clear(&w->progress);
    progress_share_free(w->share);
    for (size_t i = 0; i < n_cells(w); i++)
        if (w->cells.at[i].state == CELL_SAME)
            take_same(b, i, w->cells.at[i].same);
    b->n_distinct = w->cells.n_mine;
    if (ended > 0)
        b->signal = ended;
    return ended < 0 ? -1 : judge_cells(w, err);
}

static void close_work(struct work *w)
{
    cells_free(&w->cells);
    free(w->seconds);
    keep_close(&w->keep);
    facts_reader_free(w->reader);
    buf_free(&w->running);
}

/* If a signal stopped the batch: says what is cached and ends the process by that signal,
 * as its sender expects. */
static void obey_signal(const struct batch *b, struct console *console)
{
    if (!b->signal)
        return;
    fprintf(console->log,
            "stopped; %zu of %zu results are cached in %s; the same command continues "
            "from there\n",
            b->n_stored + b->n_run - b->n_failed - b->n_unkept, b->n_distinct,
            b->kept_in);
    fflush(NULL);
    signal(b->signal, SIG_DFL);
    raise(b->signal);
}

/* What the run fills in. */
static int allocate_results(struct batch *b, struct err *err)
{
    size_t n = b->n_programs * b->n_columns;

    b->facts = calloc(n, sizeof *b->facts);
    b->why = calloc(n, sizeof *b->why);
    b->exit_code = calloc(n, sizeof *b->exit_code);
    b->extras = calloc(n, sizeof *b->extras);
    b->about = calloc(b->n_columns, sizeof *b->about);
    b->name = calloc(b->n_programs, sizeof *b->name);
    if (!b->name || !b->about || !b->facts || !b->why || !b->exit_code || !b->extras)
        return err_memory(err, "the runs");
    for (size_t i = 0; i < b->n_programs; i++)
        b->name[i] = b->program[i].name;
    return 0;
}

static int open_work(struct work *w, struct err *err)
{
    struct batch *b = w->b;

    w->seconds = calloc(b->n_programs, sizeof *w->seconds);
    if (!w->seconds)
        return err_memory(err, "the runs");
    if (allocate_results(b, err) || cells_make(&w->cells, w->console, err) ||
        keep_open(&w->keep, &w->cells, w->console, err))
        return -1;
    w->reader = facts_reader_new(err);
    b->kept_in = strdup(buf_text(&w->keep.path));
    if (!b->kept_in)
        return err_memory(err, "the runs");
    return w->reader ? 0 : -1;
}

int batch_run(struct batch *b, struct console *console, struct err *err)
{
    struct work w = { .b = b, .console = console, .cells.b = b };
    int failed = -1;

    if (!open_work(&w, err) && !look_up_all(&w, err))
        failed = run_cells(&w, err);
    close_work(&w);
    obey_signal(b, console);
    return failed;
}

int batch_study(const struct batch *b, struct console *console,
                struct shard_study *study, struct err *err)
{
    struct batch copy = *b;
    struct cells cells = { .b = &copy };
    int failed = allocate_results(&copy, err) || cells_make(&cells, console, err);

    *study = cells.study;
    cells_free(&cells);
    batch_free(&copy);
    return failed ? -1 : 0;
}

void batch_free(struct batch *b)
{
    for (size_t i = 0; b->why && i < b->n_programs * b->n_columns; i++)
        free(b->why[i]);
    for (size_t i = 0; b->extras && i < b->n_programs * b->n_columns; i++)
        free(b->extras[i]);
    free(b->extras);
    b->extras = NULL;
    free(b->why);
    free(b->exit_code);
    for (size_t c = 0; b->about && c < b->n_columns; c++)
        free(b->about[c]);
    free(b->about);
    free(b->facts);
    free(b->name);
    free(b->kept_in);
    b->kept_in = NULL;
    b->name = NULL;
    b->why = NULL;
    b->exit_code = NULL;
    b->about = NULL;
    b->facts = NULL;
}

bool batch_has_results(const struct batch *b)
{
    return b->n_stored + b->n_run > b->n_failed;
}

struct grid batch_grid(const struct batch *b)
{
    return (struct grid){ .program = b->name,
                          .column = b->column,
                          .n_programs = b->n_programs,
                          .n_columns = b->n_columns,
                          .facts = b->facts,
                          .why = b->why,
                          .exit_code = b->exit_code,
                          .extras = extras_any(&b->extra) ? b->extras : NULL,
                          .about = b->about };
}
