/* figure_put.c - the numbers of a figure as a table, as CSV and as JSON. */
#include <math.h>
#include <string.h>

#include "base/document.h"
#include "base/json.h"
#include "report/figure.h"
#include "report/sheet.h"
#include "report/unchecked.h"

static const struct point *find_point(const struct points *l, const char *column,
                                      const char *row)
{
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i].column, column) && !strcmp(l->at[i].row, row))
            return &l->at[i];
    return NULL;
}

/* Is this the first point with its column, or with its row? */
static bool is_new_column(const struct points *l, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(l->at[k].column, l->at[i].column))
            return false;
    return true;
}

static bool is_new_row(const struct points *l, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(l->at[k].row, l->at[i].row))
            return false;
    return true;
}

static bool has_paper(const struct points *l, const char *column)
{
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i].column, column) && !isnan(l->at[i].paper))
            return true;
    return false;
}

static void put_number(struct sheet *t, const struct figure *f, const char *column,
                       double x)
{
    const struct metric *m = NULL;

    for (size_t i = 0; i < f->n_columns; i++)
        if (!strcmp(f->columns[i].label, column))
            m = f->columns[i].metric;
    if (isnan(x))
        sheet_cell(t, "-");
    else
        sheet_cell(t, "%.*f", m ? m->digits : 1, x);
}

static bool has_any_paper(const struct points *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (!isnan(l->at[i].paper))
            return true;
    return false;
}

/* Heads are text of their own: "column:paper", "column:ours"; where the paper has no
 * numbers at all, only "column". */
static void put_heads(struct sheet *t, const struct points *l, struct buf *heads)
{
    size_t at[SHEET_MAX_COLUMNS], n = 0;
    bool is_beside = has_any_paper(l);

    for (size_t i = 0; i < l->n; i++) {
        if (!is_new_column(l, i))
            continue;
        for (int ours = !has_paper(l, l->at[i].column); ours < 2; ours++) {
            at[n++] = heads->len;
            buf_printf(heads, "%s%s%s%c", l->at[i].column,
                       !is_beside ? ""
                       : ours     ? ":ours"
                                  : ":paper",
                       ours && l->at[i].is_unchecked ? ":" UNCHECKED_MARK : "", 0);
        }
    }
    sheet_column(t, "", true);
    for (size_t i = 0; i < n; i++)
        sheet_column(t, heads->data + at[i], false);
}

static void put_row(struct sheet *t, const struct figure *f, const struct points *l,
                    const char *row)
{
    sheet_cell(t, "%s", row);
    for (size_t i = 0; i < l->n; i++) {
        const char *column = l->at[i].column;
        const struct point *x;

        if (!is_new_column(l, i))
            continue;
        x = find_point(l, column, row);
        if (has_paper(l, column))
            put_number(t, f, column, x ? x->paper : NO_NUMBER);
        put_number(t, f, column, x ? x->ours : NO_NUMBER);
    }
}

/* The table of a figure; its heads must live as long. */
static void make_sheet(const struct figure *f, const struct points *l,
                       struct buf *heads, struct sheet *t)
{
    bool is_ruled = false;

    put_heads(t, l, heads);
    for (size_t i = 0; i < l->n; i++) {
        if (!is_new_row(l, i))
            continue;
        if (!is_ruled && !strncmp(l->at[i].row, "mean", 4)) {
            sheet_rule(t);
            is_ruled = true;
        }
        put_row(t, f, l, l->at[i].row);
    }
}

void figure_occupancy(const struct points *l, struct buf *out)
{
    size_t far = 0;

    for (size_t i = 0; i < l->n_occupancy; i++)
        far += !figure_is_near(&l->occupancy[i]);
    if (l->n_occupancy)
        buf_printf(out, "At the paper's occupancy, within %.0f points: %zu of %zu%s",
                   FIGURE_NEAR, l->n_occupancy - far, l->n_occupancy,
                   far ? ". Not reached (ours / paper's, %):" : ".\n");
    for (size_t i = 0, n = 0; i < l->n_occupancy; i++) {
        const struct point *x = &l->occupancy[i];

        if (figure_is_near(x))
            continue;
        buf_printf(out, "%s%s %.0f / %.0f%s", n % 6 ? " " : "\n", x->row, x->ours,
                   x->paper, n + 1 < far ? "," : ".\n");
        n++;
    }
}

static void put_figure(const struct figure *f, const struct points *l,
                       void (*put_sheet)(const struct sheet *t, struct buf *out),
                       struct buf *out)
{
    struct buf heads = { 0 };
    struct sheet t = { 0 };

    buf_printf(out, "%s: %s\n\n", f->name, f->title);
    make_sheet(f, l, &heads, &t);
    put_sheet(&t, out);
    buf_printf(out, "\n%s", f->note);
    figure_occupancy(l, out);
    sheet_free(&t);
    buf_free(&heads);
}

void figure_table(const struct figure *f, const struct points *l, struct buf *out)
{
    struct buf heads = { 0 };
    struct sheet t = { 0 };

    make_sheet(f, l, &heads, &t);
    sheet_html(&t, out);
    sheet_free(&t);
    buf_free(&heads);
}

void figure_text(const struct figure *f, const struct points *l, struct buf *out)
{
    put_figure(f, l, sheet_text, out);
}

void figure_markdown(const struct figure *f, const struct points *l, struct buf *out)
{
    put_figure(f, l, sheet_markdown, out);
}

static void put_csv_column(const struct point *x, struct buf *out)
{
    struct buf name = { 0 };

    buf_printf(&name, "%s%s", x->column,
               x->is_unchecked ? " (" UNCHECKED_MARK ")" : "");
    csv_field(out, buf_text(&name));
    buf_free(&name);
}

void figure_csv(const struct figure *f, const struct points *l, struct buf *out)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct point *x = &l->at[i];

        csv_field(out, f->name);
        buf_putc(out, ',');
        put_csv_column(x, out);
        buf_putc(out, ',');
        csv_field(out, x->row);
        buf_putc(out, ',');
        if (!isnan(x->paper))
            json_double(out, x->paper);
        buf_putc(out, ',');
        if (!isnan(x->ours))
            json_double(out, x->ours);
        buf_putc(out, '\n');
    }
}

void figure_json(const struct figure *f, const struct points *l, struct buf *out)
{
    buf_puts(out, "{\"figure\": ");
    json_string(out, f->name);
    document_text(out, "title", f->title);
    document_text(out, "note", f->note);
    buf_puts(out, ", \"points\": [");
    for (size_t i = 0; i < l->n; i++) {
        const struct point *x = &l->at[i];

        buf_puts(out, i ? ",\n  {\"column\": " : "\n  {\"column\": ");
        json_string(out, x->column);
        document_text(out, "row", x->row);
        buf_puts(out, ", \"paper\": ");
        json_double(out, x->paper);
        buf_puts(out, ", \"ours\": ");
        json_double(out, x->ours);
        document_bool(out, "checked", !x->is_unchecked);
        buf_putc(out, '}');
    }
    buf_puts(out, "], \"occupancy\": [");
    for (size_t i = 0; i < l->n_occupancy; i++) {
        const struct point *x = &l->occupancy[i];

        buf_puts(out, i ? ",\n  {\"program\": " : "\n  {\"program\": ");
        json_string(out, x->row);
        buf_puts(out, ", \"paper\": ");
        json_double(out, x->paper);
        buf_puts(out, ", \"ours\": ");
        json_double(out, x->ours);
        document_bool(out, "reached", figure_is_near(x));
        buf_putc(out, '}');
    }
    buf_puts(out, "]}");
}
