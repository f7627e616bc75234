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

/* The load/store unit. (perf: the fields that most cycles use come first, so that they
 * share a few host cache lines; the rings are at the end) */
struct fast {
    struct lsu base;
    uint64_t next; /* next cycle with something to do, if no reply comes */
    uop_id latch;  /* the instruction at the unit, as long as its way is not known */
    uop_id global; /* result of a load that bypassed L1 */
    bool has_reply;
    uint8_t results;    /* clients with a result, as bits; without pipes */
    bool chooses_ahead; /* results of filled misses can be chosen a cycle early */
    uint32_t reach; /* no new lookup or result of a pipe comes within so many cycles */
    uint64_t pipes_at;   /* cycle of the next result of a pipe */
    uint64_t chosen;     /* last cycle for which results have been chosen */
    bool latch_is_new;   /* nothing has been done for it yet */
    bool latch_is_stuck; /* its bank of L1 is full and blocked */
    bool bypass;
    bool is_ahead; /* memory works ahead */
    uint64_t sent; /* last cycle in which a miss is sent, if memory works ahead */
    uint32_t n_queued, n_late;
    uint64_t lookup_at; /* cycle of the next lookup, as far as is known */
    uint32_t all_banks; /* banks of L1, as bits, like the next eight fields */
    uint32_t entered;   /* banks that have taken a transaction in cycle entry_cycle */
    uint32_t full;      /* banks with l1.latency transactions in them */
    uint32_t awaited;   /* full bank that the latch waits for; 0: none */
    uint32_t held;      /* banks with transactions whose lookup is due */
    uint32_t blocked;   /* of these, banks whose first lookup failed ... */
    uint32_t need_mshr; /* ... for lack of an MSHR ... */
    uint32_t need_one;  /* ... or of room in the miss queue, for a store ... */
    uint32_t need_two;  /* ... or for a load */
    bool joins;         /* sectors of a line are in banks of their own, in order */
    struct l1_queue under_way; /* by the cycle in which they are ready */
    struct {
        uint32_t head, n, size;
    } misses, writeback;
    struct pipe shared, texture;
    uint32_t next_client;
    uint64_t fill_free; /* first cycle in which L1's port takes a fill */
    uint64_t entry_cycle;
    uint64_t latch_since; /* first cycle in which the instruction could go on ... */
    /* ... and next one in which it can or, once it has gone, the cycle in which it
     * did or will */
    uint64_t latch_until;
    uint32_t n_tx, tx_at; /* transactions of the latch: made, gone */
    struct l1_bank bank[LSU_MAX_BANKS];
    struct mem_reply reply; /* a reply that could not be taken yet */
    /* chosen results, by the cycle in which they are written */
    struct late writeback_ring[LSU_RESULTS];
    struct late early[2]; /* parts that were ended before their cycle */
    uint64_t early_until; /* the last such cycle */
    uint32_t next_queue;
    uint64_t texture_free;
    struct lsu_queue queue[LSU_SUBCORES]; /* before the unit */
    /* first cycle in which the path back from shared memory is free */
    uint64_t path_free[LSU_SUBCORES];
    struct transaction tx[MAX_TRANSACTIONS];
    struct late late[LSU_LATE]; /* finished, with latency left */
    struct pipe_slot pipe_ring[2][LSU_PIPE];
    struct mem_request miss_ring[LSU_MISSES];
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

/* One part of an instruction is done; the last one makes an event. */
void lsu_part_done(struct fast *l, uop_id u);

void lsu_run_cycle(struct fast *l, uint64_t cycle);
/* next.c: the next cycle with something to do, if no reply comes. */
uint64_t lsu_next_work(const struct fast *l);
/* A cycle no later than the next in which the SM sees a result, as far as replies have
 * been taken. */
static inline uint64_t lsu_next_result(const struct fast *l)
{
    uint64_t next =
        l->writeback.n ? l->writeback_ring[l->writeback.head].at : UINT64_MAX;

    if (l->has_reply)
        return l->base.cycle + 1;
    if (l->results) /* choosing one may free an MSHR */
        next = earlier(next, l->chosen + (l->need_mshr ? 1 : 2));
    return next;
}
/* The next cycle with something to do. */
static inline uint64_t lsu_due(const struct fast *l)
{
    return later(earlier(l->base.link->data_at, l->next), l->base.cycle + 1);
}

/* replies.c: takes replies of this cycle and of future ones. */
void lsu_take_replies(struct fast *l);
static inline bool lsu_has_data(const struct fast *l)
{
    return l->base.link->data_at <= l->base.cycle;
}

/* A place for a request, which leaves after the misses before it: in a later cycle than
 * they, if memory takes it now. It is written in place (decision 032). */
struct mem_request *lsu_wait_to_send(struct fast *l);
static inline struct mem_request *lsu_send(struct fast *l)
{
    uint64_t cycle = (l->sent > l->base.cycle ? l->sent : l->base.cycle) + 1;
    struct mem_request *place = NULL;

    if (l->is_ahead && !l->misses.n)
        place = memory_place(l->base.memory, l->base.sm, cycle);
    if (!place)
        return lsu_wait_to_send(l);
    l->sent = cycle;
    return place;
}

/* Misses that have not been sent by this cycle. */
static inline uint32_t lsu_misses(const struct fast *l)
{
    return l->misses.n +
           (l->sent > l->base.cycle ? (uint32_t)(l->sent - l->base.cycle) : 0);
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
    if (l->joins)
        return (uint32_t)sectors << l1_bank(&l->base, line);
    return 1u << l1_bank(&l->base,
                         line + (unsigned)__builtin_ctz(sectors) * SECTOR_BYTES);
}

/* The bank that the instruction at the unit waits for is still full. */
static inline void l1_stay(struct fast *l)
{
    l->latch_until = l->base.cycle;
    l->latch_is_stuck = l->blocked & l->awaited;
    l->base.stats.bank_conflicts++;
}

/* enter.c: takes the instruction at the unit as far as its way is known, from cycle
 * latch_until on, which may be in the future. True: it has gone, in cycle
 * latch_until. */
bool l1_enter(struct fast *l, const struct uop *u);
/* other.c: shared memory, constants, textures, translation */
bool lsu_access_shared(struct fast *l, struct uop *u);
bool lsu_access_shuffle(struct fast *l, struct uop *u);
/* A part is done in a later cycle. */
void lsu_finish_part_at(struct fast *l, uop_id u, uint64_t cycle);
/* These two work in the present cycle only. */
bool lsu_access_constant(struct fast *l, struct uop *u);
bool lsu_access_texture(struct fast *l, struct uop *u);

#endif
