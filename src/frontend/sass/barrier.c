/* barrier.c - block barriers: BAR.SYNC, BAR.ARV, BAR.RED.
 *
 * Threads are counted warp by warp: a warp has come when all its live lanes have, be
 * it in several groups, and then counts as 32 threads whatever its number of live
 * lanes. A barrier for the whole block is complete when every warp with live lanes has
 * come; one with a count when that many threads have.
 */
#include "frontend/sass/barrier.h"

#include <string.h>

#include "frontend/sass/converge.h"

/* Lets the waiting lanes of every warp go on and clears the barrier. */
static void open_barrier(struct sass_block *b, unsigned id)
{
    struct sass_barrier *bar = &b->barriers[id];
    struct sass_barrier done = *bar;

    memset(bar, 0, sizeof *bar);
    for (unsigned k = 0; k < b->n_warps; k++) {
        struct sass_warp *w = &b->warps[k];
        uint32_t lanes = 0;

        for (uint32_t m = w->waiting & done.lanes[k]; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            if (w->lane_state[l] == LANE_BARRIER && w->lane_wait[l] == id)
                lanes |= 1u << l;
        }
        if (!lanes)
            continue;
        w->red_count = done.red_count;
        w->red_and = !done.red_false;
        w->red_or = done.red_count != 0;
        converge_release(w, lanes);
    }
}

/* Counts warp w if all of it has come, and opens the barrier if that was the last. */
static void check(struct sass_warp *w, unsigned id)
{
    struct sass_block *b = w->block;
    struct sass_barrier *bar = &b->barriers[id];
    uint32_t bit = 1u << w->index;

    if (!bar->in_use)
        return;
    if (bar->lanes[w->index] && !(~w->exited & ~bar->lanes[w->index]) &&
        !(bar->warps & bit)) {
        bar->warps |= bit;
        bar->come += WARP_LANES;
    }
    if (bar->expected ? bar->come >= bar->expected
                      : (bar->warps | b->done_warps) == b->all_warps)
        open_barrier(b, id);
}

/* What a pipeline needs to know: does the whole warp come with this, and who else must. */
static void note(struct sass_warp *w, const struct sass_barrier *bar,
                 const struct barrier_visit *v)
{
    bool has_come = !(~w->exited & ~bar->lanes[w->index]);

    w->dyn->barrier = (uint8_t)v->id;
    w->dyn->bar_warps = (uint16_t)((bar->expected + WARP_LANES - 1) / WARP_LANES);
    w->dyn->bar_kind = !has_come                   ? BAR_NONE
                       : v->mode == BARRIER_ARRIVE ? BAR_ARRIVE
                                                   : BAR_SYNC;
}

void barrier_arrive(struct sass_warp *w, uint32_t mask, const struct barrier_visit *v)
{
    struct sass_block *b = w->block;
    struct sass_barrier *bar = &b->barriers[v->id];
    bool whole = v->n_threads >= (b->n_threads + 31u) / 32u * 32u;

    bar->in_use = true;
    bar->expected = whole ? 0 : v->n_threads;
    bar->lanes[w->index] |= mask;
    if (w->dyn)
        note(w, bar, v);
    if (v->mode == BARRIER_RED) {
        bar->red_count += (uint32_t)__builtin_popcount(mask & v->pred);
        bar->red_false |= (mask & ~v->pred) != 0;
    }
    if (v->mode != BARRIER_ARRIVE)
        converge_wait(w, mask, LANE_BARRIER, v->id, v->behind, v->behind);
    check(w, v->id);
}

void barrier_exit(struct sass_warp *w)
{
    if (w->exited == ALL_LANES)
        w->block->done_warps |= 1u << w->index;
    for (unsigned id = 0; id < N_BARRIERS; id++)
        check(w, id);
}
