/* fast_state.h - the state of the load/store unit that works ahead, by stage.
 *
 * Each struct names the files that change it; others only read it.
 */
#ifndef LENO_CORE_LSU_FAST_STATE_H
#define LENO_CORE_LSU_FAST_STATE_H

#include "base/agenda.h"
#include "core/lsu/base.h"

enum { LSU_RESULTS = 32 }; /* more than are chosen in two cycles */

/* Instructions in order, each with the cycle of its result. */
struct pipe {
    struct pipe_slot *ring; /* a ring of `limit` places */
    uint32_t head, n, limit;
};

/* Who asks for a cycle. Replies on the link from memory carry their own cycles. */
enum lsu_source {
    LSU_LOOKUP, /* the next lookup of L1, as far as is known (enter.c, l1.c) */
    LSU_PIPE,   /* shared memory, textures: a result is written (results.h) */
    LSU_LATCH,  /* the instruction at the unit, or the next in a queue (fast.c) */
    LSU_RESULT, /* a chosen result is written (results.c) */
    LSU_CHOICE, /* a result that can be chosen (fast.c) */
    LSU_MISS,   /* a miss that memory has not taken (fast.c) */
    LSU_LATE,   /* a finished part ends (results.c) */
    LSU_REPLY,  /* a reply that could not be taken (replies.c) */
    N_LSU_SOURCES
};
_Static_assert((int)N_LSU_SOURCES == (int)AGENDA_SOURCES, "every entry has a source");

/* How far ahead it may work; set when it is made. */
struct lsu_fast_ahead {
    bool has_memory; /* memory works ahead: replies of a window are known */
    bool chooses;    /* results of filled misses can be chosen a cycle early */
    uint32_t reach;  /* no new lookup or result of a pipe comes within so many cycles */
};

/* The instruction at the unit (fast.c; enter.c and other.c move it on). */
struct lsu_fast_latch {
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
struct lsu_fast_entry {
    uint32_t n, next; /* instructions in all queues; queue whose turn it is */
    struct lsu_queue queue[LSU_SUBCORES];
};

/* Banks of L1, as bits, and what goes through them (enter.c: in; l1.c: out). */
struct lsu_fast_banks {
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
struct lsu_fast_misses {
    uint32_t head, n, size; /* those that memory has not taken: a ring */
    uint64_t sent; /* last cycle in which a miss is sent, if memory works ahead */
};

/* Replies from memory (replies.c). */
struct lsu_fast_replies {
    uint64_t fill_free; /* first cycle in which L1's port takes a fill */
    bool is_waiting;    /* one could not be taken yet: */
    struct mem_reply waiting;
};

/* Results: which clients have one, which are chosen (results.c, replies.c). */
struct lsu_fast_results {
    uint8_t ready; /* clients with a result, as bits; without pipes */
    uop_id global; /* result of a load that bypassed L1 */
    uint32_t next_client;
    uint32_t head, n; /* chosen ones, by the cycle in which they are written: a ring */
    uint64_t chosen;  /* last cycle for which results have been chosen */
    uint64_t early_until; /* last cycle of a part that was ended before its cycle ... */
    struct late early[2]; /* ... and the last two of them */
};

/* Instructions that only wait: shared memory, textures (other.c: in; results.c: out). */
struct lsu_fast_pipes {
    struct pipe shared, texture;
    uint64_t texture_free; /* first cycle for the next texture instruction */
    /* first cycle in which the path back from shared memory is free */
    uint64_t path_free[LSU_SUBCORES];
};

/* Parts that are finished, with latency left (results.c). */
struct lsu_fast_late {
    uint32_t n;
};

/* Storage of the above (perf: apart, so that the fields that most cycles use share a few
 * host cache lines). */
struct lsu_fast_store {
    struct late written[LSU_RESULTS];         /* results */
    struct l1_bank bank[LSU_MAX_BANKS];       /* banks */
    struct transaction tx[MAX_TRANSACTIONS];  /* latch */
    struct late late[LSU_LATE_PARTS];         /* late */
    struct pipe_slot pipe[2][LSU_PIPE_SLOTS]; /* pipes */
    struct mem_request miss[LSU_MISSES];      /* misses */
};

/* The load/store unit, by stage. */
struct lsu_fast {
    struct lsu base;
    struct agenda agenda; /* by enum lsu_source */
    uint64_t next;        /* its first cycle when it was last planned */
    struct lsu_fast_results results;
    struct lsu_fast_replies replies;
    struct lsu_fast_misses misses;
    struct lsu_fast_ahead ahead;
    struct lsu_fast_late late;
    struct lsu_fast_banks banks;
    struct lsu_fast_latch latch;
    struct lsu_fast_pipes pipes;
    struct lsu_fast_entry entry;
    struct lsu_fast_store store;
};

#endif
