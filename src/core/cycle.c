/* cycle.c - one cycle of an SM, and the next cycle that it must not sleep through. */
#include "base/invariant.h"
#include "core/icache.h"
#include "core/stages.h"

/* Wakes warps whose instructions have arrived from the instruction cache. */
static void take_instructions(struct sm *s)
{
    struct mem_reply r;

    while (memory_pop_inst(s->memory, s->index, &r))
        icache_fill(s->fetch.icache, &r, s->cycle);
    for (struct warpset m = icache_tick(s->fetch.icache, s->cycle); warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        wake_next(&s->wake);
        s->warp[k].awaits_code = false;
        wake_warp(&s->wake, k);
        fetch_refresh(s, k);
    }
}

static int skip_stage_tick(struct sm *s, struct err *err)
{
    if (warpset_any(&s->skip->woken) || s->cycle >= s->skip->next_wake)
        skip_wake_warps(s);
    return warpset_any(&s->wake.skip) ? skip_tick(s, err) : 0;
}

static int sm_tick(struct sm *s, uint64_t cycle, struct err *err)
{
    if (is_eager(s))
        wake_all(&s->wake, n_subcores(s), &s->blocks.resident);
    s->cycle = s->scheme->cycle = cycle;
    s->wake.has_moved = false;
    if (has_skip(s))
        s->skip->cycle = cycle;
    if (writeback_tick(s, err) || unit_tick(s, err) ||
        (s->async_at <= cycle && async_tick(s, err)))
        return -1;
    if (has_pipe_order(s) && (s->collect.n_latched || choose_is_busy(s)) &&
        collect_tick(s, err))
        return -1;
    if (has_stations(s) && s->scheme->ready && station_tick(s, err))
        return -1;
    if (wants_tick(s))
        TELL(s, tick, cycle);
    if (issue_tick(s, err))
        return -1;
    if (s->fetch.has_icache)
        take_instructions(s);
    if (has_skip(s) && skip_stage_tick(s, err))
        return -1;
    if ((warpset_any(&s->wake.fetch) || s->fetch.latch != NO_LATCH ||
         warpset_any(&s->fetch.refill)) &&
        fetch_tick(s, err))
        return -1;
    if (!s->blocks.n)
        issue_go_idle(s);
    return 0;
}

/* The first cycle in which a latched instruction can enter a collector, or one can leave
 * it. */
static uint64_t latched_next(const struct sm *s)
{
    uint64_t next = NEVER;

    if (has_choice(s))
        return s->collect.n_latched || choose_is_busy(s) ? s->cycle + 1 : NEVER;
    for (unsigned n = 0; n < n_subcores(s) && has_pipe_order(s); n++)
        if (s->sub[n].latches.waiting)
            next = earlier(next, collect_next(s, &s->sub[n]));
    return next;
}

/* The first cycle in which the instruction cache must act. */
static uint64_t code_next(const struct sm *s)
{
    return earlier(icache_next(s->fetch.icache), s->link->inst_at);
}

/* The first cycle that the scheme or the eliminator has named, or that asynchronous work
 * needs. */
static inline uint64_t named_next(const struct sm *s)
{
    uint64_t skip = has_skip(s) ? s->skip->next_wake : NEVER;

    return earlier(earlier(s->scheme->next_wake, skip), s->async_at);
}

void cycle_plan_sleep(const struct sm *s, struct agenda *a)
{
    agenda_set(a, SM_RESULT, wheel_next(&s->events, s->cycle));
    agenda_set(a, SM_SCHEME, named_next(s));
    agenda_set(a, SM_CODE, code_next(s));
    agenda_add(a, SM_LATCH, latched_next(s));
}

static bool sm_has_work(const struct sm *s)
{
    if (wake_has_work(&s->wake))
        return true;
    return wants_tick(s) || (has_stations(s) && s->scheme->ready) || is_eager(s) ||
           (has_skip(s) &&
            (warpset_any(&s->skip->woken) || warpset_any(&s->wake.skip)));
}

/* After a cycle: the next one, or what may wake the SM. */
static void plan_next(struct sm *s)
{
    struct agenda *a = &s->wake.agenda;

    if (!s->blocks.n) {
        wake_rest(&s->wake);
        return;
    }
    if (sm_has_work(s)) {
        agenda_set(a, SM_WORK, s->cycle + 1);
        return;
    }
    agenda_set(a, SM_WORK, NEVER);
    cycle_plan_sleep(s, a);
}

/* The SM sleeps, at most up to end. If memory works ahead, its LSU goes on alone.
 * Replies may have come since the agenda was planned. Returns the cycle in which it
 * wakes. */
static uint64_t sleep_until(struct sm *s, uint64_t end)
{
    struct agenda *a = &s->wake.agenda;
    uint64_t until;

    agenda_set(a, SM_CODE, code_next(s));
    agenda_set(a, SM_LSU, NEVER);
    until = later(earlier(agenda_first(a), end), s->wake.next);
    s->link->now = until - 1;
    unit_sleep(s, until);
    return agenda_first(a);
}

/* True if no event or cycle of the scheme lies before cycle t, up to which the SM
 * slept. */
static inline bool is_in_time(const struct sm *s, uint64_t t)
{
    uint64_t first = earlier(wheel_next(&s->events, s->cycle), named_next(s));

    return t <= later(first, s->wake.next);
}

static int sm_run_cycles(struct sm *s, uint64_t end, struct err *err)
{
    unsigned before = s->blocks.n;

    while (s->blocks.n && s->blocks.n == before) {
        uint64_t t = s->wake.next;

        if (!wake_is_due(&s->wake, SM_WORK, t))
            t = later(sleep_until(s, end), t);
        if (t >= end)
            return 0;
        INVARIANT(is_in_time(s, t));
        s->link->now = t;
        if (sm_tick(s, t, err))
            return -1;
        plan_next(s);
        s->wake.next = t + 1;
    }
    return 0;
}

const struct sm_core SM_CORE = { sm_run_cycles };
