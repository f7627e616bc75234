/* cmd_list.c - leno list: workloads, GPUs, schemes, parameters and statistics. */
#include "cli/option_rows.h"
#include "report/list.h"

struct list_values {
    bool json, markdown;
};

static int list_run(struct console *console, const void *values,
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

static const struct option options[] = {
    ROW_JSON(offsetof(struct list_values, json)),
    { "markdown", OPTION_FLAG, NULL, "params, stats: print the page in docs/",
      offsetof(struct list_values, markdown), NULL },
};

static const char *const examples[] = { "leno list workloads",
                                        "leno list gpus",
                                        "leno list schemes",
                                        "leno list params",
                                        "leno list stats --json",
                                        "leno list opcodes",
                                        NULL };

const struct command command_list = {
    .name = "list",
    .summary = "list available workloads, GPUs, schemes, parameters or statistics",
    .operands = "workloads|gpus|schemes|params|stats|archs|opcodes",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct list_values),
    .run = list_run,
};
