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

static inline void slice_take(struct l2 *l, struct slice *s, packet_id p,
                              uint64_t cycle)
{
    enum l2_way way = packet_at(l->packets, p)->way;
    uint32_t ready = (uint32_t)(cycle + l->delay[way]);

    if (!l->delay[way])
        s->is_due = true; /* no alarm: those of this cycle have rung */
    /* The parts of a request were made with it and enter together. */
    while (p != NO_PACKET) {
        struct packet *part = packet_at(l->packets, p);
        packet_id child = part->child;

        part->ready = ready;
        part->child = NO_PACKET;
        queue_push(l->packets, &s->waiting[way], p);
        p = child;
    }
}

/* One cycle; true: it has sent something to its channel. */
bool slice_tick(struct l2 *l, struct slice *s, uint64_t cycle);
/* True if it has something to do in the next cycle, besides ends of fixed waits. */
static inline bool slice_is_busy(const struct slice *s)
{
    return (s->in.n | s->misses.n | s->out.n | s->port.from_dram.n) != 0 ||
           cache_is_ready(s->cache);
}

#endif
