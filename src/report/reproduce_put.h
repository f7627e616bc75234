/* reproduce_put.h - the figures of a paper, printed. */
#ifndef LENO_REPORT_REPRODUCE_PUT_H
#define LENO_REPORT_REPRODUCE_PUT_H

#include "report/plan.h"

/* Prints the plan's figures, from what was measured, in the format asked for. page: takes them as HTML, if a report
 * is asked for. */
void reproduce_put(const struct plan *plan, const struct reproduce_job *job,
                   const struct grid *g, FILE *out, struct buf *page);

#endif
