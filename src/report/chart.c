/* chart.c - bars in groups, drawn as SVG.
 *
 * Lengths are in pixels of the drawing, y grows downwards. A chart wider than the page
 * scrolls.
 */
#include "report/chart.h"

#include <math.h>

#include "base/utf8.h"

enum { LEFT = 44, TOP = 10, HEIGHT = 260, FOOT = 92, BAR = 9, GAP = 16 };

/* The HTML entity for a character that must be escaped; NULL: it need not be. */
static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return c > 0 && c < ' ' && c != '\n' && c != '\t' ? "&#xfffd;" : NULL;
    }
}

void html_text(struct buf *out, const char *text)
{
    while (*text) {
        unsigned n = utf8_length(text);
        const char *entity = n ? entity_of(*text) : "&#xfffd;";

        if (entity)
            buf_puts(out, entity);
        else
            buf_add(out, text, n);
        text += n ? n : 1;
    }
}

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

/* The range of values that a drawing shows. */
struct scale {
    double low, high, step;
};

/* Lines at round numbers, some five of them. */
static struct scale scale_of(double low, double high)
{
    double step = pow(10, floor(log10((high - low) / 5)));
    double lines = (high - low) / step;

    step *= lines > 25 ? 10 : lines > 10 ? 5 : lines > 5 ? 2 : 1;
    return (struct scale){ floor(low / step + 1e-9) * step,
                           ceil(high / step - 1e-9) * step, step };
}

static double y_of(const struct scale *s, double value)
{
    return TOP + HEIGHT * (s->high - value) / (s->high - s->low);
}

static double group_width(size_t n_bars)
{
    return (double)(n_bars * BAR + GAP);
}

static void chart_begin(const struct scale *s, size_t n_groups, size_t n_bars,
                        const char *what, struct buf *out)
{
    double width = LEFT + (double)n_groups * group_width(n_bars);
    int digits = s->step < 0.0999 ? 2 : s->step < 0.999 ? 1 : 0;

    buf_printf(out,
               "<div class=\"wide\"><svg width=\"%.0f\" height=\"%d\" role=\"img\" "
               "aria-label=\"%s\">\n",
               width, TOP + HEIGHT + FOOT, what);
    for (double v = s->low; v < s->high + s->step / 2; v += s->step)
        buf_printf(
            out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\">%.*f</text>\n",
            LEFT, width, y_of(s, v), y_of(s, v), LEFT - 6, y_of(s, v) + 4, digits, v);
}

static void chart_end(struct buf *out)
{
    buf_puts(out, "</svg></div>\n");
}

/* Puts a group's name below it, rotated. */
static void put_name(double x, const char *name, struct buf *out)
{
    double y = TOP + HEIGHT + 14;

    buf_printf(out,
               "<text class=\"name\" transform=\"rotate(-40 %.1f %.1f)\" x=\"%.1f\" "
               "y=\"%.1f\">",
               x, y, x, y);
    html_text(out, name);
    buf_puts(out, "</text>\n");
}

static double left_of(size_t group, size_t n_bars)
{
    return LEFT + (double)group * group_width(n_bars) + GAP / 2.0;
}

/* ---- speed-ups ---- */

/* The mean comes after the last program. */
static double speedup_at(const struct grid *g, size_t program, size_t column)
{
    return program < g->n_programs ? grid_metric(g, &metric_speedup, program, 0, column)
                                   : grid_summary(g, &metric_speedup, 0, column).mean;
}

static struct scale speedup_scale(const struct grid *g)
{
    double low = 1, high = 1.05;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 1; c < g->n_columns; c++) {
            low = fmin(low, speedup_at(g, p, c)); /* the other one, if one is NAN */
            high = fmax(high, speedup_at(g, p, c));
        }
    return scale_of(low, high);
}

static void put_speedup(const struct grid *g, const struct scale *s, size_t p, size_t c,
                        struct buf *out)
{
    double value = speedup_at(g, p, c), top = y_of(s, fmax(value, 1));
    double height = fabs(y_of(s, value) - y_of(s, 1));

    if (isnan(value))
        return;
    buf_printf(out,
               "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"%s\">"
               "<title>",
               left_of(p, g->n_columns - 1) + (double)((c - 1) * BAR), top, BAR - 1,
               fmax(height, 0.5), chart_column_color(c));
    html_text(out, p < g->n_programs ? g->program[p] : "geometric mean");
    buf_puts(out, ", ");
    html_text(out, g->column[c].spec);
    buf_printf(out, ": %.3f</title></rect>\n", value);
}

void chart_speedups(const struct grid *g, struct buf *out)
{
    size_t n_bars = g->n_columns - 1;
    struct scale s = speedup_scale(g);

    chart_begin(&s, g->n_programs + 1, n_bars, "Speed-ups", out);
    for (size_t p = 0; p <= g->n_programs; p++) {
        put_name(left_of(p, n_bars) + (double)(n_bars * BAR) / 2,
                 p < g->n_programs ? g->program[p] : "geometric mean", out);
        for (size_t c = 1; c < g->n_columns; c++)
            put_speedup(g, &s, p, c, out);
    }
    buf_printf(out,
               "<line class=\"one\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
               LEFT, LEFT + (double)(g->n_programs + 1) * group_width(n_bars),
               y_of(&s, 1), y_of(&s, 1));
    chart_end(out);
}

/* ---- issue slots ---- */

static double slots_of(const struct facts *f)
{
    double sum = 0;

    for (unsigned i = 0; i < N_STALL; i++)
        sum += f->slot[i];
    return sum;
}

static struct scale slot_scale(const struct grid *g)
{
    double high = 1;

    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 0; c < g->n_columns; c++) {
            const struct facts *base = grid_at(g, p, 0), *f = grid_at(g, p, c);

            if (base && f && slots_of(base) > 0)
                high = fmax(high, slots_of(f) / slots_of(base));
        }
    return scale_of(0, high);
}

/* Draws one bar from below: issued first, then causes in their order. */
static void put_stack(const struct grid *g, const struct scale *s, size_t p, size_t c,
                      struct buf *out)
{
    const struct facts *base = grid_at(g, p, 0), *f = grid_at(g, p, c);
    double below = 0, whole = base ? slots_of(base) : 0;

    for (unsigned i = 0; f && whole > 0 && i < N_STALL; i++) {
        double part = f->slot[i] / whole, top = y_of(s, below + part);

        if (part <= 0)
            continue;
        buf_printf(
            out,
            "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"%s\">"
            "<title>",
            left_of(p, g->n_columns) + (double)(c * BAR), top, BAR - 1,
            y_of(s, below) - top, chart_stall_color((enum stall)i));
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
    struct scale s = slot_scale(g);

    chart_begin(&s, g->n_programs, g->n_columns, "Issue slots by cause", out);
    for (size_t p = 0; p < g->n_programs; p++) {
        put_name(left_of(p, g->n_columns) + (double)(g->n_columns * BAR) / 2,
                 g->program[p], out);
        for (size_t c = 0; c < g->n_columns; c++)
            put_stack(g, &s, p, c, out);
    }
    chart_end(out);
}
