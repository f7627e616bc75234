/* darsie_table.h - DARSIE's PC skip table: the instructions that a block is skipping,
 * and the table's lookup ports.
 *
 * An entry stands for one execution of an instruction, not for its PC alone: a digest
 * of the warp's path tells loop iterations apart. If warps wait for each other at every
 * branch, the PC would do; without that (no_cf_sync) it would not. Warps that took the
 * same path have executed equally many instructions: an entry is done when all warps on
 * the majority path are past its position.
 */
#ifndef LENO_SKIP_DARSIE_TABLE_H
#define LENO_SKIP_DARSIE_TABLE_H

#include "skip/darsie_registers.h"

/* The PC coalescer: equal PCs share one port in a cycle. */
static inline bool darsie_take_port(struct darsie *d, uint64_t pc)
{
    unsigned n = darsie_params(d)->ports;

    if (d->port_cycle != d->base.cycle)
        d->n_ports = 0;
    d->port_cycle = d->base.cycle;
    for (unsigned k = 0; k < d->n_ports; k++)
        if (d->port[k] == pc)
            return true;
    if (d->n_ports == n)
        return !n;
    d->port[d->n_ports++] = pc;
    return true;
}

static inline struct darsie_entry *darsie_find(struct darsie *d, const struct uop *u)
{
    const struct darsie_warp *w = &d->warp[u->warp];
    struct darsie_block *b = darsie_block(d, u->warp);

    for (unsigned k = 0; k < darsie_entries(d); k++) {
        struct darsie_entry *e = &b->entry[k];

        if (e->state != DARSIE_EMPTY && e->pc == u->dyn.inst->pc && e->path == w->path)
            return e;
    }
    return NULL;
}

/* Wakes the warps that wait at the instruction of an entry. */
static inline void darsie_wake(struct darsie *d, const struct darsie_block *b,
                               uint64_t position)
{
    for (struct warpset m = b->warps; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (d->warp[k].waits && d->warp[k].position == position)
            skip_wake(&d->base, k);
    }
}

/* An entry is new: other warps at its instruction that found none before look again. */
static inline void darsie_wake_arrived(struct darsie *d, const struct darsie_block *b,
                                       const struct darsie_entry *e)
{
    for (struct warpset m = b->majority; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (k != e->warp && d->warp[k].is_looked_up &&
            d->warp[k].position == e->position)
            skip_wake(&d->base, k);
    }
}

static inline void darsie_remove(struct darsie *d, struct darsie_block *b,
                                 struct darsie_entry *e)
{
    e->state = DARSIE_EMPTY;
    darsie_drop_results(b, e);
    darsie_wake(d, b, e->position);
}

static inline bool darsie_is_done(const struct darsie *d, const struct darsie_block *b,
                                  const struct darsie_entry *e)
{
    for (struct warpset m = b->majority; warpset_any(&m);)
        if (d->warp[warpset_take(&m)].position <= e->position)
            return false;
    return true;
}

/* Removes entries that every warp has passed. */
static inline void darsie_sweep(struct darsie *d, struct darsie_block *b)
{
    for (unsigned k = 0; k < darsie_entries(d); k++)
        if (b->entry[k].state != DARSIE_EMPTY && darsie_is_done(d, b, &b->entry[k]))
            darsie_remove(d, b, &b->entry[k]);
}

/* Finds room for an entry: an empty one, or the oldest whose leader has written (its
 * remaining followers will elect a new leader). NULL: none. */
static inline struct darsie_entry *darsie_new_entry(struct darsie *d,
                                                    struct darsie_block *b)
{
    struct darsie_entry *oldest = NULL;

    for (unsigned k = 0; k < darsie_entries(d); k++) {
        struct darsie_entry *e = &b->entry[k];

        if (e->state == DARSIE_EMPTY)
            return e;
        if (e->state == DARSIE_SHARED && (!oldest || e->age < oldest->age))
            oldest = e;
    }
    if (oldest)
        darsie_remove(d, b, oldest);
    darsie_stats(d)->replaced += oldest != NULL;
    return oldest;
}

static inline void darsie_clear(struct darsie *d, struct darsie_block *b)
{
    for (unsigned k = 0; k < darsie_entries(d); k++)
        if (b->entry[k].state != DARSIE_EMPTY)
            darsie_remove(d, b, &b->entry[k]);
}

/* Loaded values may be stale from here on. */
static inline void darsie_forget_loads(struct darsie *d, struct darsie_block *b,
                                       bool only_global)
{
    for (unsigned k = 0; k < darsie_entries(d); k++) {
        struct darsie_entry *e = &b->entry[k];

        if (e->state == DARSIE_EMPTY || !e->is_load || (only_global && !e->is_global))
            continue;
        darsie_stats(d)->invalidated++;
        darsie_remove(d, b, e);
    }
}

#endif
