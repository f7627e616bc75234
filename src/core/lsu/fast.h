/* fast.h - the load/store unit that works ahead, for its own files.
 *
 * It gives the same events in the same cycles, and the same statistics, as the unit of
 * plain.c, without visiting every cycle: decisions 016, 022, 033.
 */
#ifndef LENO_CORE_LSU_FAST_H
#define LENO_CORE_LSU_FAST_H

#include "core/lsu/conflict.h"
#include "core/lsu/fast_state.h"

static inline struct lsu_fast *lsu_fast_of(struct lsu *l)
{
    return (struct lsu_fast *)l;
}
static inline const struct lsu_fast *lsu_const_fast_of(const struct lsu *l)
{
    return (const struct lsu_fast *)l;
}

/* next.c: goes on alone; see struct lsu_form. */
uint64_t lsu_fast_run(struct lsu *l, uint64_t end, bool wants_room);

/* results.c: one part of an instruction is done; the last one makes an event. */
void lsu_fast_end_part(struct lsu_fast *l, uop_id u);
/* results.c: the same in this cycle, if it is not the present one. */
void lsu_fast_end_part_late(struct lsu_fast *l, uop_id u, uint64_t cycle);

/* fast.c: simulates this cycle, the next in which it has something to do. */
void lsu_fast_run_cycle(struct lsu_fast *l, uint64_t cycle);
/* next.c: a part of the deadlock report. */
void lsu_fast_print_agenda(const struct lsu_fast *l, struct buf *out);
/* The next cycle with something to do. */
static inline uint64_t lsu_fast_due(const struct lsu_fast *l)
{
    return later(earlier(l->base.link->data_at, l->next), l->base.cycle + 1);
}

/* replies.c: takes replies of this cycle and of future ones. */
void lsu_fast_take_replies(struct lsu_fast *l);
static inline bool lsu_fast_has_reply(const struct lsu_fast *l)
{
    return l->base.link->data_at <= l->base.cycle;
}

/* A place for a request, which leaves after the misses before it: in a later cycle than
 * they, if memory takes it now. It is written in place (decision 032). */
struct mem_request *lsu_fast_queue_miss(struct lsu_fast *l);
static inline struct mem_request *lsu_fast_place_miss(struct lsu_fast *l)
{
    uint64_t cycle = later(l->misses.sent, l->base.cycle) + 1;
    struct mem_request *place = NULL;

    if (l->ahead.has_memory && !l->misses.n)
        place = memory_place(l->base.memory, l->base.sm, cycle);
    if (!place)
        return lsu_fast_queue_miss(l);
    l->misses.sent = cycle;
    return place;
}

/* Misses that have not been sent by this cycle. */
static inline uint32_t lsu_fast_count_misses(const struct lsu_fast *l)
{
    return l->misses.n + (l->misses.sent > l->base.cycle
                              ? (uint32_t)(l->misses.sent - l->base.cycle)
                              : 0);
}

/* l1.c */
int l1_init(struct lsu_fast *l, struct err *err);
void l1_free(struct lsu_fast *l);
bool l1_lookups(struct lsu_fast *l);                /* true: a lookup was done */
unsigned l1_transactions(const struct lsu_fast *l); /* transactions in L1 */
void l1_filled(struct lsu_fast *l,
               uint64_t line); /* the line has been filled into L1 */

/* The banks, as bits, of transactions to sectors of a line: one per sector, or a single
 * transaction in the bank of its first sector. */
static inline uint32_t l1_banks_of(const struct lsu_fast *l, uint64_t line,
                                   uint8_t sectors)
{
    if (l->banks.joins)
        return (uint32_t)sectors << l1_bank(&l->base, line);
    return 1u << l1_bank(&l->base,
                         line + (unsigned)__builtin_ctz(sectors) * SECTOR_BYTES);
}

/* The bank that the instruction at the unit waits for is still full. */
static inline void l1_stay(struct lsu_fast *l)
{
    l->latch.until = l->base.cycle;
    l->latch.is_stuck = l->store.bank[__builtin_ctz(l->latch.awaited)].since != 0;
    l1_count_conflict(&l->base, l->latch.uop);
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
struct progress l1_enter(struct lsu_fast *l, const struct uop *u, uint64_t cycle);
/* other.c: shared memory, constants, textures */
struct progress lsu_fast_access_shared(struct lsu_fast *l, struct uop *u,
                                       uint64_t cycle);
struct progress lsu_fast_access_shuffle(struct lsu_fast *l, struct uop *u,
                                        uint64_t cycle);
/* These two work in the present cycle only. */
struct progress lsu_fast_access_constant(struct lsu_fast *l, struct uop *u,
                                         uint64_t cycle);
struct progress lsu_fast_access_texture(struct lsu_fast *l, struct uop *u,
                                        uint64_t cycle);

#endif
