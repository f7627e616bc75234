/* cmd_list.c - leno list: workloads, GPUs, schemes, parameters and statistics. */
#include <string.h>

#include "base/document.h"
#include "cli/option_rows.h"
#include "config/preset.h"
#include "driver/device.h"
#include "frontend/sass/decode/decode.h"
#include "session/workloads.h"
#include "sim/machine.h"

struct list_values {
    bool json, markdown;
};

enum { MAX_GROUPS = 64 };

static void workload_json(struct buf *out, const struct workload *w)
{
    buf_puts(out, out->len ? ",\n {\"name\": " : "{\"name\": ");
    json_string(out, w->name);
    document_text(out, "core", "sm");
    document_text(out, "summary", w->summary);
    document_text(out, "tiny", w->sizes[SIZE_TINY]);
    document_text(out, "small", w->sizes[SIZE_SMALL]);
    document_text(out, "paper", w->sizes[SIZE_PAPER]);
    buf_putc(out, '}');
}

static void workloads_json(struct console *console)
{
    struct buf b = { 0 };

    for (size_t i = 0; workload_at(i); i++)
        workload_json(&b, workload_at(i));
    for (size_t i = 0; workload_vortex_at(i); i++) {
        buf_puts(&b, ",\n {\"name\": ");
        json_string(&b, workload_vortex_at(i));
        document_text(&b, "core", "vortex");
        buf_putc(&b, '}');
    }
    fprintf(console->out, "[%s]\n", buf_text(&b));
    buf_free(&b);
}

static void list_workloads(struct console *console, bool json)
{
    const struct workload *w;

    if (json) {
        workloads_json(console);
        return;
    }
    for (size_t i = 0; (w = workload_at(i)); i++)
        fprintf(console->out, "%-12s  %s\n%-12s  tiny: %s; small: %s; paper: %s\n",
                w->name, w->summary, "", w->sizes[SIZE_TINY], w->sizes[SIZE_SMALL],
                w->sizes[SIZE_PAPER]);
    fputs("for Vortex, sizes tiny and small:", console->out);
    for (size_t i = 0; workload_vortex_at(i); i++)
        fprintf(console->out, " %s", workload_vortex_at(i));
    fputc('\n', console->out);
}

static void list_archs(struct console *console, bool json)
{
    for (int i = 0; i < N_SASS_ARCH; i++) {
        const struct device *d = device_of((enum sass_arch)i);
        const char *name = sass_arch_name((enum sass_arch)i);

        if (json)
            fprintf(console->out,
                    "%s{\"name\": \"%s\", \"device\": \"%s\", \"sms\": %u, "
                    "\"warps_per_sm\": %u, \"shared_per_sm\": %u}%s",
                    i ? ",\n " : "[", name, d->name, d->n_sms, d->warps_per_sm,
                    d->shared_per_sm, i == N_SASS_ARCH - 1 ? "]\n" : "");
        else
            fprintf(console->out,
                    "%-6s  %-20s  %3u SMs, %u warps and %u KB shared each\n", name,
                    d->name, d->n_sms, d->warps_per_sm, d->shared_per_sm / 1024);
    }
}

static void list_opcodes(struct console *console, bool json)
{
    static const char *const names[] = {
#define OP(id, opcode, forms, archs, class, format) #id,
#include "frontend/sass/decode/opcodes.def"
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
            fprintf(console->out,
                    "%s{\"name\": \"%s\", \"opcode\": %u, \"archs\": [%s]}%s",
                    i ? ",\n " : "[", names[i], rows[i].opcode, buf_text(&archs),
                    i == N_SASS_OP - 1 ? "]\n" : "");
        else
            fprintf(console->out, "%-14s  0x%03x  %s\n", names[i], rows[i].opcode,
                    buf_text(&archs));
        buf_free(&archs);
    }
}

static void list_gpus(struct console *console, bool json)
{
    const struct preset *p;
    struct buf b = { 0 };

    for (size_t i = 0; (p = preset_at(i)); i++) {
        if (!json) {
            fprintf(console->out, "%-14s  %s\n", p->name, p->summary);
            continue;
        }
        buf_puts(&b, i ? ",\n {\"name\": " : "{\"name\": ");
        json_string(&b, p->name);
        buf_puts(&b, ", \"summary\": ");
        json_string(&b, p->summary);
        buf_puts(&b, "}");
    }
    if (json)
        fprintf(console->out, "[%s]\n", buf_text(&b));
    buf_free(&b);
}

/* A scheme as a line of text, or as the JSON object after n others. */
static void put_scheme(FILE *out, struct buf *json, const char *kind, const char *name,
                       const char *text)
{
    if (!json) {
        fprintf(out, "%-10s  %s\n", name, text);
        return;
    }
    buf_puts(json, json->len ? ",\n {\"name\": " : "{\"name\": ");
    json_string(json, name);
    buf_printf(json, ", \"kind\": \"%s\", \"summary\": ", kind);
    json_string(json, text);
    buf_puts(json, "}");
}

static void list_schemes(struct console *console, bool json)
{
    struct buf b = { 0 }, text = { 0 };

    for (size_t i = 0; scheme_at(i); i++) {
        const struct scheme_ops *o = scheme_at(i);

        buf_clear(&text);
        buf_printf(&text, "%s%s%s", o->summary, json || !*o->paper ? "" : "; ",
                   json ? "" : o->paper);
        put_scheme(console->out, json ? &b : NULL, "issue", o->name, buf_text(&text));
    }
    for (size_t i = 0; skip_at(i); i++) {
        buf_clear(&text);
        buf_printf(&text, "%s%s", json ? "" : "+", skip_at(i)->name);
        put_scheme(console->out, json ? &b : NULL, "skip", buf_text(&text),
                   skip_at(i)->summary);
    }
    for (size_t i = 0; vortex_stage_at(i); i++) {
        const struct vx_issue_ops *o = vortex_stage_at(i);

        buf_clear(&text);
        buf_printf(&text, "on Vortex: %s%s%s", o->summary, json ? "" : "; ",
                   json ? "" : o->paper);
        put_scheme(console->out, json ? &b : NULL, "vortex", o->name, buf_text(&text));
    }
    if (json)
        fprintf(console->out, "[%s]\n", buf_text(&b));
    buf_free(&b);
    buf_free(&text);
}

static void put_param(struct buf *out, const struct param_group *g,
                      const struct param_desc *d, bool json)
{
    char def[64];

    if (d->type == PARAM_TYPE_BOOL)
        snprintf(def, sizeof def, "%s", d->def ? "on" : "off");
    else
        snprintf(def, sizeof def, "%u", d->def);
    if (!json) {
        buf_printf(out, "%s.%-18s %s\n%28s", g->prefix, d->name, d->help, "");
        if (d->type == PARAM_TYPE_NUM)
            buf_printf(out, "%s (%u to %u)%s%s\n", def, d->min, d->max,
                       *d->unit ? " " : "", d->unit);
        else
            buf_printf(out, "%s\n", d->type == PARAM_TYPE_ENUM ? d->choices : def);
        return;
    }
    buf_puts(out, out->len ? ",\n {\"name\": " : "{\"name\": ");
    buf_printf(out, "\"%s.%s\", \"default\": \"%s\", \"min\": %u, \"max\": %u, ",
               g->prefix, d->name, def, d->min, d->max);
    buf_puts(out, "\"choices\": ");
    json_string(out, d->choices);
    buf_puts(out, ", \"unit\": ");
    json_string(out, d->unit);
    buf_puts(out, ", \"help\": ");
    json_string(out, d->help);
    buf_puts(out, "}");
}

static void list_params(struct console *console, bool json)
{
    const struct param_group *groups[MAX_GROUPS];
    size_t n = machine_groups(groups, MAX_GROUPS);
    struct buf b = { 0 };

    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < groups[i]->n_rows; r++)
            put_param(&b, groups[i], &groups[i]->rows[r], json);
    fprintf(console->out, json ? "[%s]\n" : "%s", buf_text(&b));
    buf_free(&b);
}

static void put_stat(struct buf *out, const struct stat_group *g,
                     const struct stat_desc *d, bool json)
{
    if (!json) {
        buf_printf(out, "%s.%-20s %-14s %s%s%s\n", g->prefix, d->name, d->unit, d->help,
                   *d->alias ? "; GPGPU-Sim: " : "", d->alias);
        return;
    }
    buf_puts(out, out->len ? ",\n {\"name\": " : "{\"name\": ");
    buf_printf(out, "\"%s.%s\", \"unit\": ", g->prefix, d->name);
    json_string(out, d->unit);
    buf_puts(out, ", \"gpgpusim\": ");
    json_string(out, d->alias);
    buf_puts(out, ", \"help\": ");
    json_string(out, d->help);
    buf_puts(out, "}");
}

static void list_stats(struct console *console, bool json)
{
    const struct stat_group *groups[MAX_GROUPS];
    size_t n = machine_stats(groups, MAX_GROUPS);
    struct buf b = { 0 };

    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < groups[i]->n_rows; r++)
            put_stat(&b, groups[i], &groups[i]->rows[r], json);
    fprintf(console->out, json ? "[%s]\n" : "%s", buf_text(&b));
    buf_free(&b);
}

/* docs/params.md and docs/stats.md */

/* The parameters that most studies change: the size of the machine, its memory, and the
 * main structure of each scheme. */
static const char *const main_params[] = {
    "gpu.sms",        "core.warps",      "core.threads",      "core.registers",
    "sched.policy",   "regfile.model",   "fetch.redirect",    "regfile.collectors",
    "l1.latency",     "l1.mshrs",        "shared.latency",    "l2.latency",
    "dram.channels",  "inorder.entries", "inorder.refill",    "ghost.entries",
    "socgpu.entries", "loog.units",      "turbulence.window", "darsie.entries",
};

/* Copies the rows of the main parameters from the tables of all. */
static void put_main_params(const struct buf *tables, struct buf *out)
{
    char start[64];

    buf_puts(out, "## The twenty that matter most\n\n"
                  "| key | default | values | unit | meaning |\n"
                  "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof main_params / sizeof *main_params; i++) {
        const char *row;

        snprintf(start, sizeof start, "| `%s` |", main_params[i]);
        row = strstr(buf_text(tables), start);
        if (row)
            buf_add(out, row, strcspn(row, "\n") + 1);
    }
    buf_putc(out, '\n');
}

static void write_params(struct buf *out)
{
    const struct param_group *groups[MAX_GROUPS];
    struct buf tables = { 0 };

    buf_puts(out,
             "# Parameters\n\nGenerated by `make docs` from the tables; do not edit. "
             "`--set KEY=VALUE` sets one parameter,\na preset (`configs/`) sets many, "
             "and `leno run --dump-config` prints them all. Defaults are those\nof the "
             "tables; a preset may differ.\n\n");
    param_docs(groups, machine_groups(groups, MAX_GROUPS), &tables);
    put_main_params(&tables, out);
    buf_puts(out, buf_text(&tables));
    buf_free(&tables);
}

static void write_stats(struct buf *out)
{
    const struct stat_group *groups[MAX_GROUPS];
    struct stat_binding bound[MAX_GROUPS];
    struct stat_report r = { .groups = bound };

    r.n_groups = machine_stats(groups, MAX_GROUPS);
    for (size_t i = 0; i < r.n_groups; i++)
        bound[i] = (struct stat_binding){ groups[i], NULL };
    r.formulas = machine_formulas(&r.n_formulas);
    buf_puts(out,
             "# Statistics\n\nGenerated by `make docs` from the tables; do not edit. "
             "Counters are sums over\nall SMs or slices.\n\n");
    stat_docs(&r, out);
    buf_puts(
        out,
        "\n## Issue slots\n\nIn every cycle each scheduler either issues or is charged "
        "to exactly one cause: the first\nin this list that any of its warps has. "
        "The sum is schedulers x cycles, checked at the\nend of every kernel.\n\n");
    stall_docs(out);
}

/* The kinds of lists; a new kind is one row. */
static const struct kind {
    const char *name;
    void (*list)(struct console *console, bool json);
    void (*markdown)(struct buf *out); /* NULL: there is none */
} kinds[] = {
    { "workloads", list_workloads, NULL }, { "gpus", list_gpus, NULL },
    { "schemes", list_schemes, NULL },     { "params", list_params, write_params },
    { "stats", list_stats, write_stats },  { "archs", list_archs, NULL },
    { "opcodes", list_opcodes, NULL },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char *kind_at(const void *from, size_t i)
{
    (void)from;
    return i < N_KINDS ? kinds[i].name : NULL;
}

static void list_kind(struct console *console, const struct kind *k, bool json)
{
    struct buf head = { 0 };

    if (!json) {
        k->list(console, false);
        return;
    }
    document_begin(&head, "list");
    document_text(&head, "kind", k->name);
    fprintf(console->out, "%s, \"items\": ", buf_text(&head));
    k->list(console, true);
    fputs("}\n", console->out);
    buf_free(&head);
}

static int list_run(struct console *console, const void *values,
                    const struct operands *ops, struct err *err)
{
    const struct list_values *v = values;
    const char *name = ops->n == 1 ? ops->at[0] : "";
    struct buf b = { 0 };

    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, name))
            continue;
        if (!v->markdown || !kinds[i].markdown) {
            list_kind(console, &kinds[i], v->json);
            return 0;
        }
        kinds[i].markdown(&b);
        fwrite(buf_text(&b), 1, b.len, console->out);
        buf_free(&b);
        return 0;
    }
    for (size_t i = 0; i < N_KINDS; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", kinds[i].name);
    suggest_word(&b, name, kind_at, NULL);
    err_set(err, "expected one of %s", buf_text(&b));
    buf_free(&b);
    return -1;
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
