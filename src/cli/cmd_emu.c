/* cmd_emu.c - leno emu: workloads run functionally, their results checked. */
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/meter.h"
#include "cli/option_rows.h"
#include "session/counts.h"
#include "session/reference.h"
#include "session/study.h"
#include "session/vortex_program.h"
#include "session/workload_run.h"
#include "sim/describe.h"

struct emu_values {
    bool all, json, redundancy;
    int arch, size;
    uint64_t seed;
    const char *counts, *folder, *reference;
    struct vortex_program_options program;
};

_Static_assert((int)OPTION_ARCH_ALL == (int)N_SASS_ARCH, "behind the architectures");

/* What leno emu holds while it goes through the runs. */
struct batch {
    struct console *console;
    const struct emu_values *values;
    const char *folder;
    struct inst_counts *counts;  /* NULL: nobody wants them */
    struct reference *reference; /* NULL: not compared */
    struct buf csv;
    size_t n_runs, n_done, n_failed;
    struct err first; /* of the first run that failed */
};

static double rate(const struct workload_run *r)
{
    return r->hook.seconds > 0
               ? (double)r->totals.cost.warp_insts / r->hook.seconds * 1e-6
               : 0;
}

static void print_name(FILE *out, const struct workload_run *r)
{
    fprintf(out, "%-12s %-6s %-6s", r->workload->name, sass_arch_name(r->arch),
            option_sizes[r->size]);
}

static const char *outcome(const struct err *err)
{
    return gpu_is_partial(err) ? "partial" : err->code ? "FAIL" : "ok";
}

/* A run that failed has no numbers. */
static void print_row(const struct batch *b, const struct workload_run *r,
                      const struct err *err)
{
    FILE *out = b->console->out;

    if (b->n_done == 1)
        fprintf(out, "%-12s %-6s %-6s %8s %14s %11s  %s\n", "workload", "arch", "size",
                "kernels", "warp insts", "M insts/s", "result");
    print_name(out, r);
    if (!gpu_has_statistics(err))
        fprintf(out, " %8s %14s %11s", "-", "-", "-");
    else
        fprintf(out, " %8llu %14llu %11.1f", (unsigned long long)r->totals.launches,
                (unsigned long long)r->totals.cost.warp_insts, rate(r));
    fprintf(out, "  %s\n", outcome(err));
    fflush(out);
}

static void print_shares(const struct batch *b, const struct workload_run *r,
                         const struct repeats_counts *c, const struct err *err)
{
    FILE *out = b->console->out;
    bool failed = err->code != ERR_NONE; /* shares of a part say nothing */

    if (b->n_done == 1) {
        fprintf(out, "%-12s %-6s %-6s %12s", "workload", "arch", "size", "warp insts");
        for (unsigned i = 0; i < N_STUDY_SHARES; i++)
            fprintf(out, " %7.7s %%", study_shares[i].name);
        fputs("  result\n", out);
    }
    print_name(out, r);
    if (failed)
        fprintf(out, " %12s", "-");
    else
        fprintf(out, " %12llu", (unsigned long long)c->insts);
    for (unsigned i = 0; i < N_STUDY_SHARES; i++)
        if (failed)
            fprintf(out, " %9s", "-");
        else
            fprintf(out, " %9.1f", study_share(c, &study_shares[i]));
    fprintf(out, "  %s\n", outcome(err));
    fflush(out);
}

static void put_shares(struct buf *out, const struct repeats_counts *c)
{
    buf_puts(out, ", \"redundant\": {");
    for (unsigned i = 0; i < N_STUDY_SHARES; i++)
        buf_printf(out, "%s\"%s\": %.4f", i ? ", " : "", study_shares[i].name,
                   study_share(c, &study_shares[i]));
    buf_puts(out, "}");
}

static void put_numbers(const struct workload_run *r, struct buf *out)
{
    buf_printf(out, ", \"digest\": \"%016llx\"", (unsigned long long)r->digest);
    document_number(out, "kernels", r->totals.launches);
    document_number(out, "blocks", r->totals.cost.blocks);
    document_number(out, "warp_insts", r->totals.cost.warp_insts);
    document_number(out, "thread_insts", r->totals.cost.thread_insts);
}

static void print_json(const struct batch *b, const struct workload_run *r,
                       const struct repeats_counts *c, const struct err *err)
{
    struct buf out = { 0 };

    if (b->n_done == 1) {
        document_begin(&out, "emu");
        buf_puts(&out, ", \"runs\": [");
    }
    buf_puts(&out, b->n_done == 1 ? "\n{\"program\": " : ",\n{\"program\": ");
    json_string(&out, r->workload->name);
    document_text(&out, "size", option_sizes[r->size]);
    document_number(&out, "seed", r->seed);
    document_text(&out, "code_arch", sass_arch_name(r->arch));
    document_outcome(&out, err);
    document_bool(&out, "partial", gpu_is_partial(err));
    if (gpu_has_statistics(err))
        put_numbers(r, &out);
    if (!err->code && b->values->redundancy)
        put_shares(&out, c);
    buf_printf(&out, ", \"seconds\": %.6f}%s", r->hook.seconds,
               b->n_done == b->n_runs ? "]}\n" : "");
    fputs(buf_text(&out), b->console->out);
    fflush(b->console->out);
    buf_free(&out);
}

static void run_one(struct batch *b, const struct workload *w, enum sass_arch arch)
{
    struct workload_run run = { .workload = w,
                                .arch = arch,
                                .size = (enum workload_size)b->values->size,
                                .seed = b->values->seed,
                                .folder = b->folder,
                                .printed = b->console->log,
                                .hook = { .counts = b->counts } };
    struct repeats_counts shares = { 0 };
    struct err err = { 0 };
    const char *name = sass_arch_name(arch);
    struct meter meter;

    meter_start(&meter, b->console->shows_progress ? b->console->log : NULL,
                "[%zu/%zu] %s %s", b->n_done + 1, b->n_runs, w->name, name);
    meter.watch.max_insts = b->values->program.max_insts;
    run.hook.watch = &meter.watch;
    if (b->values->redundancy)
        study_run(&run, &shares, &err);
    else if (!workload_run(&run, &err) && b->reference && arch == SM90)
        reference_compare(b->reference, &run, b->counts, &err);
    b->n_done++;
    if (interrupt_signal())
        b->n_runs = b->n_done; /* the last one */
    meter_clear(&meter);
    if (err.code) {
        if (!b->n_failed++)
            b->first = err;
        if (b->n_runs > 1)
            fprintf(b->console->log, "leno emu: %s %s: %s\n", w->name, name, err.text);
    }
    if (b->values->json)
        print_json(b, &run, &shares, &err);
    else if (b->values->redundancy)
        print_shares(b, &run, &shares, &err);
    else
        print_row(b, &run, &err);
    if (b->values->counts && !err.code)
        inst_counts_write(b->counts, w->name, name, &b->csv);
    if (b->counts)
        inst_counts_forget(b->counts);
}

static void run_archs(struct batch *b, const struct workload *w)
{
    if (b->values->arch != OPTION_ARCH_ALL) {
        run_one(b, w, (enum sass_arch)b->values->arch);
        return;
    }
    for (int a = 0; a < N_SASS_ARCH && !interrupt_signal(); a++)
        run_one(b, w, (enum sass_arch)a);
}

static int run_all(struct batch *b, const struct operands *ops, struct err *err)
{
    size_t n = (size_t)ops->n, n_planned;

    if (b->values->all) {
        for (n = 0; workload_at(n); n++)
            ;
    }
    for (int i = 0; i < ops->n; i++) {
        if (!workload_find(ops->at[i], err))
            return -1;
    }
    b->n_runs = n_planned = n * (b->values->arch == OPTION_ARCH_ALL ? N_SASS_ARCH : 1);
    interrupt_watch();
    for (size_t i = 0; i < n && !interrupt_signal(); i++)
        run_archs(b, b->values->all ? workload_at(i) : workload_find(ops->at[i], err));
    fflush(b->console->out); /* which may be where the counts go */
    if (b->values->counts &&
        file_write(b->values->counts, buf_text(&b->csv), b->csv.len, err))
        return -1;
    if (interrupt_signal() && n_planned > 1)
        return err_kind(err, ERR_LIMIT, "stopped by %s in run %zu of %zu",
                        interrupt_name(), b->n_done, n_planned);
    if (!b->n_failed)
        return 0;
    if (b->n_runs == 1)
        return err_kind(err, b->first.code, "%s", b->first.text);
    return err_kind(err, b->first.code, "%zu of %zu failed", b->n_failed, b->n_runs);
}

/* Counting is for those who asked: it costs time. */
static bool wants_counts(const struct emu_values *v)
{
    return v->counts || (v->reference && v->size == SIZE_TINY);
}

static int check_values(const struct emu_values *v, const struct operands *ops,
                        struct err *err)
{
    if (!ops->n == !v->all)
        return err_set(err, "name workloads or say --all; see leno list workloads");
    if (v->reference && v->arch != SM90 && v->arch != OPTION_ARCH_ALL)
        return err_set(err, "--reference: recorded for sm_90; use --arch sm_90 or all");
    if (v->reference && v->seed != WORKLOAD_SEED)
        return err_set(err, "--reference: recorded with --seed %d", WORKLOAD_SEED);
    if (v->redundancy && (v->counts || v->reference))
        return err_set(err, "--redundancy: not with --counts or --reference");
    if (v->counts && file_out_check(v->counts, err))
        return err_prefix(err, "--counts");
    return 0;
}

/* The runs, with whatever they are compared with. */
static int run_compared(struct batch *b, const struct operands *ops, struct err *err)
{
    const struct emu_values *v = b->values;
    struct reference reference;
    int failed;

    if (!v->reference)
        return run_all(b, ops, err);
    if (reference_open(&reference, v->reference,
                       v->json ? b->console->log : b->console->out, err))
        return -1;
    b->reference = &reference;
    failed = run_all(b, ops, err);
    reference_summary(&reference);
    reference_close(&reference);
    return failed;
}

static void print_program(struct console *console, const struct vortex_program_run *r,
                          bool json, struct buf *runs)
{
    if (json) {
        buf_puts(runs, runs->len ? ",\n" : "\n");
        vortex_program_json(r, runs);
    } else if (!r->err.code) {
        vortex_program_text(r, console->out);
    }
}

/* All of them, also after one that fails; the first one's error is the command's. */
static int run_programs(struct console *console, const struct emu_values *v,
                        const struct operands *ops, struct err *err)
{
    struct buf runs = { 0 }, head = { 0 };
    struct err first = { 0 };
    int n_failed = 0;

    for (int i = 0; i < ops->n; i++)
        if (!vortex_program_is_file(ops->at[i]))
            return err_set(err, "%s: workloads and program files in one command",
                           ops->at[i]);
    interrupt_watch();
    for (int i = 0; i < ops->n && !interrupt_signal(); i++) {
        struct vortex_program_run r = { .path = ops->at[i], .options = &v->program };
        struct meter meter;

        meter_start(&meter, console->shows_progress ? console->log : NULL, "%s",
                    r.path);
        r.watch = &meter.watch;
        if (vortex_program_run(&r, v->json ? console->log : console->out) &&
            !n_failed++)
            first = r.err;
        meter_clear(&meter);
        print_program(console, &r, v->json, &runs);
        if (r.err.code && ops->n > 1)
            fprintf(console->log, "leno emu: %s\n", r.err.text);
    }
    if (v->json) {
        document_begin(&head, "emu");
        fprintf(console->out, "%s, \"runs\": [%s]}\n", buf_text(&head),
                buf_text(&runs));
    }
    buf_free(&head);
    buf_free(&runs);
    if (n_failed && ops->n > 1)
        return err_kind(err, first.code, "%d of %d failed", n_failed, ops->n);
    return n_failed ? err_kind(err, first.code, "%s", first.text) : 0;
}

static int emu_command(struct console *console, const void *values,
                       const struct operands *ops, struct err *err)
{
    const struct emu_values *v = values;
    struct buf folder = { 0 };
    struct batch b = { .console = console, .values = v };
    int failed;

    if (ops->n && !v->all && vortex_program_is_file(ops->at[0]))
        return run_programs(console, v, ops, err);
    if (check_values(v, ops, err))
        return -1;
    failed = workload_folder(v->folder, &folder, err);
    if (!failed) {
        b.folder = buf_text(&folder);
        b.counts = wants_counts(v) ? inst_counts_new() : NULL;
        failed = run_compared(&b, ops, err);
    }
    inst_counts_free(b.counts);
    buf_free(&b.csv);
    buf_free(&folder);
    return failed;
}

static void emu_defaults(void *values)
{
    struct emu_values *v = values;

    v->arch = SM90;
    v->size = SIZE_SMALL;
    v->seed = WORKLOAD_SEED;
}

#define AT(field) offsetof(struct emu_values, field)
static const struct option options[] = {
    ROW_ALL(AT(all)),
    ROW_ARCH(AT(arch), option_archs_all, "sm_90"),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_JSON(AT(json)),
    { "counts", OPTION_TEXT, "FILE",
      "write how often each instruction was executed (CSV)", AT(counts), NULL },
    { "reference", OPTION_TEXT, "DIR",
      "compare with what a GPU executed (tests/golden/hw)", AT(reference), NULL },
    { "redundancy", OPTION_FLAG, NULL,
      "count instructions that warps execute alike (a limit study)", AT(redundancy),
      NULL },
    { "max-insts", OPTION_COUNT, "N", "stop after N warp instructions, exit status 5",
      AT(program.max_insts), NULL },
    ROW_WORKLOADS(AT(folder)),
    { "gpu", OPTION_TEXT, "NAME",
      "Vortex programs: warps x threads (default: vortex-4x4)", AT(program.gpu), NULL },
    ROW_ARGS(AT(program.inputs.args)),
    ROW_LOAD(AT(program.inputs.load)),
};

static const char *const examples[] = {
    "leno emu vecadd",
    "leno emu --all --size tiny --arch all",
    "leno emu reduction --json",
    "leno emu hotspot --size tiny --counts hotspot.csv",
    "leno emu --all --size tiny --reference tests/golden/hw",
    "leno emu --all --redundancy",
    "leno emu workloads/vortex/small/sgemm.elf --gpu vortex-8x8",
    NULL
};

const struct command command_emu = {
    .name = "emu",
    .summary = "run workloads functionally and check their results",
    .operands = "[WORKLOAD...|FILE...]",
    .details =
        "Executes the SASS of each workload, without timing, and compares what\n"
        "it computes with the same computation on the CPU. M insts/s is warp\n"
        "instructions per second of host time inside kernels.\n"
        "With --reference, sm_90 runs are also compared with the record of a\n"
        "GPU: outputs, and at size tiny the executions of every instruction.\n"
        "With --redundancy, the table has the instructions, in %, whose operands are\n"
        "the same in all warps of the grid, in all of a block (uniform, affine or\n"
        "unstructured), or in all lanes of a warp.\n"
        "A FILE (.elf, .vxbin, or a path) is a program for Vortex: it is run, its\n"
        "console printed with the number of each stream, and its status checked.\n"
        "An ISA test (rv32ui-p-add and the like) says passed or which test failed.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct emu_values),
    .defaults = emu_defaults,
    .run = emu_command,
};
