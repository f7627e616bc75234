/* sweep_put.h - the results of a sweep as text, CSV and JSON. */
#ifndef LENO_REPORT_SWEEP_PUT_H
#define LENO_REPORT_SWEEP_PUT_H

#include <stdio.h>

#include "session/sweep.h"

struct batch;

/* SWEEP_ENERGY: text with energy over the baseline's. */
enum sweep_format { SWEEP_TEXT, SWEEP_ENERGY, SWEEP_JSON, SWEEP_CSV };

void sweep_print(const struct sweep *s, const struct batch *b, enum sweep_format format,
                 FILE *out);

/* Lists the points that would be run on this number of programs, and those that cannot
 * be run, one line each. */
void sweep_list(const struct sweep *s, size_t n_programs, FILE *file);
void sweep_list_invalid(const struct sweep *s, FILE *file);

#endif
