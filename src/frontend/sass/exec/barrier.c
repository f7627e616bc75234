/* barrier.c - block barriers: BAR.SYNC, BAR.ARV, BAR.RED.
 *
 * Threads are counted warp by warp: a warp has come when all its live lanes have, be
 * it in several groups, and then counts as 32 threads whatever its number of live
 * lanes. A barrier for the whole block is complete when every warp with live lanes has
 * come; one with a count when that many threads have.
 */
#include "frontend/sass/exec/barrier.h"

#include <string.h>

#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/sanitize.h"
#include "isa/races.h"

/* Lets the lanes of a warp go on that have come to a barrier and wait there; false if none
 * does. */
static bool let_go(struct sass_warp *w, unsigned id, uint32_t come)
{
    uint32_t lanes = 0;

    if (w->rests && w->rest_at == id) {
        converge_wake(w);
        return true;
    }
    for (uint32_t m = w->waiting & come; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (w->lane_state[l] == LANE_BARRIER && w->lane_wait[l] == id)
            lanes |= 1u << l;
    }
    if (lanes)
        converge_release(w, lanes);
    return lanes != 0;
}

/* Lets the waiting lanes of every warp go on; the barrier is free again. */
static void open_barrier(struct sass_block *b, unsigned id)
{
    const struct sass_barrier *done = &b->barriers[id];
    uint32_t waited = 0;

    b->used_barriers &= ~(1u << id);
    b->n_opened++;
    for (unsigned k = 0; k < b->n_warps; k++) {
        struct sass_warp *w = &b->warps[k];

        if (!let_go(w, id, done->lanes[k]))
            continue;
        waited |= 1u << k;
        w->red_count = done->red_count;
        w->red_and = !done->red_false;
        w->red_or = done->red_count != 0;
    }
    if (b->race)
        races_meet(b->race, done->warps, waited);
}

/* Counts warp w if all of it has come, and opens the barrier if that was the last. */
static void barrier_check(struct sass_warp *w, unsigned id)
{
    struct sass_block *b = w->block;
    struct sass_barrier *bar = &b->barriers[id];
    uint32_t bit = 1u << w->index;

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
static void barrier_note_dyn(struct sass_warp *w, const struct sass_barrier *bar,
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

    if (!(b->used_barriers >> v->id & 1))
        memset(bar, 0, sizeof *bar);
    b->used_barriers |= 1u << v->id;
    bar->expected = whole ? 0 : v->n_threads;
    bar->lanes[w->index] |= mask;
    if (w->dyn)
        barrier_note_dyn(w, bar, v);
    if (b->shared_set && !bar->expected && !v->id && v->mode != BARRIER_ARRIVE &&
        !v->is_outlined)
        sanitize_barrier(w, mask, v->next_pc - 16);
    if (v->mode == BARRIER_RED) {
        bar->red_count += (uint32_t)__builtin_popcount(mask & v->pred);
        bar->red_false |= (mask & ~v->pred) != 0;
    }
    if (v->mode != BARRIER_ARRIVE && mask == ~w->exited)
        converge_rest(w, v->id, v->next_pc);
    else if (v->mode != BARRIER_ARRIVE)
        converge_wait(w, mask, LANE_BARRIER, v->id, v->next_pc, v->next_pc);
    barrier_check(w, v->id);
}

void barrier_exit(struct sass_warp *w)
{
    if (w->exited == ALL_LANES)
        w->block->done_warps |= 1u << w->index;
    for (uint32_t m = w->block->used_barriers; m; m &= m - 1)
        barrier_check(w, (unsigned)__builtin_ctz(m));
}
