/* sweep_batch.h - a sweep as a batch: its programs on the machines of its points. */
#ifndef LENO_SESSION_SWEEP_BATCH_H
#define LENO_SESSION_SWEEP_BATCH_H

#include "session/batch.h"
#include "session/sweep.h"

/* Fills in all but the programs. 0, or -1 with err set. */
int sweep_fill_batch(const struct sweep *s, struct batch *b, struct err *err);

#endif
