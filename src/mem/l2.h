/* l2.h - one slice of L2: a fixed wait, queues, a cache, and its way to DRAM.
 *
 * Models a memory sub-partition of GPGPU-Sim. A request is taken from the crossbar in
 * parts of the fetch granule (a sector), waits the fixed latency, and then each part is
 * one access of the cache, one a cycle.
 *
 * A slice and the other slices of its channel go through a stretch of cycles with it,
 * and with nobody else: what comes to them was taken before, and replies are given to the
 * crossbar with the cycle in which they leave (docs/decisions/020-stretches.md).
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

/* How far a request has come: each has a fixed wait of its own. */
enum l2_way {
    L2_NEAR,
    L2_NEAR_ATOMIC,
    L2_FAR_READ,
    L2_FAR_WRITE,
    L2_FAR_ATOMIC,
    N_L2_WAYS
};

/* Requests in their fixed wait, in order. */
struct fixed_wait {
    struct packet_queue queue;
    uint64_t due; /* cycle from which the cache may take the first; UINT64_MAX: none */
};

struct slice {
    struct dram_port port;
    struct packet_queue in;     /* for the cache */
    struct packet_queue misses; /* to leave for DRAM */
    struct cache *cache;
    uint64_t sent;      /* cycle in which the last reply leaves for the crossbar */
    uint64_t replied;   /* cycle of the last reply of a filled miss */
    uint64_t port_free; /* from when the cache takes an access, in parts of a cycle */
    uint64_t fill_free;
    uint64_t miss_sent; /* cycle in which the last miss leaves for DRAM */
    uint64_t due;       /* the first of the fixed waits */
    uint64_t refuses;   /* cycles of the stretch in which it has no room, as bits */
    uint64_t taken_at;  /* cycle of the last request from the crossbar */
    uint32_t id;
    bool is_blocked; /* the access in front failed, and no fill has come since */
    uint8_t why;     /* enum cache_fail of it */
    struct channel *channel;
    uint64_t *channel_wakes; /* its own */
    struct packet_queue out; /* replies that the crossbar may have no room for */
    struct fixed_wait waiting[N_L2_WAYS];
};

/* Cycles that slices go through with their channels alone. */
enum { MAX_STRETCH = 63 };
struct stretch {
    uint64_t from, to;
    uint64_t last_tick[MAX_STRETCH + 1]; /* of DRAM, in each and the one behind */
};

/* What all slices share. */
struct l2 {
    struct l2_params p;
    const struct address_map *map;
    struct packets *packets;
    struct xbar *replies;
    struct memory_stats *stats;
    uint32_t n_slices, granule; /* sectors of an access */
    struct slice *slices;
    struct cache *copies[2]; /* far lines that a half has a copy of; may be NULL */
    uint32_t delay[N_L2_WAYS];
    uint32_t n_ways;        /* that requests come by */
    uint32_t write_room;    /* places in the queue of misses that a write may need */
    uint32_t crowd;         /* waiting for the cache, that are too many */
    uint32_t fill_cycles;   /* of the port, for one fill */
    uint32_t tick;          /* of the slices' clock, in parts of a cycle */
    bool refuses;           /* some slice may */
    struct channel **tight; /* for whose replies the crossbar may have no room */
    uint32_t n_tight;
    uint64_t outcomes[MEM_CONST + 1][CACHE_FAIL]; /* of accesses, by kind */
};

int l2_init(struct l2 *l, struct err *err); /* fields above are set, slices are not */
void l2_free(struct l2 *l);

/* Adds how accesses went. */
void l2_count(const struct l2 *l, struct memory_stats *to);

/* The fixed wait of a request from an SM of this half; takes note of copies. */
enum l2_way l2_way(struct l2 *l, const struct packet *p, unsigned half);

/* The fixed wait of a request ends in cycle `ready`. */
static inline void slice_take(struct slice *s, struct packet *p, uint64_t ready)
{
    struct fixed_wait *wait = &s->waiting[p->way];
    uint64_t due = ready + 1;

    INVARIANT(p->way < N_L2_WAYS);
    if (!wait->queue.n)
        wait->due = due;
    /* The parts of a request were made with it and enter together. */
    for (struct packet *child; p; p = child) {
        child = p->child;
        if (wait->queue.n) {
            wait->queue.tail->behind = (uint32_t)ready;
            wait->queue.tail->behind_set = p->set;
        }
        queue_push(&wait->queue, p);
    }
    if (due >= s->due)
        return;
    s->due = due;
    s->port.wakes = earlier(due, s->port.wakes);
    *s->channel_wakes = earlier(due, *s->channel_wakes);
}

/* True if a packet of the crossbar would find no room in cycle from + i of a stretch, or
 * in the one behind it. */
static inline bool slice_refuses(const struct slice *s, uint64_t i)
{
    return s->refuses >> i & 1;
}

/* The access of the cache that is first in line, while it may send something to DRAM. */
void slice_access(struct l2 *l, struct slice *s, uint64_t cycle);

/* Replies that have not left up to this cycle. */
static inline uint64_t slice_replies(const struct slice *s, uint64_t cycle)
{
    return s->out.n + later(s->sent, cycle) - cycle;
}

/* A reply that was made in this cycle leaves in the next, or behind those before it. */
static inline void slice_reply(struct l2 *l, struct slice *s, struct packet *p,
                               uint64_t cycle)
{
    if (s->out.n || !xbar_has_room(l->replies, s->id)) {
        p->ready = (uint32_t)(cycle + 1);
        queue_push(&s->out, p);
        return;
    }
    s->sent = later(s->sent, cycle) + 1;
    xbar_push_at(l->replies, s->id, p, s->sent);
}

/* A stretch of so many cycles begins; slices have been through it. */
void l2_begin_stretch(struct l2 *l, uint64_t cycles);
void l2_end_stretch(struct l2 *l, const struct stretch *w);
/* A hint that a channel will go through it soon. */
void channel_expect(const struct l2 *l, const struct channel *c);
/* A channel and its slices go through it, if they have something to do then, and if they
 * need not ask the crossbar. */
void channel_stretch(struct l2 *l, struct channel *c, const struct stretch *w);
/* Those that need go through one cycle of it, before replies do. */
void l2_run_tight(struct l2 *l, const struct stretch *w, uint64_t cycle);

#endif
