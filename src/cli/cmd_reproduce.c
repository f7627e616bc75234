/* cmd_reproduce.c - leno reproduce: a paper's figures, its numbers next to ours. */
#include "cli/option_rows.h"
#include "report/reproduce.h"

struct reproduce_values {
    bool list, json, csv, fresh;
    int size;
    uint64_t seed, sms, jobs;
    const char *folder, *out;
    struct text_list figures;
};

static const struct reproduce_values defaults = { .size = SIZE_SMALL,
                                                  .seed = WORKLOAD_SEED,
                                                  .out = "leno-out" };

#define AT(field) offsetof(struct reproduce_values, field)
static const struct option options[] = {
    { "list", OPTION_FLAG, NULL, "list papers and their figures", AT(list), NULL },
    { "figure", OPTION_LIST, "N", "only this figure (repeatable); V is a table",
      AT(figures), NULL },
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_SMS(AT(sms)),
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "number"),
    ROW_WORKLOADS(AT(folder)),
};

static int reproduce_command(struct console *console, const void *values,
                             const struct operands *ops, struct err *err)
{
    const struct reproduce_values *v = values;
    struct reproduce_job job = { .figures = &v->figures,
                                 .size = (enum workload_size)v->size,
                                 .seed = v->seed,
                                 .sms = v->sms,
                                 .jobs = v->jobs,
                                 .fresh = v->fresh,
                                 .folder = v->folder,
                                 .out = v->out,
                                 .format = v->json  ? RUN_JSON
                                           : v->csv ? RUN_CSV
                                                    : RUN_TEXT };

    if (options_check_format(v->json, v->csv, err))
        return -1;
    if (v->list && v->csv)
        return err_set(err, "--list has no --csv; expected --list or --list --json");
    if (v->list) {
        reproduce_list(console, v->json);
        return 0;
    }
    if (ops->n != 1)
        return err_set(err, "name a paper; see leno reproduce --list");
    job.paper = paper_find(ops->at[0], err);
    return job.paper ? reproduce_run(&job, console, err) : -1;
}

const struct command command_reproduce = {
    COMMAND_NAMED(reproduce),
    .summary = "reproduce a paper's figures: its numbers next to ours",
    .operands = "[PAPER]",
    .details =
        "Runs the comparison of a figure on Leno's workloads and prints the paper's\n"
        "numbers next to ours, with what differs and why. Results are cached in the same\n"
        "place as those of leno compare.\n",
    .examples = "  leno reproduce --list\n"
                "  leno reproduce --list --json\n"
                "  leno reproduce ghost --figure 13\n"
                "  leno reproduce ghost --figure 16 --size tiny\n"
                "  leno reproduce ghost --csv > ghost.csv\n"
                "  leno reproduce socgpu --sms 4 --figure 5\n",
    .defaults = &defaults,
};
