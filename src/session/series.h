/* series.h - runs one after another: how many, which failed, and whether a signal ended
 * them early.
 */
#ifndef LENO_SESSION_SERIES_H
#define LENO_SESSION_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct series {
    size_t n_planned;
    size_t n_runs; /* as planned; after a signal, those that ran */
    size_t n_done, n_failed;
    struct err first; /* of the first run that failed */
};

void series_start(struct series *s, size_t n_planned);
/* Whether another run follows. */
bool series_has_next(const struct series *s);
/* After each run, with its outcome. */
void series_note(struct series *s, const struct err *err);
/* The outcome of all runs: 0, or -1 with err set. */
int series_judge(const struct series *s, struct err *err);

#endif
