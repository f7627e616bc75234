/* barrier.h - block barriers; see barrier.c. */
#ifndef LENO_SASS_BARRIER_H
#define LENO_SASS_BARRIER_H

#include "frontend/sass/exec/state.h"

enum barrier_mode { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED };

/* What lanes that come to a barrier want of it. */
struct barrier_visit {
    unsigned id;
    enum barrier_mode mode;
    uint32_t n_threads; /* expected; as many as the block has: the whole block */
    uint32_t pred;      /* lanes whose predicate holds, for BARRIER_RED */
    uint64_t next_pc;   /* where they go on */
    bool is_outlined;   /* the code of a barrier elsewhere, for lanes that came apart */
};

void barrier_arrive(struct sass_warp *w, uint32_t mask, const struct barrier_visit *v);

/* Lanes of the warp have exited: barriers may be complete without them. */
void barrier_exit(struct sass_warp *w);

#endif
