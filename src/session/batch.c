/* batch.c - plans cells, looks them up, runs them and keeps their results. */
#include "session/batch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/revision.h"
#include "base/seconds.h"
#include "frontend/sass/arch.h"
#include "session/kind.h"
#include "session/pool.h"
#include "session/progress.h"
#include "session/spec.h"
#include "session/store.h"
#include "sim/describe.h"

enum cell_state {
    CELL_TODO,
    CELL_RUNNING,
    CELL_DONE,
    CELL_FAILED,
    CELL_SAME,
    CELL_INVALID
};

struct cell {
    struct store_key key;
    enum cell_state state;
    size_t same;  /* CELL_SAME: the cell before it that has the same key */
    bool is_told; /* the store has a damaged row for it, which was reported */
    double start; /* while it runs */
};

struct work {
    struct batch *b;
    struct console *console;
    struct machine **machine; /* by column */
    struct cell *cell;        /* as the facts are */
    double *seconds;          /* by program: of one run, as far as known; else 0 */
    struct store *store;
    struct facts_reader *reader;
    struct buf store_path, running;
    struct progress progress;
    struct progress_share *share; /* by cell; NULL: nothing is shown */
    size_t n_distinct;            /* cells whose configuration no earlier one has */
    struct err first;             /* failure of a cell */
};

static size_t n_cells(const struct work *w)
{
    return w->b->n_programs * w->b->n_columns;
}

static size_t program_of(const struct work *w, size_t cell)
{
    return cell / w->b->n_columns;
}

static size_t column_of(const struct work *w, size_t cell)
{
    return cell % w->b->n_columns;
}

static enum sass_arch arch_of(const struct work *w, size_t column)
{
    return w->b->arch < 0 ? (enum sass_arch)w->machine[column]->gpu.arch
                          : (enum sass_arch)w->b->arch;
}

/* ---- cells ---- */

/* Notes what a column's machine is, and warns, once, if the code is not for it. */
static void note_machine(struct batch *b, size_t column, const struct machine *m,
                         const struct console *console)
{
    struct buf about = { 0 };

    machine_describe(m, &about);
    b->about[column] = about.data;
    if (b->arch < 0 || *b->warning)
        return;
    if (machine_warn_arch(m, sass_arch_name((enum sass_arch)b->arch), b->warning,
                          sizeof b->warning))
        fprintf(console->log, "leno: warning: %s\n", b->warning);
}

static int make_machines(struct work *w, struct err *err)
{
    const struct batch *b = w->b;

    for (size_t c = 0; c < b->n_columns; c++) {
        struct machine *m;

        if (b->column[c].invalid)
            continue;
        m = spec_machine(b->column[c].gpu, b->column[c].spec, b->set.at, b->set.n, err);
        w->machine[c] = m;
        if (!m || machine_check(m, err) || (b->sms && machine_slice(m, b->sms, err)))
            return -1;
        note_machine(w->b, c, m, w->console);
    }
    return spec_check_set(w->machine, b->n_columns, b->set.at, b->set.n, err);
}

/* Columns may name the same machine in two ways; it is run once. */
static void find_same(struct work *w, size_t i)
{
    const struct store_key *key = &w->cell[i].key;

    for (size_t k = 0; k < i; k++)
        if (w->cell[k].key.program == key->program &&
            w->cell[k].key.config == key->config && w->cell[k].state == CELL_TODO) {
            w->cell[i].state = CELL_SAME;
            w->cell[i].same = k;
            w->b->n_shared++;
            return;
        }
    w->n_distinct++;
}

/* There is no such machine, or nothing to run on it. */
static void exclude_cell(struct work *w, size_t i, const char *why, int exit_code)
{
    w->cell[i].state = CELL_INVALID;
    w->b->exit_code[i] = exit_code;
    w->b->why[i] = strdup(why);
    if (!w->b->why[i])
        err_memory_exit("a message");
}

/* A program is hashed once, not for every column: recordings may be large. */
static int hash_program(struct work *w, size_t i, const struct identity *id,
                        struct err *err)
{
    size_t c = column_of(w, i);

    if (c && w->cell[i - 1].key.program && w->machine[c - 1] &&
        session_kind(w->machine[c - 1]) == session_kind(id->machine) &&
        arch_of(w, c - 1) == id->arch) {
        w->cell[i].key.program = w->cell[i - 1].key.program;
        return 0;
    }
    return identity_program(id, &w->cell[i].key.program, err);
}

static int name_cells(struct work *w, struct err *err)
{
    for (size_t i = 0; i < n_cells(w); i++) {
        const struct program *p = &w->b->program[program_of(w, i)];
        size_t c = column_of(w, i);
        const char *invalid = w->b->column[c].invalid;
        struct store_key *key = &w->cell[i].key;
        struct identity id;

        if (invalid || p->why) {
            exclude_cell(w, i, invalid ? invalid : p->why, invalid ? 0 : p->exit_code);
            continue;
        }
        id = (struct identity){ .machine = w->machine[c],
                                .program = p->source,
                                .choice = &p->choice,
                                .folder = w->b->folder,
                                .size = w->b->size,
                                .seed = w->b->seed,
                                .arch = arch_of(w, c) };

        if (hash_program(w, i, &id, err))
            return -1;
        key->config = identity_config(&id);
        key->revision = revision_text();
        find_same(w, i);
    }
    return 0;
}

/* ---- the store ---- */

static int open_store(struct work *w, struct err *err)
{
    if (mkdir(w->b->out, 0777) && errno != EEXIST)
        return err_set(err, "%s: %s", w->b->out, strerror(errno));
    buf_printf(&w->store_path, "%s/" BATCH_FILE, w->b->out);
    w->store = store_open(buf_text(&w->store_path), STORE_WAIT_MS, err);
    w->reader = facts_reader_new(err);
    if (!w->store || !w->reader)
        return -1;
    w->b->is_readonly = store_why_readonly(w->store);
    if (w->b->is_readonly)
        fprintf(w->console->log,
                "%s cannot be written (%s): cached results are used, new ones are not "
                "kept\n",
                buf_text(&w->store_path), store_why_readonly(w->store));
    return 0;
}

/* Warns of a damaged row, once. */
static void tell_damaged(struct work *w, size_t i, const struct err *why)
{
    if (!w->cell[i].is_told)
        fprintf(w->console->log,
                "%s; the row is ignored and the program is run again\n", why->text);
    w->cell[i].is_told = true;
}

/* Takes the result of a cell from the store, if it is there and not damaged. */
static int look_up(struct work *w, size_t i, struct err *err)
{
    struct buf json = { 0 };
    struct err why = { 0 };
    int found = store_get(w->store, &w->cell[i].key, &json, &why);

    if (found == 1 && facts_read(w->reader, buf_text(&json), &w->b->facts[i], &why)) {
        err_prefix(&why, "%s: a result of %s", buf_text(&w->store_path),
                   w->b->name[program_of(w, i)]);
        found = STORE_DAMAGED;
    }
    if (found == 1) {
        w->cell[i].state = CELL_DONE;
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
        if (!w->b->fresh && w->cell[i].state == CELL_TODO && look_up(w, i, err))
            return -1;
        if (!(w->seconds[program_of(w, i)] > 0) && w->cell[i].state != CELL_INVALID)
            w->seconds[program_of(w, i)] =
                store_seconds(w->store, w->cell[i].key.program);
    }
    return 0;
}

/* A result that cannot be cached is still printed. */
static void keep_result(struct work *w, size_t i, const struct pool_end *end)
{
    const struct machine *m = w->machine[column_of(w, i)];
    struct store_row row = {
        .program = w->b->name[program_of(w, i)],
        .size = workload_size_name(w->b->size),
        .arch = sass_arch_name(arch_of(w, column_of(w, i))),
        .gpu = m->name,
        .scheme = w->b->column[column_of(w, i)].spec,
        .seconds = end->seconds,
        .result = end->answer,
    };
    struct err why = { 0 };

    if (store_put(w->store, &w->cell[i].key, &row, &why) && !w->b->n_unkept++)
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
        const struct cell *c = &w->cell[i];
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
        if (w->cell[i].state == CELL_RUNNING) {
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
        if (w->cell[program * w->b->n_columns + c].state == CELL_RUNNING)
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
        if (w->cell[i].state == CELL_TODO && urgency_of(w, program_of(w, i)) > most) {
            most = urgency_of(w, program_of(w, i));
            *best = i;
        }
    return most >= 0;
}

static int next_cell(void *to, size_t *task, struct err *err)
{
    struct work *w = to;

    while (find_longest_cell(w, task)) {
        struct cell *c = &w->cell[*task];

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
    struct timed_run r = { .machine = w->machine[column_of(w, task)],
                           .program = p->source,
                           .name = p->name,
                           .choice = p->choice,
                           .size = w->b->size,
                           .seed = w->b->seed,
                           .arch = w->b->arch,
                           .folder = w->b->folder,
                           .limits.watch = progress_share_watch(w->share, task) };
    struct gpu_result *result;

    if (timed_run(&r, err))
        return -1;
    result = gpu_result_new(r.gpu, err);
    if (!result)
        return -1;
    timed_json(&r, result, err, answer);
    gpu_result_free(result);
    gpu_free(r.gpu);
    return 0;
}

static int cell_done(void *to, size_t task, const struct pool_end *end, struct err *err)
{
    struct work *w = to;
    struct cell *c = &w->cell[task];

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
        if (facts_read(w->reader, end->answer, &w->b->facts[task], err))
            return -1;
        keep_result(w, task, end);
    }
    w->b->n_run++;
    tell_cell_ended(w, task, end);
    return 0;
}

/* ---- the whole ---- */

static void take_same(struct batch *b, size_t cell, size_t same)
{
    b->facts[cell] = b->facts[same];
    b->exit_code[cell] = b->exit_code[same];
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
                        b->n_failed, w->n_distinct, w->first.text);
    if (b->n_unkept && !b->is_readonly)
        return err_kind(err, b->unkept.code, "%zu of %zu results were not kept: %s",
                        b->n_unkept, b->n_run, b->unkept.text);
    return 0;
}

static int run_cells(struct work *w, struct err *err)
{
    struct batch *b = w->b;
    size_t wanted = b->jobs ? b->jobs : pool_cores();
    struct pool pool = { .jobs = wanted < n_cells(w) ? wanted : n_cells(w),
                         .to = w,
                         .next = next_cell,
                         .work = run_cell,
                         .done = cell_done,
                         .idle = show_progress };
    int ended;

    w->progress = (struct progress){ .console = w->console,
                                     .n = w->n_distinct - b->n_stored,
                                     .jobs = pool.jobs };
    if (b->n_stored)
        fprintf(w->console->log, "%zu of %zu results taken from the cache in %s\n",
                b->n_stored, w->n_distinct, buf_text(&w->store_path));
    if (w->console->shows_progress)
        w->share = progress_share_new(n_cells(w));
    ended = pool_run(&pool, err);
    progress_clear(&w->progress);
    progress_share_free(w->share);
    for (size_t i = 0; i < n_cells(w); i++)
        if (w->cell[i].state == CELL_SAME)
            take_same(b, i, w->cell[i].same);
    b->n_distinct = w->n_distinct;
    if (ended > 0)
        b->signal = ended;
    return ended < 0 ? -1 : judge_cells(w, err);
}

static void close_work(struct work *w)
{
    for (size_t c = 0; w->machine && c < w->b->n_columns; c++)
        machine_free(w->machine[c]);
    free(w->machine);
    free(w->cell);
    free(w->seconds);
    store_close(w->store);
    facts_reader_free(w->reader);
    buf_free(&w->store_path);
    buf_free(&w->running);
}

/* If a signal stopped the batch: says what is cached and ends the process by that signal,
 * as its sender expects. */
static void obey_signal(const struct batch *b, struct console *console)
{
    if (!b->signal)
        return;
    fprintf(console->log,
            "stopped; %zu of %zu results are cached in %s/" BATCH_FILE
            "; the same command continues from there\n",
            b->n_stored + b->n_run - b->n_failed - b->n_unkept, b->n_distinct, b->out);
    fflush(NULL);
    signal(b->signal, SIG_DFL);
    raise(b->signal);
}

int batch_run(struct batch *b, struct console *console, struct err *err)
{
    struct work w = { .b = b, .console = console };
    int failed = -1;

    w.machine = calloc(b->n_columns, sizeof *w.machine);
    w.cell = calloc(n_cells(&w), sizeof *w.cell);
    w.seconds = calloc(b->n_programs, sizeof *w.seconds);
    b->facts = calloc(n_cells(&w), sizeof *b->facts);
    b->why = calloc(n_cells(&w), sizeof *b->why);
    b->exit_code = calloc(n_cells(&w), sizeof *b->exit_code);
    b->about = calloc(b->n_columns, sizeof *b->about);
    b->name = calloc(b->n_programs, sizeof *b->name);
    for (size_t i = 0; b->name && i < b->n_programs; i++)
        b->name[i] = b->program[i].name;
    if (!b->name || !b->about || !w.machine || !w.cell || !w.seconds || !b->facts ||
        !b->why || !b->exit_code)
        err_memory(err, "the runs");
    else if (!make_machines(&w, err) && !name_cells(&w, err) && !open_store(&w, err) &&
             !look_up_all(&w, err))
        failed = run_cells(&w, err);
    close_work(&w);
    obey_signal(b, console);
    return failed;
}

void batch_free(struct batch *b)
{
    for (size_t i = 0; b->why && i < b->n_programs * b->n_columns; i++)
        free(b->why[i]);
    free(b->why);
    free(b->exit_code);
    for (size_t c = 0; b->about && c < b->n_columns; c++)
        free(b->about[c]);
    free(b->about);
    free(b->facts);
    free(b->name);
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
                          .about = b->about };
}
