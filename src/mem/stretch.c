/* stretch.c - a channel of DRAM and its slices of L2 go through some cycles alone.
 *
 * Nothing that is on its way to a slice gets there within a stretch, and nothing else of
 * memory is asked by one, so that what they touch stays in the host's nearest cache. Each
 * is looked at in cycles in which it has something to do.
 */
#include <stddef.h>

#include "base/cycles.h"
#include "mem/cache.h"
#include "mem/l2.h"

/* A slice may give the crossbar two replies a cycle. Where it is not sure to have room for
 * them, when it gets room matters. */
static void find_tight(struct l2 *l, uint64_t cycles)
{
    const struct xbar *x = l->replies;

    while (l->n_tight)
        l->tight[--l->n_tight]->is_tight = false;
    if (x->n_packets + 2 * cycles <= x->in_limit)
        return;
    for (struct slice *s = l->slices, *end = s + l->n_slices; s < end; s++) {
        if (s->channel->is_tight || x->ports[s->id].in.n + 2 * cycles <= x->in_limit)
            continue;
        s->channel->is_tight = true;
        l->tight[l->n_tight++] = s->channel;
    }
}

void l2_begin_stretch(struct l2 *l, uint64_t cycles)
{
    if (l->refuses) {
        l->refuses = false;
        for (struct slice *s = l->slices, *end = s + l->n_slices; s < end; s++) {
            s->refuses = s->refuses >> 63 ? ~(uint64_t)0 : 0;
            l->refuses |= s->refuses != 0;
        }
    }
    find_tight(l, cycles);
}

/* A reply that had to wait. */
static void send_kept(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (s->sent >= cycle || !has_come(s->out.head->ready, cycle) ||
        !xbar_has_room(l->replies, s->id))
        return;
    s->sent = cycle;
    xbar_push_at(l->replies, s->id, queue_pop(&s->out), cycle);
}

/* A filled miss is answered in this cycle, which may be the next one. */
static inline void reply_filled(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (cycle <= s->replied || slice_replies(s, cycle) >= l->p->queue_l2_icnt)
        return;
    s->replied = cycle;
    slice_reply(l, s, packet_at(l->packets, cache_ready(s->cache)), cycle);
}

static inline void fill_one(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (s->fill_free > cycle)
        return;
    cache_fill(s->cache, channel_take(s->channel, &s->port));
    s->fill_free = cycle + l->fill_cycles;
    s->is_blocked = false;
}

static inline void send_miss(struct l2 *l, struct slice *s, uint64_t last_tick)
{
    if (s->port.to_dram.n >= l->p->queue_l2_dram)
        return;
    queue_push(&s->port.to_dram, queue_pop(&s->misses));
    channel_offer(s->channel, s->id - s->channel->first_slice, last_tick);
}

/* One of each way goes on to the cache. Whether the one behind is due as well is seen in
 * the next cycle, when the host has had time to fetch it. */
static inline void end_wait(struct l2 *l, struct slice *s, uint64_t cycle)
{
    s->due = UINT64_MAX;
    for (unsigned w = 0; w < l->n_ways; w++) {
        struct packet_queue *q = &s->waiting[w];
        uint64_t at = cycle + 1;

        if (!q->n)
            continue;
        if (!has_come(q->head->ready, cycle))
            at = whole_cycle(q->head->ready, cycle);
        else if (s->in.n < l->p->queue_icnt_l2)
            queue_push(&s->in, queue_pop(q));
        queue_expect(q);
        if (q->n && at < s->due)
            s->due = at;
    }
}

/* One cycle. The order is GPGPU-Sim's: a reply to the crossbar, one of a filled miss, a
 * fill, one miss to DRAM, one access, end of a fixed wait; then, since it is known, the
 * next cycle's reply of a filled miss. */
static inline void slice_tick(struct l2 *l, struct slice *s, uint64_t cycle,
                              uint64_t last_tick)
{
    if (s->out.n)
        send_kept(l, s, cycle);
    if (cache_is_ready(s->cache))
        reply_filled(l, s, cycle);
    if (s->port.fill_at <= last_tick)
        fill_one(l, s, cycle);
    if (s->misses.n)
        send_miss(l, s, last_tick);
    if (s->in.n && s->port.to_dram.n < l->p->queue_l2_dram)
        slice_access(l, s, cycle);
    if (s->due <= cycle)
        end_wait(l, s, cycle);
    if (cache_is_ready(s->cache) && !s->out.n)
        reply_filled(l, s, cycle + 1);
}

/* Its next cycle with something to do, unless DRAM has something for it. While it may
 * send no more to DRAM, nothing but a reply goes on; the channel wakes it. */
static inline uint64_t slice_next(const struct l2 *l, const struct slice *s,
                                  uint64_t cycle)
{
    uint64_t next = s->due, port;

    if (s->out.n || cache_is_ready(s->cache))
        return cycle + 1;
    if (!(s->in.n | s->misses.n) || s->port.to_dram.n >= l->p->queue_l2_dram)
        return next;
    if (s->misses.n)
        return cycle + 1;
    port = later(s->port_free / CYCLE_PARTS, cycle + 1);
    return port < next ? port : next;
}

/* Takes down if there is room for the crossbar's packets from the next cycle on. */
static inline void note_room(struct l2 *l, struct slice *s, uint64_t i)
{
    if (s->in.n && s->in.n + 4 > l->p->queue_icnt_l2) {
        s->refuses |= ~(uint64_t)1 << i;
        l->refuses = true;
    } else if (s->refuses) {
        s->refuses &= ~(~(uint64_t)1 << i);
    }
}

/* The next cycle in which the channel or a slice has something to do. */
static uint64_t next_cycle(const struct channel *c, const struct stretch *w, uint64_t t)
{
    uint64_t wakes = UINT64_MAX, tick = c->next;

    for (uint32_t i = 0; i < c->n_ports; i++) {
        const struct dram_port *p = c->port[i];

        wakes = p->wakes < wakes ? p->wakes : wakes;
        tick = p->fill_at < tick ? p->fill_at : tick;
    }
    for (t++; t < w->to; t++)
        if (wakes <= t || tick <= w->last_tick[t - w->from])
            return t;
    if (tick != UINT64_MAX) {
        tick = cycle_of_tick(c->t, tick);
        wakes = tick < wakes ? tick : wakes;
    }
    return later(wakes, t);
}

static inline void expect(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)at + i, 1);
}

void channel_expect(const struct l2 *l, const struct channel *c)
{
    const struct slice *first = &l->slices[c->first_slice];

    expect(c, offsetof(struct channel, bank));
    expect(first, c->n_ports * sizeof *first);
}

/* Goes on up to a cycle of the stretch. */
static void run_until(struct l2 *l, struct channel *c, const struct stretch *w,
                      uint64_t to)
{
    struct slice *first = &l->slices[c->first_slice], *end = first + c->n_ports;
    uint64_t t = later(*c->wakes, w->from);

    while (t < to) {
        uint64_t last_tick = w->last_tick[t - w->from];

        if (c->next <= last_tick)
            channel_run(c, last_tick, t);
        for (struct slice *s = first; s < end; s++) {
            if (s->port.wakes > t && s->port.fill_at > last_tick)
                continue;
            slice_tick(l, s, t, last_tick);
            s->port.wakes = slice_next(l, s, t);
            note_room(l, s, t - w->from);
        }
        t = next_cycle(c, w, t);
    }
    *c->wakes = t;
}

void channel_stretch(struct l2 *l, struct channel *c, const struct stretch *w)
{
    if (!c->is_tight)
        run_until(l, c, w, w->to);
}

void l2_run_tight(struct l2 *l, const struct stretch *w, uint64_t cycle)
{
    for (uint32_t i = 0; i < l->n_tight; i++)
        if (*l->tight[i]->wakes <= cycle)
            run_until(l, l->tight[i], w, cycle + 1);
}
