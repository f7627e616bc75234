/* fast.h - the state of the load/store unit that works ahead, for its own files.
 *
 * It gives the same events in the same cycles, and the same statistics, as the unit of
 * plain.c, without visiting every cycle: decisions 016, 022, 033.
 */
#ifndef LENO_CORE_LSU_FAST_H
#define LENO_CORE_LSU_FAST_H

#include "base/cycles.h"
#include "core/lsu/base.h"

enum { LSU_RESULTS = 32 }; /* more than are chosen in two cycles */

struct pipe {
    struct pipe_slot *ring; /* a ring of `limit` places */
    uint32_t head, n, limit;
};

/* How far ahead it may work; set when it is made. */
struct fast_ahead {
    bool has_memory; /* memory works ahead: replies of a window are known */
    bool chooses;    /* results of filled misses can be chosen a cycle early */
    uint32_t reach;  /* no new lookup or result of a pipe comes within so many cycles */
};

/* The instruction at the unit (fast.c; enter.c and other.c move it on). */
struct fast_latch {
    uint64_t since; /* first cycle in which the instruction could go on ... */
    /* ... and next one in which it can or, once it has gone, the cycle in which it
     * did or will */
    uint64_t until;
    uop_id uop;       /* NO_UOP: none, or its way is known */
    bool is_new;      /* nothing has been done for it yet */
    bool is_stuck;    /* its bank of L1 is full and blocked */
    bool bypasses;    /* its transactions go past L1 */
    uint32_t n, gone; /* its transactions, and those that have gone */
    uint32_t awaited; /* full bank of L1 that it waits for, as a bit; 0: none */
};

/* Queues before the unit, one per sub-core (fast.c). */
struct fast_entry {
    uint32_t n, next; /* instructions in all queues; queue whose turn it is */
    struct lsu_queue queue[LSU_SUBCORES];
};

/* Banks of L1, as bits, and what goes through them (enter.c: in; l1.c: out). */
struct fast_banks {
    uint64_t lookup_at; /* cycle of the next lookup, as far as is known */
    uint32_t all;       /* all banks */
    uint32_t entered;   /* banks that have taken a transaction in cycle entry_cycle */
    uint32_t full;      /* banks with l1.latency transactions in them */
    uint32_t held;      /* banks with transactions whose lookup is due */
    uint32_t blocked;   /* of these, banks whose first lookup failed ... */
    uint32_t need_mshr; /* ... for lack of an MSHR ... */
    uint32_t need_one;  /* ... or of room in the miss queue, for a store ... */
    uint32_t need_two;  /* ... or for a load */
    uint64_t entry_cycle;
    bool joins; /* sectors of a line are in banks of their own, in order */
    struct l1_queue under_way; /* by the cycle in which they are ready */
};

/* Misses and stores that L1 passes on (fast.c). */
struct fast_misses {
    uint32_t head, n, size; /* those that memory has not taken: a ring */
    uint64_t sent; /* last cycle in which a miss is sent, if memory works ahead */
};

/* Replies from memory (replies.c). */
struct fast_replies {
    uint64_t fill_free; /* first cycle in which L1's port takes a fill */
    bool is_waiting;    /* one could not be taken yet: */
    struct mem_reply waiting;
};

/* Results: which clients have one, which are chosen (results.c, replies.c). */
struct fast_results {
    uint8_t ready; /* clients with a result, as bits; without pipes */
    uop_id global; /* result of a load that bypassed L1 */
    uint32_t next_client;
    uint32_t head, n; /* chosen ones, by the cycle in which they are written: a ring */
    uint64_t chosen;  /* last cycle for which results have been chosen */
    uint64_t early_until; /* last cycle of a part that was ended before its cycle ... */
    struct late early[2]; /* ... and the last two of them */
};

/* Instructions that only wait: shared memory, textures (other.c: in; results.c: out). */
struct fast_pipes {
    uint64_t at; /* cycle of the next result of a pipe */
    struct pipe shared, texture;
    uint64_t texture_free; /* first cycle for the next texture instruction */
    /* first cycle in which the path back from shared memory is free */
    uint64_t path_free[LSU_SUBCORES];
};

/* Parts that are finished, with latency left (results.c). */
struct fast_late {
    uint32_t n;
};

/* Storage of the above (perf: apart, so that the fields that most cycles use share a few
 * host cache lines). */
struct fast_store {
    struct late written[LSU_RESULTS];        /* results */
    struct l1_bank bank[LSU_MAX_BANKS];      /* banks */
    struct transaction tx[MAX_TRANSACTIONS]; /* latch */
    struct late late[LSU_LATE];              /* late */
    struct pipe_slot pipe[2][LSU_PIPE];      /* pipes */
    struct mem_request miss[LSU_MISSES];     /* misses */
};

/* The load/store unit, by stage. */
struct fast {
    struct lsu base;
    uint64_t next; /* next cycle with something to do, if no reply comes */
    struct fast_results results;
    struct fast_replies replies;
    struct fast_misses misses;
    struct fast_ahead ahead;
    struct fast_late late;
    struct fast_banks banks;
    struct fast_latch latch;
    struct fast_pipes pipes;
    struct fast_entry entry;
    struct fast_store store;
};

static inline struct fast *fast_of(struct lsu *l)
{
    return (struct fast *)l;
}
static inline const struct fast *const_fast_of(const struct lsu *l)
{
    return (const struct fast *)l;
}

/* next.c: goes on alone; see struct lsu_form. */
uint64_t fast_run(struct lsu *l, uint64_t end, bool wants_room);

/* results.c: one part of an instruction is done; the last one makes an event. */
void fast_end_part(struct fast *l, uop_id u);
/* results.c: the same in this cycle, if it is not the present one. */
void fast_end_part_late(struct fast *l, uop_id u, uint64_t cycle);

/* fast.c: simulates this cycle, the next in which it has something to do. */
void fast_run_cycle(struct fast *l, uint64_t cycle);
/* next.c: the next cycle with something to do, if no reply comes. */
uint64_t lsu_next_work(const struct fast *l);
/* A cycle no later than the next in which the SM sees a result, as far as replies have
 * been taken. */
static inline uint64_t lsu_next_result(const struct fast *l)
{
    uint64_t next = l->results.n ? l->store.written[l->results.head].at : UINT64_MAX;

    if (l->replies.is_waiting)
        return l->base.cycle + 1;
    if (l->results.ready) /* choosing one may free an MSHR */
        next = earlier(next, l->results.chosen + (l->banks.need_mshr ? 1 : 2));
    return next;
}
/* The next cycle with something to do. */
static inline uint64_t fast_due(const struct fast *l)
{
    return later(earlier(l->base.link->data_at, l->next), l->base.cycle + 1);
}

/* replies.c: takes replies of this cycle and of future ones. */
void fast_take_replies(struct fast *l);
static inline bool fast_has_reply(const struct fast *l)
{
    return l->base.link->data_at <= l->base.cycle;
}

/* A place for a request, which leaves after the misses before it: in a later cycle than
 * they, if memory takes it now. It is written in place (decision 032). */
struct mem_request *fast_queue_miss(struct fast *l);
static inline struct mem_request *fast_place_miss(struct fast *l)
{
    uint64_t cycle = later(l->misses.sent, l->base.cycle) + 1;
    struct mem_request *place = NULL;

    if (l->ahead.has_memory && !l->misses.n)
        place = memory_place(l->base.memory, l->base.sm, cycle);
    if (!place)
        return fast_queue_miss(l);
    l->misses.sent = cycle;
    return place;
}

/* Misses that have not been sent by this cycle. */
static inline uint32_t fast_count_misses(const struct fast *l)
{
    return l->misses.n + (l->misses.sent > l->base.cycle
                              ? (uint32_t)(l->misses.sent - l->base.cycle)
                              : 0);
}

/* l1.c */
int l1_init(struct fast *l, struct err *err);
void l1_free(struct fast *l);
bool l1_lookups(struct fast *l);                /* true: a lookup was done */
unsigned l1_transactions(const struct fast *l); /* transactions in L1 */
void l1_filled(struct fast *l, uint64_t line);  /* the line has been filled into L1 */

/* The banks, as bits, of transactions to sectors of a line: one per sector, or a single
 * transaction in the bank of its first sector. */
static inline uint32_t l1_banks_of(const struct fast *l, uint64_t line, uint8_t sectors)
{
    if (l->banks.joins)
        return (uint32_t)sectors << l1_bank(&l->base, line);
    return 1u << l1_bank(&l->base,
                         line + (unsigned)__builtin_ctz(sectors) * SECTOR_BYTES);
}

/* The bank that the instruction at the unit waits for is still full. */
static inline void l1_stay(struct fast *l)
{
    l->latch.until = l->base.cycle;
    l->latch.is_stuck = l->banks.blocked & l->latch.awaited;
    l->base.stats.bank_conflicts++;
}

/* How far the instruction at the unit has come: it has gone in this cycle, or stays and
 * can go on in it. The cycle may be in the future. */
struct progress {
    uint64_t cycle;
    bool has_gone;
};
static inline struct progress has_gone(uint64_t cycle)
{
    return (struct progress){ cycle, true };
}
static inline struct progress stays(uint64_t cycle)
{
    return (struct progress){ cycle, false };
}

/* enter.c: the transactions of the instruction at the unit enter L1 from this cycle on,
 * as far as its way is known. */
struct progress l1_enter(struct fast *l, const struct uop *u, uint64_t cycle);
/* other.c: shared memory, constants, textures */
struct progress fast_access_shared(struct fast *l, struct uop *u, uint64_t cycle);
struct progress fast_access_shuffle(struct fast *l, struct uop *u, uint64_t cycle);
/* These two work in the present cycle only. */
struct progress fast_access_constant(struct fast *l, struct uop *u, uint64_t cycle);
struct progress fast_access_texture(struct fast *l, struct uop *u, uint64_t cycle);

#endif
