/* converge.h - how the lanes of a warp part and meet; see converge.c. */
#ifndef LENO_SASS_CONVERGE_H
#define LENO_SASS_CONVERGE_H

#include "frontend/sass/exec/state.h"

/* Chooses a current group. False if no lane can run now. */
bool converge_choose(struct sass_warp *w);

/* The same, if there is none. */
static inline bool converge_pick(struct sass_warp *w)
{
    return w->active || converge_choose(w);
}

/* The lanes of mask go to target, the rest of the current group falls through. */
void converge_branch(struct sass_warp *w, uint32_t mask, uint64_t target,
                     uint64_t next_pc);

/* Lanes of mask, part of the current group, go each to their own target, of which there
 * are several: those with one target go there, the rest execute the branch again. */
void converge_scatter(struct sass_warp *w, uint32_t mask, const uint64_t *target,
                      uint64_t next_pc);

/* Lanes of mask wait; nothing else changes until the caller says converge_check(). */
void converge_hold(struct sass_warp *w, uint32_t mask, enum lane_state state,
                   uint32_t for_what, uint64_t resume);

/* Lanes of mask wait; the rest of the group goes on after the instruction. */
void converge_wait(struct sass_warp *w, uint32_t mask, enum lane_state state,
                   uint32_t for_what, uint64_t resume, uint64_t next_pc);

/* The current group is all that lives and waits at a block barrier, to go on as it is: no
 * need to look at lanes one by one. */
void converge_rest(struct sass_warp *w, unsigned barrier, uint64_t resume);
void converge_wake(struct sass_warp *w);

/* Lanes of mask, part of the current group, come to BSYNC: they wait there or go on with
 * those that do. True: nothing changes, as all of the barrier are in the group. */
bool converge_sync(struct sass_warp *w, uint32_t mask, unsigned breg, uint64_t next_pc);

/* The mask of a barrier has been saved and is cleared (BMOV.CLEAR); a saved one is
 * restored. */
void converge_save(struct sass_warp *w, unsigned breg);
void converge_restore(struct sass_warp *w, unsigned breg, uint32_t saved);

/* Lanes of mask no longer take part in a barrier: lanes that wait for none but them come to
 * it again. */
void converge_leave(struct sass_warp *w, uint32_t mask, unsigned breg);

/* Makes waiting lanes able to run from their own program counters. */
void converge_release(struct sass_warp *w, uint32_t lanes);

/* Lanes of mask are done. */
void converge_exit(struct sass_warp *w, uint32_t mask, uint64_t next_pc);

/* Something changed: lets go every WARPSYNC whose condition holds now. */
void converge_check(struct sass_warp *w);

/* Lets another group run, if there is one. */
void converge_turn(struct sass_warp *w, uint64_t resume);

/* The same, before lanes that have yielded; until the group runs again no BSYNC waits for
 * it. */
void converge_yield(struct sass_warp *w, uint64_t resume);

/* End of a collective: each lane goes on where it was, those that came last first. */
void converge_end_collective(struct sass_warp *w);

#endif
