/* lsu_internal.h - the state of the load/store unit, for its own files. */
#ifndef LENO_CORE_LSU_INTERNAL_H
#define LENO_CORE_LSU_INTERNAL_H

#include "core/lsu.h"
#include "core/lsu_params.h"
#include "core/lsu_stats.h"
#include "mem/cache.h"
#include "mem/coalesce.h"
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
};

struct l1_bank {
    struct l1_access *ring; /* l1.latency of them */
    uint32_t head, n;
    uint64_t last_in;   /* cycle of the newest */
    uint64_t failed_at; /* l->changes when the first one failed */
    bool is_blocked;
    uint8_t why;
};

/* Instructions that only wait: shared memory, textures. */
struct pipe {
    struct {
        uint64_t ready;
        uop_id uop;
    } ring[LSU_PIPE];
    uint32_t head, n, limit; /* the ring is limit long */
};

struct lsu {
    struct lsu_config c;
    unsigned sm;
    struct uop *pool;
    struct memory *memory;
    uint64_t cycle;
    uint32_t n_open; /* instructions taken and not done */

    /* Before the unit. */
    struct {
        uop_id ring[LSU_MAX_QUEUE];
        uint32_t head, n;
    } queue[LSU_SUBCORES];
    uint32_t next_queue, n_queued;

    /* The instruction at the unit. */
    uop_id latch;
    bool latch_is_new;    /* no cycle of it has gone by */
    uint64_t latch_until; /* shared memory, translation: busy before this cycle */
    unsigned n_tx, tx_at;
    bool bypass;
    struct transaction tx[MAX_TRANSACTIONS];

    /* L1. */
    struct cache *l1;
    uint32_t l1_ways;
    struct l1_bank bank[LSU_MAX_BANKS];
    uint32_t n_in_banks;
    struct {
        struct mem_request ring[LSU_MISSES];
        uint32_t head, n, size;
    } misses;
    uint64_t changes; /* grows when a lookup that failed may succeed */

    struct cache *constant;
    struct pipe shared, texture;
    uint64_t texture_free;
    struct tlb tlb;
    const struct tlb_params *tlb_params;

    /* Results. */
    bool has_reply;
    struct mem_reply reply; /* that could not be taken yet */
    uop_id global;          /* result of a load that bypassed L1 */
    uop_id writeback[LSU_MAX_WRITEBACKS];
    uint32_t n_writeback, next_client;
    struct {
        uint64_t at;
        uop_id uop;
    } late[LSU_LATE]; /* finished, with latency left */
    uint32_t n_late;
    struct {
        struct lsu_event ring[LSU_EVENTS];
        uint32_t head, n;
    } events;
    struct lsu_stats stats;
};

/* One part of an instruction is done; the last one makes events. */
void lsu_part_done(struct lsu *l, uop_id u);
void lsu_say(struct lsu *l, uop_id u, enum lsu_event_kind kind);

/* lsu_l1.c */
int l1_init(struct lsu *l, struct err *err);
void l1_free(struct lsu *l);
unsigned l1_send_misses(struct lsu *l);
unsigned l1_lookups(struct lsu *l);
/* Puts transactions of the latch into banks; false: some are left. */
bool l1_enter(struct lsu *l, struct uop *u);
uint64_t l1_next(const struct lsu *l);

/* lsu_other.c: shared memory, constants, textures, translation */
bool shared_access(struct lsu *l, struct uop *u);
bool constant_access(struct lsu *l, struct uop *u);
bool texture_access(struct lsu *l, struct uop *u);
uint64_t translate(struct lsu *l);

#endif
