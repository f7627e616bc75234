/* memory_internal.h - the state of a memory, for the files memory*.c. */
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

enum { MAX_SLICES = 256 };
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
    bool is_direct;  /* replies go directly onto the links to SMs */
    bool is_wide; /* packets on their way through the crossbar never fill an output */
    /* most requests of an SM that have not moved through the crossbar */
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
    /* per channel; there are no more channels than slices */
    uint64_t wakes[MAX_SLICES];
    struct stretch stretch;
    uint64_t max_stretch; /* longest stretch in which nothing new reaches a slice */
    struct arrivals {
        struct packet_queue data, inst;
    } * arrivals;
    uint64_t arrived[XBAR_WORDS];
    struct tlb tlb;
    struct lead lead;
    uint32_t flits[LINE_BYTES + 1]; /* by bytes of data */
    struct memory_stats stats;
    struct memory_stats shown; /* the statistics up to the current cycle */
};

/* The L2 set for an address without channel and slice. All slices are alike, so the
 * tables of one of them are used. */
static inline uint32_t set_of(const struct memory *m, uint64_t within)
{
    return cache_set(m->l2.slices[0].cache, within);
}

/* Flits of a reply; only some kinds carry data (perf: computed without a branch). */
static inline uint32_t flits_of_reply(const struct memory *m, const struct packet *p)
{
    return m->flits[(p->kind != MEM_WRITE) * n_sectors(p->sectors) * SECTOR_BYTES];
}

static inline void count_reply(const struct memory *m, struct memory_stats *to,
                               const struct packet *p)
{
    to->replies++;
    to->reply_flits += flits_of_reply(m, p);
}

#endif
