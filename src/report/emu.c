/* emu.c - prints runs without timing. */
#include "report/emu.h"

#include "base/document.h"
#include "base/json.h"
#include "session/study.h"
#include "sim/describe.h"

static double insts_per_microsecond(const struct workload_run *r)
{
    return r->hook.seconds > 0
               ? (double)r->totals.cost.warp_insts / r->hook.seconds * 1e-6
               : 0;
}

static void print_name(FILE *out, const struct workload_run *r)
{
    fprintf(out, "%-12s %-6s %-6s", r->workload->name, sass_arch_name(r->arch),
            workload_size_name(r->size));
}

static const char *outcome_word(const struct err *err)
{
    return gpu_is_partial(err) ? "partial" : err->code ? "FAIL" : "ok";
}

/* A run that failed has no numbers. */
static void print_row(FILE *out, bool is_first, const struct workload_run *r,
                      const struct err *err)
{
    if (is_first)
        fprintf(out, "%-12s %-6s %-6s %8s %14s %11s  %s\n", "workload", "arch", "size",
                "kernels", "warp insts", "M insts/s", "result");
    print_name(out, r);
    if (!gpu_has_statistics(err))
        fprintf(out, " %8s %14s %11s", "-", "-", "-");
    else
        fprintf(out, " %8llu %14llu %11.1f", (unsigned long long)r->totals.launches,
                (unsigned long long)r->totals.cost.warp_insts,
                insts_per_microsecond(r));
    fprintf(out, "  %s\n", outcome_word(err));
    fflush(out);
}

static void print_shares(FILE *out, bool is_first, const struct emu_result *of,
                         const struct err *err)
{
    const struct repeats_counts *c = &of->redundancy;
    bool failed = err->code != ERR_NONE; /* shares of a partial run mean nothing */

    if (is_first) {
        fprintf(out, "%-12s %-6s %-6s %12s", "workload", "arch", "size", "warp insts");
        for (unsigned i = 0; i < N_STUDY_SHARES; i++)
            fprintf(out, " %7.7s %%", study_shares[i].name);
        fputs("  result\n", out);
    }
    print_name(out, &of->run);
    if (failed)
        fprintf(out, " %12s", "-");
    else
        fprintf(out, " %12llu", (unsigned long long)c->insts);
    for (unsigned i = 0; i < N_STUDY_SHARES; i++)
        if (failed)
            fprintf(out, " %9s", "-");
        else
            fprintf(out, " %9.1f", study_share(c, &study_shares[i]));
    fprintf(out, "  %s\n", outcome_word(err));
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

static void put_json(const struct emu_series *s, const struct emu_result *of,
                     const struct err *err, struct buf *out)
{
    const struct workload_run *r = &of->run;
    bool is_first = s->runs.n_done == 1, is_last = s->runs.n_done == s->runs.n_runs;

    if (is_first) {
        document_begin(out, "emu");
        buf_puts(out, ", \"runs\": [");
    }
    buf_puts(out, is_first ? "\n{\"program\": " : ",\n{\"program\": ");
    json_string(out, r->workload->name);
    document_text(out, "size", workload_size_name(r->size));
    document_number(out, "seed", r->seed);
    document_text(out, "code_arch", sass_arch_name(r->arch));
    document_outcome(out, err);
    document_bool(out, "partial", gpu_is_partial(err));
    if (gpu_has_statistics(err))
        put_numbers(r, out);
    if (!err->code && s->is_study)
        put_shares(out, &of->redundancy);
    buf_printf(out, ", \"seconds\": %.6f}%s", r->hook.seconds, is_last ? "]}\n" : "");
}

static void print_text(FILE *file, struct buf *text)
{
    fputs(buf_text(text), file);
    fflush(file);
    buf_free(text);
}

void emu_print(struct console *console, bool is_json, const struct emu_series *s,
               const struct emu_result *r, const struct err *err)
{
    bool is_first = s->runs.n_done == 1;
    struct buf json = { 0 };

    if (err->code && s->runs.n_runs > 1)
        fprintf(console->log, "leno emu: %s %s: %s\n", r->run.workload->name,
                sass_arch_name(r->run.arch), err->text);
    if (is_json) {
        put_json(s, r, err, &json);
        print_text(console->out, &json);
    } else if (s->is_study) {
        print_shares(console->out, is_first, r, err);
    } else {
        print_row(console->out, is_first, &r->run, err);
    }
}

static void print_vortex_line(const struct vortex_program_run *r, FILE *out)
{
    const struct riscv_result *x = &r->result;
    double rate = r->seconds > 0 ? (double)x->thread_insts / r->seconds * 1e-6 : 0;

    fprintf(out, "%s: status %d%s, %llu warp insts, %llu thread insts, %.1f M/s\n",
            r->path, x->status, x->is_test ? " (passed)" : "",
            (unsigned long long)x->warp_insts, (unsigned long long)x->thread_insts,
            rate);
}

static void put_vortex_json(const struct vortex_program_run *r, struct buf *out)
{
    buf_puts(out, "{\"program\": ");
    json_string(out, r->path);
    document_text(out, "size", NULL);
    document_text(out, "seed", NULL);
    document_text(out, "code_arch", "rv32");
    document_text(out, "gpu", vortex_program_gpu(r));
    document_outcome(out, &r->err);
    document_bool(out, "partial", gpu_is_partial(&r->err));
    if (r->has_ended)
        buf_printf(out, ", \"status\": %d", r->result.status);
    if (gpu_has_statistics(&r->err)) {
        document_number(out, "warp_insts", r->result.warp_insts);
        document_number(out, "thread_insts", r->result.thread_insts);
    }
    buf_printf(out, ", \"seconds\": %.6f}", r->seconds);
}

void emu_print_vortex(struct console *console, bool is_json,
                      const struct vortex_series *s, const struct vortex_program_run *r)
{
    bool is_first = s->runs.n_done == 1, is_last = s->runs.n_done == s->runs.n_runs;
    struct buf json = { 0 };

    if (is_json) {
        if (is_first) {
            document_begin(&json, "emu");
            buf_puts(&json, ", \"runs\": [");
        }
        buf_puts(&json, is_first ? "\n" : ",\n");
        put_vortex_json(r, &json);
        buf_puts(&json, is_last ? "]}\n" : "");
        print_text(console->out, &json);
    } else if (!r->err.code) {
        print_vortex_line(r, console->out);
    }
    if (r->err.code && s->n > 1)
        fprintf(console->log, "leno emu: %s\n", r->err.text);
}
