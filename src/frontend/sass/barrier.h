/* barrier.h - block barriers; see barrier.c. */
#ifndef LENO_SASS_BARRIER_H
#define LENO_SASS_BARRIER_H

#include "frontend/sass/state.h"

enum barrier_mode { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED };

/* Lanes of mask come to barrier id, which expects n_threads (0: the whole block).
 * pred: lanes whose predicate holds, for BARRIER_RED. behind: where they go on. */
void barrier_arrive(struct sass_warp *w, uint32_t mask, unsigned id, uint32_t n_threads,
                    enum barrier_mode mode, uint32_t pred, uint64_t behind);

/* Lanes of the warp have exited: barriers may be complete without them. */
void barrier_exit(struct sass_warp *w);

#endif
