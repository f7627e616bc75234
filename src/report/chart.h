/* chart.h - the charts of a comparison, as SVG. */
#ifndef LENO_REPORT_CHART_H
#define LENO_REPORT_CHART_H

#include "report/metric.h"

/* The colour of a column; schemes keep theirs from chart to chart. */
const char *chart_column_color(size_t column);

/* A ratio to the first column, which is 1: one group of bars per program, the mean last. */
void chart_ratios(const struct grid *g, const struct metric *m, const char *what,
                  struct buf *out);

/* Issue slots by cause, as parts of the first column's: one group per program, one bar per
 * column. Without idle slots, both are those that had a warp. */
struct cause_parts;
void chart_slots(const struct grid *g, const struct cause_parts *parts, bool has_idle,
                 struct buf *out);

#endif
