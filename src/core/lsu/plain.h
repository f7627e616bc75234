/* plain.h - the state of the load/store unit that goes cycle by cycle (plain.c). */
#ifndef LENO_CORE_LSU_PLAIN_H
#define LENO_CORE_LSU_PLAIN_H

#include "base/invariant.h"
#include "core/lsu/base.h"

enum { MOST_RESULTS = 8 }; /* lsu.writebacks */

struct lsu_plain_pipe {
    struct pipe_slot ring[LSU_PIPE_SLOTS];
    uint32_t head, n;
};

struct lsu_plain_bank {
    struct l1_access *ring; /* l1.latency transactions, in order of entry */
    uint32_t head, n;
    bool is_blocked; /* the lookup of the first failed ... */
    uint8_t why;     /* ... for this reason (enum cache_fail) */
    bool has_failed; /* it did when it was last tried */
};

struct lsu_plain {
    struct lsu base;
    /* before the unit: one queue per sub-core, or none (lsu.queue) */
    struct lsu_queue queue[LSU_SUBCORES];
    unsigned next_queue;
    /* the instruction at the unit */
    struct {
        uop_id uop;     /* NO_UOP: none */
        uint64_t from;  /* first cycle in which it can go on */
        bool bypasses;  /* its transactions go past L1 */
        bool is_stuck;  /* a blocked bank of L1 stopped it in the last cycle */
        unsigned n, at; /* transactions, and those that have gone */
        struct transaction tx[MAX_TRANSACTIONS];
    } latch;
    /* L1 */
    struct lsu_plain_bank bank[LSU_MAX_BANKS];
    uint64_t fill_free; /* first cycle in which its port takes a fill */
    /* misses and stores on their way to memory */
    struct mem_request miss[LSU_MISSES];
    uint32_t miss_head, n_misses;
    /* from memory */
    struct mem_reply reply; /* a reply that could not be taken yet */
    bool has_reply;
    bool has_global;
    uop_id global; /* result of a load that bypassed L1 */
    /* shared memory and textures */
    struct lsu_plain_pipe shared, texture;
    uint64_t path_free[LSU_SUBCORES]; /* first cycle in which the way back is free */
    uint64_t texture_free;            /* first cycle for the next texture instruction */
    /* results */
    unsigned next_client; /* whose turn it is */
    uop_id chosen[MOST_RESULTS];
    unsigned n_chosen;
    struct late late[LSU_LATE_PARTS]; /* finished, with latency left */
    unsigned n_late;
};

/* plain.c: one part of an instruction is done, now or after some cycles. */
void lsu_plain_end_part(struct lsu_plain *p, uop_id u);
void lsu_plain_end_part_after(struct lsu_plain *p, uop_id u, uint64_t cycles);
/* plain.c: a request waits for its turn to be sent to memory. */
void lsu_plain_queue_miss(struct lsu_plain *p, const struct mem_request *r);
/* Free places in the miss queue. */
static inline uint32_t lsu_plain_miss_room(const struct lsu_plain *p)
{
    uint32_t limit = p->base.c.l1.miss_queue;

    return p->n_misses < limit ? limit - p->n_misses : 0;
}

/* plain_access.c: looks up L1, once per bank; true: a lookup was done. */
bool lsu_plain_look_up_banks(struct lsu_plain *p);
/* plain_access.c: the instruction at the unit goes on. */
void lsu_plain_run_latch(struct lsu_plain *p, bool has_looked_up);
void lsu_plain_load_latch(struct lsu_plain *p, struct uop *u, uint64_t cycle);

#endif
