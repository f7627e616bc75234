/* results.h - results of the load/store unit: which clients have one, and which are
 * written next. */
#ifndef LENO_CORE_LSU_RESULTS_H
#define LENO_CORE_LSU_RESULTS_H

#include "base/invariant.h"
#include "core/lsu/fast.h"

static inline uint64_t pipe_next(const struct pipe *p)
{
    return p->n ? p->ring[p->head].ready : NEVER;
}
/* The cycle of the next result of a pipe. It is chosen in that cycle and written in the
 * one after, which is on the agenda. */
static inline uint64_t pipes_at(const struct lsu_fast *l)
{
    return l->agenda.at[LSU_PIPE] - 1;
}
static inline void set_pipes_at(struct lsu_fast *l, uint64_t cycle)
{
    agenda_set(&l->agenda, LSU_PIPE, cycle + 1);
}
/* A pipe has gained or lost an entry. */
static inline void pipes_changed(struct lsu_fast *l)
{
    set_pipes_at(l, earlier(pipe_next(&l->pipes.shared), pipe_next(&l->pipes.texture)));
}

/* results.c: chooses among results for the cycles up to this one. */
void lsu_fast_choose_results(struct lsu_fast *l, uint64_t cycle);
/* results.c: writes the results that were chosen for the present cycle. */
void lsu_fast_write_chosen(struct lsu_fast *l);
/* This cycle begins. Results of earlier ones in which nothing else had to be done are
 * made up for: those ended no instruction. */
static inline void lsu_fast_write_results(struct lsu_fast *l, uint64_t cycle)
{
    INVARIANT(cycle > l->base.cycle);
    l->base.cycle = cycle;
    if (l->results.ready || pipes_at(l) <= cycle)
        lsu_fast_choose_results(l, cycle);
    l->results.chosen = later(l->results.chosen, cycle);
    if (l->agenda.at[LSU_RESULT] <= cycle)
        lsu_fast_write_chosen(l);
}
/* results.c: ends the parts whose latency is over. */
void lsu_fast_end_late_parts(struct lsu_fast *l);
/* The last part of an instruction ends in this cycle; no other part ends later. */
static inline void lsu_fast_end_last_part(struct lsu_fast *l, uop_id u, uint64_t cycle)
{
    uint32_t i = (l->results.head + l->results.n++) % LSU_RESULTS;

    INVARIANT(l->results.n <= LSU_RESULTS && cycle >= l->base.cycle);
    l->store.written[i] = (struct late){ cycle, u };
    agenda_add(&l->agenda, LSU_RESULT, cycle);
    __builtin_prefetch(&l->base.pool[u]); /* perf: it is needed then */
}
/* A part is chosen, and the cycle in which it is written, no earlier than the last one.
 * If its instruction waits for further parts, its end is invisible outside and is done
 * now. */
static inline void lsu_fast_choose_part(struct lsu_fast *l, uop_id u, uint64_t at)
{
    INVARIANT(l->base.pool[u].pending);
    if (l->ahead.chooses && l->base.pool[u].pending > 1) {
        l->base.pool[u].pending--;
        /* one per cycle, of which the last two matter */
        INVARIANT(at > l->results.early_until);
        l->results.early[at % 2] = (struct late){ at, u };
        l->results.early_until = at;
    } else {
        lsu_fast_end_last_part(l, u, at);
    }
}
/* A part ends in this cycle; others may end later. */
void lsu_fast_end_part_at(struct lsu_fast *l, uop_id u, uint64_t cycle);
/* Notes whether a cache has waiters to be served. */
static inline void lsu_fast_note_ready(struct lsu_fast *l, const struct cache *c,
                                       unsigned client)
{
    unsigned bit = 1u << client;

    l->results.ready =
        (uint8_t)(cache_is_ready(c) ? l->results.ready | bit : l->results.ready & ~bit);
}

#endif
