/* unchecked.h - columns whose eliminator skips instructions whose results cannot be
 * compared with executed ones (core/skip.h).
 */
#ifndef LENO_REPORT_UNCHECKED_H
#define LENO_REPORT_UNCHECKED_H

#include "report/metric.h"

#define UNCHECKED_MARK "unchecked" /* in the head of such a column */

/* Why some results of a column are not checked; NULL: all are. */
const char *unchecked_why(const struct grid *g, size_t column);

/* The beginning of a sentence that continues with what was checked: "Every run was
 * checked", or which columns were not and why. Escaped for HTML, or plain. */
void unchecked_intro(const struct grid *g, bool is_html, struct buf *out);

#endif
