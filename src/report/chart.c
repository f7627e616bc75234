/* chart.c - speed-ups and issue slots as bars in groups. */
#include "report/chart.h"

#include <math.h>

#include "report/svg.h"

/* Distinguishable by the colour-blind (Okabe and Ito); the baseline is grey. */
const char *chart_column_color(size_t column)
{
    static const char *const color[] = { "#0072b2", "#e69f00", "#009e73", "#d55e00",
                                         "#56b4e9", "#cc79a7", "#b8a800" };

    return column ? color[(column - 1) % (sizeof color / sizeof *color)] : "#8a8a8a";
}

/* Families: green issues, blue waits for memory, orange for arithmetic and units,
 * purple for what a scheme holds back, yellow for instructions, red for other warps,
 * grey for none. */
const char *chart_stall_color(enum stall s)
{
    static const char *const color[N_STALL] = {
        [STALL_issued] = "#2e8b57",  [STALL_turn] = "#9bcfae",
        [STALL_pipe] = "#f0a35e",    [STALL_lsu] = "#9ecae1",
        [STALL_scheme] = "#c5b0d5",  [STALL_collectors] = "#f7c99b",
        [STALL_compute] = "#e07b28", [STALL_memory] = "#1f77b4",
        [STALL_shared] = "#5aa3d8",  [STALL_war] = "#7b5ea7",
        [STALL_order] = "#9a7fc1",   [STALL_stall_count] = "#b5651d",
        [STALL_window] = "#5c3d8f",  [STALL_branch] = "#d9b800",
        [STALL_fence] = "#c0392b",   [STALL_barrier] = "#e57368",
        [STALL_skip] = "#a08a00",    [STALL_fetch] = "#f2d94e",
        [STALL_drain] = "#f3b4ad",   [STALL_idle] = "#d8d8d8",
    };

    return color[s];
}

/* ---- speed-ups ---- */

/* The mean comes after the last program. */
static double speedup_at(const struct grid *g, size_t program, size_t column)
{
    return program < g->n_programs ? grid_metric(g, &metric_speedup, program, 0, column)
                                   : grid_summary(g, &metric_speedup, 0, column).mean;
}

static struct svg_scale speedup_scale(const struct grid *g)
{
    double low = 1, high = 1.05;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 1; c < g->n_columns; c++) {
            low = fmin(low, speedup_at(g, p, c)); /* the other one, if one is NAN */
            high = fmax(high, speedup_at(g, p, c));
        }
    return svg_scale_of(low, high);
}

static void put_speedup(const struct grid *g, const struct svg_scale *s, size_t p,
                        size_t c, struct buf *out)
{
    double value = speedup_at(g, p, c);

    if (isnan(value))
        return;
    svg_put_bar(s, svg_left_of(p, g->n_columns - 1) + (double)((c - 1) * SVG_BAR), 1,
                value, (struct svg_ink){ chart_column_color(c), false }, out);
    html_text(out, p < g->n_programs ? g->program[p] : "geometric mean");
    buf_puts(out, ", ");
    html_text(out, g->column[c].spec);
    buf_printf(out, ": %.3f</title></rect>\n", value);
}

void chart_speedups(const struct grid *g, struct buf *out)
{
    size_t n_bars = g->n_columns - 1;
    struct svg_scale s = speedup_scale(g);

    svg_begin(&s, g->n_programs + 1, n_bars, "Speed-ups", out);
    for (size_t p = 0; p <= g->n_programs; p++) {
        svg_put_name(svg_left_of(p, n_bars) + (double)(n_bars * SVG_BAR) / 2,
                     p < g->n_programs ? g->program[p] : "geometric mean", out);
        for (size_t c = 1; c < g->n_columns; c++)
            put_speedup(g, &s, p, c, out);
    }
    buf_printf(
        out, "<line class=\"one\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
        SVG_LEFT, SVG_LEFT + (double)(g->n_programs + 1) * svg_group_width(n_bars),
        svg_y_of(&s, 1), svg_y_of(&s, 1));
    svg_end(out);
}

/* ---- issue slots ---- */

static double slots_of(const struct facts *f)
{
    double sum = 0;

    for (unsigned i = 0; i < N_STALL; i++)
        sum += f->slot[i];
    return sum;
}

static struct svg_scale slot_scale(const struct grid *g)
{
    double high = 1;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 0; c < g->n_columns; c++) {
            const struct facts *base = grid_at(g, p, 0), *f = grid_at(g, p, c);

            if (base && f && slots_of(base) > 0)
                high = fmax(high, slots_of(f) / slots_of(base));
        }
    return svg_scale_of(0, high);
}

/* Draws one bar from below: issued first, then causes in their order. */
static void put_stack(const struct grid *g, const struct svg_scale *s, size_t p,
                      size_t c, struct buf *out)
{
    const struct facts *base = grid_at(g, p, 0), *f = grid_at(g, p, c);
    double below = 0, whole = base ? slots_of(base) : 0;

    for (unsigned i = 0; f && whole > 0 && i < N_STALL; i++) {
        double part = f->slot[i] / whole;

        if (part <= 0)
            continue;
        svg_put_bar(s, svg_left_of(p, g->n_columns) + (double)(c * SVG_BAR), below,
                    below + part,
                    (struct svg_ink){ chart_stall_color((enum stall)i), false }, out);
        html_text(out, g->program[p]);
        buf_puts(out, ", ");
        html_text(out, g->column[c].spec);
        buf_printf(out, ": %s %.1f %%</title></rect>\n", stall_name((enum stall)i),
                   100 * f->slot[i] / slots_of(f));
        below += part;
    }
}

void chart_slots(const struct grid *g, struct buf *out)
{
    struct svg_scale s = slot_scale(g);

    svg_begin(&s, g->n_programs, g->n_columns, "Issue slots by cause", out);
    for (size_t p = 0; p < g->n_programs; p++) {
        svg_put_name(svg_left_of(p, g->n_columns) +
                         (double)(g->n_columns * SVG_BAR) / 2,
                     g->program[p], out);
        for (size_t c = 0; c < g->n_columns; c++)
            put_stack(g, &s, p, c, out);
    }
    svg_end(out);
}
