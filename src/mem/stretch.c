/* stretch.c - simulates a DRAM channel and its L2 slices for a stretch of cycles alone.
 *
 * No packet on its way to a slice arrives within the stretch, and a slice depends on no
 * other part of memory in it. Each slice is visited only in cycles in which it has
 * something to do. (perf: the state in use stays in the host's nearest cache)
 */
#include <stddef.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/cache.h"
#include "mem/l2.h"

/* Finds channels whose replies the crossbar may have no room for. A slice may give it
 * two replies per cycle; where room is not certain, the cycle in which it becomes free
 * matters. */
static void find_tight_channels(struct l2 *l, uint64_t cycles)
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
    find_tight_channels(l, cycles);
}

/* Sends a reply that had to wait. */
static void send_kept_reply(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (s->ahead.reply >= cycle || !cycle_has_come(s->out.head->ready, cycle) ||
        !xbar_has_room(l->replies, s->id))
        return;
    s->ahead.reply = cycle;
    xbar_push_at(l->replies, s->id, queue_pop(&s->out), cycle);
}

/* Answers a filled miss in this cycle, which may be the next one. */
static inline void answer_filled(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (cycle <= s->ahead.answer || slice_n_replies(s, cycle) >= l->p.queue_l2_icnt)
        return;
    s->ahead.answer = cycle;
    slice_send_reply(l, s, packet_at(l->packets, cache_ready(s->cache)), cycle);
}

static inline void fill_cache(struct l2 *l, struct slice *s, uint64_t cycle)
{
    if (s->fill_free > cycle)
        return;
    cache_fill(s->cache, channel_take(s->channel, s->id - s->channel->first_slice));
    s->fill_free = cycle + l->fill_cycles;
    s->is_blocked = false;
}

/* Sends a miss to DRAM in this cycle, which may be the next one. */
static inline void send_miss(struct l2 *l, struct slice *s, const struct stretch *w,
                             uint64_t cycle)
{
    uint64_t tick = w->last_tick[cycle - w->from] + 1;

    INVARIANT(cycle >= w->from && cycle <= w->to);
    if (cycle <= s->ahead.miss || s->port.to_dram.n >= l->p.queue_l2_dram)
        return;
    s->ahead.miss = cycle;
    s->misses.head->ready = (uint32_t)tick;
    queue_push(&s->port.to_dram, queue_pop(&s->misses));
    channel_offer(s->channel, s->id - s->channel->first_slice, tick);
}

/* Records from which cycle on the slice has room for packets from the crossbar. */
static inline void note_room(struct l2 *l, struct slice *s, const struct stretch *w,
                             uint64_t cycle)
{
    uint64_t on = ~(uint64_t)0 << (cycle - w->from);

    INVARIANT(cycle >= w->from && cycle - w->from < 64);
    if (s->in.n >= l->crowd) {
        s->refuses |= on;
        l->refuses = true;
    } else if (s->refuses) {
        s->refuses &= ~on;
    }
}

/* Passes on to the cache one request per way whose latency ends in this cycle. */
static inline void end_latencies_at(struct l2 *l, struct slice *s, uint64_t cycle)
{
    uint64_t due = NEVER;

    for (unsigned w = 0; w < l->n_ways; w++) {
        struct fixed_wait *wait = &s->waiting[w];

        if (wait->due <= cycle && s->in.n < l->p.queue_icnt_l2) {
            struct packet *p = queue_pop(&wait->queue);

            wait->due = !wait->queue.n
                            ? NEVER
                            : later(cycle_from_low(p->next_ready, cycle), cycle) + 1;
            if (wait->queue.n) { /* perf: it and its set may have waited for long */
                __builtin_prefetch(wait->queue.head, 1);
                cache_expect_set(s->cache, p->next_set);
            }
            queue_push(&s->in, p);
        }
        due = earlier(due, wait->due);
    }
    s->due = due;
}

/* The same for all cycles up to this one. A request that finds no room waits for an
 * access. */
static inline void end_latencies(struct l2 *l, struct slice *s, const struct stretch *w,
                                 uint64_t cycle)
{
    while (s->due <= cycle && s->in.n < l->p.queue_icnt_l2) {
        uint64_t due = s->due;

        end_latencies_at(l, s, due);
        note_room(l, s, w, later(due, w->from));
    }
}

/* One cycle of a slice. The order is GPGPU-Sim's: a reply to the crossbar, a reply for
 * a filled miss, a fill, one miss to DRAM, one access, end of a fixed latency. Steps of
 * the next cycle that are already known (a miss to DRAM, the reply for a filled miss)
 * are done in this one. Ends of fixed latencies are deferred until they matter. */
static inline void slice_tick(struct l2 *l, struct slice *s, const struct stretch *w,
                              uint64_t cycle)
{
    if (s->out.n)
        send_kept_reply(l, s, cycle);
    if (cache_is_ready(s->cache))
        answer_filled(l, s, cycle);
    if (s->wakes->fill <= w->last_tick[cycle - w->from])
        fill_cache(l, s, cycle);
    if (s->misses.n)
        send_miss(l, s, w, cycle);
    end_latencies(l, s, w, cycle);
    s->due = later(s->due, cycle + 1);
    if (s->in.n && s->port.to_dram.n < l->p.queue_l2_dram) {
        slice_access_cache(l, s, cycle);
        note_room(l, s, w, cycle + 1);
        if (s->misses.n)
            send_miss(l, s, w, cycle + 1);
    }
    if (cache_is_ready(s->cache) && !s->out.n)
        answer_filled(l, s, cycle + 1);
}

/* The next cycle in which a slice has something to do, unless DRAM has something for
 * it. While it may send no more to DRAM, only replies can move; the channel wakes
 * it. */
static inline uint64_t slice_next(const struct l2 *l, const struct slice *s,
                                  uint64_t cycle)
{
    if (s->out.n || cache_is_ready(s->cache))
        return cycle + 1;
    if (s->port.to_dram.n >= l->p.queue_l2_dram)
        return s->in.n < l->p.queue_icnt_l2 ? s->due : NEVER;
    if (s->misses.n)
        return cycle + 1;
    if (s->in.n)
        return later(s->port_free / CYCLE_PARTS, cycle + 1);
    return s->due;
}

/* The first cycle from t on that contains the tick, or in which there is something to
 * do (`wakes`). */
static inline uint64_t next_channel_cycle(const struct dram_timing *timing,
                                          const struct stretch *w, uint64_t t,
                                          uint64_t wakes, uint64_t tick)
{
    for (; t < w->to; t++)
        if (wakes <= t || tick <= w->last_tick[t - w->from])
            return t;
    if (tick != NEVER)
        wakes = earlier(wakes, dram_cycle_of_tick(timing, tick));
    return later(wakes, t);
}

HINT void prefetch_bytes(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)at + i, 1);
}

void channel_expect(const struct l2 *l, const struct channel *c)
{
    const struct slice *first = &l->slices[c->first_slice];

    prefetch_bytes(c, offsetof(struct channel, bank));
    prefetch_bytes(first, c->n_ports * sizeof *first);
}

/* Simulates a channel up to a cycle of the stretch. */
static void channel_run_until(struct l2 *l, struct channel *c, const struct stretch *w,
                              uint64_t to)
{
    struct slice *first = &l->slices[c->first_slice], *end = first + c->n_ports;
    uint64_t t = later(*c->visit, w->from);

    INVARIANT(to <= w->to);
    while (t < to) {
        uint64_t last_tick = w->last_tick[t - w->from];
        uint64_t wakes = NEVER, fill = NEVER;
        struct slice_wakes *at = c->slices;

        if (c->wakes.tick <= last_tick)
            channel_run(c, last_tick, t);
        for (struct slice *s = first; s < end; s++, at++) {
            if (at->first <= t || at->fill <= last_tick) {
                slice_tick(l, s, w, t);
                slice_wakes_visited(at, slice_next(l, s, t));
            }
            wakes = earlier(wakes, at->first);
            fill = earlier(fill, at->fill);
        }
        t = next_channel_cycle(c->t, w, t + 1, wakes, earlier(fill, c->wakes.tick));
    }
    *c->visit = t;
}

void l2_end_stretch(struct l2 *l, const struct stretch *w)
{
    for (struct slice *s = l->slices, *end = s + l->n_slices; s < end; s++)
        end_latencies(l, s, w, w->to);
}

void channel_stretch(struct l2 *l, struct channel *c, const struct stretch *w)
{
    if (!c->is_tight)
        channel_run_until(l, c, w, w->to);
}

void l2_run_tight(struct l2 *l, const struct stretch *w, uint64_t cycle)
{
    for (uint32_t i = 0; i < l->n_tight; i++)
        if (*l->tight[i]->visit <= cycle)
            channel_run_until(l, l->tight[i], w, cycle + 1);
}
