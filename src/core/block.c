/* block.c - blocks and their warps: start, barriers, waits, end. */
#include <stddef.h>
#include <string.h>

#include "base/invariant.h"
#include "core/stages.h"

static void block_start_warp(struct sm *s, unsigned slot, unsigned block,
                             unsigned index)
{
    struct warp *w = &s->warp[slot];
    struct subcore *c = subcore_of(s, slot);
    uint64_t bit = bit64(bit_of(s, slot));
    uint16_t version = w->first_version;

    memset(w, 0, offsetof(struct warp, reg));
    w->first_version = version;
    w->is_resident = true;
    w->block = (uint8_t)block;
    w->index = (uint16_t)index;
    w->age = s->blocks.next_age++;
    w->next_pc = s->launch.kernel->first_pc - follows_decode(s);
    w->branch = w->order_first = w->order_last = NO_UOP;
    warpset_drop(&s->scheme->waiting, slot);
    w->window = w->held = (struct uop_list){ NO_UOP, NO_UOP };
    w->filed = (struct filed){ .uop = NO_UOP, .key = STALL_fetch };
    c->issue.warps |= bit;
    subcore_file(&c->issue, STALL_fetch, bit);
    wake_subcore(&s->wake, c->self);
    warpset_add(&s->blocks.resident, slot);
    wake_warp(&s->wake, slot);
    s->blocks.n_warps++;
    s->check.pending[slot] = (struct pending){ 0 };
    if (has_hot(s))
        s->hot->last[slot] = HOT_NONE;
    async_warp_start(s, slot);
    TELL(s, warp_start, slot);
    if (has_skip(s)) {
        s->skip->block_of[slot] = (uint8_t)block;
        s->skip->index_of[slot] = (uint16_t)index;
        s->skip->ops->warp_start(s->skip, slot);
    }
    fetch_refresh(s, slot);
}

/* Its blocks change before this cycle, which it must not sleep through. */
static void wake_for_change(struct sm *s, uint64_t cycle)
{
    sm_account(s, cycle);
    s->cycle = cycle;
    agenda_add(&s->wake.agenda, SM_WORK, cycle);
}

/* A warp of a block that the chip gives out later. */
static void block_hold_warp(struct sm *s, unsigned slot, uint64_t until)
{
    struct warp *w = &s->warp[slot];

    w->hold = until;
    w->hold_cause = STALL_idle;
    wake_warp_at(&s->wake, slot, until);
}

void sm_start_block(struct sm *s, struct stream *stream, uint64_t block, uint64_t cycle,
                    uint64_t first)
{
    uint64_t begins = later(first, cycle), issues = begins + s->config.core.block_start;
    unsigned at = 0, slot = 0;
    struct block_slot *b;

    wake_for_change(s, cycle);
    if (!s->blocks.n)
        s->blocks.begins = begins;
    if (!s->blocks.n && has_turns(s))
        s->blocks.idle += cycle - s->blocks.ended;
    while (s->blocks.at[at].is_used)
        at++;
    INVARIANT(at < MAX_BLOCK_SLOTS && s->blocks.n < MAX_BLOCK_SLOTS);
    b = &s->blocks.at[at];
    *b = (struct block_slot){ .is_used = true,
                              .stream = stream,
                              .index = block,
                              .begins = begins,
                              .n_warps = stream->n_warps };
    stream->wants_values = has_skip(s) && s->check.has_values;
    stream->is_timed = true;
    stream->sm = s->index;
    s->blocks.n++;
    gpc_start_block(s, at);
    if (s->config.core.own_slots)
        slot = at * b->n_warps;
    for (unsigned k = 0; k < b->n_warps; k++, slot++) {
        while (warpset_has(&s->blocks.resident, slot))
            slot++;
        INVARIANT(slot < s->shape.n_warps);
        warpset_add(&b->warps, slot);
        block_start_warp(s, slot, at, k);
        if (issues > cycle)
            block_hold_warp(s, slot, issues);
    }
    if (has_view(s))
        view_warps(s);
}

struct stream *sm_stream(const struct sm *s, unsigned n, uint64_t *block)
{
    const struct block_slot *b = s->blocks.at;

    for (; !b->is_used || n; b++)
        n -= b->is_used;
    *block = b->index;
    return b->stream;
}

static void block_open_barrier(struct sm *s, struct block_slot *b, unsigned id)
{
    uint64_t last = b->counted > s->cycle ? b->counted : s->cycle;
    uint64_t hold = last + s->config.core.barrier_base;

    b->arrived[id] = 0;
    b->expected[id] = 0;
    for (struct warpset m = b->warps; warpset_any(&m);) {
        unsigned k = warpset_take(&m);
        struct warp *w = &s->warp[k];

        if (w->wait != WAIT_BARRIER || w->barrier != id)
            continue;
        warp_set_wait(s, k, WAIT_NONE);
        warpset_add_if(&s->fetch.refill, k, fetches_at_barrier(s) && w->is_held);
        w->is_held = false;
        w->hold = hold;
        w->hold_cause = STALL_barrier;
        wake_warp(&s->wake, k);
        fetch_refresh(s, k);
        if (hold > s->cycle)
            wake_warp_at(&s->wake, k, hold);
    }
}

static void block_check_barrier(struct sm *s, struct block_slot *b, unsigned id)
{
    unsigned expected = b->expected[id] ? b->expected[id] : b->n_warps - b->n_exited;

    if (s->blocks.is_cut)
        expected = 1;
    if (b->arrived[id] && b->arrived[id] >= expected)
        block_open_barrier(s, b, id);
}

void sm_cut(struct sm *s, uint64_t cycle)
{
    if (!s->blocks.n)
        return;
    wake_for_change(s, cycle);
    s->blocks.is_cut = true;
    for (unsigned k = 0; k < MAX_BLOCK_SLOTS; k++)
        for (unsigned id = 0; s->blocks.at[k].is_used && id < N_BLOCK_BARRIERS; id++)
            block_check_barrier(s, &s->blocks.at[k], id);
    fetch_release_streams(s);
    gpc_cut(s);
    async_cut(s);
}

void block_arrive(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    struct block_slot *b = &s->blocks.at[w->block];
    unsigned id = u->dyn.barrier % N_BLOCK_BARRIERS;

    if (u->dyn.bar_kind == BAR_NONE)
        return;
    INVARIANT(b->is_used && w->wait == WAIT_NONE);
    if (u->dyn.barrier == BAR_CLUSTER) {
        gpc_arrive(s, u);
        return;
    }
    b->arrived[id]++;
    b->counted =
        (b->counted > s->cycle ? b->counted : s->cycle) + s->config.core.barrier_warp;
    b->expected[id] = u->dyn.bar_warps;
    if (u->dyn.bar_kind == BAR_SYNC) {
        warp_set_wait(s, u->warp, WAIT_BARRIER);
        w->barrier = (uint8_t)id;
        w->barrier_at = u->dyn.inst;
    }
    block_check_barrier(s, b, id);
}

void block_exit(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    struct block_slot *b = &s->blocks.at[w->block];

    INVARIANT(!w->has_exited && b->n_exited < b->n_warps);
    w->has_exited = true;
    warp_set_wait(s, warp, WAIT_EXIT);
    wake_warp(&s->wake, warp);
    b->n_exited++;
    gpc_exit(s, warp);
    for (unsigned id = 0; id < N_BLOCK_BARRIERS; id++)
        block_check_barrier(s, b, id);
}

bool warp_awaits_traffic(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];

    return w->loads || w->stores || w->atomics ||
           (!w->is_acquiring && lsu_await_stores(s->lsu, warp));
}

void warp_begin_fence(struct sm *s, struct warp *w, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    const uint32_t cycles[] = { [FENCE_GPU] = s->config.core.fence_gpu,
                                [FENCE_SYSTEM] = s->config.core.fence_system };

    w->is_acquiring = i->flags & INST_BYPASS_L1;
    if (warp_awaits_traffic(s, u->warp))
        warp_set_wait(s, u->warp, WAIT_FENCE);
    if (!u->dyn.mask)
        return;
    if (i->flags & INST_BYPASS_L1)
        lsu_empty_l1(s->lsu);
    if (i->bytes > FENCE_SYSTEM || !cycles[i->bytes])
        return;
    w->hold = s->cycle + cycles[i->bytes];
    w->hold_cause = STALL_fence;
    wake_warp_at(&s->wake, u->warp, w->hold);
}

void warp_settle(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    bool done = w->wait == WAIT_ATOMIC  ? !w->atomics
                : w->wait == WAIT_FENCE ? !warp_awaits_traffic(s, warp)
                                        : false;

    if (!done)
        return;
    warp_set_wait(s, warp, WAIT_NONE);
    wake_warp(&s->wake, warp);
}

/* The earliest arrival among the blocks given to an SM. */
static uint64_t first_begin(const struct sm *s)
{
    uint64_t first = UINT64_MAX;

    for (unsigned k = 0, n = s->blocks.n; n; k++) {
        if (!s->blocks.at[k].is_used)
            continue;
        first = earlier(first, s->blocks.at[k].begins);
        n--;
    }
    return first;
}

static void block_end(struct sm *s, struct block_slot *b)
{
    INVARIANT(b->is_used && s->blocks.n && b->n_exited == b->n_warps);
    s->launch.kernel->ops->close(s->launch.kernel, b->stream);
    b->is_used = false;
    s->blocks.n--;
    s->blocks.begins = first_begin(s);
    s->blocks.ended = s->cycle + 1;
    s->stats.blocks++;
}

/* Shared memory is in use as long as a copy is on its way. */
void block_check_end(struct sm *s, struct block_slot *b)
{
    if (b->n_done == b->n_warps && !b->n_copies)
        block_end(s, b);
}

void warp_check_done(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    struct block_slot *b = &s->blocks.at[w->block];
    struct subcore *c = subcore_of(s, warp);
    unsigned bit = bit_of(s, warp);

    if (!w->is_resident || !w->has_exited || w->in_flight)
        return;
    INVARIANT(w->window.oldest == NO_UOP && w->order_first == NO_UOP);
    INVARIANT(!w->loads && !w->stores && !w->atomics && b->n_done < b->n_warps);
    sm_account(s, s->cycle + 1);
    TELL(s, warp_end, warp);
    if (has_skip(s))
        s->skip->ops->warp_end(s->skip, warp);
    w->is_resident = false;
    w->first_version = (uint16_t)(w->first_version + w->next_seq);
    issue_forget(s, warp);
    c->issue.warps &= ~bit64(bit);
    if (c->issue.last == bit)
        c->issue.last = NOBODY;
    warpset_drop(&s->blocks.resident, warp);
    wake_forget_warp(&s->wake, warp);
    s->blocks.n_warps--;
    if (has_view(s))
        view_warps(s);
    wake_next(&s->wake);
    b->n_done++;
    block_check_end(s, b);
}
