/* results.h - results of the load/store unit: who has one, which are to be written. */
#ifndef LENO_CORE_LSU_RESULTS_H
#define LENO_CORE_LSU_RESULTS_H

#include "base/invariant.h"
#include "core/lsu/internal.h"

static inline uint64_t pipe_next(const struct pipe *p)
{
    return p->n ? p->ring[p->head].ready : UINT64_MAX;
}
/* Something was put into a pipe, or taken from it. */
static inline void pipes_changed(struct lsu *l)
{
    l->pipes_at = earlier(pipe_next(&l->shared), pipe_next(&l->texture));
}

/* results.c: chooses among results, in the cycles up to this one. */
void lsu_choose(struct lsu *l, uint64_t cycle);
/* The last part of an instruction, which ends in this cycle: no other one does later. */
static inline void lsu_ends_last(struct lsu *l, uop_id u, uint64_t cycle)
{
    uint32_t i = (l->writeback.head + l->writeback.n++) % LSU_RESULTS;

    INVARIANT(l->writeback.n <= LSU_RESULTS && cycle >= l->cycle);
    l->writeback_ring[i] = (struct late){ cycle, u };
    __builtin_prefetch(&l->pool[u]); /* what is asked of it then */
}
/* A part is chosen, and the cycle in which it is written: no earlier than the last. Nobody
 * sees that of one whose instruction waits for others, so it is done now. */
static inline void lsu_is_chosen(struct lsu *l, uop_id u, uint64_t at)
{
    INVARIANT(l->pool[u].pending);
    if (l->chooses_ahead && l->pool[u].pending > 1) {
        l->pool[u].pending--;
        INVARIANT(at > l->early_until); /* one a cycle, of which the last two count */
        l->early[at % 2] = (struct late){ at, u };
        l->early_until = at;
    } else {
        lsu_ends_last(l, u, at);
    }
}
/* The same, but others may. */
void lsu_ends_at(struct lsu *l, uop_id u, uint64_t cycle);
/* A cache has waiters that are to be served, or none. */
static inline void lsu_note_ready(struct lsu *l, const struct cache *c, unsigned client)
{
    unsigned bit = 1u << client;

    l->results = (uint8_t)(cache_is_ready(c) ? l->results | bit : l->results & ~bit);
}

#endif
