/* compare.h - schemes beside one another on one GPU, the first column the baseline: as
 * tables as text, as JSON, as CSV with one line per run. */
#ifndef LENO_REPORT_COMPARE_H
#define LENO_REPORT_COMPARE_H

#include "report/metric.h"

void compare_text(const struct grid *g, struct buf *out);
/* Energy and energy x time over the baseline's, where the GPU has energies. */
void compare_energy_text(const struct grid *g, struct buf *out);
void compare_csv(const struct grid *g, struct buf *out);
/* Members of an object, without its braces. */
void compare_json(const struct grid *g, struct buf *out);

#endif
