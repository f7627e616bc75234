/* plain.c - one cycle of a Vortex core, stage by stage: the specification.
 *
 * Every stage is asked in every cycle, from the last to the first, so that what a stage
 * leaves in its output register is seen by the next stage in the next cycle, as in the
 * RTL. Nothing is put off and nothing is done before its cycle. What a step does is in the
 * file of its stage (fetch.c, unit.c, lsu.c); this file says in which cycle it is done.
 *
 * vortex.eager runs this model, and so does a core that is watched: by a pipeline view, or
 * by a listener. ahead.c takes the same steps with fewer questions and must give the same
 * cycles and statistics; tests compare the two (docs/decisions/040-vortex-plain.md).
 *
 * One form only: the issue stages (scoreboard.c, ghost.c, loog.c) work cycle by cycle in
 * either model, and caches and memory (memory.c, dram.c) answer a request with the cycle
 * of its end.
 */
#include "vortex/stages.h"

/* One packet per cycle, from the units in turn; the issue stage sees the last packet of an
 * instruction two cycles later. */
static void plain_commit(struct vx_core *k)
{
    unsigned ex = vx_commit_choose(k, k->cycle);

    if (ex < N_VX_EX)
        vx_commit_packet(k, ex, k->cycle);
    vx_commit_settle(k);
}

/* The coalescer is free, and its next request has come and can go out. */
static bool can_send(const struct vx_core *k)
{
    const struct vx_lsu *l = &k->lsu;

    return l->n_queued && l->queue[l->first].at <= k->cycle &&
           l->coalescer <= k->cycle && vx_lsu_can_send(k);
}

/* There is a place before the coalescer, one before commit and, for all but stores, an
 * entry, each left in an earlier cycle; and no fence is in flight. */
static bool can_take(const struct vx_core *k)
{
    const struct vx_lsu *l = &k->lsu;
    unsigned n_entries = l->n_loads + (l->entry_at > k->cycle);

    if (l->exec.uop == NO_UOP || l->exec.at > k->cycle)
        return false;
    if (vx_lsu_answers(k->pool[l->exec.uop].dyn.inst) && n_entries >= k->p->load_queue)
        return false;
    return l->sent[l->oldest] < k->cycle && l->fence_until <= k->cycle &&
           vx_lsu_has_place(k);
}

static void plain_lsu(struct vx_core *k)
{
    if (k->lsu.answers.at <= k->cycle && vx_lsu_has_place(k))
        vx_lsu_answer(k);
    if (k->lsu.bus.at <= k->cycle)
        vx_lsu_access(k);
    if (can_send(k))
        vx_lsu_send(k);
    if (can_take(k))
        vx_lsu_take(k);
}

/* Units take what is in their dispatch buffers, a dispatch buffer what is staged. */
static void plain_dispatch(struct vx_core *k)
{
    for (unsigned ex = 0; ex < N_VX_EX; ex++) {
        const struct vx_latch *d = &k->dispatch.buffer[ex];

        if (d->uop != NO_UOP && d->at <= k->cycle && vx_unit_accepts(k, ex))
            vx_unit_take(k, ex);
    }
    if (k->dispatch.stage.uop != NO_UOP && k->dispatch.stage.at <= k->cycle)
        vx_stage_dispatch(k);
}

/* The instruction that came first from the cache, unless the issue stage has no room. */
static void plain_decode(struct vx_core *k)
{
    if (k->fetch.arriving.at > k->cycle || vx_decode_insert(k))
        return;
    k->stats.stall_ibuffer++;
    k->fetch.counted = k->cycle + 1;
}

/* The lowest-numbered warp that is ready sends its next fetch to the cache. */
static void plain_schedule(struct vx_core *k)
{
    struct uop *u;

    vx_fetch_wake_warps(k);
    u = vx_fetch_schedule(k);
    if (u)
        vx_queue_add(&k->fetch.asked, u->id, k->cycle + VX_TO_CACHE);
}

void vx_plain_tick(struct vx_core *k, uint64_t cycle)
{
    vx_core_begin_cycle(k, cycle);
    plain_commit(k);
    plain_lsu(k);
    plain_dispatch(k);
    vx_core_issue(k);
    plain_decode(k);
    if (k->fetch.asked.at <= cycle)
        vx_fetch_look_up(k);
    plain_schedule(k);
}
