/* cmd_cost.c - leno cost: the storage of a scheme, part by part, its gates, area and energies. */
#include "cli/option_rows.h"
#include "report/cost_put.h"
#include "session/spec.h"

struct cost_values {
    bool json;
    const char *gpu;
    struct text_list set;
};

static const struct cost_values defaults = { .gpu = "rtx2060s-ghost" };

#define AT(field) offsetof(struct cost_values, field)
static const struct option options[] = {
    ROW_GPU(AT(gpu), "rtx2060s-ghost"),
    ROW_SET(AT(set)),
    ROW_JSON(AT(json)),
};

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

static int cost_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct cost_values *v = values;
    struct machine *m[MAX_SPECS] = { 0 };
    struct cost_table t = { (const char *const *)ops->at, m, (size_t)ops->n };
    int failed;

    if (!ops->n || ops->n > MAX_SPECS)
        return err_set(err, "name a scheme, or up to %d; see leno list schemes",
                       MAX_SPECS);
    failed =
        make_machines(v, ops, m, err) || cost_print(&t, v->json, console->out, err);
    for (int i = 0; i < ops->n; i++)
        machine_free(m[i]);
    return failed ? -1 : 0;
}

const struct command command_cost = {
    COMMAND_NAMED(cost),
    .summary = "print the storage, gates, area and energy that a scheme needs",
    .operands = "SCHEME...",
    .details =
        "A scheme may carry settings, as in leno compare: inorder:entries=12, =ghost. Storage\n"
        "counts buffers and bookkeeping. Gates and area are those of the scheme's module in hw/,\n"
        "synthesised onto open cells (make cost-rtl), where there is one; docs/cost.md. Energy is\n"
        "that of an access of its tables, by their bits; docs/energy.md.\n",
    .examples = "  leno cost inorder\n"
                "  leno cost inorder inorder:entries=12 --gpu v100\n"
                "  leno cost control --json\n"
                "  leno cost inorder loog loog.rrs ghost --gpu vortex-4x4\n",
    .defaults = &defaults,
};
