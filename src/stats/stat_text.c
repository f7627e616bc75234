/* stat_text.c - statistics for people: aligned text, GPGPU-Sim's lines, and the
 * documentation of the tables.
 */
#include <math.h>
#include <string.h>

#include "stats/internal.h"

/* How wide the columns of the text are. */
struct widths {
    int name, value;
};

/* A formula's value for people; one that has none is a dash. */
static void put_short(struct buf *out, double value)
{
    if (isfinite(value))
        buf_printf(out, "%.4f", value);
    else
        buf_putc(out, '-');
}

static void widen_column(int *width, size_t n)
{
    if (n > (size_t)*width)
        *width = (int)n;
}

static struct widths measure_columns(const struct stat_report *r)
{
    struct widths w = { 0, 0 };
    struct buf b = { 0 };

    for (size_t i = 0; i < r->n_groups; i++) {
        const struct stat_group *g = r->groups[i].group;

        for (size_t row = 0; row < g->n_rows; row++) {
            widen_column(&w.name, strlen(g->prefix) + 1 + strlen(g->rows[row].name));
            buf_clear(&b);
            buf_printf(&b, "%ju", (uintmax_t)stat_at(&r->groups[i], row));
            widen_column(&w.value, b.len);
        }
    }
    for (size_t i = 0; i < r->n_formulas; i++) {
        widen_column(&w.name, strlen(r->formulas[i].name));
        buf_clear(&b);
        put_short(&b, stat_compute(r, &r->formulas[i]));
        widen_column(&w.value, b.len);
    }
    buf_free(&b);
    return w;
}

static void put_line(struct buf *out, struct widths w, const char *name,
                     const char *value, const char *unit)
{
    buf_printf(out, "%-*s  %*s%s%s\n", w.name, name, w.value, value, *unit ? "  " : "",
               unit);
}

static void put_group(const struct stat_binding *b, struct widths w, struct buf *out)
{
    struct buf name = { 0 }, value = { 0 };

    for (size_t row = 0; row < b->group->n_rows; row++) {
        if (b->group->is_sparse && !stat_at(b, row))
            continue;
        buf_clear(&name);
        buf_clear(&value);
        buf_printf(&name, "%s.%s", b->group->prefix, b->group->rows[row].name);
        buf_printf(&value, "%ju", (uintmax_t)stat_at(b, row));
        put_line(out, w, buf_text(&name), buf_text(&value), b->group->rows[row].unit);
    }
    buf_free(&name);
    buf_free(&value);
}

/* The lines that scripts for GPGPU-Sim's output look for. */
static void put_aliases(const struct stat_report *r, struct buf *out)
{
    const char *before = "\n";

    for (size_t i = 0; i < r->n_groups; i++) {
        const struct stat_group *g = r->groups[i].group;

        for (size_t row = 0; row < g->n_rows; row++) {
            if (!*g->rows[row].alias)
                continue;
            buf_printf(out, "%s%s = %ju\n", before, g->rows[row].alias,
                       (uintmax_t)stat_at(&r->groups[i], row));
            before = "";
        }
    }
    for (size_t i = 0; i < r->n_formulas; i++) {
        double value = stat_compute(r, &r->formulas[i]);

        if (!*r->formulas[i].alias || !isfinite(value))
            continue;
        buf_printf(out, "%s%s = %.4f\n", before, r->formulas[i].alias, value);
        before = "";
    }
}

void stat_text(const struct stat_report *r, struct buf *out)
{
    struct widths w = measure_columns(r);
    struct buf value = { 0 };

    for (size_t i = 0; i < r->n_groups; i++)
        put_group(&r->groups[i], w, out);
    for (size_t i = 0; i < r->n_formulas; i++) {
        buf_clear(&value);
        put_short(&value, stat_compute(r, &r->formulas[i]));
        put_line(out, w, r->formulas[i].name, buf_text(&value), r->formulas[i].unit);
    }
    put_aliases(r, out);
    buf_free(&value);
}

static void put_group_docs(const struct stat_group *g, struct buf *out)
{
    buf_printf(out, "## %s\n\n", g->prefix);
    buf_markdown(out, g->help);
    buf_puts(out, "\n\n| name | unit | GPGPU-Sim | meaning |\n"
                  "| --- | --- | --- | --- |\n");
    for (size_t row = 0; row < g->n_rows; row++) {
        buf_printf(out, "| `%s.%s` | %s | %s | ", g->prefix, g->rows[row].name,
                   g->rows[row].unit, g->rows[row].alias);
        buf_markdown(out, g->rows[row].help);
        buf_puts(out, " |\n");
    }
}

/* "(a + b) / (c x d) x 100", as stat_compute() does it. */
static void put_expression(const struct stat_formula *f, struct buf *out)
{
    bool sum = f->over[0] && f->over[1], product = f->under[0] && f->under[1];
    const char *over = f->over[0] ? f->over[0] : f->over[1];
    const char *under = f->under[0] ? f->under[0] : f->under[1];

    if (sum)
        buf_printf(out, "(%s + %s)", f->over[0], f->over[1]);
    else
        buf_puts(out, over ? over : "0");
    if (product)
        buf_printf(out, " / (%s x %s)", f->under[0], f->under[1]);
    else if (under)
        buf_printf(out, " / %s", under);
    if (f->scale < 1 || f->scale > 1)
        buf_printf(out, " x %g", f->scale);
}

void stat_docs(const struct stat_report *r, struct buf *out)
{
    for (size_t i = 0; i < r->n_groups; i++) {
        buf_puts(out, i ? "\n" : "");
        put_group_docs(r->groups[i].group, out);
    }
    if (!r->n_formulas)
        return;
    buf_puts(out, r->n_groups ? "\n" : "");
    buf_puts(out, "## Formulas\n\n| name | unit | GPGPU-Sim | computed | meaning |\n"
                  "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < r->n_formulas; i++) {
        const struct stat_formula *f = &r->formulas[i];

        buf_printf(out, "| `%s` | %s | %s | ", f->name, f->unit, f->alias);
        put_expression(f, out);
        buf_puts(out, " | ");
        buf_markdown(out, f->help);
        buf_puts(out, " |\n");
    }
}
