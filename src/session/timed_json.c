/* timed_json.c - one run with timing as a JSON object. */
#include "base/document.h"
#include "base/json.h"
#include "session/energy.h"
#include "session/sample.h"
#include "session/timed.h"
#include "sim/describe.h"

/* What ran on what: the same members for the same thing in every document. */
static void put_identity(const struct timed_run *r, struct buf *out)
{
    document_text(out, "size", r->has_size ? workload_size_name(r->size) : NULL);
    if (r->has_seed)
        document_number(out, "seed", r->seed);
    else
        document_text(out, "seed", NULL);
    document_text(out, "code_arch", *r->code_arch ? r->code_arch : NULL);
    machine_describe(r->machine, out);
    document_warning(out, r->warning);
}

static void put_statistics(const struct timed_run *r, const struct gpu_result *result,
                           struct buf *out)
{
    stat_checked_json(gpu_result_unchecked(result), out);
    if (r->has_seed)
        buf_printf(out, ", \"digest\": \"%016llx\"", (unsigned long long)r->digest);
    else
        document_text(out, "digest", NULL);
    if (r->sample) {
        struct sample_estimate e = sample_estimate(r->sample);

        buf_puts(out, ",\n \"estimate\": ");
        sample_json(&e, out);
    }
    buf_puts(out, ",\n \"stats\": {");
    stat_json(gpu_result_report(result), out);
    buf_puts(out, "},\n \"slots\": ");
    stall_json(gpu_result_sm(result)->slot, MAX_SUBCORES, out);
    buf_puts(out, ",\n \"loads\": ");
    latency_json(gpu_latency(r->gpu), out);
    energy_put_member(r->machine, r->energy, gpu_result_report(result), out);
    if (r->machine->unroll.factor > 1) {
        buf_puts(out, ",\n \"loops_unrolled\": ");
        loops_json(&r->loops, out);
    }
}

static void put_run(const struct timed_run *r, const struct gpu_result *result,
                    const struct err *err, struct buf *out)
{
    buf_puts(out, "{\"program\": ");
    json_string(out, r->name);
    put_identity(r, out);
    document_outcome(out, err);
    document_bool(out, "partial", result && gpu_is_partial(err));
    if (result && gpu_has_statistics(err))
        put_statistics(r, result, out);
    buf_puts(out, ",\n \"config\": ");
    param_json(r->machine->bind, r->machine->n_bind, out);
}

void timed_json(const struct timed_run *r, const struct gpu_result *result,
                const struct err *err, struct buf *out)
{
    put_run(r, result, err, out);
    buf_puts(out, "}\n");
}

void timed_json_seconds(const struct timed_run *r, const struct gpu_result *result,
                        const struct err *err, struct buf *out)
{
    put_run(r, result, err, out);
    buf_printf(out, ",\n \"seconds\": %.6f}\n", r->seconds);
}
