/* svg.c - parts of charts, drawn as SVG. */
#include "report/svg.h"

#include <math.h>

#include "base/utf8.h"

enum { TOP = 10, HEIGHT = 260, FOOT = 118, WIDEST_BAR = 28, BARS_WIDTH = 480 };

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

struct svg_scale svg_scale_of(double low, double high)
{
    double step = pow(10, floor(log10((high - low) / 5)));
    double lines = (high - low) / step;

    step *= lines > 25 ? 10 : lines > 10 ? 5 : lines > 5 ? 2 : 1;
    return (struct svg_scale){ floor(low / step + 1e-9) * step,
                               ceil(high / step - 1e-9) * step, step, SVG_BAR, FOOT };
}

void svg_fit(struct svg_scale *s, size_t n_bars, size_t longest_name)
{
    s->bar = fmax(SVG_BAR, fmin(WIDEST_BAR, floor(BARS_WIDTH / (double)(n_bars + 1))));
    s->foot = fmin(FOOT, 26 + 4.4 * (double)longest_name); /* they are drawn aslant */
}

double svg_y_of(const struct svg_scale *s, double value)
{
    return TOP + HEIGHT * (s->high - value) / (s->high - s->low);
}

double svg_group_width(const struct svg_scale *s, size_t n_bars)
{
    return (double)n_bars * s->bar + SVG_GAP;
}

void svg_begin(const struct svg_scale *s, size_t n_groups, size_t n_bars,
               const char *what, struct buf *out)
{
    double width = SVG_LEFT + (double)n_groups * svg_group_width(s, n_bars);
    int digits = s->step < 0.0999 ? 2 : s->step < 0.999 ? 1 : 0;

    buf_printf(out,
               "<div class=\"wide\"><svg width=\"%.0f\" height=\"%.0f\" role=\"img\" "
               "aria-label=\"%s\">\n",
               width, TOP + HEIGHT + s->foot, what);
    for (double v = s->low; v < s->high + s->step / 2; v += s->step)
        buf_printf(
            out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\">%.*f</text>\n",
            SVG_LEFT, width, svg_y_of(s, v), svg_y_of(s, v), SVG_LEFT - 6,
            svg_y_of(s, v) + 4, digits, v);
}

void svg_end(struct buf *out)
{
    buf_puts(out, "</svg></div>\n");
}

void svg_put_name(double x, const char *name, struct buf *out)
{
    double y = TOP + HEIGHT + 14;

    buf_printf(out,
               "<text class=\"name\" transform=\"rotate(-40 %.1f %.1f)\" x=\"%.1f\" "
               "y=\"%.1f\">",
               x, y, x, y);
    html_text(out, name);
    buf_puts(out, "</text>\n");
}

double svg_left_of(const struct svg_scale *s, size_t group, size_t n_bars)
{
    return SVG_LEFT + (double)group * svg_group_width(s, n_bars) + SVG_GAP / 2.0;
}

void svg_put_bar(const struct svg_scale *s, double x, double from, double to,
                 struct svg_ink ink, struct buf *out)
{
    double top = svg_y_of(s, fmax(from, to));
    double height = fabs(svg_y_of(s, from) - svg_y_of(s, to));

    buf_printf(
        out,
        "<rect x=\"%.1f\" y=\"%.2f\" width=\"%.0f\" height=\"%.2f\" fill=\"%s\"%s>"
        "<title>",
        x, top, s->bar - 1, fmax(height, 0.5), ink.color,
        ink.is_faint ? " fill-opacity=\".4\"" : "");
}

void svg_put_line(const struct svg_scale *s, struct svg_point from, struct svg_point to,
                  struct svg_ink ink, struct buf *out)
{
    buf_printf(out,
               "<line x1=\"%.1f\" y1=\"%.2f\" x2=\"%.1f\" y2=\"%.2f\" stroke=\"%s\" "
               "stroke-width=\"2\"%s/>\n",
               from.x, svg_y_of(s, from.value), to.x, svg_y_of(s, to.value), ink.color,
               ink.is_faint ? " stroke-dasharray=\"5 4\"" : "");
}

void svg_put_dot(const struct svg_scale *s, struct svg_point at, struct svg_ink ink,
                 struct buf *out)
{
    buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.2f\" r=\"4\" fill=\"%s\"%s><title>",
               at.x, svg_y_of(s, at.value), ink.color,
               ink.is_faint ? " fill-opacity=\".4\"" : "");
}
