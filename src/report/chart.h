/* chart.h - the charts of a comparison, as SVG. */
#ifndef LENO_REPORT_CHART_H
#define LENO_REPORT_CHART_H

#include "report/metric.h"

/* The colour of a column; schemes keep theirs from chart to chart. */
const char *chart_column_color(size_t column);
const char *chart_stall_color(enum stall s);

/* Speed-ups over the first column: one group of bars per program, the mean last. */
void chart_speedups(const struct grid *g, struct buf *out);

/* Issue slots by cause, as parts of the first column's: one group per program, one bar per column. */
void chart_slots(const struct grid *g, struct buf *out);

#endif
