/* list.c - what there is to choose from, as text, as JSON, and as pages of docs/. */
#include "report/list.h"

#include <string.h>

#include "base/document.h"
#include "base/suggest.h"
#include "config/preset.h"
#include "driver/device.h"
#include "frontend/sass/decode/decode.h"
#include "report/list_workloads.h"
#include "sim/machine.h"

enum { MAX_GROUPS = 64 };

/* Begins an object of a JSON list with its name. */
static void begin_item(struct buf *out, const char *name)
{
    buf_puts(out, out->len ? ",\n {\"name\": " : "{\"name\": ");
    json_string(out, name);
}

static void put_archs(struct buf *out, bool json)
{
    for (int i = 0; i < N_SASS_ARCH; i++) {
        const struct device *d = device_of((enum sass_arch)i);
        const char *name = sass_arch_name((enum sass_arch)i);

        if (!json) {
            buf_printf(out, "%-6s  %-20s  %3u SMs, %u warps and %u KB shared each\n",
                       name, d->name, d->n_sms, d->warps_per_sm,
                       d->shared_per_sm / 1024);
            continue;
        }
        begin_item(out, name);
        document_text(out, "device", d->name);
        document_number(out, "sms", d->n_sms);
        document_number(out, "warps_per_sm", d->warps_per_sm);
        document_number(out, "shared_per_sm", d->shared_per_sm);
        buf_putc(out, '}');
    }
}

/* The architectures that have an opcode, each between quotes. */
static void put_arch_names(struct buf *out, const struct op_row *row, const char *quote,
                           const char *between)
{
    const char *before = "";

    for (int a = 0; a < N_SASS_ARCH; a++) {
        if (!(row->archs >> a & 1))
            continue;
        buf_printf(out, "%s%s%s%s", before, quote, sass_arch_name((enum sass_arch)a),
                   quote);
        before = between;
    }
}

static void put_opcodes(struct buf *out, bool json)
{
    static const char *const names[] = {
#define OP(id, opcode, forms, archs, class, format) #id,
#include "frontend/sass/decode/opcodes.def"
#undef OP
    };
    const struct op_row *rows = sass_rows();

    for (int i = 0; i < N_SASS_OP; i++) {
        if (json) {
            begin_item(out, names[i]);
            document_number(out, "opcode", rows[i].opcode);
            buf_puts(out, ", \"archs\": [");
            put_arch_names(out, &rows[i], "\"", ", ");
            buf_puts(out, "]}");
        } else {
            buf_printf(out, "%-14s  0x%03x  ", names[i], rows[i].opcode);
            put_arch_names(out, &rows[i], "", " ");
            buf_putc(out, '\n');
        }
    }
}

static void put_gpus(struct buf *out, bool json)
{
    const struct preset *p;

    for (size_t i = 0; (p = preset_at(i)); i++) {
        if (!json) {
            buf_printf(out, "%-15s  %s\n", p->name, p->summary);
            continue;
        }
        begin_item(out, p->name);
        document_text(out, "summary", p->summary);
        buf_putc(out, '}');
    }
}

/* One scheme of a kind; the paper is for people only. An eliminator is added to a scheme
 * with a plus. */
static void put_scheme(struct buf *out, bool json, const char *kind, const char *name,
                       const char *summary, const char *paper)
{
    const char *prefix = strcmp(kind, "skip") != 0 ? "" : "+";

    if (!json) {
        buf_printf(out, "%s%-*s  %s%s%s\n", prefix, 13 - (int)strlen(prefix), name,
                   summary, *paper ? "; " : "", paper);
        return;
    }
    begin_item(out, name);
    document_text(out, "kind", kind);
    document_text(out, "summary", summary);
    buf_putc(out, '}');
}

static void put_schemes(struct buf *out, bool json)
{
    struct buf text = { 0 };

    for (size_t i = 0; scheme_at(i); i++) {
        const struct scheme_ops *o = scheme_at(i);

        put_scheme(out, json, "issue", o->name, o->summary, o->paper);
    }
    for (size_t i = 0; skip_at(i); i++)
        put_scheme(out, json, "skip", skip_at(i)->name, skip_at(i)->summary, "");
    for (size_t i = 0; vortex_stage_at(i); i++) {
        const struct vx_issue_ops *o = vortex_stage_at(i);

        buf_clear(&text);
        buf_printf(&text, "on Vortex: %s", o->summary);
        put_scheme(out, json, "vortex", o->name, buf_text(&text), o->paper);
    }
    buf_free(&text);
}

static void put_param_text(struct buf *out, const char *name,
                           const struct param_desc *d, const char *value)
{
    buf_printf(out, "%-30s %s\n%31s", name, d->help, "");
    if (d->type == PARAM_TYPE_NUM)
        buf_printf(out, "%s (%u to %u)%s%s\n", value, d->min, d->max,
                   *d->unit ? " " : "", d->unit);
    else
        buf_printf(out, "%s\n", d->type == PARAM_TYPE_ENUM ? d->choices : value);
}

static void put_param(struct buf *out, const char *prefix, const struct param_desc *d,
                      bool json)
{
    char name[64], value[16];

    snprintf(name, sizeof name, "%s.%s", prefix, d->name);
    if (d->type == PARAM_TYPE_BOOL)
        snprintf(value, sizeof value, "%s", d->def ? "on" : "off");
    else
        snprintf(value, sizeof value, "%u", d->def);
    if (!json) {
        put_param_text(out, name, d, value);
        return;
    }
    begin_item(out, name);
    document_text(out, "default", value);
    document_number(out, "min", d->min);
    document_number(out, "max", d->max);
    document_text(out, "choices", d->choices);
    document_text(out, "unit", d->unit);
    document_text(out, "help", d->help);
    buf_putc(out, '}');
}

static void put_params(struct buf *out, bool json)
{
    const struct param_group *groups[MAX_GROUPS];
    size_t n = machine_groups(groups, MAX_GROUPS);

    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < groups[i]->n_rows; r++)
            put_param(out, groups[i]->prefix, &groups[i]->rows[r], json);
}

static void put_stat(struct buf *out, const char *prefix, const struct stat_desc *d,
                     bool json)
{
    char name[64];

    snprintf(name, sizeof name, "%s.%s", prefix, d->name);
    if (!json) {
        buf_printf(out, "%-30s %-14s %s%s%s\n", name, d->unit, d->help,
                   *d->alias ? "; GPGPU-Sim: " : "", d->alias);
        return;
    }
    begin_item(out, name);
    document_text(out, "unit", d->unit);
    document_text(out, "gpgpusim", d->alias);
    document_text(out, "help", d->help);
    buf_putc(out, '}');
}

static void put_stats(struct buf *out, bool json)
{
    const struct stat_group *groups[MAX_GROUPS];
    size_t n = machine_stats(groups, MAX_GROUPS);

    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < groups[i]->n_rows; r++)
            put_stat(out, groups[i]->prefix, &groups[i]->rows[r], json);
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
    void (*put)(struct buf *out, bool json); /* NULL: */
    int (*put_for)(const struct list_job *job, struct buf *out, struct err *err);
    void (*page)(struct buf *out); /* of docs/; NULL: there is none */
} kinds[] = {
    { .name = "workloads", .put_for = list_workloads },
    { .name = "gpus", .put = put_gpus },
    { .name = "schemes", .put = put_schemes },
    { .name = "params", .put = put_params, .page = write_params },
    { .name = "stats", .put = put_stats, .page = write_stats },
    { .name = "archs", .put = put_archs },
    { .name = "opcodes", .put = put_opcodes },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char *kind_at(const void *from, size_t i)
{
    (void)from;
    return i < N_KINDS ? kinds[i].name : NULL;
}

static const struct kind *find_kind(const char *name, struct err *err)
{
    struct buf b = { 0 };

    for (size_t i = 0; i < N_KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    for (size_t i = 0; i < N_KINDS; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", kinds[i].name);
    suggest_word(&b, name, kind_at, NULL);
    err_set(err, "expected one of %s", buf_text(&b));
    buf_free(&b);
    return NULL;
}

static int put_items(const struct kind *k, const struct list_job *job,
                     struct buf *items, struct err *err)
{
    if (k->put_for)
        return k->put_for(job, items, err);
    k->put(items, job->format == LIST_JSON);
    return 0;
}

int list_print(const struct list_job *job, FILE *out, struct err *err)
{
    const struct kind *k = find_kind(job->kind, err);
    struct buf head = { 0 }, items = { 0 };
    int failed = 0;

    if (!k)
        return -1;
    if (job->format == LIST_PAGE && k->page)
        k->page(&items);
    else
        failed = put_items(k, job, &items, err);
    if (!failed && job->format == LIST_JSON) {
        document_begin(&head, "list");
        document_text(&head, "kind", k->name);
        fprintf(out, "%s, \"items\": [%s]\n}\n", buf_text(&head), buf_text(&items));
    } else if (!failed) {
        fputs(buf_text(&items), out);
    }
    buf_free(&head);
    buf_free(&items);
    return failed;
}
