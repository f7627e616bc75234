/* memory.h - the memory system outside the SMs: interconnect, sliced L2, DRAM.
 *
 * An SM pushes requests, which may be refused, and pops replies, of which there may be
 * none. memory_tick() advances everything to a core cycle. Every request that is not
 * a write without acknowledgement is answered exactly once. Replies carry the SM's own
 * id.
 */
#ifndef LENO_MEM_MEMORY_H
#define LENO_MEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cycles.h"
#include "base/err.h"
#include "base/invariant.h"
#include "config/param.h"
#include "stats/stat.h"

enum mem_kind {
    MEM_READ,
    MEM_WRITE,  /* answered when L2 has it */
    MEM_ATOMIC, /* performed at L2, answered with data */
    MEM_INST,   /* a read by an instruction cache */
    MEM_CONST,  /* a read by a constant cache */
};

enum { LINE_BYTES = 128, SECTOR_BYTES = 32, LINE_SECTORS = 4 };

struct mem_request {
    uint64_t addr;  /* address of a line */
    uint32_t cycle; /* low bits of the cycle in which it was made, for latencies */
    uint32_t row;   /* of the counters per instruction (memory_set_hot()) */
    uint32_t id;    /* comes back with the reply, as do the fields up to sectors */
    uint16_t sm;
    uint8_t kind;    /* enum mem_kind */
    uint8_t sectors; /* sectors of the line, as bits */
    uint32_t words;  /* words of the line that are written completely */
    uint8_t lanes;   /* atomics: the most lanes on one word, at least 1 */
    bool has_result; /* atomics: the old value is wanted */
    uint16_t bytes;  /* bytes of data sent to memory, at most LINE_BYTES */
};
_Static_assert(sizeof(struct mem_request) == 32, "two to a line of the host's cache");

struct mem_reply {
    uint32_t id;
    uint16_t sm;
    uint8_t kind, sectors;
};

struct mem_arrival {
    uint64_t cycle; /* first cycle in which its SM may take it */
    struct mem_reply reply;
    uint32_t latency; /* latency of its request in memory */
};

struct memory;
struct memory_params; /* mem/params.h: l2, dram, icnt, tlb groups */
struct memory_stats;  /* mem/memory_stats.h */

/* With dram.for_sms set, fewer SMs get proportionally fewer channels (and L2
 * slices). */
struct memory *memory_new(const struct memory_params *p, unsigned n_sms,
                          struct err *err);
void memory_free(struct memory *m);
unsigned memory_sms(const struct memory *m);
const struct memory_params *memory_parameters(const struct memory *m);

/* False: the SM's port into the interconnect is full; try again next cycle. */
bool memory_push(struct memory *m, const struct mem_request *r);
/* False: nothing has arrived for this SM. One reply per call; the model limits the
 * bandwidth. Instruction caches have a queue of their own. */
static inline bool memory_pop(struct memory *m, unsigned sm, struct mem_reply *r);
static inline bool memory_pop_inst(struct memory *m, unsigned sm, struct mem_reply *r);
/* Reply i of those with data on this SM's link, without taking it, if memory works
 * ahead. */
static inline const struct mem_arrival *memory_arrival(const struct memory *m,
                                                       unsigned sm, unsigned i);

/* Runs the cycles up to this one, before the SMs' cycle. */
void memory_tick(struct memory *m, uint64_t cycle);
/* The next cycle in which memory_tick() can do anything, never late; UINT64_MAX: memory
 * is empty. A past cycle means the next one. */
uint64_t memory_next(const struct memory *m);

/* Cycles that the second-level TLB adds to a translation; 0 with tlb.enabled off. */
unsigned memory_translate(struct memory *m, uint64_t addr);

/* Makes memory work ahead of SMs with this many warps (mem/lead.h), by at most this
 * many cycles, fewer if l2.latency is less. Then memory_run() replaces memory_tick().
 * It is called after the SMs have simulated the same cycles, each having set its clock
 * (memory_now() or memory_link.now, below) before its own. */
int memory_set_lead(struct memory *m, unsigned cycles, unsigned warps, struct err *err);
unsigned memory_lead(const struct memory *m); /* the actual lead; 0: cycle by cycle */
/* Cycles [from, to), and before them those since the last call, in which SMs did nothing. */
void memory_run(struct memory *m, uint64_t from, uint64_t to);
/* memory_push() in a given cycle, which may be in the future if memory works ahead. */
static inline bool memory_push_at(struct memory *m, const struct mem_request *r,
                                  uint64_t cycle);
/* Room for a request that leaves in this cycle, for the caller to write; or NULL. */
struct mem_request *memory_place(struct memory *m, unsigned sm, uint64_t cycle);

/* From the first cycle on, every part is simulated in every cycle (mem/plain.h): slower,
 * with the same cycles and statistics. */
void memory_set_plain(struct memory *m);

/* Before the first cycle: runs on the threads of a team, with the same results. */
struct team;
int memory_set_team(struct memory *m, struct team *team, struct err *err);

/* A copy from the host leaves these bytes in L2. */
void memory_warm(struct memory *m, uint64_t addr, uint64_t bytes);

/* A kernel ends: flushes what hardware flushes then. Caches stay warm between
 * kernels. */
void memory_kernel_end(struct memory *m);

const struct memory_stats *memory_stats(struct memory *m); /* up to the current cycle */
void memory_dump(const struct memory *m, struct buf *out); /* for a deadlock report */

/* What every SM asks in every cycle (perf: inlined, so struct memory begins with these
 * fields). */

/* Replies on their way from memory that works ahead. */
struct lead_ring {
    struct mem_arrival *at; /* NULL: memory does not work ahead */
    unsigned first, n;
};
/* Where a ring begins when its first entry has been taken and n are left. An empty ring
 * starts over, which happens once per window (perf: the few places in use stay in the
 * host's caches). */
static inline unsigned lead_first_after(unsigned first, unsigned n, unsigned mask)
{
    return n ? (first + 1) & mask : 0;
}

struct memory_link {
    _Alignas(64) uint64_t now; /* current cycle of the SM, if memory works ahead */
    uint64_t data_at,
        inst_at;    /* cycle of the first reply; UINT64_MAX: none; 0: present */
    uint32_t n_new; /* replies with data since one was taken, if memory works ahead */
    struct lead_ring data, inst;
};
struct memory_front {
    struct memory_link *link; /* one per SM */
    uint64_t cycle;           /* the last cycle, unless memory works ahead: then 0 */
    uint32_t ring_mask;       /* for the rings, whose lengths are a power of two */
};

static inline struct memory_link *memory_link(const struct memory *m, unsigned sm)
{
    return &((const struct memory_front *)m)->link[sm];
}

static inline void memory_now(struct memory *m, unsigned sm, uint64_t cycle)
{
    memory_link(m, sm)->now = cycle;
}

static inline const struct mem_arrival *memory_arrival(const struct memory *m,
                                                       unsigned sm, unsigned i)
{
    const struct lead_ring *ring = &memory_link(m, sm)->data;

    return &ring->at[(ring->first + i) & ((const struct memory_front *)m)->ring_mask];
}

/* Takes the first entry of a ring; *at becomes the cycle of the next one. */
static inline struct mem_reply memory_take(const struct memory *m,
                                           struct lead_ring *ring, uint64_t *at)
{
    struct mem_reply r = ring->at[ring->first].reply;

    INVARIANT(ring->n);
    ring->n--;
    ring->first = lead_first_after(ring->first, ring->n,
                                   ((const struct memory_front *)m)->ring_mask);
    *at = ring->n ? ring->at[ring->first].cycle : UINT64_MAX;
    return r;
}

/* Takes the first reply with data in its cycle, which is in the future; others may be
 * taken only later. */
static inline void memory_taken(struct memory *m, unsigned sm)
{
    struct memory_link *l = memory_link(m, sm);
    uint64_t next = l->data_at + 1;

    memory_take(m, &l->data, &l->data_at);
    l->data_at = later(l->data_at, next);
}

/* The request is written in place. (perf: copying a struct just written field by field
 * would stall the host) */
static inline bool memory_push_at(struct memory *m, const struct mem_request *r,
                                  uint64_t cycle)
{
    struct mem_request *place = memory_place(m, r->sm, cycle);

    if (!place)
        return false;
    *place = *r;
    return true;
}

/* memory_pop() of a memory that does not work ahead. */
bool memory_pop_queue(struct memory *m, unsigned sm, bool is_inst, struct mem_reply *r);

static inline bool memory_pop(struct memory *m, unsigned sm, struct mem_reply *r)
{
    struct memory_link *l = memory_link(m, sm);

    if (!l->data.at)
        return memory_pop_queue(m, sm, false, r);
    if (l->data_at > l->now)
        return false;
    *r = memory_take(m, &l->data, &l->data_at);
    l->n_new = 0;
    return true;
}

static inline bool memory_pop_inst(struct memory *m, unsigned sm, struct mem_reply *r)
{
    struct memory_link *l = memory_link(m, sm);

    if (!l->inst.at)
        return memory_pop_queue(m, sm, true, r);
    if (l->inst_at > l->now)
        return false;
    *r = memory_take(m, &l->inst, &l->inst_at);
    return true;
}

/* True if memory_pop() would return a reply. */
static inline bool memory_has_data(const struct memory *m, unsigned sm)
{
    return memory_link(m, sm)->data_at <= memory_link(m, sm)->now;
}

/* The cycle of the first reply of any kind; the current one if it is present. */
static inline uint64_t memory_reply_at(const struct memory *m, unsigned sm)
{
    const struct memory_link *l = memory_link(m, sm);
    uint64_t now = ((const struct memory_front *)m)->cycle;

    return later(earlier(l->data_at, l->inst_at), now);
}

#endif
