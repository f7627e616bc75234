/* memory.h - everything behind the SMs: interconnect, sliced L2, DRAM.
 *
 * An SM pushes requests and pops replies; both may be refused or absent in a cycle.
 * memory_tick() moves everything on by one core cycle. Every request that is not a write
 * without acknowledgement is answered exactly once. Replies carry the SM's own id.
 */
#ifndef LENO_MEM_MEMORY_H
#define LENO_MEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "config/param.h"
#include "stats/stat.h"

enum mem_kind {
    MEM_READ,
    MEM_WRITE,  /* answered when L2 has it */
    MEM_ATOMIC, /* done at L2, answered with data */
    MEM_INST,   /* a read by an instruction cache */
    MEM_CONST,  /* a read by a constant cache */
};

enum { LINE_BYTES = 128, SECTOR_BYTES = 32, LINE_SECTORS = 4 };

struct mem_request {
    uint64_t addr; /* of a line */
    uint32_t id;   /* comes back with the reply */
    uint16_t sm;
    uint8_t kind;    /* enum mem_kind */
    uint8_t sectors; /* of the line, as bits */
    uint8_t whole;   /* writes: sectors that are written in every byte */
    uint8_t lanes;   /* atomics: the most lanes on one word, at least 1 */
    uint16_t bytes;  /* of data that travel to memory */
};

struct mem_reply {
    uint32_t id;
    uint16_t sm;
    uint8_t kind, sectors;
};

struct memory;
struct memory_params; /* mem/params.h: l2, dram, icnt groups */

struct memory *memory_new(const struct memory_params *p, unsigned n_sms,
                          struct err *err);
void memory_free(struct memory *m);

/* False: the SM's port into the interconnect is full; try again next cycle. */
bool memory_push(struct memory *m, const struct mem_request *r);
/* False: nothing has arrived for this SM. At most one a call, bandwidth is the model's. */
bool memory_pop(struct memory *m, unsigned sm, struct mem_reply *r);

/* SMs with something to pop, as bits, 64 a word. */
const uint64_t *memory_arrived(const struct memory *m);

/* One core cycle; how much it did. 0: nothing moved. */
unsigned memory_tick(struct memory *m, uint64_t cycle);
/* The next cycle in which memory_tick() can do anything; UINT64_MAX: it is empty. */
uint64_t memory_next(const struct memory *m);

/* A kernel ends: what hardware flushes then. Caches stay warm between kernels. */
void memory_kernel_end(struct memory *m);

struct memory_stats;
extern const struct stat_group memory_stat_group;
const struct memory_stats *memory_stats(const struct memory *m);
void memory_dump(const struct memory *m, struct buf *out); /* for a deadlock report */

#endif
