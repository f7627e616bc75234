/* cmd_merge.c - leno merge: the results of slices become cached results. */
#include "cli/option_rows.h"
#include "session/batch.h"
#include "session/merge.h"

struct merge_values {
    const char *out;
};

static const struct merge_values defaults = { .out = "leno-out" };

#define AT(field) offsetof(struct merge_values, field)
static const struct option options[] = {
    ROW_OUT(AT(out)),
};

static int merge_command(struct console *console, const void *values,
                         const struct operands *ops, struct err *err)
{
    const struct merge_values *v = values;
    struct merge m = { .out = v->out };
    int failed;

    if (!ops->n)
        return err_set(err, "expected files of slices, or the folder that has them");
    failed = merge_slices(&m, ops->at, (size_t)ops->n, console, err);
    if (m.n_put + m.n_there)
        fprintf(console->out,
                "%zu of %zu slices, %zu points: %zu results added to %s/" BATCH_FILE
                ", %zu were there.\n",
                m.n_found, m.n_slices, m.study.n_points, m.n_put, v->out, m.n_there);
    return failed;
}

const struct command command_merge = {
    COMMAND_NAMED(merge),
    .summary = "collect the results of slices (--shard, --slurm)",
    .operands = "SLICE|FOLDER...",
    .details =
        "Adds the results of slices of a study to the cached results of DIR, so that the\n"
        "command without --shard prints its table and runs nothing. A slice is a file\n"
        "I-of-N.jsonl that leno sweep --shard or --slurm wrote; of a folder, all such files\n"
        "are taken. Files may be copied from other machines.\n"
        "\n"
        "Slices must be of one study and of the same revision of Leno as this one; otherwise\n"
        "the file is named and nothing is added. Slices that are missing, points that have\n"
        "no result and points that failed are named, what is there is added, and the exit\n"
        "status is 1.\n",
    .examples = "  leno merge leno-out/shards/buffer-3fa2b1c9\n"
                "  leno merge 1-of-2.jsonl host2/2-of-2.jsonl --out results\n",
    .defaults = &defaults,
};
