/* race.h - execution for who looks for races (isa/races.h). */
#ifndef LENO_SASS_RACE_H
#define LENO_SASS_RACE_H

#include "frontend/sass/exec/state.h"

/* Are the accesses of this grid to be noted? Not those of clusters, whose blocks share
 * their memory. */
static inline bool race_is_wanted(const struct sass_grid *g)
{
    return g->launch.races && g->cluster_size == 1;
}

/* A block of such a grid begins. */
void race_open(struct sass_block *b, uint64_t number);

/* Executes an instruction and notes its accesses. */
enum exec_result race_step(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask);

#endif
