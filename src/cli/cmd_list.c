/* cmd_list.c - leno list: workloads, GPUs, schemes, parameters and statistics. */
#include "cli/option_rows.h"
#include "report/list.h"

struct list_values {
    bool json, markdown;
};

static const struct option options[] = {
    ROW_JSON(offsetof(struct list_values, json)),
    { "markdown", OPTION_FLAG, NULL, "params, stats: print the page in docs/",
      offsetof(struct list_values, markdown), NULL },
};

static int list_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct list_values *v = values;
    enum list_format format = LIST_TEXT;

    if (v->markdown)
        format = LIST_PAGE;
    else if (v->json)
        format = LIST_JSON;
    return list_print(ops->n == 1 ? ops->at[0] : "", format, console->out, err);
}

const struct command command_list = {
    COMMAND_NAMED(list),
    .summary = "list available workloads, GPUs, schemes, parameters or statistics",
    .operands = "workloads|gpus|schemes|params|stats|archs|opcodes",
    .examples = "  leno list workloads\n"
                "  leno list gpus\n"
                "  leno list schemes\n"
                "  leno list params\n"
                "  leno list stats --json\n"
                "  leno list opcodes\n",
};
