/* figure_chart.c - a figure as charts: bars, stacks or lines, the paper's faint or dashed.
 *
 * Columns of one metric, and parts of a stack, share a chart. Where there are rows for programs, rows that are one
 * number over all of them (highest, a correlation) stay in the table.
 */
#include <math.h>
#include <string.h>

#include "report/chart.h"
#include "report/figure.h"
#include "report/page.h"
#include "report/svg.h"

enum { MAX_SERIES = 64, MAX_ROWS = 256, LINE_STEP = 6 };

/* One chart: its series are columns, its groups are rows. */
struct drawn {
    const struct points *points;
    const char *series[MAX_SERIES], *row[MAX_ROWS];
    bool has_paper[MAX_SERIES];
    size_t n_series, n_rows;
    double base;            /* from where bars grow */
    size_t n_bars, n_slots; /* of a group: bars, and room for so many, in which they are
                             * in the middle */
    struct svg_scale scale;
};

static bool has_program_rows(const struct figure *f)
{
    for (size_t i = 0; i < f->n_columns; i++)
        if (!f->columns[i].row)
            return true;
    return false;
}

/* A ratio, which is about 1, or 0 and more? */
static bool is_ratio(const struct metric *m)
{
    return m == &metric_speedup || m == &metric_stalls;
}

static bool is_value(const struct figure_column *c)
{
    return c->shows != SHOWS_BELOW_1 && c->shows != SHOWS_CORRELATION;
}

/* Is the row one of those over all programs that the chart leaves out? */
static bool is_left_out(const struct figure *f, const char *row)
{
    bool programs = has_program_rows(f);

    for (size_t i = 0; i < f->n_columns; i++) {
        const struct figure_column *c = &f->columns[i];

        if (c->row && (programs || !is_value(c)) &&
            !strncmp(row, c->row, strlen(c->row)))
            return true;
    }
    return false;
}

/* Adds a text to a list of distinct ones; false if it was there. */
static bool add_text(const char **list, size_t *n, size_t max, const char *text)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp(list[i], text))
            return false;
    if (*n < max)
        list[(*n)++] = text;
    return true;
}

/* Do two columns belong into one chart? */
static bool shares_chart(const struct figure *f, size_t a, size_t b)
{
    return f->drawing == DRAW_STACKS || f->columns[a].metric == f->columns[b].metric;
}

/* The columns that belong to the same chart as one of them. */
static void take_series(struct drawn *d, const struct figure *f, size_t column)
{
    for (size_t i = 0; i < f->n_columns; i++)
        if (shares_chart(f, i, column) && is_value(&f->columns[i]))
            add_text(d->series, &d->n_series, MAX_SERIES, f->columns[i].label);
}

static const struct point *point_at(const struct drawn *d, size_t series, size_t row)
{
    for (size_t i = 0; i < d->points->n; i++)
        if (!strcmp(d->points->at[i].column, d->series[series]) &&
            !strcmp(d->points->at[i].row, d->row[row]))
            return &d->points->at[i];
    return NULL;
}

static void take_rows(struct drawn *d, const struct figure *f)
{
    for (size_t i = 0; i < d->points->n; i++) {
        const struct point *x = &d->points->at[i];

        for (size_t s = 0; s < d->n_series; s++) {
            if (strcmp(x->column, d->series[s]) != 0 || is_left_out(f, x->row))
                continue;
            add_text(d->row, &d->n_rows, MAX_ROWS, x->row);
            d->has_paper[s] = d->has_paper[s] || !isnan(x->paper);
        }
    }
}

/* The sum of a row's parts, of a stack. */
static double sum_of(const struct drawn *d, size_t row)
{
    double sum = 0;

    for (size_t s = 0; s < d->n_series; s++) {
        const struct point *x = point_at(d, s, row);

        sum += x && !isnan(x->ours) ? x->ours : 0;
    }
    return sum;
}

static void find_scale(struct drawn *d, enum figure_drawing drawing)
{
    double low = d->base, high = d->base + (d->base > 0 ? 0.05 : 1);

    for (size_t r = 0; r < d->n_rows; r++) {
        for (size_t s = 0; s < d->n_series; s++) {
            const struct point *x = point_at(d, s, r);

            if (!x)
                continue;
            low = fmin(low, fmin(x->paper, x->ours)); /* NAN does not count */
            high = fmax(high, fmax(x->paper, x->ours));
        }
        if (drawing == DRAW_STACKS)
            high = fmax(high, sum_of(d, r));
    }
    d->scale = svg_scale_of(low, high);
}

static void put_title(const struct drawn *d, size_t s, size_t r, bool is_paper,
                      double value, struct buf *out)
{
    html_text(out, d->row[r]);
    buf_puts(out, ", ");
    html_text(out, d->series[s]);
    buf_printf(out, ", %s: %.3f</title>", is_paper ? "paper" : "ours", value);
}

static size_t bars_per_group(const struct drawn *d)
{
    size_t n = d->n_series;

    for (size_t s = 0; s < d->n_series; s++)
        n += d->has_paper[s];
    return n;
}

static struct svg_ink ink_of(size_t series, bool is_paper)
{
    return (struct svg_ink){ chart_column_color(series + 1), is_paper };
}

static double value_of(const struct point *x, bool is_paper)
{
    if (!x)
        return NO_NUMBER;
    return is_paper ? x->paper : x->ours;
}

static void put_one_bar(const struct drawn *d, size_t s, size_t r, bool is_paper,
                        double left, struct buf *out)
{
    const struct point *x = point_at(d, s, r);
    double value = value_of(x, is_paper);

    if (isnan(value))
        return;
    svg_put_bar(&d->scale, left, d->base, value, ink_of(s, is_paper), out);
    put_title(d, s, r, is_paper, value, out);
    buf_puts(out, "</rect>\n");
}

static double middle_of(const struct drawn *d, size_t r)
{
    return svg_left_of(&d->scale, r, d->n_slots) + (double)(d->n_slots * SVG_BAR) / 2;
}

static double left_of(const struct drawn *d, size_t r)
{
    return middle_of(d, r) - (double)(d->n_bars * SVG_BAR) / 2;
}

static void put_bars(const struct drawn *d, size_t r, struct buf *out)
{
    double left = left_of(d, r);

    for (size_t s = 0; s < d->n_series; s++)
        for (int is_paper = d->has_paper[s]; is_paper >= 0; is_paper--) {
            put_one_bar(d, s, r, is_paper, left, out);
            left += SVG_BAR;
        }
}

static void put_stack(const struct drawn *d, size_t r, struct buf *out)
{
    double below = 0;

    for (size_t s = 0; s < d->n_series; s++) {
        const struct point *x = point_at(d, s, r);

        if (!x || isnan(x->ours) || x->ours <= 0)
            continue;
        svg_put_bar(&d->scale, left_of(d, r), below, below + x->ours, ink_of(s, false),
                    out);
        put_title(d, s, r, false, x->ours, out);
        buf_puts(out, "</rect>\n");
        below += x->ours;
    }
}

/* The dots of a row, and the lines to the row before. */
static void put_steps(const struct drawn *d, size_t r, struct buf *out)
{
    for (size_t i = 0; i < 2 * d->n_series; i++) {
        size_t s = i / 2;
        bool is_paper = i % 2;
        const struct point *x = point_at(d, s, r),
                           *y = r ? point_at(d, s, r - 1) : NULL;
        struct svg_point now = { middle_of(d, r), value_of(x, is_paper) };
        struct svg_point before = { r ? middle_of(d, r - 1) : 0,
                                    value_of(y, is_paper) };

        if (isnan(now.value))
            continue;
        if (!isnan(before.value))
            svg_put_line(&d->scale, before, now, ink_of(s, is_paper), out);
        svg_put_dot(&d->scale, now, ink_of(s, is_paper), out);
        put_title(d, s, r, is_paper, now.value, out);
        buf_puts(out, "</circle>\n");
    }
}

static void put_key(const struct drawn *d, enum figure_drawing drawing, struct buf *out)
{
    struct buf name = { 0 };

    buf_puts(out, "<div class=\"key\">");
    for (size_t s = 0; s < d->n_series; s++)
        for (int is_paper = d->has_paper[s]; is_paper >= 0; is_paper--) {
            buf_clear(&name);
            buf_printf(&name, "%s%s", d->series[s],
                       !d->has_paper[s]        ? ""
                       : !is_paper             ? ", ours"
                       : drawing == DRAW_LINES ? ", paper (dashed)"
                                               : ", paper");
            page_put_swatch(chart_column_color(s + 1), is_paper, buf_text(&name), out);
        }
    buf_puts(out, "</div>\n");
    buf_free(&name);
}

/* Names end below the middle of their group and come from the left: the first one needs
 * room, about 5 pixels for a character. */
static void find_widths(struct drawn *d, enum figure_drawing drawing)
{
    size_t name = 5 * strlen(d->row[0]), room = SVG_LEFT + SVG_GAP / 2;
    size_t needed = name > room ? 2 * (name - room) / SVG_BAR + 1 : 0;

    d->n_bars = drawing == DRAW_BARS ? bars_per_group(d) : 1;
    d->n_slots = drawing == DRAW_LINES    ? LINE_STEP
                 : drawing == DRAW_STACKS ? 3
                                          : d->n_bars;
    if (d->n_slots < needed)
        d->n_slots = needed;
}

static void put_chart(struct drawn *d, const struct figure *f, struct buf *out)
{
    static void (*const put[])(const struct drawn *d, size_t r, struct buf *out) = {
        [DRAW_BARS] = put_bars, [DRAW_STACKS] = put_stack, [DRAW_LINES] = put_steps
    };
    double base = svg_y_of(&d->scale, d->base);

    find_widths(d, f->drawing);
    put_key(d, f->drawing, out);
    svg_begin(&d->scale, d->n_rows, d->n_slots, "Figure", out);
    for (size_t r = 0; r < d->n_rows; r++) {
        svg_put_name(middle_of(d, r), d->row[r], out);
        put[f->drawing](d, r, out);
    }
    buf_printf(
        out, "<line class=\"one\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
        SVG_LEFT, SVG_LEFT + (double)d->n_rows * svg_group_width(&d->scale, d->n_slots),
        base, base);
    svg_end(out);
}

static bool is_drawn_already(const struct figure *f, size_t column)
{
    for (size_t i = 0; i < column; i++)
        if (shares_chart(f, i, column))
            return true;
    return false;
}

void figure_chart(const struct figure *f, const struct points *l, struct buf *out)
{
    for (size_t i = 0; i < f->n_columns; i++) {
        struct drawn d = { .points = l,
                           .base = is_ratio(f->columns[i].metric) ? 1 : 0 };

        if (is_drawn_already(f, i))
            continue;
        take_series(&d, f, i);
        take_rows(&d, f);
        if (!d.n_rows)
            continue;
        find_scale(&d, f->drawing);
        put_chart(&d, f, out);
    }
}
