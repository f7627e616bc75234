/* cmd_info.c - leno info: what is in a cubin or a recording. */
#include "base/document.h"
#include "cli/option_rows.h"
#include "report/info.h"

struct info_values {
    bool json;
};

static const struct option options[] = {
    ROW_JSON(offsetof(struct info_values, json)),
};

/* As JSON all files are one document, which is printed only if all could be read. */
static int info_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct info_values *v = values;
    struct buf out = { 0 }, *json = v->json ? &out : NULL;
    int failed = 0;

    if (!ops->n)
        return err_set(err, "expected a cubin or a recording");
    if (json) {
        document_begin(json, "info");
        buf_puts(json, ", \"files\": [");
    }
    for (int i = 0; !failed && i < ops->n; i++) {
        if (json)
            buf_puts(json, i ? ",\n" : "\n");
        failed = info_put_file(ops->at[i], console->out, json, err);
    }
    if (json && !failed)
        fprintf(console->out, "%s]}\n", buf_text(json));
    buf_free(&out);
    return failed ? -1 : 0;
}

const struct command command_info = {
    COMMAND_NAMED(info),
    .summary = "describe a cubin or a recording",
    .operands = "FILE...",
    .details =
        "For a cubin: kernels, the resources they need, and sections. For a recording\n"
        "(.leno, .traceg, kernelslist.g; see leno record): kernels with grid and block,\n"
        "and for a .leno how much was executed and how many bytes that takes.\n",
    .examples = "  leno info workloads/vecadd/sm_90.cubin\n"
                "  leno info a.cubin b.cubin --json\n"
                "  leno info vecadd.leno\n"
                "  leno info traces/kernelslist.g\n",
};
