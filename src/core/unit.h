/* unit.h - events of instructions in flight and the uops they use: state, and what other
 * stages call (unit.c).
 */
#ifndef LENO_CORE_UNIT_H
#define LENO_CORE_UNIT_H

#include "base/agenda.h"
#include "base/bits.h"
#include "base/err.h"
#include "core/uop.h"

struct sm;
struct warp;

enum {
    WHEEL = 4096, /* how many cycles ahead an event may lie */
    NO_EVENT = 0, /* the pool's first uop, which is never used */
};

/* What happens to issued instructions, by cycle. Written by wheel_add() and unit.c;
 * collect.c takes result buses. */
struct sm_events {
    unsigned n;
    uint64_t set[WHEEL / 64]; /* non-empty buckets */
    uop_id wheel[WHEEL];      /* events by cycle, linked; NO_EVENT: end */
    uint8_t results[WHEEL];   /* result buses in use, by cycle */
};

/* Uops that no instruction uses. Fetch takes some, unit.c and fetch.c put them back. */
struct sm_uops {
    unsigned n_free;
    unsigned n_fresh; /* the first of them: never used, memory untouched, ids falling */
    uop_id *free;
    uint64_t (*lists)[WARP_LANES]; /* provided to all uops, for uneven addresses */
};

/* Adds an event of the instruction in this later cycle. */
static inline void wheel_add(struct sm_events *e, struct uop *u, uint64_t cycle,
                             uint64_t now)
{
    unsigned at = (unsigned)(cycle % WHEEL);

    INVARIANT(cycle > now && cycle - now < WHEEL);
    u->next_event = e->wheel[at];
    e->wheel[at] = u->id;
    e->set[at / 64] |= bit64(at % 64);
    e->n++;
}

/* The first cycle after now with an event. */
static inline uint64_t wheel_next(const struct sm_events *e, uint64_t now)
{
    unsigned at = (unsigned)((now + 1) % WHEEL);

    if (!e->n)
        return NEVER;
    for (unsigned k = 0; k <= WHEEL / 64; k++) {
        unsigned word = (at / 64 + k) % (WHEEL / 64);
        uint64_t set = e->set[word];

        if (!k)
            set &= ~(bit64(at % 64) - 1);
        if (set) {
            unsigned found = word * 64 + (unsigned)__builtin_ctzll(set);

            return now + 1 + (found + WHEEL - at) % WHEEL;
        }
    }
    return now + 1;
}

/* Returns a uop to those that no instruction uses. */
static inline void uops_put(struct sm_uops *p, struct uop *u)
{
    u->stage = UOP_FREE;
    p->free[p->n_free++] = u->id;
}

/* Completes an instruction whose result is known at issue. */
int unit_reuse(struct sm *s, struct warp *w, struct uop *u, struct err *err);
int writeback_tick(struct sm *s, struct err *err);
int unit_tick(struct sm *s, struct err *err);
/* The SM does nothing before this cycle: the LSU runs alone, up to one in which the SM
 * must act. */
void unit_sleep(struct sm *s, uint64_t end);
/* The instruction goes through its stages up to one in a later cycle. */
int uop_stages(struct sm *s, struct uop *u, struct err *err);

#endif
