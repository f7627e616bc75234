/* cmd_run.c - leno run: programs on a machine, cycle by cycle. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "cli/timed_setup.h"
#include "report/run.h"
#include "session/energy.h"
#include "session/hot_file.h"
#include "session/jobs.h"
#include "session/machine_options.h"
#include "session/view_size.h"

struct run_values {
    bool all, json, csv, dump, hot, large_view;
    int arch, size;
    uint64_t seed, max_cycles, max_insts, threads, series;
    const char *folder, *out, *konata, *perfetto, *view, *hot_file, *energy,
        *series_out;
    uint64_t top;
    struct machine_options machine;
    struct vortex_program_inputs inputs;
    struct program_values programs;
    struct hot_runs *runs; /* --hot: the runs, of which this is in progress */
    unsigned side;
};

static const struct run_values defaults = { .arch = OPTION_ARCH_GPU,
                                            .size = SIZE_SMALL,
                                            .seed = WORKLOAD_SEED,
                                            .out = "leno-out" };

#define AT(field) offsetof(struct run_values, field)
static const struct option options[] = {
    ROW_GPU(AT(machine.gpu), MACHINE_DEFAULT_GPU),
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_SMS(AT(machine.sms)),
    ROW_ALL(AT(all)),
    ROW_ARCH(AT(arch), option_archs_gpu, "the one for --gpu"),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_THREADS(AT(threads), "one per core"),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "program"),
    { "energy", OPTION_MAYBE, "NAME|FILE.ini",
      "print joules and watts (default: the GPU's own energies; docs/energy.md)",
      AT(energy), NULL },
    { "konata", OPTION_TEXT, "FILE", "write a pipeline log for Konata", AT(konata),
      NULL },
    { "perfetto", OPTION_TEXT, "FILE", "write pipeline events for ui.perfetto.dev",
      AT(perfetto), NULL },
    { "view", OPTION_TEXT, "WINDOW", "what to log: \"sm=0 warps=0-3 cycles=0-5000\"",
      AT(view), NULL },
    { "large-view", OPTION_FLAG, NULL,
      "write a log of gigabytes, which is refused otherwise", AT(large_view), NULL },
    ROWS_HOT(AT(hot), AT(hot_file), AT(top)),
    ROWS_SERIES(AT(series), AT(series_out)),
    { "max-cycles", OPTION_COUNT, "N", "stop after N cycles, exit status 5",
      AT(max_cycles), NULL },
    { "max-insts", OPTION_COUNT, "N", "stop after about N warp instructions, the same",
      AT(max_insts), NULL },
    ROW_ARGS(AT(inputs.args)),
    ROW_LOAD(AT(inputs.load)),
    { "dump-config", OPTION_FLAG, NULL, "print the GPU's parameters and stop", AT(dump),
      NULL },
    ROW_WORKLOADS(AT(folder)),
    ROW_OUT(AT(out)),
    ROWS_PROGRAMS(programs),
};

/* Are the logs to be large? Before anything is written. */
static int check_sizes(const struct run_values *v, const struct timed_series *s,
                       struct err *err)
{
    struct trace view = { 0 };
    double insts;

    if (v->large_view || (!v->konata && !v->perfetto) || !s->programs->n)
        return 0;
    if (trace_window(&view, v->view, err))
        return -1;
    insts = view_size_insts(&s->programs->at[0], &s->each, &view);
    if (v->konata &&
        view_size_check(insts, VIEW_KONATA_BYTES, "--konata", v->konata, err))
        return -1;
    return v->perfetto ? view_size_check(insts, VIEW_PERFETTO_BYTES, "--perfetto",
                                         v->perfetto, err)
                       : 0;
}

/* Views the user asked for, chained. */
static int open_views(const struct run_values *v, struct trace **trace, struct err *err)
{
    struct trace *t;

    if (v->konata) {
        t = trace_konata(v->konata, v->view, err);
        if (!t)
            return -1;
        t->next = *trace;
        *trace = t;
    }
    if (v->perfetto) {
        t = trace_perfetto(v->perfetto, v->view, err);
        if (!t)
            return -1;
        t->next = *trace;
        *trace = t;
    }
    return 0;
}

/* Neither may be the other, nor a recording that is run. */
static int check_views(const struct run_values *v, const struct operands *ops,
                       struct err *err)
{
    const struct file_named views[] = { { "--konata", v->konata },
                                        { "--perfetto", v->perfetto },
                                        { "--hot-file", v->hot_file },
                                        { "--series-out", v->series_out } };
    const size_t n = sizeof views / sizeof *views;

    for (size_t i = 0; i < n; i++)
        if (views[i].path && ops->n_named && !access(ops->at[0], F_OK) &&
            file_is_same(views[i].path, ops->at[0]))
            return err_set(err, "%s %s: that is the program; expected another file",
                           views[i].option, views[i].path);
    return file_out_check_all(views, n, err);
}

static int check_values(const struct run_values *v, const struct operands *ops,
                        struct err *err)
{
    const bool is_one = v->dump || (!v->all && options_are_one(&v->programs, ops));

    if (!v->dump && !(ops->n || v->programs.suite) == !v->all)
        return err_set(err, "name programs or say --all; see leno list workloads");
    if ((v->hot || v->hot_file) && !is_one)
        return err_set(err, "--hot: one program at a time");
    if ((v->konata || v->perfetto) && !is_one)
        return err_set(err, "--konata and --perfetto: one program at a time");
    if (v->series && !v->series_out)
        return err_set(err, "--series: expected --series-out FILE.csv");
    if (v->series_out &&
        (!is_one || (v->machine.scheme && strchr(v->machine.scheme, ','))))
        return err_set(err, "--series-out: one program and one scheme at a time");
    if (options_check_format(v->json, v->csv, err) ||
        (v->hot_file && hot_file_check(v->hot_file, err)))
        return -1;
    return check_views(v, ops, err);
}

static enum run_format format_of(const struct run_values *v)
{
    return v->json ? RUN_JSON : v->csv ? RUN_CSV : RUN_TEXT;
}

struct run_job {
    struct console *console;
    const struct run_values *v;
    const struct operands *ops;
};

static int print_runs(struct console *console, const struct run_values *v,
                      struct timed_series *s, struct err *err)
{
    struct run_print print = { .console = console,
                               .format = format_of(v),
                               .wants_energy = v->energy };
    struct timed_run r;
    struct err outcome;

    timed_series_start(s);
    while (timed_series_next(s, &r, &outcome)) {
        if (v->runs && r.gpu)
            v->runs->cycles[v->side] = gpu_cycle(r.gpu);
        if (!v->runs || outcome.code)
            run_print(&print, &s->runs, &r, &outcome);
        timed_run_free(&r);
    }
    return series_judge(&s->runs, err);
}

static int run_programs(void *to, struct timed_series *s, struct err *err)
{
    const struct run_job *j = to;
    struct intervals series = { 0 };
    int failed = check_sizes(j->v, s, err) || open_views(j->v, &s->each.trace, err) ||
                 (j->v->series_out &&
                  intervals_open(&series, j->v->series_out, j->v->series, err));

    if (!failed) {
        s->each.series = series.file ? &series : NULL;
        failed = print_runs(j->console, j->v, s, err);
        /* A signal leaves files as they were: these have temporary names. */
        if (!interrupt_signal() && trace_finish(s->each.trace, failed ? NULL : err))
            failed = -1;
        if (!interrupt_signal() && intervals_keep(&series, failed ? NULL : err))
            failed = -1;
    }
    intervals_free(&series);
    return failed;
}

static int prepare_and_run(const struct run_job *j, const struct machine *m,
                           struct err *err)
{
    const struct run_values *v = j->v;
    struct run_job job = *j;
    struct timed_setup setup = {
        .console = j->console,
        .machine = &v->machine,
        .programs = &v->programs,
        .ops = j->ops,
        .out = v->out,
        .folder = v->folder,
        .all = v->all,
        .arch = v->arch,
        .size = v->size,
        .seed = v->seed,
        .each = { .machine = m,
                  .hot = v->runs ? &v->runs->profile[v->side] : NULL,
                  .inputs = &v->inputs,
                  .limits = { .max_cycles = v->max_cycles },
                  .threads = jobs_threads(v->threads, 1),
                  .energy = v->energy && *v->energy ? v->energy : NULL },
        .max_insts = v->max_insts,
        .run = run_programs,
        .to = &job,
    };

    return timed_setup_run(&setup, err);
}

static void dump_config(struct console *console, const struct machine *m)
{
    struct buf text = { 0 };

    param_dump(m->bind, m->n_bind, &text);
    fwrite(buf_text(&text), 1, text.len, console->out);
    buf_free(&text);
}

static int put_hot(struct console *console, const struct run_values *v,
                   const struct hot_runs *runs, struct err *err)
{
    uint32_t top = v->top && v->top < UINT32_MAX ? (uint32_t)v->top : HOT_TOP;
    struct buf out = { 0 };

    if (v->hot_file && hot_file_write(runs, v->hot_file, top, err))
        return -1;
    if (!v->hot)
        return 0;
    if (v->json)
        hot_put_json(runs, &out);
    else if (v->csv)
        hot_put_csv(runs, &out);
    else
        hot_put_text(runs, top, &out);
    fwrite(buf_text(&out), 1, out.len, console->out);
    buf_free(&out);
    return 0;
}

struct hot_job {
    struct run_job job;
    struct run_values values; /* of the run in progress */
    struct machine *machine[HOT_SIDES];
    char scheme[HOT_SIDES][200];
};

static int run_hot_side(void *to, const char *scheme, unsigned side, struct err *err)
{
    struct hot_job *h = to;
    struct hot_runs *runs = h->values.runs;
    struct machine *m;

    h->values.side = side;
    h->values.machine.scheme = scheme;
    m = h->machine[side] = machine_from_options(&h->values.machine, err);
    if (!m || prepare_and_run(&h->job, m, err))
        return -1;
    snprintf(h->scheme[side], sizeof h->scheme[side], "%s",
             scheme ? scheme : m->scheme->name);
    runs->gpu = m->name;
    runs->scheme[side] = h->scheme[side];
    runs->n = side + 1;
    return 0;
}

/* --hot: the program under one scheme, or under two side by side. */
static int run_hot(struct console *console, const struct run_values *v,
                   const struct operands *ops, struct err *err)
{
    struct hot_runs runs = { .program = ops->at[0] }; /* a name, or a command's first */
    struct hot_job h = { .values = *v };
    const struct scheme_list schemes = { v->machine.scheme, HOT_SIDES, "--hot",
                                         run_hot_side, &h };
    int failed;

    h.values.runs = &runs;
    h.job = (struct run_job){ console, &h.values, ops };
    failed = timed_each_scheme(&schemes, err);
    if (!failed)
        failed = put_hot(console, v, &runs, err);
    for (unsigned s = 0; s < HOT_SIDES; s++)
        machine_free(h.machine[s]);
    hot_runs_free(&runs);
    return failed;
}

static int run_command(struct console *console, const void *values,
                       const struct operands *ops, struct err *err)
{
    const struct run_values *v = values;
    struct machine *m;
    int failed = 0;

    if (check_values(v, ops, err))
        return -1;
    if ((v->hot || v->hot_file) && !v->dump)
        return run_hot(console, v, ops, err);
    m = machine_from_options(&v->machine, err);
    if (!m)
        return -1;
    if (v->energy)
        failed = energy_check(m, *v->energy ? v->energy : NULL, err);
    if (failed)
        ;
    else if (v->dump)
        dump_config(console, m);
    else
        failed = prepare_and_run(&(struct run_job){ console, v, ops }, m, err);
    machine_free(m);
    return failed;
}

const struct command command_run = {
    COMMAND_NAMED(run),
    .summary = "run programs with timing and print statistics",
    .operands = "[PROGRAM...] [-- COMMAND...]",
    .details =
        "A program is a workload's name, a recorded stream or, after --, a command that\n"
        "starts a CUDA program, which is executed once and recorded; a suite file names\n"
        "many (docs/programs.md). On a Vortex machine it is one\n"
        "of its programs (leno list workloads), an ELF file or a .vxbin; for an ISA test\n"
        "(rv32ui-p-add and the like) it reports success or the test that failed. Results\n"
        "are checked as by leno emu; every register read is checked against program\n"
        "order, and every issue slot is charged to one cause. With --hot, --scheme A,B\n"
        "runs the program under two schemes and shows both (docs/hot.md).\n",
    .examples = "  leno run matrixmul\n"
                "  leno run --all --size tiny --gpu h200\n"
                "  leno run rbfs --scheme inorder --set inorder.entries=4 --json\n"
                "  leno run matrixmul --gpu h200 --energy\n"
                "  leno run nn --size tiny --konata nn.log --view \"sm=0 warps=0-3\"\n"
                "  leno run hotspot --hot --scheme inorder,ghost --hot-file hot.html\n"
                "  leno run sgemm --gpu vortex-4x4 --scheme loog\n"
                "  leno run --match 'bfs_*' -- ./bfs graph65536.txt\n"
                "  leno run --gpu v100 --dump-config > my.ini\n",
    .defaults = &defaults,
};
