/* sleep.c - when a core that waits must act again, and what it counts until then. */
#include "vortex/stages.h"

static uint64_t lsu_next(const struct vx_core *k)
{
    const struct vx_lsu *l = &k->lsu;
    uint64_t next = later(l->answers.at, k->cycle + 1);

    if (l->batch_freed == k->cycle)
        return k->cycle + 1;
    if (l->send_at > k->cycle)
        next = earlier(next, l->send_at);
    return earlier(next, l->take_at);
}

uint64_t vx_core_next(const struct vx_core *k)
{
    uint64_t next = lsu_next(k);

    next = earlier(next, k->issue->ops->next(k->issue));
    next = earlier(next, earlier(k->next_ready, k->settle_at));
    if (k->out_at > k->cycle) /* somebody may wait for a place there */
        next = earlier(next, k->out_at);
    if (k->asked.at > k->cycle)
        next = earlier(next, k->asked.at);
    if (k->fetches.at > k->cycle)
        next = earlier(next, k->fetches.at);
    else
        next = earlier(next, later(vx_ahead_decode_at(k), k->cycle + 1));
    if (k->ready && k->room_at > k->cycle)
        next = earlier(next, k->room_at);
    if (k->stage.uop != NO_UOP && k->stage.at > k->cycle)
        next = earlier(next, k->stage.at);
    if (k->fpu_freed == k->cycle ||
        (k->stage.uop == NO_UOP && k->stage.free_at > k->cycle))
        return k->cycle + 1;
    for (unsigned ex = 0; ex < N_VX_EX; ex++) {
        const struct vx_latch *d = &k->dispatch[ex];

        if (d->uop != NO_UOP && d->at > k->cycle)
            next = earlier(next, d->at);
        if (d->uop == NO_UOP && d->free_at > k->cycle)
            next = earlier(next, d->free_at);
    }
    return later(next, k->cycle + 1);
}

void vx_core_sleep(struct vx_core *k, uint64_t cycle)
{
    uint64_t n = cycle - k->cycle - 1;

    k->stats.slot[k->cause] += n;
    k->stats.warp_cycles += n * k->n_active;
    if (k->stage.uop != NO_UOP && k->stage.at <= k->cycle)
        *vx_stage_stalls(k) += n;
    if (k->issue->ops->slept)
        k->issue->ops->slept(k->issue, n);
}
