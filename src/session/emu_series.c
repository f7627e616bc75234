/* emu_series.c - runs workloads without timing, one after another. */
#include "session/emu_series.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/meter.h"
#include "session/launches.h"
#include "session/study.h"

static size_t archs_of(const struct emu_series *s)
{
    return s->arch == EMU_ALL_ARCHS ? N_SASS_ARCH : 1;
}

static const struct workload *workload_of(const struct emu_series *s, size_t i)
{
    return s->workload ? workload_find(s->workload[i], NULL) : workload_at(i);
}

/* The place-th of all pairs of a workload and an architecture. */
static enum sass_arch arch_of(const struct emu_series *s, size_t place)
{
    return (enum sass_arch)(archs_of(s) > 1 ? (int)(place % N_SASS_ARCH) : s->arch);
}

static bool has_code(const struct emu_series *s, size_t place)
{
    return workload_has_code(workload_of(s, place / archs_of(s)), arch_of(s, place));
}

/* The pairs of n workloads that have code. */
static size_t count_runs(const struct emu_series *s, size_t n)
{
    size_t runs = 0;

    for (size_t place = 0; place < n * archs_of(s); place++)
        runs += has_code(s, place);
    return runs;
}

/* A workload that is named must have code for the architecture that is named. */
static const struct workload *find_named(const struct emu_series *s, const char *name,
                                         struct err *err)
{
    return s->arch == EMU_ALL_ARCHS
               ? workload_find(name, err)
               : workload_find_for(name, (enum sass_arch)s->arch, err);
}

/* Counting costs time: only for a file or for records that have counts. */
static bool wants_counts(const struct emu_series *s)
{
    return s->counts || (s->recorded && s->size == SIZE_TINY);
}

int emu_series_start(struct emu_series *s, struct err *err)
{
    size_t n = s->n_workloads;

    if (s->recorded &&
        reference_open(&s->reference, s->recorded, s->differences, err)) {
        s->recorded = NULL;
        return -1;
    }
    for (size_t i = 0; s->workload && i < n; i++)
        if (!find_named(s, s->workload[i], err))
            return -1;
    s->reference.may_lack = !s->workload;
    if (!s->workload)
        for (n = 0; workload_at(n); n++)
            ;
    s->counted = wants_counts(s) ? inst_counts_new() : NULL;
    s->raced = s->finds_races || s->sanitizes ? race_report_new(s->sanitizes) : NULL;
    series_start(&s->runs, count_runs(s, n));
    interrupt_watch();
    return 0;
}

static void run_workload(struct emu_series *s, struct emu_result *r, struct err *err)
{
    struct workload_run *run = &r->run;

    if (s->is_study)
        study_run(run, &r->redundancy, err);
    else if (!workload_run(run, err) && s->recorded && run->arch == SM90)
        reference_compare(&s->reference, run, s->counted, err);
}

static void keep_shapes(struct emu_series *s, const struct workload_run *run,
                        const struct launch_shapes *shapes, bool is_ok)
{
    if (!s->shapes.len)
        launch_shapes_title(&s->shapes);
    if (is_ok)
        launch_shapes_write(shapes, run->workload->name, workload_size_name(run->size),
                            sass_arch_name(run->arch), &s->shapes);
}

static void keep_counts(struct emu_series *s, const struct workload_run *run,
                        bool is_ok)
{
    if (s->counts && is_ok && !s->csv.len)
        inst_counts_title(&s->csv);
    if (s->counts && is_ok)
        inst_counts_write(s->counted, run->workload->name, sass_arch_name(run->arch),
                          &s->csv);
    if (s->counted)
        inst_counts_forget(s->counted);
}

bool emu_series_next(struct emu_series *s, struct emu_result *r, struct err *err)
{
    struct console *console = s->console;
    struct launch_shapes shapes = { 0 };
    struct meter meter;

    if (!series_has_next(&s->runs))
        return false;
    *err = (struct err){ 0 };
    while (!has_code(s, s->place))
        s->place++;
    *r = (struct emu_result){ .run = { .workload =
                                           workload_of(s, s->place / archs_of(s)),
                                       .arch = arch_of(s, s->place),
                                       .size = s->size,
                                       .seed = s->seed,
                                       .folder = s->folder,
                                       .printed = console->log,
                                       .hook = { .watch = &meter.watch,
                                                 .shapes = s->launches ? &shapes : NULL,
                                                 .counts = s->counted,
                                                 .races = s->raced } } };
    meter_start(&meter, console->shows_progress ? console->log : NULL,
                "[%zu/%zu] %s %s", s->runs.n_done + 1, s->runs.n_runs,
                r->run.workload->name, sass_arch_name(r->run.arch));
    meter.watch.max_insts = s->max_insts;
    s->place++;
    run_workload(s, r, err);
    r->run.hook.watch = NULL;
    r->run.hook.shapes = NULL;
    series_note(&s->runs, err);
    meter_clear(&meter);
    keep_counts(s, &r->run, !err->code);
    if (s->launches)
        keep_shapes(s, &r->run, &shapes, !err->code);
    launch_shapes_free(&shapes);
    return true;
}

/* Standard output, which may be where they go, has its rows first. */
static int write_files(const struct emu_series *s, struct err *err)
{
    fflush(s->console->out);
    if (s->counts && file_write(s->counts, buf_text(&s->csv), s->csv.len, err))
        return -1;
    if (!s->launches)
        return 0;
    return file_write(s->launches, buf_text(&s->shapes), s->shapes.len, err);
}

static void put_races(const struct emu_series *s)
{
    struct buf out = { 0 };

    race_report_put(s->raced, &out);
    fputs(buf_text(&out), s->console->log);
    buf_free(&out);
}

int emu_series_end(struct emu_series *s, int failed, struct err *err)
{
    if (!failed && !(failed = write_files(s, err)))
        failed = series_judge(&s->runs, err);
    if (!failed && s->raced)
        put_races(s);
    if (s->recorded) {
        reference_summary(&s->reference);
        reference_close(&s->reference);
    }
    inst_counts_free(s->counted);
    race_report_free(s->raced);
    buf_free(&s->csv);
    buf_free(&s->shapes);
    return failed;
}
