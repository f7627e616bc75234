/* darsie_registers.h - DARSIE's shared registers, and which warps read them.
 *
 * The paper has a rename table (warp and register to version), a version table (version
 * to physical register) and a list of free ones. Here a warp's map gives the physical
 * register directly. The register is free again when no map names it, no warp has yet
 * to skip the instruction that wrote it, and no instruction in flight reads or writes
 * it (the paper does not mention the last condition).
 */
#ifndef LENO_SKIP_DARSIE_REGISTERS_H
#define LENO_SKIP_DARSIE_REGISTERS_H

#include "skip/darsie.h"

static inline void darsie_use(struct darsie_block *b, unsigned r)
{
    b->users[r]++;
    b->free &= ~((uint64_t)1 << r);
}

static inline void darsie_leave_register(struct darsie_block *b, unsigned r)
{
    INVARIANT(b->users[r]);
    if (!--b->users[r])
        b->free |= (uint64_t)1 << r;
}

/* From here on the warp reads register reg from this place: 1 + a shared register, or
 * its own. */
static inline void darsie_map(struct darsie_block *b, struct darsie_warp *w,
                              unsigned reg, uint8_t to)
{
    if (to != DARSIE_PRIVATE)
        darsie_use(b, to - 1u);
    if (w->map[reg] != DARSIE_PRIVATE)
        darsie_leave_register(b, w->map[reg] - 1u);
    w->map[reg] = to;
}

/* The registers it overwrites become the warp's own again; with spares_sources, except
 * those it reads. */
static inline void darsie_own_results(struct darsie_block *b, struct darsie_warp *w,
                                      const struct inst *i, bool spares_sources)
{
    if (!i->list.is_whole) {
        for (unsigned r = 0; r < N_REGID; r++)
            if (regset_has(&i->writes, r))
                darsie_map(b, w, r, DARSIE_PRIVATE);
        return;
    }
    for (unsigned k = 0; k < i->list.n_writes; k++) {
        unsigned r = skip_results(i)[k];

        if (!spares_sources || !regset_has(&i->reads, r))
            darsie_map(b, w, r, DARSIE_PRIVATE);
    }
}

/* An instruction enters the window: the shared registers it reads must stay, and their
 * banks matter for conflicts. */
static inline void darsie_hold(struct darsie *d, struct darsie_block *b,
                               const struct uop *u)
{
    const struct darsie_warp *w = &d->warp[u->warp];
    const struct inst *i = u->dyn.inst;
    uint64_t held = 0;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = i->reads.w[k]; m; m &= m - 1) {
            uint8_t at = w->map[k * 64 + (unsigned)__builtin_ctzll(m)];

            if (at != DARSIE_PRIVATE)
                held |= (uint64_t)1 << (at - 1);
        }
    for (uint64_t m = held; m; m &= m - 1)
        darsie_use(b, (unsigned)__builtin_ctzll(m));
    d->held[u->id] = held;
    for (unsigned k = 0; k < i->n_once && d->base.moved; k++)
        d->base.moved[u->id][k] = w->map[REGID_R + i->once[k]];
}

/* Takes a free register for a leader's result. */
static inline uint8_t darsie_allocate(struct darsie *d, struct darsie_block *b,
                                      const struct uop *u, unsigned reg)
{
    unsigned r = (unsigned)__builtin_ctzll(b->free);

    INVARIANT(b->free && !b->users[r]);
    darsie_map(b, &d->warp[u->warp], reg, (uint8_t)(r + 1));
    darsie_use(b, r); /* until it is written, even if the map changes meanwhile */
    d->held[u->id] |= (uint64_t)1 << r;
    return (uint8_t)(r + 1);
}

/* An entry keeps its leader's results for warps that have yet to arrive, ... */
static inline void darsie_keep_results(struct darsie_block *b,
                                       const struct darsie_entry *e)
{
    for (unsigned k = 0; k < e->n_results; k++)
        if (e->at[k] != DARSIE_PRIVATE)
            darsie_use(b, e->at[k] - 1u);
}

/* ... until all have. */
static inline void darsie_drop_results(struct darsie_block *b, struct darsie_entry *e)
{
    for (unsigned k = 0; k < e->n_results; k++)
        if (e->at[k] != DARSIE_PRIVATE)
            darsie_leave_register(b, e->at[k] - 1u);
    e->n_results = 0;
}

/* An instruction is written back: its shared registers are no longer held. */
static inline void darsie_release(struct darsie *d, struct darsie_block *b,
                                  const struct uop *u)
{
    for (uint64_t m = d->held[u->id]; m; m &= m - 1)
        darsie_leave_register(b, (unsigned)__builtin_ctzll(m));
    d->held[u->id] = 0;
}

/* A warp stops sharing. */
static inline void darsie_own_all(struct darsie_block *b, struct darsie_warp *w)
{
    for (unsigned r = 0; r < N_REGID; r++)
        darsie_map(b, w, r, DARSIE_PRIVATE);
}

/* How many of its registers are shared. */
static inline unsigned darsie_count_shared(const struct darsie_warp *w)
{
    unsigned n = 0;

    for (unsigned r = 0; r < N_REGID; r++)
        n += w->map[r] != DARSIE_PRIVATE;
    return n;
}

/* Registers that are free, or will be once instructions in flight are written back. */
static inline unsigned darsie_unmapped(const struct darsie *d,
                                       const struct darsie_block *b)
{
    uint64_t mapped = 0,
             all = d->registers == 64 ? UINT64_MAX : ((uint64_t)1 << d->registers) - 1;

    for (struct warpset m = b->warps; warpset_any(&m);) {
        const struct darsie_warp *w = &d->warp[warpset_take(&m)];

        for (unsigned r = 0; r < N_REGID; r++)
            if (w->map[r] != DARSIE_PRIVATE)
                mapped |= (uint64_t)1 << (w->map[r] - 1);
    }
    for (unsigned k = 0; k < darsie_entries(d); k++)
        for (unsigned n = 0; n < b->entry[k].n_results; n++)
            if (b->entry[k].state != DARSIE_EMPTY &&
                b->entry[k].at[n] != DARSIE_PRIVATE)
                mapped |= (uint64_t)1 << (b->entry[k].at[n] - 1);
    return (unsigned)__builtin_popcountll(all & ~mapped);
}

#endif
