/* cmd_cost.c - leno cost: the storage of a scheme, part by part. */
#include "cli/cli.h"
#include "cost/cost.h"
#include "report/spec.h"

struct cost_values {
    bool json;
    const char *gpu;
    struct text_list set;
};

static void put_json(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    buf_puts(out, "{\"scheme\": ");
    json_string(out, spec);
    buf_puts(out, ", \"gpu\": ");
    json_string(out, m->name);
    buf_printf(out, ", \"sms\": %u, ", m->gpu.sms);
    cost_json(c, out);
    buf_puts(out, "}");
}

static void put_text(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    buf_printf(out, "%s on %s: storage of an SM with %u warps\n\n", spec, m->name,
               m->core.warps);
    cost_text(c, out);
    buf_printf(out, "\n%.1f KiB an SM, %.1f KiB in %u SMs\n",
               (double)c->bits / (8 * 1024), (double)c->bits * m->gpu.sms / (8 * 1024),
               m->gpu.sms);
}

static void put_one(const struct cost_values *v, const char *spec,
                    const struct machine *m, struct buf *out)
{
    struct core_shape shape = { .n_warps = m->core.warps,
                                .n_subcores = m->core.subcores };
    struct cost c;

    cost_of(&c, m->scheme, m->scheme_params, &shape);
    if (v->json)
        put_json(spec, m, &c, out);
    else
        put_text(spec, m, &c, out);
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

static int cost_run(struct cli *cli, const void *values, const struct operands *ops,
                    struct err *err)
{
    const struct cost_values *v = values;
    struct machine *m[MAX_SPECS] = { 0 };
    struct buf out = { 0 };
    int failed;

    if (!ops->n || ops->n > MAX_SPECS)
        return err_set(err, "name a scheme, or up to %d; see leno list schemes",
                       MAX_SPECS);
    failed = make_machines(v, ops, m, err);
    for (int i = 0; i < ops->n && !failed; i++) {
        buf_puts(&out, !v->json ? (i ? "\n" : "") : i ? ",\n" : "[");
        put_one(v, ops->at[i], m[i], &out);
    }
    if (v->json)
        buf_puts(&out, "]\n");
    if (!failed)
        fwrite(buf_text(&out), 1, out.len, cli->out);
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
    { "gpu", OPTION_TEXT, "NAME|FILE.ini", "machine; leno list gpus (rtx2060s-ghost)",
      AT(gpu), NULL },
    { "set", OPTION_LIST, "KEY=VALUE",
      "a parameter, any number of times; leno list params", AT(set), NULL },
    { "json", OPTION_FLAG, NULL, "for machines", AT(json), NULL },
};

static const char *const examples[] = {
    "leno cost inorder", "leno cost inorder inorder:entries=12 --gpu v100",
    "leno cost control --json", NULL
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
