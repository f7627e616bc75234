/* svg.h - parts of charts as SVG, and text that is safe in HTML.
 *
 * A chart has groups of bars from left to right, each with a name below it, on lines at round
 * numbers. Lengths are in pixels of the drawing, y grows downwards. A chart wider than the
 * page scrolls.
 */
#ifndef LENO_REPORT_SVG_H
#define LENO_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { SVG_LEFT = 44, SVG_BAR = 9, SVG_GAP = 16 };

void html_text(struct buf *out, const char *text);

/* The range of values that a drawing shows, the width of a bar, and the height of the names
 * below. */
struct svg_scale {
    double low, high, step;
    double bar, foot;
};
/* Lines at round numbers, some five of them. */
struct svg_scale svg_scale_of(double low, double high);
/* For so many bars in all, and names of at most so many characters: few bars are wider. */
void svg_fit(struct svg_scale *s, size_t n_bars, size_t longest_name);
double svg_y_of(const struct svg_scale *s, double value);

/* Groups of so many bars. */
double svg_group_width(const struct svg_scale *s, size_t n_bars);
double svg_left_of(const struct svg_scale *s, size_t group, size_t n_bars);

void svg_begin(const struct svg_scale *s, size_t n_groups, size_t n_bars,
               const char *what, struct buf *out);
void svg_end(struct buf *out);
/* A group's name below it, rotated. */
void svg_put_name(double x, const char *name, struct buf *out);

/* A colour; faint bars and dashed lines are the paper's. */
struct svg_ink {
    const char *color;
    bool is_faint;
};
/* A place in a chart: pixels from the left, and a value. */
struct svg_point {
    double x, value;
};

/* A bar between two values, and a dot at one: without their text and their end, "</title>"
 * and the element's. */
void svg_put_bar(const struct svg_scale *s, double x, double from, double to,
                 struct svg_ink ink, struct buf *out);
void svg_put_dot(const struct svg_scale *s, struct svg_point at, struct svg_ink ink,
                 struct buf *out);
void svg_put_line(const struct svg_scale *s, struct svg_point from, struct svg_point to,
                  struct svg_ink ink, struct buf *out);

#endif
