/* cmd_cost.c - leno cost: the storage of a scheme, part by part. */
#include "base/document.h"
#include "cli/option_rows.h"
#include "session/machine_cost.h"
#include "session/spec.h"
#include "sim/describe.h"

struct cost_values {
    bool json;
    const char *gpu;
    struct text_list set;
};

static void put_json(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    buf_puts(out, "{\"spec\": ");
    json_string(out, spec);
    machine_describe(m, out);
    buf_puts(out, ", ");
    cost_json(c, out);
    buf_puts(out, "}");
}

static void put_text(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    bool is_vortex = m->gpu.core == GPU_CORE_VORTEX;
    const char *place = is_vortex ? "a core" : "an SM";
    unsigned n = machine_sms(m);

    buf_printf(out, "%s on %s: storage of %s with %u warps\n\n", spec, m->name, place,
               is_vortex ? m->vortex.core.warps : m->core.warps);
    cost_text(c, place, out);
    buf_printf(out, "\n%.1f KiB %s, %.1f KiB in %u %s\n", (double)c->bits / (8 * 1024),
               place, (double)c->bits * n / (8 * 1024), n, is_vortex ? "cores" : "SMs");
}

static int put_machine(const struct cost_values *v, const char *spec,
                       const struct machine *m, struct buf *out, struct err *err)
{
    struct cost c;

    if (machine_cost(m, &c, err))
        return -1;
    if (v->json)
        put_json(spec, m, &c, out);
    else
        put_text(spec, m, &c, out);
    return 0;
}

static int make_machines(const struct cost_values *v, const struct operands *ops,
                         struct machine **m, struct err *err)
{
    for (int i = 0; i < ops->n; i++) {
        m[i] = spec_machine(v->gpu, ops->at[i], v->set.at, v->set.n, err);
        if (!m[i])
            return -1;
    }
    return spec_check_set(m, (size_t)ops->n, v->set.at, v->set.n, err);
}

static int cost_run(struct console *console, const void *values,
                    const struct operands *ops, struct err *err)
{
    const struct cost_values *v = values;
    struct machine *m[MAX_SPECS] = { 0 };
    struct buf out = { 0 };
    int failed;

    if (!ops->n || ops->n > MAX_SPECS)
        return err_set(err, "name a scheme, or up to %d; see leno list schemes",
                       MAX_SPECS);
    failed = make_machines(v, ops, m, err);
    if (v->json) {
        document_begin(&out, "cost");
        buf_puts(&out, ", \"schemes\": [\n");
    }
    for (int i = 0; i < ops->n && !failed; i++) {
        buf_puts(&out, !i ? "" : v->json ? ",\n" : "\n");
        failed = put_machine(v, ops->at[i], m[i], &out, err);
    }
    if (v->json)
        buf_puts(&out, "]}\n");
    if (!failed)
        fwrite(buf_text(&out), 1, out.len, console->out);
    for (int i = 0; i < ops->n; i++)
        machine_free(m[i]);
    buf_free(&out);
    return failed;
}

static void cost_defaults(void *values)
{
    ((struct cost_values *)values)->gpu = "rtx2060s-ghost";
}

#define AT(field) offsetof(struct cost_values, field)
static const struct option options[] = {
    ROW_GPU(AT(gpu), "rtx2060s-ghost"),
    ROW_SET(AT(set)),
    ROW_JSON(AT(json)),
};

static const char *const examples[] = {
    "leno cost inorder", "leno cost inorder inorder:entries=12 --gpu v100",
    "leno cost control --json",
    "leno cost inorder loog loog.rrs ghost --gpu vortex-4x4", NULL
};

const struct command command_cost = {
    .name = "cost",
    .summary = "the storage that a scheme needs, in bits",
    .operands = "SCHEME...",
    .details =
        "A scheme may carry settings, as in leno compare: inorder:entries=12. Buffers\n"
        "and bookkeeping are counted; comparators, wires and select logic are not.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct cost_values),
    .defaults = cost_defaults,
    .run = cost_run,
};
