/* requests.h - what the load/store unit asks of memory, each with the row of the instruction
 * that it is for (core/hot.h).
 */
#ifndef LENO_CORE_LSU_REQUESTS_H
#define LENO_CORE_LSU_REQUESTS_H

#include "core/lsu/base.h"

/* Requests to memory, written in place (decision 032). */
static inline void lsu_set_read(struct mem_request *r, const struct lsu *l,
                                const struct l1_access *a, uint8_t sectors,
                                uint32_t mshr)
{
    *r = (struct mem_request){ .addr = a->line,
                               .cycle = (uint32_t)l->cycle,
                               .row = l->pool[a->uop].hot,
                               .id = FOR_L1 | mshr,
                               .sm = l->sm,
                               .kind = MEM_READ,
                               .sectors = sectors,
                               .lanes = 1 };
}

/* The part of a store that L1 passes on. */
struct lsu_write {
    uint8_t sectors;
    uint16_t bytes;
    uint32_t words;
};
/* Who the answer to a store or reduction that goes through L1 is for: its instruction, or, as
 * long as fewer than l1.posted are unanswered, only fences of its warp. */
static inline uint32_t lsu_post(struct lsu *l, const struct uop *u)
{
    if (l->posted.n >= l->c.l1.posted || u->dyn.inst->class == CLASS_load ||
        u->dyn.inst->n_dst)
        return FOR_UOP | u->id;
    l->posted.n++;
    l->posted.of_warp[u->warp]++;
    return FOR_STORE | u->warp;
}
static inline bool lsu_is_posted(const struct mem_request *r)
{
    return (r->id & FOR_MASK) == FOR_STORE;
}
static inline void lsu_set_write(struct mem_request *r, struct lsu *l,
                                 const struct l1_access *a, struct lsu_write w)
{
    const struct uop *u = &l->pool[a->uop];

    *r = (struct mem_request){ .addr = a->line,
                               .cycle = (uint32_t)l->cycle,
                               .row = u->hot,
                               .id = lsu_post(l, u),
                               .words = w.words,
                               .sm = l->sm,
                               .bytes = w.bytes,
                               .kind = MEM_WRITE,
                               .sectors = w.sectors,
                               .lanes = 1 };
}

/* Dirty sectors of a line that L1 evicts. */
static inline void lsu_set_victim(struct mem_request *r, struct lsu *l, uint64_t line,
                                  uint8_t sectors)
{
    *r = (struct mem_request){ .addr = line,
                               .cycle = (uint32_t)l->cycle,
                               .row = HOT_NONE,
                               .id = FOR_NOBODY,
                               .words = UINT32_MAX,
                               .sm = l->sm,
                               .bytes = (uint16_t)(n_sectors(sectors) * SECTOR_BYTES),
                               .kind = MEM_WRITE,
                               .sectors = sectors,
                               .lanes = 1 };
    l->stats.l1_write_backs++;
}

/* A transaction that bypasses L1 in this cycle. */
static inline struct mem_request lsu_bypass_request(const struct lsu *l,
                                                    const struct uop *u,
                                                    const struct transaction *t,
                                                    uint64_t cycle)
{
    uint8_t class = u->dyn.inst->class;
    bool reads = class == CLASS_load;

    return (struct mem_request){ .addr = t->line,
                                 .cycle = (uint32_t)cycle,
                                 .row = u->hot,
                                 .id = FOR_UOP | u->id,
                                 .words = t->words,
                                 .sm = l->sm,
                                 .kind = class == CLASS_atomic ? MEM_ATOMIC
                                         : reads               ? MEM_READ
                                                               : MEM_WRITE,
                                 .sectors = t->sectors,
                                 .lanes = t->lanes,
                                 .has_result = u->dyn.inst->n_dst != 0,
                                 .bytes = reads ? 0 : t->bytes };
}
/* The same after it has taken the time of a lookup. */
static inline struct mem_request lsu_through_request(struct lsu *l,
                                                     const struct l1_access *a)
{
    const struct uop *u = &l->pool[a->uop];
    struct mem_request r;
    const struct transaction t = { .line = a->line,
                                   .words = a->words,
                                   .bytes = a->bytes,
                                   .sectors = a->sectors,
                                   .lanes = a->lanes };

    r = lsu_bypass_request(l, u, &t, l->cycle);
    r.id = lsu_post(l, u);
    return r;
}

#endif
