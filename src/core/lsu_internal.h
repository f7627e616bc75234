/* lsu_internal.h - the state of the load/store unit, for its own files. */
#ifndef LENO_CORE_LSU_INTERNAL_H
#define LENO_CORE_LSU_INTERNAL_H

#include "core/lsu.h"
#include "core/lsu_params.h"
#include "core/lsu_stats.h"
#include "mem/cache.h"
#include "mem/coalesce.h"
#include "mem/packet.h"
#include "mem/tlb.h"

enum {
    LSU_SUBCORES = 4,
    LSU_MAX_QUEUE = 64,
    LSU_MAX_BANKS = 32,
    LSU_PIPE = 256, /* more than any latency of a pipe */
    LSU_EVENTS = 1024,
    LSU_LATE = 128,
    LSU_MISSES = 1024 + 4,
    LSU_CLIENTS = 5,
    LSU_MAX_WRITEBACKS = 8,
};

/* Who a reply of memory is for, in the upper bits of its id. */
enum { FOR_L1 = 0, FOR_UOP = 1 << 28, FOR_CONST = 2 << 28, FOR_NOBODY = 3 << 28 };
#define FOR_MASK (3u << 28)

/* A transaction on its way through L1. */
struct l1_access {
    struct transaction t;
    uint64_t ready;
    uop_id uop;
    bool store, local;
    uint16_t more; /* latency behind the lookup (l1.line_quarters) */
};

struct l1_bank {
    struct l1_access *ring; /* l1.latency of them */
    uint64_t ready;         /* of the first */
    uint64_t last_in;       /* cycle of the newest */
    uint16_t head, n;
    bool is_blocked;
    uint8_t why;        /* the first one failed: enum cache_fail */
    uint32_t failed_at; /* fills of L1 at that time, low bits */
};

/* Instructions that only wait: shared memory, textures. */
struct pipe_slot {
    uint64_t ready;
    uop_id uop;
};
struct pipe {
    struct pipe_slot *ring; /* limit of them */
    uint32_t head, n, limit;
};

struct late {
    uint64_t at;
    uop_id uop;
};

/* What most cycles look at comes first, so that it shares a few lines of the host's
 * cache; the rings are at the end. */
struct lsu {
    uint64_t next;  /* cycle in which a tick does something, if no reply comes */
    uint64_t cycle; /* of the last tick */
    struct memory *memory;
    const struct memory_link *link; /* to it */
    struct uop *pool;
    struct cache *l1, *constant;
    uint16_t sm;
    uop_id latch;  /* the instruction at the unit */
    uop_id global; /* result of a load that bypassed L1 */
    bool has_reply;
    bool latch_is_new;   /* no cycle of it has gone by */
    bool latch_is_stuck; /* its bank of L1 is full and blocked */
    bool bypass;
    bool tell_checked; /* LSU_CHECKED is wanted */
    uint32_t n_queued, n_in_banks, n_writeback, n_late;
    uint32_t bank_shift; /* of an address: to the number of its bank */
    uint32_t in_use;     /* banks of L1 with something in them, as bits */
    uint32_t need_mshr;  /* of these: the first one failed for want of an MSHR */
    struct {
        uint32_t head, n, size;
    } misses, events;
    struct pipe shared, texture;
    uint32_t next_client, n_open;           /* open: instructions taken and not done */
    uint64_t fill_free;                     /* cycle in which L1's port takes a fill */
    uint32_t fill_cycles[LINE_SECTORS + 1]; /* that one of so many sectors holds it */
    uint64_t latch_until; /* shared memory, translation: busy before this cycle */
    uint32_t n_tx, tx_at; /* transactions of the latch: made, gone */
    struct l1_bank bank[LSU_MAX_BANKS];
    struct mem_reply reply; /* that could not be taken yet */
    uop_id writeback[LSU_MAX_WRITEBACKS];
    struct lsu_stats stats;
    struct lsu_config c;

    uint32_t l1_ways, next_queue;
    uint64_t texture_free;
    struct tlb tlb;
    const struct tlb_params *tlb_params;
    struct {
        uop_id ring[LSU_MAX_QUEUE];
        uint32_t head, n;
    } queue[LSU_SUBCORES]; /* before the unit */
    struct transaction tx[MAX_TRANSACTIONS];
    struct late late[LSU_LATE]; /* finished, with latency left */
    struct lsu_event event_ring[LSU_EVENTS];
    struct pipe_slot pipe_ring[2][LSU_PIPE];
    struct mem_request miss_ring[LSU_MISSES];
};

/* One part of an instruction is done; the last one makes events. */
void lsu_part_done(struct lsu *l, uop_id u);
void lsu_say(struct lsu *l, uop_id u, enum lsu_event_kind kind);

/* A place for a request at the end of the queue of misses; there is one. */
static inline struct mem_request *lsu_new_miss(struct lsu *l)
{
    uint32_t at = l->misses.head + l->misses.n++;

    return &l->miss_ring[at < l->misses.size ? at : at - l->misses.size];
}

/* lsu_l1.c */
int l1_init(struct lsu *l, struct err *err);
void l1_free(struct lsu *l);
unsigned l1_send_misses(struct lsu *l);
unsigned l1_lookups(struct lsu *l);
void l1_filled(struct lsu *l, uint64_t line); /* it has come into L1 */
/* Counts failed lookups of cycles that were passed over. */
void l1_count_stalls(struct lsu *l, uint64_t cycles);
/* Puts transactions of the latch into banks; false: some are left. */
bool l1_enter(struct lsu *l, struct uop *u);
uint64_t l1_next(const struct lsu *l);

/* lsu_other.c: shared memory, constants, textures, translation */
bool shared_access(struct lsu *l, struct uop *u);
bool shuffle_access(struct lsu *l, struct uop *u);
/* A part is done in a later cycle. */
void finish_at(struct lsu *l, uop_id u, uint64_t cycle);
bool constant_access(struct lsu *l, struct uop *u);
bool texture_access(struct lsu *l, struct uop *u);
uint64_t translate(struct lsu *l);

#endif
