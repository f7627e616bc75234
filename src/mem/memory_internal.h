/* memory_internal.h - the state of a memory, and the steps that its two forms share. */
#ifndef LENO_MEM_MEMORY_INTERNAL_H
#define LENO_MEM_MEMORY_INTERNAL_H

#include "mem/address.h"
#include "mem/dram.h"
#include "mem/icnt.h"
#include "mem/l2.h"
#include "mem/lead.h"
#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/params.h"
#include "mem/tlb.h"
#include "mem/wakes.h"

enum { SPOT_BITS = 10, N_SPOTS = 1 << SPOT_BITS };

/* Where a line lives: cached, because accesses to other sectors of a line usually
 * follow soon, with other lines in between. */
struct spot {
    uint64_t line; /* NO_TAG: none */
    uint32_t row;
    uint16_t set;
    uint8_t bank, slice;
};
_Static_assert(MAX_SLICES <= UINT8_MAX + 1, "slices of spots are bytes");

struct memory {
    struct memory_front front; /* must be first: see memory.h */
    struct memory_params p;
    unsigned n_sms, sm_words,
        slice_words; /* words: 64-bit words for one bit per SM, or per slice */
    bool is_plain;   /* plain.c simulates it, not fast.c */
    bool is_direct;  /* replies go directly onto the links to SMs */
    bool is_wide; /* packets on their way through the crossbar never fill an output */
    /* most requests of an SM that have not moved through the crossbar; if SMs run ahead,
     * before the rings grow */
    unsigned most_requests;
    uint64_t cycle, tick;
    struct packets packets;
    /* packets kept for L2's own traffic and one tick of the crossbar */
    uint32_t reserve;
    struct address_map map;
    struct spot spots[N_SPOTS]; /* by hash of the line */
    struct xbar requests, replies;
    struct l2 l2;
    struct dram_timing timing;
    struct channel *channels;
    struct memory_wakes wakes;
    struct stretch stretch;
    uint64_t max_stretch; /* longest stretch in which nothing new reaches a slice */
    struct arrivals {
        struct packet_queue data, inst;
    } * arrivals;
    uint64_t arrived[XBAR_WORDS];
    struct tlb tlb;
    struct lead lead;
    struct lanes *lanes; /* its channels run on threads; NULL: one after another */
    uint32_t flits[LINE_BYTES + 1]; /* by bytes of data */
    struct l2_hot hot;
    struct memory_stats stats;
    struct memory_stats shown; /* the statistics up to the current cycle */
};

/* The L2 set for an address without channel and slice. All slices are alike, so the
 * tables of one of them are used. */
static inline uint32_t memory_set_of(const struct memory *m, uint64_t within)
{
    return cache_set(m->l2.slices[0].cache, within);
}

/* Flits of a reply; only some kinds carry data (perf: computed without a branch). */
static inline uint32_t memory_reply_flits(const struct memory *m,
                                          const struct packet *p)
{
    return m->flits[(p->kind != MEM_WRITE) * n_sectors(p->sectors) * SECTOR_BYTES];
}

static inline void memory_count_reply(const struct memory *m, struct memory_stats *to,
                                      const struct packet *p)
{
    to->replies++;
    to->reply_flits += memory_reply_flits(m, p);
}

/* The cached spot for a line. Arrays are round numbers apart, so the low bits of lines
 * would often collide: they are hashed. */
static inline struct spot *memory_spot_of(struct memory *m, uint64_t line)
{
    uint32_t hash = (uint32_t)(line / LINE_BYTES) * 0x9e3779b1u;

    return &m->spots[hash >> (32 - SPOT_BITS)];
}
static inline uint64_t memory_line_of(const struct mem_request *r)
{
    return r->addr & ~(uint64_t)(LINE_BYTES - 1);
}

/* Computes where a line lives. (perf: and prefetches for the access to come) */
void memory_find_spot(const struct memory *m, uint64_t line, struct spot *spot);
/* A complete reply has arrived at its SM, which has yet to take it. */
void memory_arrive(struct memory *m, unsigned sm, struct packet *p, uint64_t cycle);
/* Puts replies that have arrived onto the link to their SM, if memory works ahead, as far
 * as the link takes them. */
void memory_send_off(struct memory *m, unsigned sm);
/* Counts DRAM ticks up to the end of this core cycle. */
void memory_count_ticks(struct memory *m, uint64_t cycle);

static inline struct packet_queue *memory_arrivals(const struct memory *m, unsigned sm,
                                                   uint8_t kind)
{
    struct arrivals *a = &m->arrivals[sm];

    return kind == MEM_INST ? &a->inst : &a->data;
}

/* Handles a packet that has come back; returns the request it completes, or NULL. */
static inline struct packet *memory_complete_part(struct memory *m, struct packet *p)
{
    struct packet *parent = p->parent;

    if (!parent)
        return p;
    INVARIANT(parent->parts);
    packet_drop(&m->packets, p);
    return --parent->parts ? NULL : parent;
}

static inline void memory_count_latency(struct memory *m, const struct packet *p,
                                        uint64_t cycle)
{
    m->stats.latency_sum += (uint32_t)cycle - p->born;
    m->stats.latency_count++;
}

/* Cycles for which a request holds its ports. It moves as a whole; lanes of an atomic
 * on the same word go one after another. */
static inline uint32_t request_held_cycles(const struct packet *p)
{
    return p->kind == MEM_ATOMIC ? (uint32_t)p->flits * p->lanes : p->flits;
}

/* True if there are enough free packets for one tick of the crossbar. There usually
 * are. */
static inline bool memory_has_packets(const struct memory *m)
{
    return m->packets.n_free >= m->reserve;
}

/* The fast form (fast.c); memory.h has the meaning. */
uint64_t fast_next(const struct memory *m);
/* By enum memory_source: the next cycle in which it can do anything. */
struct agenda fast_agenda(const struct memory *m);
void fast_run(struct memory *m, uint64_t from, uint64_t to);

#endif
