/* darsie_path.h - DARSIE's majority path: who is on it, and who waits for whom there.
 *
 * Warps on the path wait for each other at branches, and where no register is free. They
 * leave it when they go another way than most, or diverge; barriers of the block put
 * warps back on it.
 */
#ifndef LENO_SKIP_DARSIE_PATH_H
#define LENO_SKIP_DARSIE_PATH_H

#include "base/hash.h"
#include "skip/darsie_registers.h"
#include "skip/darsie_table.h"

enum { BARRIER_SHIFT = 40 }; /* more than a warp executes between two barriers */

/* The way that most warps on the majority path take at a branch. */
static inline uint64_t majority_target(const struct darsie *d,
                                       const struct darsie_block *b)
{
    uint64_t best = 0;
    unsigned most = 0;

    for (struct warpset m = b->majority; warpset_any(&m);) {
        uint64_t target = d->warp[warpset_take(&m)].target;
        unsigned n = 0;

        for (struct warpset k = b->majority; warpset_any(&k);)
            n += d->warp[warpset_take(&k)].target == target;
        if (n > most) {
            most = n;
            best = target;
        }
    }
    return best;
}

static inline void drop_out(struct darsie *d, struct darsie_block *b, unsigned warp)
{
    struct darsie_warp *w = &d->warp[warp];
    unsigned n = darsie_count_shared(w);

    warpset_drop(&b->majority, warp);
    darsie_stats(d)->copied += n;
    w->has_copies = n;
    w->copied_at = d->base.cycle + n * darsie_params(d)->copy_cycles;
}

/* The warps that go the way of the majority stay on its path, the others leave. */
static inline void darsie_keep_majority(struct darsie *d, struct darsie_block *b)
{
    uint64_t target = majority_target(d, b);

    for (struct warpset m = b->majority; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (d->warp[k].target == target)
            continue;
        darsie_stats(d)->minority++;
        drop_out(d, b, k);
    }
    darsie_clear(d, b);
}

/* All warps are at a branch: they go on, the majority together. */
static inline void darsie_split_majority(struct darsie *d, struct darsie_block *b)
{
    darsie_stats(d)->branch_syncs++;
    for (struct warpset m = b->majority; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        d->warp[k].sync = DARSIE_FREE;
        skip_wake(&d->base, k);
    }
    darsie_keep_majority(d, b);
}

/* Lets the warps go on if all on the majority path have arrived at the branch. */
static inline void try_branch(struct darsie *d, struct darsie_block *b)
{
    for (struct warpset m = b->majority; warpset_any(&m);)
        if (d->warp[warpset_take(&m)].sync != DARSIE_ARRIVED)
            return;
    if (warpset_any(&b->majority))
        darsie_split_majority(d, b);
}

static inline bool have_all_arrived(const struct darsie *d,
                                    const struct darsie_block *b,
                                    const struct darsie_entry *e)
{
    for (struct warpset m = b->majority; warpset_any(&m);) {
        const struct darsie_warp *w = &d->warp[warpset_take(&m)];

        if (w->position < e->position || (w->position == e->position && !w->waits))
            return false;
    }
    return true;
}

/* Warps that waited together for registers go on: one leads if there are some now, else
 * each executes alone. */
static inline void try_meetings(struct darsie *d, struct darsie_block *b)
{
    for (unsigned k = 0; k < darsie_entries(d); k++) {
        struct darsie_entry *e = &b->entry[k];
        unsigned n = e->n_results;

        if (e->state != DARSIE_MEETS || !have_all_arrived(d, b, e))
            continue;
        if ((unsigned)__builtin_popcountll(b->free) >= n) {
            darsie_remove(d, b, e);
        } else if (darsie_unmapped(d, b) < n) {
            e->state = DARSIE_ALONE;
            darsie_wake(d, b, e->position);
        }
    }
}

/* A warp was taken off the majority path: the others no longer wait for it. */
static inline void darsie_recheck_waits(struct darsie *d, struct darsie_block *b)
{
    darsie_sweep(d, b);
    try_meetings(d, b);
    try_branch(d, b);
}

static inline void darsie_leave_majority(struct darsie *d, struct darsie_block *b,
                                         unsigned warp)
{
    if (!warpset_has(&b->majority, warp))
        return;
    drop_out(d, b, warp);
    darsie_recheck_waits(d, b);
}

/* A warp that left the path goes on when it has copied what it shared, one register after
 * another; the shared ones are kept for it until then. */
static inline bool darsie_has_copied(struct darsie *d, struct darsie_block *b,
                                     unsigned warp)
{
    struct darsie_warp *w = &d->warp[warp];

    if (!w->has_copies)
        return true;
    if (d->base.cycle < w->copied_at) {
        skip_wake_at(&d->base, warp, w->copied_at);
        darsie_stats(d)->copy_waits++;
        return false;
    }
    w->has_copies = false;
    darsie_own_all(b, w);
    try_meetings(d, b);
    return true;
}

/* A barrier that opens for every warp of the block. */
static inline bool is_for_all(const struct darsie *d, const struct uop *u)
{
    return !u->dyn.bar_warps || u->dyn.bar_warps == kernel_warps(d->base.kernel);
}

/* The warp waits at a barrier. The others do not wait for it: the barrier may need them
 * first, since warps may reach it in different places or only arrive there. A barrier of
 * some warps lets the warp go on while the others are anywhere: it leaves their path. */
static inline void darsie_enter_barrier(struct darsie *d, struct darsie_block *b,
                                        const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];

    if (!is_for_all(d, u)) {
        if (!darsie_params(d)->no_cf_sync)
            darsie_leave_majority(d, b, u->warp);
        return;
    }
    w->barrier = 1 + u->dyn.barrier;
    w->target = u->dyn.inst->pc;
    warpset_drop(&b->majority, u->warp);
    darsie_recheck_waits(d, b);
}

/* The first warp has passed a barrier of the block, which opened for all that wait at it.
 * If no warp is on the majority path elsewhere, having arrived without waiting, those in
 * the place where most wait are on it now. */
static inline void darsie_open_barrier(struct darsie *d, struct darsie_block *b,
                                       uint8_t barrier)
{
    bool is_ideal = darsie_params(d)->no_cf_sync;
    bool has_majority = warpset_any(&b->majority) && !is_ideal;

    b->barriers++;
    for (struct warpset m = b->warps; warpset_any(&m);) {
        unsigned k = warpset_take(&m);
        struct darsie_warp *w = &d->warp[k];

        if (w->barrier != barrier)
            continue;
        w->barrier = 0;
        w->position = b->barriers << BARRIER_SHIFT;
        w->path = hash_mix(w->target);
        if (has_majority)
            drop_out(d, b, k);
        else
            warpset_add(&b->majority, k);
    }
    if (is_ideal)
        darsie_clear(d, b);
    else if (!has_majority)
        darsie_keep_majority(d, b);
}

#endif
