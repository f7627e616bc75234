/* ghost_isb.h - a warp's issue buffer (IsB): a list of places in program order, what each
 * instruction waits for, and lists of places as long as the ITab.
 */
#ifndef LENO_SCHEME_GHOST_ISB_H
#define LENO_SCHEME_GHOST_ISB_H

#include "base/bits.h"
#include "scheme/ghost.h"

/* An instruction in the IsB is new, or one of its waits is over. */
static inline void ghost_open_entry(struct ghost_warp *w, unsigned place)
{
    const struct ghost_entry *e = &w->entry[place];

    if (!e->dep && !e->branch)
        w->open |= bit64(place);
}

/* Takes an instruction that issues out of the IsB. */
static inline void ghost_leave_isb(struct ghost_warp *w, unsigned place)
{
    const struct ghost_entry *e = &w->entry[place];

    if (w->oldest == place)
        w->oldest = e->younger;
    else
        w->entry[e->older].younger = e->younger;
    if (w->youngest == place)
        w->youngest = e->older;
    else
        w->entry[e->younger].older = e->older;
    w->n--;
    w->used &= ~bit64(place);
    w->open &= ~bit64(place);
    w->ready &= ~bit64(place);
    for (uint64_t m = e->waiters; m; m &= m - 1) {
        w->entry[bits_first(m)].dep &= ~bit64(place);
        ghost_open_entry(w, bits_first(m));
    }
}

/* Removes a place from a list as long as the ITab, if it is in there. */
static inline void take_out(uint8_t list[GHOST_ITAB], uint8_t *n, unsigned place)
{
    bool is_first = *n && list[0] == place;

    *n = (uint8_t)(*n - (is_first || (*n == GHOST_ITAB && list[1] == place)));
    list[0] = list[is_first];
}
_Static_assert(GHOST_ITAB == 2, "take_out()");

/* Picks the oldest of these places, as many as the ITab takes. */
static inline void pick_oldest(struct ghost_sub *sub, const struct ghost_warp *w,
                               uint64_t ready)
{
    unsigned n = 0, at = w->oldest;

    for (; ready & (ready - 1) && n < GHOST_ITAB; at = w->entry[at].younger) {
        if (ready & bit64(at))
            sub->pick[n++] = (uint8_t)at;
        ready &= ~bit64(at);
    }
    if (ready && n < GHOST_ITAB) /* the last one */
        sub->pick[n++] = (uint8_t)bits_first(ready);
    sub->n_pick = (uint8_t)n;
}

/* Is it a load with an older one in the IsB? */
static inline bool passes_load(const struct ghost_warp *w, const struct uop *u)
{
    unsigned at = w->oldest;

    if (!inst_is_load(u->dyn.inst))
        return false;
    for (; at != u->tag; at = w->entry[at].younger)
        if (inst_is_load(w->entry[at].regs))
            return true;
    return false;
}

#endif
