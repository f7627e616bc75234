/* cmd_list.c - leno list: workloads, GPUs, schemes, parameters and statistics. */
#include "cli/option_rows.h"
#include "report/list.h"
#include "session/machine_options.h"

struct list_values {
    bool json, markdown;
    const char *gpu, *folder;
};

static const struct list_values defaults = { .gpu = MACHINE_DEFAULT_GPU };

#define AT(field) offsetof(struct list_values, field)
static const struct option options[] = {
    ROW_JSON(AT(json)),
    { "gpu", OPTION_TEXT, "NAME|FILE.ini",
      "workloads: registers and occupancy on it (default: " MACHINE_DEFAULT_GPU ")",
      AT(gpu), NULL },
    { "markdown", OPTION_FLAG, NULL, "params, stats: print the page in docs/",
      AT(markdown), NULL },
    ROW_WORKLOADS(AT(folder)),
};

static int list_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct list_values *v = values;
    struct list_job job = { .kind = ops->n == 1 ? ops->at[0] : "",
                            .gpu = v->gpu,
                            .folder = v->folder };

    if (v->markdown)
        job.format = LIST_PAGE;
    else if (v->json)
        job.format = LIST_JSON;
    return list_print(&job, console->out, err);
}

const struct command command_list = {
    COMMAND_NAMED(list),
    .summary = "list available workloads, GPUs, schemes, parameters or statistics",
    .operands = "workloads|gpus|schemes|params|stats|archs|opcodes",
    .details =
        "Workloads are listed with their suite, the papers that measured them, and the block,\n"
        "registers and occupancy of the kernel that executes most, on --gpu; their warp\n"
        "instructions are known from earlier runs (workloads/facts.txt).\n",
    .defaults = &defaults,
    .examples = "  leno list workloads\n"
                "  leno list workloads --gpu h200\n"
                "  leno list gpus\n"
                "  leno list schemes\n"
                "  leno list params\n"
                "  leno list stats --json\n"
                "  leno list opcodes\n",
};
