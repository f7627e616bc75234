/* ghost_isb.h - a warp's issue buffer (IsB): places, their order, and what each instruction
 * waits for.
 */
#ifndef LENO_SCHEME_GHOST_ISB_H
#define LENO_SCHEME_GHOST_ISB_H

#include "base/bits.h"
#include "scheme/ghost.h"

/* The place of the oldest of some instructions, of which there are any. */
static inline unsigned ghost_oldest_of(const struct ghost_warp *w, uint64_t places)
{
    unsigned first = bits_first(places);

    for (uint64_t m = places & (places - 1); m; m &= m - 1)
        if ((int32_t)(w->entry[bits_first(m)].since - w->entry[first].since) < 0)
            first = bits_first(m);
    return first;
}

/* The oldest of these, as many as the ITab takes. */
static inline uint64_t ghost_pick_oldest(const struct ghost_warp *w, uint64_t ready)
{
    uint64_t first;

    if (__builtin_popcountll(ready) <= GHOST_ITAB)
        return ready;
    first = bit64(ghost_oldest_of(w, ready));
    return first | bit64(ghost_oldest_of(w, ready ^ first));
}
_Static_assert(GHOST_ITAB == 2, "ghost_pick_oldest()");

/* An instruction in the IsB is new, or one of its waits is over. */
static inline void ghost_open_entry(struct ghost_warp *w, unsigned place)
{
    const struct ghost_entry *e = &w->entry[place];

    if (!e->dep && !e->branch)
        w->open |= bit64(place);
}

/* Takes an instruction that issues out of the IsB. */
static inline void ghost_leave_isb(struct ghost_warp *w, const struct uop *pool,
                                   const struct uop *u)
{
    uint64_t bit = bit64(u->tag);

    w->used &= ~bit;
    w->open &= ~bit;
    w->ready &= ~bit;
    w->itab &= ~bit;
    if (u->older == NO_UOP && w->used)
        w->oldest = (uint8_t)pool[u->younger].tag;
    for (uint64_t m = w->entry[u->tag].waiters; m; m &= m - 1) {
        w->entry[bits_first(m)].dep &= ~bit;
        ghost_open_entry(w, bits_first(m));
    }
}

/* Is it a load with an older one in the IsB? */
static inline bool ghost_passes_load(const struct uop *pool, const struct uop *u)
{
    if (!inst_is_load(u->dyn.inst))
        return false;
    for (uop_id k = u->older; k != NO_UOP; k = pool[k].older)
        if (inst_is_load(pool[k].dyn.inst))
            return true;
    return false;
}

#endif
