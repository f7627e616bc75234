/* l2.h - one slice of L2: a fixed wait, queues, a cache, and its way to DRAM.
 *
 * Models a memory sub-partition of GPGPU-Sim. A request is taken from the crossbar in
 * parts of the fetch granule (a sector), waits the fixed latency, and then each part is
 * one access of the cache, one a cycle.
 */
#ifndef LENO_MEM_L2_H
#define LENO_MEM_L2_H

#include <stdbool.h>
#include <stdint.h>

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

struct slice {
    struct packet_queue in;     /* for the cache */
    struct packet_queue misses; /* to leave for DRAM */
    struct packet_queue out;    /* replies, for the crossbar */
    struct dram_port port;
    uint32_t id;
    uint64_t taken_at;  /* cycle of the last request from the crossbar */
    uint64_t port_free; /* from when the cache takes an access, in parts of a cycle */
    uint64_t fill_free;
    struct cache *cache;
    struct channel *channel;
    struct packet_queue waiting[N_L2_WAYS]; /* the fixed wait, in order */
    bool is_due;                            /* a fixed wait has ended */
    bool is_blocked; /* the access in front failed, and no fill has come since */
    uint8_t why;     /* enum cache_fail of it */
};

/* What all slices share. */
struct l2 {
    const struct l2_params *p;
    const struct address_map *map;
    struct packets *packets;
    struct memory_stats *stats;
    uint32_t n_slices, granule; /* sectors of an access */
    struct slice *slices;
    struct cache *copies[2]; /* far lines that a half has a copy of; may be NULL */
    uint32_t delay[N_L2_WAYS];
    uint32_t n_ways;      /* that requests come by */
    uint32_t write_room;  /* places in the queue of misses that a write may need */
    uint32_t fill_cycles; /* of the port, for one fill */
    uint32_t tick;        /* of the slices' clock, in parts of a cycle */
};

int l2_init(struct l2 *l, struct err *err); /* fields above are set, slices are not */
void l2_free(struct l2 *l);

/* The fixed wait of a request from an SM of this half; takes note of copies. */
enum l2_way l2_way(struct l2 *l, const struct packet *p, unsigned half);

/* True if a packet of the crossbar would find room. */
static inline bool slice_has_room(const struct l2 *l, const struct slice *s)
{
    return s->in.n + 4 <= l->p->queue_icnt_l2 || s->in.n == 0;
}
/* The same in so many cycles, whatever comes in between. */
static inline bool slice_will_have_room(const struct l2 *l, const struct slice *s,
                                        uint32_t cycles)
{
    return s->in.n + 4 + cycles * l->n_ways <= l->p->queue_icnt_l2;
}

/* The fixed wait of a request ends in cycle `ready`. */
static inline void slice_take(struct slice *s, struct packet *p, uint64_t ready)
{
    enum l2_way way = p->way;

    /* The parts of a request were made with it and enter together. */
    for (struct packet *child; p; p = child) {
        child = p->child;
        p->child = NULL;
        p->ready = (uint32_t)ready;
        queue_push(&s->waiting[way], p);
    }
}

/* The access of the cache that is first in line. */
void slice_access(struct l2 *l, struct slice *s, uint64_t cycle);

/* What a slice does in nearly every cycle is here to be expanded in place. */

static inline void reply_filled(struct l2 *l, struct slice *s)
{
    if (s->out.n < l->p->queue_l2_icnt)
        queue_push(&s->out, packet_at(l->packets, cache_ready(s->cache)));
}

static inline void fill_one(struct l2 *l, struct slice *s, uint64_t cycle)
{
    struct packet_queue *from = &s->port.from_dram;
    struct packet *p;

    if (s->fill_free > cycle)
        return;
    p = queue_pop(from);
    cache_fill(s->cache, p->mshr);
    if (p->kind == PACKET_FETCH)
        packet_drop(l->packets, p);
    s->fill_free = cycle + l->fill_cycles;
    s->is_blocked = false;
}

static inline bool send_miss(struct l2 *l, struct slice *s)
{
    if (s->port.to_dram.n >= l->p->queue_l2_dram)
        return false;
    queue_push(&s->port.to_dram, queue_pop(&s->misses));
    return true;
}

/* One of each way goes on to the cache. Whether the one behind is due as well is seen in
 * the next cycle, when the host has had time to fetch it. */
static inline void end_wait(struct l2 *l, struct slice *s, uint64_t cycle)
{
    s->is_due = false;
    for (unsigned w = 0; w < l->n_ways; w++) {
        struct packet_queue *q = &s->waiting[w];

        if (!q->n || !has_come(q->head->ready, cycle))
            continue;
        if (s->in.n < l->p->queue_icnt_l2)
            queue_push(&s->in, queue_pop(q));
        queue_expect(q);
        s->is_due |= q->n != 0;
    }
}

/* One cycle; true: it has sent something to its channel. The order is GPGPU-Sim's: reply
 * of a filled miss, fill from DRAM, one miss to DRAM, one access, end of a fixed wait. */
static inline bool slice_tick(struct l2 *l, struct slice *s, uint64_t cycle)
{
    bool sent = false;

    if (cache_is_ready(s->cache))
        reply_filled(l, s);
    if (s->port.from_dram.n)
        fill_one(l, s, cycle);
    if (s->misses.n)
        sent = send_miss(l, s);
    if (s->in.n)
        slice_access(l, s, cycle);
    if (s->is_due)
        end_wait(l, s, cycle);
    return sent;
}

/* True if it has something to do in the next cycle, besides ends of fixed waits. */
static inline bool slice_is_busy(const struct slice *s)
{
    return (s->in.n | s->misses.n | s->out.n | s->port.from_dram.n) != 0 ||
           cache_is_ready(s->cache);
}

#endif
