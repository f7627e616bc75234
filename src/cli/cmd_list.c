/* cmd_list.c - leno list: what there is to choose from. */
#include <string.h>

#include "cli/cli.h"
#include "cli/workloads.h"
#include "config/preset.h"
#include "driver/device.h"
#include "frontend/sass/decode.h"

struct list_values {
    bool json;
};

static void list_workloads(struct cli *cli, bool json)
{
    const struct workload *w;
    struct buf b = { 0 };

    for (size_t i = 0; (w = workload_at(i)); i++) {
        if (!json) {
            fprintf(cli->out, "%-12s  %s\n%-12s  tiny: %s; small: %s; paper: %s\n",
                    w->name, w->summary, "", w->sizes[SIZE_TINY], w->sizes[SIZE_SMALL],
                    w->sizes[SIZE_PAPER]);
            continue;
        }
        buf_puts(&b, i ? ",\n {\"name\": " : "{\"name\": ");
        json_string(&b, w->name);
        buf_puts(&b, ", \"summary\": ");
        json_string(&b, w->summary);
        buf_puts(&b, ", \"tiny\": ");
        json_string(&b, w->sizes[SIZE_TINY]);
        buf_puts(&b, ", \"small\": ");
        json_string(&b, w->sizes[SIZE_SMALL]);
        buf_puts(&b, ", \"paper\": ");
        json_string(&b, w->sizes[SIZE_PAPER]);
        buf_puts(&b, "}");
    }
    if (json)
        fprintf(cli->out, "[%s]\n", buf_text(&b));
    buf_free(&b);
}

static void list_archs(struct cli *cli, bool json)
{
    for (int i = 0; i < N_SASS_ARCH; i++) {
        const struct device *d = device_of((enum sass_arch)i);
        const char *name = sass_arch_name((enum sass_arch)i);

        if (json)
            fprintf(cli->out,
                    "%s{\"arch\": \"%s\", \"device\": \"%s\", \"sms\": %u, "
                    "\"warps_per_sm\": %u, \"shared_per_sm\": %u}%s",
                    i ? ",\n " : "[", name, d->name, d->n_sms, d->warps_per_sm,
                    d->shared_per_sm, i == N_SASS_ARCH - 1 ? "]\n" : "");
        else
            fprintf(cli->out, "%-6s  %-20s  %3u SMs, %u warps and %u KB shared each\n",
                    name, d->name, d->n_sms, d->warps_per_sm, d->shared_per_sm / 1024);
    }
}

static void list_opcodes(struct cli *cli, bool json)
{
    static const char *const names[] = {
#define OP(id, opcode, forms, archs, class, format) #id,
#include "frontend/sass/opcodes.def"
#undef OP
    };
    const struct op_row *rows = sass_rows();

    for (int i = 0; i < N_SASS_OP; i++) {
        struct buf archs = { 0 };

        for (int a = 0; a < N_SASS_ARCH; a++) {
            if (rows[i].archs >> a & 1)
                buf_printf(&archs, "%s%s%s%s", archs.len ? (json ? ", " : " ") : "",
                           json ? "\"" : "", sass_arch_name((enum sass_arch)a),
                           json ? "\"" : "");
        }
        if (json)
            fprintf(cli->out, "%s{\"name\": \"%s\", \"opcode\": %u, \"archs\": [%s]}%s",
                    i ? ",\n " : "[", names[i], rows[i].opcode, buf_text(&archs),
                    i == N_SASS_OP - 1 ? "]\n" : "");
        else
            fprintf(cli->out, "%-14s  0x%03x  %s\n", names[i], rows[i].opcode,
                    buf_text(&archs));
        buf_free(&archs);
    }
}

static void list_gpus(struct cli *cli, bool json)
{
    const struct preset *p;
    struct buf b = { 0 };

    for (size_t i = 0; (p = preset_at(i)); i++) {
        if (!json) {
            fprintf(cli->out, "%-14s  %s\n", p->name, p->summary);
            continue;
        }
        buf_puts(&b, i ? ",\n {\"name\": " : "{\"name\": ");
        json_string(&b, p->name);
        buf_puts(&b, ", \"summary\": ");
        json_string(&b, p->summary);
        buf_puts(&b, "}");
    }
    if (json)
        fprintf(cli->out, "[%s]\n", buf_text(&b));
    buf_free(&b);
}

/* What can be listed: a row is all that a further kind needs. */
static const struct kind {
    const char *name;
    void (*list)(struct cli *cli, bool json);
} kinds[] = {
    { "workloads", list_workloads },
    { "gpus", list_gpus },
    { "archs", list_archs },
    { "opcodes", list_opcodes },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char *kind_at(const void *from, size_t i)
{
    (void)from;
    return i < N_KINDS ? kinds[i].name : NULL;
}

static int list_run(struct cli *cli, const void *values, const struct operands *ops,
                    struct err *err)
{
    const struct list_values *v = values;
    const char *name = ops->n == 1 ? ops->at[0] : "";
    struct buf b = { 0 };

    for (size_t i = 0; i < N_KINDS; i++) {
        if (!strcmp(kinds[i].name, name)) {
            kinds[i].list(cli, v->json);
            return 0;
        }
    }
    for (size_t i = 0; i < N_KINDS; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", kinds[i].name);
    suggest(&b, name, kind_at, NULL);
    err_set(err, "expected one of %s", buf_text(&b));
    buf_free(&b);
    return -1;
}

static const struct option options[] = {
    { "json", OPTION_FLAG, NULL, "for machines", offsetof(struct list_values, json),
      NULL },
};

static const char *const examples[] = { "leno list workloads", "leno list gpus",
                                        "leno list archs --json", "leno list opcodes",
                                        NULL };

const struct command command_list = {
    .name = "list",
    .summary = "the workloads, GPUs, architectures or instructions there are",
    .operands = "workloads|gpus|archs|opcodes",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct list_values),
    .run = list_run,
};
