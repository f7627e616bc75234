/* l2.h - one L2 slice: a fixed latency, queues, a cache, and its path to DRAM.
 *
 * Models a memory sub-partition of GPGPU-Sim. A request is taken from the crossbar,
 * split into parts of the fetch granule (a sector), waits for the fixed latency, and
 * then each part is one cache access, one per cycle.
 *
 * A channel and its slices are simulated for a stretch of cycles without the rest of
 * memory: requests that arrive meanwhile were taken before, and replies are given to
 * the crossbar with the cycle in which they leave (docs/decisions/020-stretches.md).
 */
#ifndef LENO_MEM_L2_H
#define LENO_MEM_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/address.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/icnt.h"
#include "mem/packet.h"

/* The way of a request: each has a fixed latency of its own. */
enum l2_way {
    L2_NEAR,
    L2_NEAR_ATOMIC,
    L2_FAR_READ,
    L2_FAR_WRITE,
    L2_FAR_ATOMIC,
    N_L2_WAYS
};

/* Requests in their fixed latency, in order. */
struct fixed_wait {
    struct packet_queue queue;
    /* first cycle in which the cache may take the first; NEVER: none */
    uint64_t due;
};

struct slice {
    struct dram_port port;
    struct packet_queue in;     /* requests for the cache */
    struct packet_queue misses; /* misses on their way to DRAM */
    struct cache *cache;
    struct slice_ahead ahead;
    uint64_t port_free; /* first time the cache takes an access, in parts of a cycle */
    uint64_t fill_free;
    uint64_t due;     /* earliest end of the fixed latencies */
    uint32_t away;    /* its share of l2.spread */
    uint64_t refuses; /* cycles of the stretch in which it has no room, as bits */
    uint32_t id;
    bool is_blocked; /* the access in front failed, and there was no fill since */
    uint8_t why;     /* enum cache_fail of that access */
    struct channel *channel;
    struct slice_wakes *wakes; /* its elements of struct memory_wakes: its own, ... */
    uint64_t *visit;           /* ... and its channel's */
    struct packet_queue out;   /* replies for which the crossbar may have no room */
    struct fixed_wait waiting[N_L2_WAYS];
    struct partial *partial;
    uint32_t first_partial, n_partials;
};

/* Sectors of a line that were written in part, oldest first: a ring (l2.partials). */
struct partial {
    uint64_t line;
    uint16_t set;
    uint8_t sectors;
};
enum { PARTIAL_SLACK = 64 }; /* so many wait to be completed before writes wait too */

/* Most cycles that slices are simulated with their channel alone. */
enum { MAX_STRETCH = 63 };
struct stretch {
    uint64_t from, to;
    uint64_t last_tick
        [MAX_STRETCH +
         1]; /* last DRAM tick of each cycle, and of the one after the stretch */
};

/* Counters per instruction (memory_set_hot()), and for which row each packet counts, by its
 * place in the pool. */
struct l2_hot {
    struct hot_table *table;
    uint32_t *row; /* NULL: none are counted */
};

/* State that all slices share. */
struct l2 {
    struct l2_params p;
    const struct address_map *map;
    struct packets *packets;
    struct xbar *replies;
    struct memory_stats *stats;
    uint32_t n_slices, granule; /* granule: sectors per access */
    uint32_t copied;            /* sectors that a far read copies */
    struct slice *slices;
    struct cache *copies[2]; /* far lines that a half has a copy of; may be NULL */
    uint32_t delay[N_L2_WAYS];
    uint32_t n_ways;     /* number of ways (enum l2_way) in use */
    uint32_t write_room; /* places in the miss queue that a write may need */
    /* requests waiting for the cache from which on a slice refuses more */
    uint32_t crowd;
    uint32_t fill_cycles; /* port cycles per fill */
    uint32_t tick;        /* a tick of the slices' clock, in parts of a cycle */
    bool refuses;         /* some slice may refuse requests */
    /* channels for whose replies the crossbar may have no room */
    struct channel **tight;
    uint32_t n_tight;
    uint64_t outcomes[MEM_CONST + 1][CACHE_FAIL]; /* outcomes of accesses, by kind */
    const struct l2_hot *hot;
};

int l2_init(struct l2 *l,
            struct err *err); /* the fields above must be set; the slices need not */
void l2_free(struct l2 *l);

/* Adds the outcomes of accesses to statistics. */
void l2_count(const struct l2 *l, struct memory_stats *to);

/* Where the row of a request is kept; only with l2_hot.row. */
static inline uint32_t *l2_row_of(const struct l2 *l, const struct packet *p)
{
    return &l->hot->row[packet_place(l->packets, p) / sizeof *p];
}

/* The way of a request from an SM of this half; updates the copies. */
enum l2_way l2_way(struct l2 *l, const struct packet *p, unsigned half);

/* Rules of an access, for both forms of a slice. */

/* True if so many sectors wait to be completed that a write has to wait. */
static inline bool l2_refuses_write(const struct l2 *l, const struct slice *s,
                                    const struct packet *p)
{
    return l->p.partials && p->kind == MEM_WRITE &&
           s->n_partials >= l->p.partials + PARTIAL_SLACK;
}

/* Before an access: completes the oldest partly written sectors, if there are too many;
 * true: the access may fail for another reason than before. */
bool l2_complete_partial(struct l2 *l, struct slice *s);

static inline struct cache_access
l2_access_of(const struct l2 *l, const struct slice *s, const struct packet *p)
{
    return (struct cache_access){ .line = p->addr,
                                  .set = p->set,
                                  .words = p->words,
                                  .waiter = packet_place(l->packets, p),
                                  .room = s->misses.n < l->p.miss_queue
                                              ? l->p.miss_queue - s->misses.n
                                              : 0,
                                  .sectors = p->sectors,
                                  .write = p->kind == MEM_WRITE,
                                  .atomic = p->kind == MEM_ATOMIC };
}

/* True if the data port is held by an earlier access for the whole cycle. */
static inline bool l2_port_is_busy(const struct slice *s, uint64_t cycle)
{
    return s->port_free / CYCLE_PARTS > cycle;
}

void l2_count_fail(struct l2 *l, uint8_t why);
/* The cache has performed the access in front: it is counted, holds the data port,
 * leaves its queue, and sends to DRAM what it needs from there. False: it waits for a
 * fill; true: it is to be answered. */
bool l2_end_access(struct l2 *l, struct slice *s, struct packet *p,
                   const struct cache_outcome *o, uint64_t cycle);

/* A request enters its fixed latency, which ends in cycle `ready`. */
static inline void slice_take_request(struct slice *s, struct packet *p, uint64_t ready)
{
    struct fixed_wait *wait = &s->waiting[p->way];
    uint64_t due = ready + 1;

    INVARIANT(p->way < N_L2_WAYS);
    if (!wait->queue.n)
        wait->due = due;
    /* The parts of a request were made together and enter together. */
    for (struct packet *child; p; p = child) {
        child = p->child;
        if (wait->queue.n) {
            wait->queue.tail->next_ready = (uint32_t)ready;
            wait->queue.tail->next_set = p->set;
        }
        queue_push(&wait->queue, p);
    }
    if (due >= s->due)
        return;
    s->due = due;
    slice_wakes_latency(s->wakes, due);
    *s->visit = earlier(due, *s->visit);
}

/* True if the slice has no room for a packet in cycle from + i of a stretch, or in the
 * cycle after it. */
static inline bool slice_refuses(const struct slice *s, uint64_t i)
{
    return s->refuses >> i & 1;
}

/* Performs the cache access that is first in line, while it may send something to
 * DRAM. */
void slice_access_cache(struct l2 *l, struct slice *s, uint64_t cycle);

/* Replies that have not left by this cycle. */
static inline uint64_t slice_n_replies(const struct slice *s, uint64_t cycle)
{
    return s->out.n + later(s->ahead.reply, cycle) - cycle;
}

/* A reply made in this cycle leaves in the next, or after those before it. */
static inline void slice_send_reply(struct l2 *l, struct slice *s, struct packet *p,
                                    uint64_t cycle)
{
    if (s->out.n || !xbar_has_room(l->replies, s->id)) {
        p->ready = (uint32_t)(cycle + 1);
        queue_push(&s->out, p);
        return;
    }
    s->ahead.reply = later(s->ahead.reply, cycle) + 1;
    xbar_push_at(l->replies, s->id, p, s->ahead.reply);
}

/* Begins a stretch of this many cycles; slices have completed the last one. */
void l2_begin_stretch(struct l2 *l, uint64_t cycles);
void l2_end_stretch(struct l2 *l, const struct stretch *w);
/* (perf) Prefetches a channel on the host that will be simulated soon. */
void channel_expect(const struct l2 *l, const struct channel *c);
/* Simulates a channel and its slices for the stretch, if they have something to do in
 * it and do not depend on the crossbar. */
void channel_stretch(struct l2 *l, struct channel *c, const struct stretch *w);
/* Simulates one cycle of the channels that depend on the crossbar, before replies
 * move. */
void l2_run_tight(struct l2 *l, const struct stretch *w, uint64_t cycle);

#endif
