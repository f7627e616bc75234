/* converge_lanes.h - which lanes of a warp are where; for converge.c. */
#ifndef LENO_SASS_CONVERGE_LANES_H
#define LENO_SASS_CONVERGE_LANES_H

#include "frontend/sass/exec/access.h"

/* Of some lanes, those that have a value (perf: comparing all of them is quicker than
 * one after the other). */
static inline uint32_t lanes_with(const uint32_t *row, uint32_t value, uint32_t lanes)
{
    uint32_t with = 0;

    LANES(l)
        with |= row[l] == value ? sass_lane_bit[l] : 0;
    return with & lanes;
}

/* Waiting lanes in the given state with the same object of waiting. */
static inline uint32_t lanes_waiting(const struct sass_warp *w, enum lane_state state,
                                     uint32_t what)
{
    uint32_t lanes = lanes_with(w->lane_wait, what, w->waiting);

    for (uint32_t m = lanes; m; m &= m - 1)
        if (w->lane_state[__builtin_ctz(m)] != state)
            lanes &= ~(m & -m);
    return lanes;
}

/* Of some lanes, those with this program counter. */
static inline uint32_t lanes_at(const struct sass_warp *w, uint32_t lanes, uint64_t pc)
{
    uint32_t at = 0;

    for (uint32_t m = lanes; m; m &= m - 1)
        at |= w->lane_pc[__builtin_ctz(m)] == pc ? m & -m : 0;
    return at;
}

/* Lanes that wait at a BSYNC, whatever its register. */
static inline uint32_t lanes_blocked(const struct sass_warp *w)
{
    uint32_t blocked = 0;

    for (uint32_t m = w->waiting; m; m &= m - 1)
        blocked |= w->lane_state[__builtin_ctz(m)] == LANE_BSYNC ? m & -m : 0;
    return blocked;
}

/* Of some lanes, those with the target of the first of them. */
static inline uint32_t lanes_to(const uint64_t *target, uint32_t lanes)
{
    uint64_t to = target[__builtin_ctz(lanes)];
    uint32_t same = 0;

    for (uint32_t m = lanes; m; m &= m - 1)
        if (target[__builtin_ctz(m)] == to)
            same |= m & -m;
    return same;
}

#endif
