/* run.c - prints runs with timing. */
#include "report/run.h"

#include <string.h>

#include "base/document.h"
#include "session/energy.h"
#include "session/sample.h"
#include "sim/describe.h"

/* The cause with most issue slots, apart from issuing. */
static const char *largest_cause(const struct sm_stats *s, double *share)
{
    double slot[N_STALL] = { 0 };

    for (unsigned c = 0; c < N_STALL; c++)
        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            slot[c] += (double)s->slot[k][c];
    return stall_name(stall_largest(slot, share));
}

/* Launches that were timed only up to a cap. */
static uint64_t count_capped(const struct gpu_result *result)
{
    uint64_t n = 0;

    stat_find(gpu_result_report(result), "gpu.capped", &n);
    return n;
}

/* Is something left out that a sample estimates? */
static bool is_estimate(const struct timed_run *r, struct sample_estimate *e)
{
    if (!r->sample)
        return false;
    *e = sample_estimate(r->sample);
    return !sample_is_whole(e);
}

/* "~" before an estimate. */
static void print_cycles(FILE *out, const struct timed_run *r)
{
    struct sample_estimate e;
    char text[32];

    if (!is_estimate(r, &e)) {
        fprintf(out, " %12llu", (unsigned long long)gpu_cycle(r->gpu));
        return;
    }
    snprintf(text, sizeof text, "~%.0f", e.cycles);
    fprintf(out, " %12s", text);
}

static void print_numbers(FILE *out, const struct timed_run *r,
                          const struct gpu_result *result)
{
    const struct sm_stats *s = gpu_result_sm(result);
    double share, cycles = (double)gpu_cycle(r->gpu);
    const char *cause = largest_cause(s, &share);

    print_cycles(out, r);
    fprintf(out, " %12llu %8.3f %7.1f  %-11s %4.1f %% %9.2f %9.3f",
            (unsigned long long)s->warp_insts,
            cycles > 0 ? (double)s->warp_insts / cycles : 0,
            s->warp_slots ? 100.0 * (double)s->warp_cycles / (double)s->warp_slots : 0,
            cause, share,
            r->seconds > 0 ? 1e-6 * (double)s->warp_insts / r->seconds : 0,
            r->seconds > 0 ? 1e-6 * cycles / r->seconds : 0);
}

static void print_row(FILE *out, bool is_first, const struct timed_run *r,
                      const struct gpu_result *result, const struct err *err)
{
    struct sample_estimate e;

    if (is_first)
        fprintf(out, "%-12s %12s %12s %8s %7s  %-18s %9s %9s  %s\n", "program",
                "cycles", "warp insts", "warp IPC", "occup %", "largest stall",
                "M inst/s", "M cyc/s", "result");
    fprintf(out, "%-12s", r->name);
    if (result)
        print_numbers(out, r, result);
    else
        fprintf(out, " %12s %12s %8s %7s  %-18s %9s %9s", "-", "-", "-", "-", "-", "-",
                "-");
    if (result && !err->code && is_estimate(r, &e)) {
        fprintf(out, "  estimate +- %.1f %%\n",
                e.cycles > 0 ? 100 * e.half_width / e.cycles : 0);
        return;
    }
    fprintf(out, "  %s\n",
            gpu_is_partial(err)                      ? "partial"
            : err->code                              ? "FAIL"
            : result && gpu_result_unchecked(result) ? "unchecked"
            : result && count_capped(result)         ? "capped"
                                                     : "ok");
    fflush(out);
}

static void put_csv(struct run_print *p, const struct timed_run *r,
                    const struct gpu_result *result, bool has, struct buf *out)
{
    if (!p->has_head) {
        buf_puts(out, "program,gpu,scheme,checked,");
        if (r->sample)
            buf_puts(out, "estimated_cycles,estimated_half_width,");
        stat_csv_header(gpu_result_report(result), out);
        p->has_head = true;
    }
    if (!has)
        return;
    csv_field(out, r->name);
    buf_printf(out, ",%s,%s,%d,", r->machine->name, r->machine->scheme->name,
               !gpu_result_unchecked(result));
    if (r->sample) {
        struct sample_estimate e = sample_estimate(r->sample);

        buf_printf(out, "%.0f,%.0f,", e.cycles, e.half_width);
    }
    stat_csv_row(gpu_result_report(result), out);
}

/* All runs are one document, however many there are. */
static void put_json(const struct series *runs, const struct timed_run *r,
                     const struct gpu_result *result, const struct err *err,
                     struct buf *out)
{
    if (runs->n_done == 1) {
        document_begin(out, "run");
        buf_puts(out, ",\n\"runs\": [\n");
    } else {
        buf_putc(out, ',');
    }
    timed_json_seconds(r, result, err, out);
    if (runs->n_done == runs->n_runs)
        buf_puts(out, "]}\n");
}

static void put_energy(const struct timed_run *r, const struct gpu_result *result,
                       struct buf *out)
{
    const char *profile = r->energy ? r->energy : energy_profile_of(r->machine);
    struct err err = { 0 };
    struct energy e;

    buf_printf(out, "\nenergy, profile %s\n", profile);
    if (energy_of_run(&e, r->machine, profile, gpu_result_report(result), &err))
        buf_printf(out, "  %s\n", err.text);
    else
        energy_text(&e, out);
}

static void put_statistics(const struct timed_run *r, const struct gpu_result *result,
                           struct buf *out)
{
    const struct sm_stats *s = gpu_result_sm(result);
    uint64_t sum[N_STALL] = { 0 }, all = 0;
    struct sample_estimate e;

    buf_printf(out, "%s on %s, scheme %s\n\n", r->name, r->machine->name,
               r->machine->scheme->name);
    if (gpu_result_unchecked(result))
        buf_printf(
            out,
            "UNCHECKED: results skipped by %s were not compared with executed ones: %s\n\n",
            r->machine->skip->name, gpu_result_unchecked(result));
    if (count_capped(result))
        buf_printf(out,
                   "CAPPED: %llu launches reached their cap; the statistics are of the "
                   "part before it\n\n",
                   (unsigned long long)count_capped(result));
    if (is_estimate(r, &e)) {
        buf_puts(out, "ESTIMATE: the statistics are of what was timed; ");
        sample_put(&e, out);
        buf_putc(out, '\n');
    }
    stat_text(gpu_result_report(result), out);
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++) {
            sum[c] += s->slot[k][c];
            all += s->slot[k][c];
        }
    buf_puts(out, "\nissue slots, all schedulers\n");
    for (unsigned c = 0; c < N_STALL; c++)
        if (sum[c])
            buf_printf(out, "  %-12s %14llu  %5.1f %%\n", stall_name((enum stall)c),
                       (unsigned long long)sum[c],
                       100.0 * (double)sum[c] / (double)(all ? all : 1));
    if (r->machine->unroll.factor > 1)
        loops_text(&r->loops, out);
}

/* Statistics of a partial run begin by saying so. */
static void put_text(const struct timed_run *r, const struct gpu_result *result,
                     const struct err *err, struct buf *out)
{
    if (gpu_is_partial(err))
        buf_printf(out, "PARTIAL: %s; the statistics are of the run up to there\n",
                   err->text);
    put_statistics(r, result, out);
}

/* A run that failed has no numbers. */
static void print_result(struct run_print *p, const struct series *runs,
                         const struct timed_run *r, const struct err *err)
{
    struct gpu_result *result = r->gpu ? gpu_result_new(r->gpu, NULL) : NULL;
    bool has = result && gpu_has_statistics(err);
    struct buf out = { 0 };

    if (p->format == RUN_JSON)
        put_json(runs, r, has ? result : NULL, err, &out);
    else if (p->format == RUN_CSV && result)
        put_csv(p, r, result, has, &out);
    else if (p->format == RUN_TEXT && runs->n_runs > 1)
        print_row(p->console->out, runs->n_done == 1, r, has ? result : NULL, err);
    else if (p->format == RUN_TEXT && has)
        put_text(r, result, err, &out);
    if (p->format == RUN_TEXT && has && p->wants_energy)
        put_energy(r, result, &out);
    fwrite(buf_text(&out), 1, out.len, p->console->out);
    fflush(p->console->out);
    buf_free(&out);
    gpu_result_free(result);
}

void run_print(struct run_print *p, const struct series *runs,
               const struct timed_run *r, const struct err *err)
{
    print_result(p, runs, r, err);
    if (!err->code)
        return;
    if (r->gpu)
        fputs(gpu_report(r->gpu), p->console->log);
    if (runs->n_runs > 1)
        fprintf(p->console->log, "leno run: %s: %s\n", r->name, err->text);
}
