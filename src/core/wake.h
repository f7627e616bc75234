/* wake.h - who may wake an SM, and when.
 *
 * An SM in which nothing can happen sleeps until the first cycle of its agenda. Each
 * entry belongs to one source, which enum sm_source lists with who sets it and when.
 * While the SM is awake, the sets of struct sm_wake say which warps and sub-cores a
 * stage visits; the others are as they were left and are skipped.
 *
 * The rule: a stage that changes what a warp, a sub-core or the SM waits for calls the
 * function here that says so. Calling it without need costs host time only; forgetting
 * it makes something late, which shows as a difference from core.eager=on, where
 * wake_all() precedes every cycle and nothing sleeps.
 *
 * Some wake-ups are held by their owners, which do not know the SM: scheme_wake() and
 * scheme_wake_at() in struct scheme, skip_wake() and skip_wake_at() in struct skip, the
 * instruction cache, and replies in the SM's link to memory. cycle.c asks these before the SM sleeps.
 */
#ifndef LENO_CORE_WAKE_H
#define LENO_CORE_WAKE_H

#include "base/agenda.h"
#include "core/warpset.h"

enum sm_source {
    /* The SM has work in the next cycle: set after each cycle (cycle.c) if something
     * moved, if a warp is to be asked for its offer, if the scheme wants every cycle,
     * or if nothing may sleep. A new block sets its first cycle (block.c). */
    SM_WORK,
    /* The event wheel: the next stage of an instruction, usually its result. Set before
     * the SM sleeps (cycle.c); events are added at issue. */
    SM_RESULT,
    /* A cycle that the scheme named with scheme_wake_at(), or the eliminator with
     * skip_wake_at(), or the next one of asynchronous work (sm.async_at). Set before the
     * SM sleeps. */
    SM_SCHEME,
    /* A warp's hold ends (barrier, reconvergence) or its fetch resumes (redirect):
     * wake_warp_at(); issue.c sets the next one when it has passed. */
    SM_TIMER,
    /* The instruction cache sends a miss or has a line, or memory replies with one. Set
     * before the SM sleeps. */
    SM_CODE,
    /* A latch is free that an offer waits for: wake_subcore_at(); issue.c sets the next
     * one when it has passed. With regfile.pipe_order also a collector that a latched
     * instruction waits for: set before the SM sleeps. */
    SM_LATCH,
    /* The LSU has an event for the SM or, if an instruction waits for it, room. Set by
     * unit.c after each cycle of the LSU, and when it has run alone. */
    SM_LSU,
    /* An instruction before the LSU can be handed over: wake_hand_over(); unit.c sets
     * the next one after each attempt, and NEVER if the LSU has no room. */
    SM_HAND_OVER,
    N_SM_SOURCE
};
_Static_assert((int)N_SM_SOURCE <= (int)AGENDA_SOURCES, "one entry for each source");

struct sm_wake {
    struct agenda agenda; /* by enum sm_source */
    uint64_t next;        /* first cycle that the SM has not run */
    bool has_moved;       /* something happened in this cycle */
    bool awaits_room;     /* an instruction could be handed over, but for the LSU */
    uint32_t subcores;    /* to be visited by issue: something has changed, as bits */
    uint32_t blocked;     /* sub-cores, as bits, whose offers only wait for latches */
    struct warpset warps; /* to be asked for their offer again */
    struct warpset fetch; /* can fetch now */
    struct warpset skip;  /* to be looked at by the skip stage (skip.c) */
    struct warpset timed; /* wait for a cycle: warp.hold or warp.fetch_at */
};

/* No block is left, and only a new one wakes the SM. The LSU's entry stays: that unit
 * may still have work when the block comes. */
static inline void wake_rest(struct sm_wake *w)
{
    uint64_t lsu = w->agenda.at[SM_LSU];

    agenda_init(&w->agenda);
    agenda_set(&w->agenda, SM_LSU, lsu);
}

static inline void wake_init(struct sm_wake *w)
{
    *w = (struct sm_wake){ 0 };
    agenda_init(&w->agenda);
}

/* Something moved in this cycle: the SM does not sleep through the next one. */
static inline void wake_next(struct sm_wake *w)
{
    w->has_moved = true;
}

/* The warp's offer must be asked for again (issue_tick()). */
static inline void wake_warp(struct sm_wake *w, unsigned warp)
{
    warpset_add(&w->warps, warp);
}

/* (perf) The same without a branch. */
static inline void wake_warp_if(struct sm_wake *w, unsigned warp, bool is_woken)
{
    warpset_add_if(&w->warps, warp, is_woken);
}

/* The same in this later cycle; then fetch is looked at again too. */
static inline void wake_warp_at(struct sm_wake *w, unsigned warp, uint64_t cycle)
{
    warpset_add(&w->timed, warp);
    agenda_add(&w->agenda, SM_TIMER, cycle);
}

/* The sub-core, a bit, must be visited in this cycle or, after issue, in the next. This
 * alone does not keep the SM awake. */
static inline void wake_subcore(struct sm_wake *w, uint32_t subcore)
{
    w->subcores |= subcore;
}

/* Nothing issues from the sub-core before a latch is free in this cycle, unless
 * something else happens to it. */
static inline void wake_subcore_at(struct sm_wake *w, uint32_t subcore, uint64_t cycle)
{
    w->blocked |= subcore;
    agenda_add(&w->agenda, SM_LATCH, cycle);
}

/* The warp can fetch, or can no longer. */
static inline void wake_fetch(struct sm_wake *w, unsigned warp)
{
    warpset_add(&w->fetch, warp);
}

static inline void wake_no_fetch(struct sm_wake *w, unsigned warp)
{
    warpset_drop(&w->fetch, warp);
}

/* The skip stage must look at the warp, or need not. */
static inline void wake_skip(struct sm_wake *w, unsigned warp)
{
    warpset_add(&w->skip, warp);
}

static inline void wake_no_skip(struct sm_wake *w, unsigned warp)
{
    warpset_drop(&w->skip, warp);
}

/* The warp has ended. */
static inline void wake_forget_warp(struct sm_wake *w, unsigned warp)
{
    warpset_drop(&w->warps, warp);
    warpset_drop(&w->fetch, warp);
    warpset_drop(&w->skip, warp);
    warpset_drop(&w->timed, warp);
}

/* An instruction can be handed to the LSU in this cycle. If another one already waits
 * for room there, the LSU wakes the SM for both. */
static inline void wake_hand_over(struct sm_wake *w, uint64_t cycle)
{
    if (!w->awaits_room)
        agenda_add(&w->agenda, SM_HAND_OVER, cycle);
}

/* After an attempt: the first of all instructions before the LSU can be handed over in
 * this cycle. If that is not after now, the LSU had no room for it. */
static inline void wake_plan_hand_over(struct sm_wake *w, uint64_t first, uint64_t now)
{
    w->awaits_room = first <= now;
    agenda_set(&w->agenda, SM_HAND_OVER, w->awaits_room ? NEVER : first);
}

/* For tests (core.eager): asks every warp for its offer, looks at every timer, and
 * visits every sub-core and the LSU, so that nothing relies on having been told. */
static inline void wake_all(struct sm_wake *w, unsigned n_subcores,
                            const struct warpset *resident)
{
    w->warps = *resident;
    agenda_set(&w->agenda, SM_TIMER, 0);
    agenda_set(&w->agenda, SM_LATCH, 0);
    agenda_set(&w->agenda, SM_LSU, 0);
    agenda_set(&w->agenda, SM_HAND_OVER, 0);
    w->subcores = (1u << n_subcores) - 1;
}

/* Is the source's entry not after this cycle? */
static inline bool wake_is_due(const struct sm_wake *w, enum sm_source source,
                               uint64_t cycle)
{
    return w->agenda.at[source] <= cycle;
}

/* After a cycle: must the SM run in the next one? If a warp can fetch, one has fetched
 * in this cycle, which ends with fetch. */
static inline bool wake_has_work(const struct sm_wake *w)
{
    INVARIANT(w->has_moved || !warpset_any(&w->fetch));
    return (unsigned)w->has_moved | warpset_any(&w->warps); /* perf: one branch */
}

static inline void wake_print(const struct sm_wake *w, struct buf *out)
{
    static const char *const names[N_SM_SOURCE] = {
        [SM_WORK] = "work",   [SM_RESULT] = "result",       [SM_SCHEME] = "scheme",
        [SM_TIMER] = "timer", [SM_CODE] = "code",           [SM_LATCH] = "latch",
        [SM_LSU] = "LSU",     [SM_HAND_OVER] = "hand-over",
    };

    agenda_print(&w->agenda, names, N_SM_SOURCE, out);
}

#endif
