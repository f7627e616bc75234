/* sweep_put.h - the results of a sweep as text, CSV and JSON. */
#ifndef LENO_REPORT_SWEEP_PUT_H
#define LENO_REPORT_SWEEP_PUT_H

#include <stdio.h>

#include "session/sweep.h"

void sweep_text(const struct sweep *s, const struct grid *g, struct buf *out);
void sweep_csv(const struct sweep *s, const struct grid *g, struct buf *out);
/* Members of an object, without its braces. */
void sweep_json(const struct sweep *s, const struct grid *g, struct buf *out);

/* Lists the points that would be run on this number of programs, and those that cannot
 * be run, one line each. */
void sweep_list(const struct sweep *s, size_t n_programs, FILE *file);
void sweep_list_invalid(const struct sweep *s, FILE *file);

#endif
