/* param_write.c - parameters as an ini text, as JSON and as documentation. */
#include <string.h>

#include "base/json.h"
#include "config/internal.h"

enum { COMMENT_COLUMN = 32 };

void param_value(const struct param_desc *row, const void *values, struct buf *out)
{
    const char *at = (const char *)values + row->offset, *name = "";
    uint32_t number;
    size_t n;
    bool flag;

    if (row->type == PARAM_TYPE_BOOL) {
        memcpy(&flag, at, sizeof flag);
        buf_puts(out, flag ? "on" : "off");
        return;
    }
    memcpy(&number, at, sizeof number);
    if (row->type == PARAM_TYPE_NUM) {
        buf_printf(out, "%u", number);
        return;
    }
    n = param_choice(row, number, &name);
    buf_add(out, name, n);
}

/* What a row's value may be: "1 to 8", "on, off" or its choices. */
static void put_range(const struct param_desc *row, struct buf *out)
{
    const char *name;
    size_t n;

    if (row->type == PARAM_TYPE_NUM)
        buf_printf(out, "%u to %u", row->min, row->max);
    else if (row->type == PARAM_TYPE_BOOL)
        buf_puts(out, "on, off");
    for (uint32_t i = 0; (n = param_choice(row, i, &name)) > 0; i++) {
        buf_puts(out, i ? ", " : "");
        buf_add(out, name, n);
    }
}

void param_dump(const struct param_binding *b, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct param_group *g = b[i].group;

        if (!g->n_rows)
            continue;
        buf_printf(out, "%s[%s] ; %s\n", i ? "\n" : "", g->prefix, g->help);
        for (size_t r = 0; r < g->n_rows; r++) {
            const struct param_desc *row = &g->rows[r];
            size_t line = out->len;

            buf_printf(out, "%s = ", row->name);
            param_value(row, b[i].values, out);
            while (out->len - line < COMMENT_COLUMN)
                buf_putc(out, ' ');
            buf_puts(out, " ; ");
            put_range(row, out);
            buf_printf(out, "%s%s: %s\n", *row->unit ? " " : "", row->unit, row->help);
        }
    }
}

void param_json(const struct param_binding *b, size_t n, struct buf *out)
{
    const char *before = "{";
    struct buf value = { 0 };

    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < b[i].group->n_rows; r++) {
            const struct param_desc *row = &b[i].group->rows[r];

            buf_printf(out, "%s\"%s.%s\": ", before, b[i].group->prefix, row->name);
            before = ",\n ";
            buf_clear(&value);
            param_value(row, b[i].values, &value);
            if (row->type == PARAM_TYPE_BOOL)
                buf_puts(out, buf_text(&value)[1] == 'n' ? "true" : "false");
            else if (row->type == PARAM_TYPE_NUM)
                buf_puts(out, buf_text(&value));
            else
                json_string(out, buf_text(&value));
        }
    }
    buf_puts(out, *before == '{' ? "{}" : "}");
    buf_free(&value);
}

static void put_row_docs(const char *prefix, const struct param_desc *row,
                         struct buf *out)
{
    const char *name = "";
    size_t n = param_choice(row, row->def, &name);

    buf_printf(out, "| `%s.%s` | ", prefix, row->name);
    if (row->type == PARAM_TYPE_NUM)
        buf_printf(out, "%u", row->def);
    else if (row->type == PARAM_TYPE_BOOL)
        buf_puts(out, row->def ? "on" : "off");
    else
        buf_add(out, name, n);
    buf_puts(out, " | ");
    put_range(row, out);
    buf_printf(out, " | %s | ", row->unit);
    buf_markdown(out, row->help);
    buf_puts(out, " |\n");
}

void param_docs(const struct param_group *const *groups, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct param_group *g = groups[i];

        buf_printf(out, "%s## %s\n\n", i ? "\n" : "", g->prefix);
        buf_markdown(out, g->help);
        buf_puts(out, "\n\n| key | default | values | unit | meaning |\n"
                      "| --- | --- | --- | --- | --- |\n");
        for (size_t r = 0; r < g->n_rows; r++)
            put_row_docs(g->prefix, &g->rows[r], out);
    }
}
