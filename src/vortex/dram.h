/* dram.h - the memory behind the port of a Vortex processor.
 *
 * Requests come in the order of time, at most one a cycle gets in. The port never says
 * no, so everything that is written waits in a queue without end (here: of 65536).
 */
#ifndef LENO_VORTEX_DRAM_H
#define LENO_VORTEX_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "vortex/params.h"

enum {
    DRAM_WAITING = 1 << 16,             /* requests before the channels' queues */
    DRAM_MARGIN = 1 << 13,              /* of them kept for what is on its way there */
    DRAM_QUEUE = 64,                    /* of a channel: the most that `queue` can be */
    DRAM_READS = 64 * VX_MAX_CORES * 2, /* reads under way */
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
    struct dram_list opened; /* whose row was opened for them: these come first */
    bool writing, refreshes;
    uint64_t next;       /* tick of the next command, at the earliest */
    uint64_t due;        /* with something to do; a rest's refreshes do not count */
    uint64_t refresh_at; /* tick of the next refresh */
    struct {
        uint64_t at;
        uint32_t read;
    } data[DRAM_QUEUE * 4]; /* reads whose data is on its way, in order */
    unsigned data_first, n_data;

    uint32_t row[DRAM_BANKS]; /* open; ~0: none */
    /* Ticks from which a command may come: of a bank, of a group, of all. */
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
    uint32_t *id;    /* who asked */
    uint64_t *since; /* ... in which cycle */
    uint32_t read_first, n_reads;
    uint64_t cycle; /* not done yet */
    uint64_t next;  /* the first cycle with something to do; NEVER: none */
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

/* Everything before and in the next cycle in which an answer leaves, up to that cycle at
 * most; whether one does. Answers keep the order of requests. */
struct dram_answer {
    uint32_t id;
    uint64_t cycle, latency;
};
bool dram_run(struct dram *d, uint64_t cycle, struct dram_answer *a);

#endif
