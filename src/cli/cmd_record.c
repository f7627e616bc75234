/* cmd_record.c - leno record: what a workload executes, written to files. */
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/meter.h"
#include "cli/option_rows.h"
#include "frontend/replay/replay.h"
#include "session/workload_run.h"

struct record_values {
    int arch, size;
    uint64_t seed;
    const char *output, *traceg, *folder;
};

static const unsigned sms[] = { 75, 86, 90 };

/* Where kernels go: one of the two. */
struct target {
    struct console *console;
    struct meter meter;
    struct replay_writer *leno;
    struct traceg_writer *traceg;
    FILE *rows; /* the table; the recording itself may be on standard output */
    uint64_t n_kernels, n_blocks;
    struct replay_counts total;
};

static struct target target_for(struct console *console, const char *what)
{
    struct target t = { .console = console };

    meter_start(&t.meter, console->shows_progress ? console->log : NULL, "%s", what);
    interrupt_watch();
    return t;
}

static void print_row(struct target *t, const char *name, uint64_t blocks,
                      const struct replay_counts *c)
{
    double per = c->warp_insts ? (double)c->file_bytes / (double)c->warp_insts : 0;

    fprintf(t->rows, "%-32s %10llu %14llu %14llu %12.3f\n", name,
            (unsigned long long)blocks, (unsigned long long)c->warp_insts,
            (unsigned long long)c->file_bytes, per);
}

/* to: a struct target */
static int take_kernel(void *to, struct kernel *k, struct replay_counts *c,
                       struct err *err)
{
    struct target *t = to;
    int failed;

    k->watch = &t->meter.watch;
    k->number = t->n_kernels + 1;
    failed = t->leno ? replay_record_kernel(t->leno, k, c, err)
                     : traceg_record_kernel(t->traceg, k, c, err);
    meter_clear(&t->meter);
    if (failed)
        return -1;
    if (!t->n_kernels++)
        fprintf(t->rows, "%-32s %10s %14s %14s %12s\n", "kernel", "blocks",
                "warp insts", "bytes", "bytes/inst");
    print_row(t, k->name, k->n_blocks, c);
    t->n_blocks += k->n_blocks;
    t->total.warp_insts += c->warp_insts;
    t->total.file_bytes += c->file_bytes;
    return 0;
}

static int open_target(struct target *t, const char *output, const char *traceg,
                       const char *program, unsigned sm, struct err *err)
{
    t->rows = output && file_is_stdout(output) ? t->console->log : t->console->out;
    if (output)
        t->leno = replay_writer_new(output, program, sm, err);
    else
        t->traceg = traceg_writer_new(traceg, sm, err);
    return t->leno || t->traceg ? 0 : -1;
}

/* Everything is there, or nothing. */
static int close_target(struct target *t, int failed, struct err *err)
{
    if (failed) {
        replay_writer_abandon(t->leno);
        traceg_writer_abandon(t->traceg);
        return -1;
    }
    if (t->leno ? replay_writer_finish(t->leno, err)
                : traceg_writer_finish(t->traceg, err))
        return -1;
    if (t->n_kernels > 1)
        print_row(t, "total", t->n_blocks, &t->total);
    return 0;
}

static int run_workload(struct console *console, const struct record_values *v,
                        const struct workload *w, struct err *err)
{
    struct target t = target_for(console, w->name);
    struct buf folder = { 0 }, program = { 0 };
    struct emu_run run = { .workload = w,
                           .arch = (enum sass_arch)v->arch,
                           .size = (enum workload_size)v->size,
                           .seed = v->seed,
                           .printed = console->log,
                           .hook = {
                               .mode = LAUNCH_STREAM, .take = take_kernel, .to = &t } };
    int failed = workload_folder(v->folder, &folder, err);

    run.folder = buf_text(&folder);
    buf_printf(&program, "%s --arch %s --size %s --seed %llu", w->name,
               option_archs[v->arch], option_sizes[v->size],
               (unsigned long long)v->seed);
    if (!failed)
        failed = open_target(&t, v->output, v->traceg, buf_text(&program), sms[v->arch],
                             err);
    if (!failed) {
        failed = emu_run(&run, err);
        failed = close_target(&t, failed, err);
    }
    buf_free(&folder);
    buf_free(&program);
    return failed;
}

static int convert_kernels(struct target *t, struct replay *r, struct err *err)
{
    struct replay_counts counts;
    struct kernel *k;
    int got, failed = 0;

    while (!failed && (got = replay_next_kernel(r, &k, err))) {
        if (got < 0)
            return -1;
        failed = take_kernel(t, k, &counts, err);
        replay_kernel_free(r, k);
    }
    return failed;
}

/* From a recording to the other format. */
static int convert(struct console *console, const struct record_values *v,
                   const char *path, struct err *err)
{
    struct target t = target_for(console, path);
    struct replay *r = replay_open(path, NULL, err);
    const struct replay_info *info;
    int failed;

    if (!r)
        return -1;
    info = replay_info(r);
    failed = open_target(&t, v->output, v->traceg, info->program, info->sm, err);
    if (!failed) {
        failed = convert_kernels(&t, r, err);
        failed = close_target(&t, failed, err);
    }
    replay_close(r);
    return failed;
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && !strcmp(s + n - m, end);
}

static int record_command(struct console *console, const void *values,
                          const struct operands *ops, struct err *err)
{
    const struct record_values *v = values;
    const struct workload *w;
    const char *what;

    if (ops->n != 1)
        return err_set(err, "expected one workload (see leno list workloads) or one "
                            "recording");
    if (!v->output == !v->traceg)
        return err_set(err, "expected either -o FILE.leno or --traceg DIR");
    what = ops->at[0];
    if (ends_with(what, ".leno") || ends_with(what, ".g") ||
        ends_with(what, ".traceg") || ends_with(what, ".traceg.xz"))
        return convert(console, v, what, err);
    w = workload_find(what, err);
    return w ? run_workload(console, v, w, err) : -1;
}

static void record_defaults(void *values)
{
    struct record_values *v = values;

    v->arch = SM75;
    v->size = SIZE_TINY;
    v->seed = WORKLOAD_SEED;
}

#define AT(field) offsetof(struct record_values, field)
static const struct option options[] = {
    { "output", OPTION_TEXT, "FILE", "write the recording to FILE.leno; also -o",
      AT(output), NULL },
    { "traceg", OPTION_TEXT, "DIR", "write a folder of traces for Accel-Sim instead",
      AT(traceg), NULL },
    ROW_ARCH(AT(arch), option_archs, "sm_75"),
    ROW_SIZE(AT(size), "tiny"),
    ROW_SEED(AT(seed)),
    ROW_WORKLOADS(AT(folder)),
};

static const char *const examples[] = {
    "leno record vecadd -o vecadd.leno",
    "leno record lud --arch sm_90 --size small --output lud.leno",
    "leno record hotspot --arch sm_86 --traceg hotspot-traces",
    "leno record vecadd.leno --traceg vecadd-traces",
    "leno record traces/hotspot/kernelslist.g -o hotspot.leno",
    NULL
};

const struct command command_record = {
    .name = "record",
    .summary = "run a workload and write down what it executes",
    .operands = "WORKLOAD|RECORDING",
    .details =
        "Executes a workload functionally, checks its result, and records every\n"
        "instruction of every warp: as one .leno file, which is small and quick to\n"
        "replay, or as a folder of .traceg files that Accel-Sim reads (sm_75, sm_86).\n"
        "A recording of either kind can be turned into the other. Files appear only\n"
        "when everything went well. docs/formats.md describes them.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct record_values),
    .defaults = record_defaults,
    .run = record_command,
};
