/* chart.c - ratios and issue slots as bars in groups. */
#include "report/chart.h"

#include <math.h>
#include <string.h>

#include "report/causes.h"
#include "report/svg.h"

#define MEAN "geometric mean"

/* Distinguishable by the colour-blind (Okabe and Ito); the baseline is grey. */
const char *chart_column_color(size_t column)
{
    static const char *const color[] = { "#0072b2", "#e69f00", "#009e73", "#d55e00",
                                         "#56b4e9", "#cc79a7", "#b8a800" };

    return column ? color[(column - 1) % (sizeof color / sizeof *color)] : "#8a8a8a";
}

/* ---- ratios ---- */

/* The mean comes after the last program. */
static double ratio_at(const struct grid *g, const struct metric *m, size_t program,
                       size_t column)
{
    return program < g->n_programs ? grid_metric(g, m, program, 0, column)
                                   : grid_summary(g, m, 0, column).mean;
}

static struct svg_scale chart_fit_scale(const struct grid *g, size_t n_groups,
                                        size_t n_bars, struct svg_scale s)
{
    size_t longest = n_groups > g->n_programs ? strlen(MEAN) : 0;

    for (size_t p = 0; p < g->n_programs; p++)
        if (strlen(g->program[p]) > longest)
            longest = strlen(g->program[p]);
    svg_fit(&s, n_groups * n_bars, longest);
    return s;
}

static struct svg_scale ratio_scale(const struct grid *g, const struct metric *m)
{
    double low = 1, high = 1.05;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 1; c < g->n_columns; c++) {
            low = fmin(low, ratio_at(g, m, p, c)); /* the other one, if one is NAN */
            high = fmax(high, ratio_at(g, m, p, c));
        }
    return chart_fit_scale(g, g->n_programs + 1, g->n_columns - 1,
                           svg_scale_of(low, high));
}

static void put_ratio(const struct grid *g, const struct svg_scale *s, double value,
                      size_t p, size_t c, struct buf *out)
{
    if (isnan(value))
        return;
    svg_put_bar(s, svg_left_of(s, p, g->n_columns - 1) + (double)(c - 1) * s->bar, 1,
                value, (struct svg_ink){ chart_column_color(c), false }, out);
    html_text(out, p < g->n_programs ? g->program[p] : MEAN);
    buf_puts(out, ", ");
    html_text(out, g->column[c].spec);
    buf_printf(out, ": %.3f</title></rect>\n", value);
}

void chart_ratios(const struct grid *g, const struct metric *m, const char *what,
                  struct buf *out)
{
    size_t n_bars = g->n_columns - 1;
    struct svg_scale s = ratio_scale(g, m);

    svg_begin(&s, g->n_programs + 1, n_bars, what, out);
    for (size_t p = 0; p <= g->n_programs; p++) {
        svg_put_name(svg_left_of(&s, p, n_bars) + (double)n_bars * s.bar / 2,
                     p < g->n_programs ? g->program[p] : MEAN, out);
        for (size_t c = 1; c < g->n_columns; c++)
            put_ratio(g, &s, ratio_at(g, m, p, c), p, c, out);
    }
    buf_printf(
        out, "<line class=\"one\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
        SVG_LEFT, SVG_LEFT + (double)(g->n_programs + 1) * svg_group_width(&s, n_bars),
        svg_y_of(&s, 1), svg_y_of(&s, 1));
    svg_end(out);
}

/* ---- issue slots ---- */

static double slots_of(const struct facts *f, bool has_idle)
{
    double sum = 0;

    for (unsigned i = 0; i < N_STALL; i++)
        sum += i != STALL_idle || has_idle ? f->slot[i] : 0;
    return sum;
}

static struct svg_scale slot_scale(const struct grid *g, bool has_idle)
{
    double high = 1;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 0; c < g->n_columns; c++) {
            const struct facts *base = grid_at(g, p, 0), *f = grid_at(g, p, c);

            if (base && f && slots_of(base, has_idle) > 0)
                high = fmax(high, slots_of(f, has_idle) / slots_of(base, has_idle));
        }
    return chart_fit_scale(g, g->n_programs, g->n_columns, svg_scale_of(0, high));
}

struct slot_bars {
    const struct grid *g;
    const struct cause_parts *parts;
    bool has_idle;
    struct svg_scale scale;
};

/* Draws one bar from below: issued first, then causes in their order. */
static void put_stack(const struct slot_bars *b, size_t p, size_t c, struct buf *out)
{
    const struct facts *base = grid_at(b->g, p, 0), *f = grid_at(b->g, p, c);
    double below = 0, whole = base ? slots_of(base, b->has_idle) : 0;

    for (unsigned n = 0; f && whole > 0 && n < b->parts->n; n++) {
        const struct cause_part *part = &b->parts->at[n];
        double slots = cause_slots(part, f);

        if (slots <= 0 || (cause_is_idle(part) && !b->has_idle))
            continue;
        svg_put_bar(
            &b->scale,
            svg_left_of(&b->scale, p, b->g->n_columns) + (double)c * b->scale.bar,
            below, below + slots / whole, (struct svg_ink){ part->color, false }, out);
        html_text(out, b->g->program[p]);
        buf_puts(out, ", ");
        html_text(out, b->g->column[c].spec);
        buf_printf(out, ": %s %.1f %%</title></rect>\n", part->label,
                   100 * slots / slots_of(f, b->has_idle));
        below += slots / whole;
    }
}

void chart_slots(const struct grid *g, const struct cause_parts *parts, bool has_idle,
                 struct buf *out)
{
    struct slot_bars b = { g, parts, has_idle, slot_scale(g, has_idle) };

    svg_begin(&b.scale, g->n_programs, g->n_columns, "Issue slots by cause", out);
    for (size_t p = 0; p < g->n_programs; p++) {
        svg_put_name(svg_left_of(&b.scale, p, g->n_columns) +
                         (double)g->n_columns * b.scale.bar / 2,
                     g->program[p], out);
        for (size_t c = 0; c < g->n_columns; c++)
            put_stack(&b, p, c, out);
    }
    svg_end(out);
}
