/* dram.h - the memory at the port of a Vortex processor.
 *
 * Requests come in the order of time; at most one per cycle enters. The port never
 * refuses, so writes wait in an unbounded queue (here: 65,536 places).
 */
#ifndef LENO_VORTEX_DRAM_H
#define LENO_VORTEX_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "vortex/params.h"

enum {
    DRAM_WAITING = 1 << 16,             /* requests waiting for the channels' queues */
    DRAM_MARGIN = 1 << 13,              /* of them reserved for requests in flight */
    DRAM_QUEUE = 64,                    /* of a channel: the most that `queue` can be */
    DRAM_READS = 64 * VX_MAX_CORES * 2, /* reads in flight */
    DRAM_GROUPS = 8,
    DRAM_BANKS = 64,
};

struct dram_request {
    uint64_t at;   /* cycle at the port */
    uint32_t line; /* its number */
    uint32_t read; /* which one it is; DRAM_WRITE: a write */
};

/* A request in a channel. */
struct dram_entry {
    uint32_t line, read, row;
    uint8_t group, bank; /* the bank's number counts through the groups */
};

struct dram_list {
    unsigned n;
    struct dram_entry e[2 * DRAM_QUEUE];
};

struct dram_channel {
    struct dram_list reads, writes; /* the oldest first */
    struct dram_list opened;        /* their row was opened for them: they come first */
    bool writing, refreshes;
    uint64_t next;       /* tick of the next command, at the earliest */
    uint64_t due;        /* next tick with work; refreshes while idle do not count */
    uint64_t refresh_at; /* tick of the next refresh */
    struct {
        uint64_t at;
        uint32_t read;
    } data[DRAM_QUEUE * 4]; /* reads with data in flight, in order */
    unsigned data_first, n_data;

    uint32_t row[DRAM_BANKS]; /* open; ~0: none */
    /* First tick for a command: by bank, by group, for the channel. */
    uint64_t bank_open[DRAM_BANKS], bank_close[DRAM_BANKS], bank_access[DRAM_BANKS];
    uint64_t group_open[DRAM_GROUPS], group_read[DRAM_GROUPS], group_write[DRAM_GROUPS];
    uint64_t open, read, write, close_all, refresh;
    uint64_t openings[4]; /* the last four */
    unsigned n_openings;
};

struct dram {
    const struct vxmem_params *p;
    struct dram_request *waiting; /* a ring by time; the first n_taken are inside */
    unsigned first, n, n_taken;
    struct dram_channel *channel;
    uint64_t
        *answer;     /* a ring of reads in order: the cycle of their data; 0: not yet */
    uint32_t *id;    /* of the requester */
    uint64_t *since; /* ... in which cycle */
    uint32_t read_first, n_reads;
    uint64_t cycle; /* the first one not simulated */
    uint64_t next;  /* the first cycle with work; NEVER: none */
};

int dram_init(struct dram *d, const struct vxmem_params *p, struct err *err);
void dram_free(struct dram *d);
void dram_reset(struct dram *d);

static inline bool dram_has_room(const struct dram *d)
{
    return d->n < DRAM_WAITING - DRAM_MARGIN;
}
/* At the port in that cycle or later. */
void dram_write(struct dram *d, uint32_t line, uint64_t cycle);
void dram_read(struct dram *d, uint32_t line, uint32_t id, uint64_t cycle);
/* A read that goes before other requests of its cycle: that of an instruction cache. */
void dram_fetch(struct dram *d, uint32_t line, uint32_t id, uint64_t cycle);

/* Runs to the next cycle in which an answer leaves, but no further than `cycle`; false: no
 * answer. Answers keep the order of requests. */
struct dram_answer {
    uint32_t id;
    uint64_t cycle, latency;
};
bool dram_run(struct dram *d, uint64_t cycle, struct dram_answer *a);

#endif
