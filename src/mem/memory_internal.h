/* memory_internal.h - what a memory is made of, for the files of memory_*.c. */
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

/* Where a line that was asked for lives: its other sectors mostly come soon after, with
 * other lines in between. */
struct spot {
    uint64_t line; /* NO_TAG: none */
    uint32_t row;
    uint16_t set;
    uint8_t bank, slice;
};
_Static_assert(MAX_SLICES <= UINT8_MAX + 1, "slices of spots are bytes");

struct memory {
    struct memory_front front; /* first: see memory.h */
    struct memory_params p;
    unsigned n_sms, sm_words, slice_words; /* words: of 64 bits, one for each */
    bool is_direct; /* replies go onto the links to SMs with no stop */
    bool is_wide;   /* packets on their way through the crossbar never fill an output */
    unsigned most_requests; /* of an SM that have not gone through the crossbar */
    uint64_t cycle, tick;
    struct packets packets;
    uint32_t reserve; /* packets for L2's own traffic, and one tick of the crossbar */
    struct address_map map;
    struct spot spots[N_SPOTS]; /* by a hash of the line */
    struct xbar requests, replies;
    struct l2 l2;
    struct dram_timing timing;
    struct channel *channels;
    uint64_t wakes[MAX_SLICES]; /* of each channel: no more than slices */
    struct stretch stretch;
    uint64_t max_stretch; /* cycles in which nothing new comes to a slice */
    struct arrivals {
        struct packet_queue data, inst;
    } * arrivals;
    uint64_t arrived[XBAR_WORDS];
    struct tlb tlb;
    struct lead lead;
    uint32_t flits[LINE_BYTES + 1]; /* by bytes of data */
    struct memory_stats stats;
    struct memory_stats shown; /* what has come to pass of it */
};

#endif
