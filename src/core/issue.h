/* issue.h - offers of warps and the schedulers that choose among them: state, and what
 * other stages call (issue.c, sched.c, cause.c).
 */
#ifndef LENO_CORE_ISSUE_H
#define LENO_CORE_ISSUE_H

#include "base/bits.h"
#include "base/err.h"
#include "core/params.h"
#include "core/scheme.h"

struct sm;
struct subcore;

/* In place of a warp's bit in its sub-core; the next bit in turn is the first. */
enum { NOBODY = 2 * MAX_SUBCORE_WARPS - 1 };

/* What a warp last offered: the mask in which it is filed, by stall reason if it offers
 * nothing, by pipe if it does; UNFILED from its issue until it is asked again. */
enum { FILED_OFFER = N_STALL, N_FILED = N_STALL + N_PIPE, UNFILED = N_FILED };
_Static_assert(N_FILED <= 32, "a word has a bit for each mask");
struct filed {
    uop_id uop;  /* NO_UOP: none */
    uint8_t key; /* enum stall, or FILED_OFFER + enum pipe, or UNFILED */
    bool yield;
};

/* Of a sub-core. Written by issue.c and sched.c; block.c starts and ends warps. */
struct subcore_issue {
    unsigned last;     /* bit of the warp issued last; NOBODY: none */
    enum stall cause;  /* the reason that cycles are charged to ... */
    uint64_t keys;     /* non-empty masks in filed, as bits */
    uint64_t *slot;    /* its cycles in the statistics, by stall reason */
    uint64_t offering; /* warps with an offer, as bits (perf: away from keys, 036) */
    uint64_t since;    /* ... from this one on */
    uint64_t warps;    /* resident warps, as bits */
    uint64_t retry;    /* no offer is taken before this cycle: see sm_wake.blocked */
    uint64_t filed[N_FILED + 1]; /* warps, as bits, by filed.key */
};

/* Of a sub-core, used by some schedulers only. Written by sched.c. */
struct subcore_sched {
    uint64_t was_able, able_at; /* gty: warps that could issue, in this cycle */
    unsigned turn;              /* strict round robin */
    uint64_t active;            /* two-level */
};

/* Files a warp, given as a bit, in the mask of its key. */
static inline void subcore_file(struct subcore_issue *q, unsigned key, uint64_t bit)
{
    INVARIANT(key < N_FILED && !(q->filed[key] & bit));
    q->filed[key] |= bit;
    q->keys |= bit64(key);
    q->offering |= key >= FILED_OFFER ? bit : 0;
}

int issue_tick(struct sm *s, struct err *err);
void issue_forget(struct sm *s, unsigned warp);   /* it has ended and offers nothing */
void issue_account(struct sm *s, uint64_t cycle); /* for slots before this cycle */
void issue_go_idle(struct sm *s); /* nothing is left: idle from the next cycle on */

/* The stall reason of a warp that offers nothing. */
enum stall cause_of_offer(const struct sm *s, const struct offer *o);

/* The warp that issues, of those that could; both as bits of the sub-core. */
unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able);
/* Whether the policy may pick none of those able: it has candidates of its own. */
bool sched_has_candidates(const struct sm *s);

#endif
