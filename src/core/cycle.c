/* cycle.c - one cycle of an SM, and the next cycle that it must not sleep through. */
#include "base/invariant.h"
#include "core/icache.h"
#include "core/stages.h"

/* Wakes warps whose instructions have arrived from the instruction cache. */
static void take_instructions(struct sm *s)
{
    struct mem_reply r;

    while (memory_pop_inst(s->memory, s->index, &r))
        icache_fill(s->icache, &r, s->cycle);
    for (struct warpset m = icache_tick(s->icache, s->cycle); warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        s->progress = true;
        s->warp[k].awaits_code = false;
        warpset_add(&s->dirty, k);
        fetch_refresh(s, k);
    }
}

/* For tests: wakes everything, so that no stage relies on having been told. */
static void wake_all(struct sm *s)
{
    s->lsu_at = s->memory_at = 0;
    s->touched = (1u << n_subcores(s)) - 1;
}

static int sm_tick(struct sm *s, uint64_t cycle, struct err *err)
{
    if (is_eager(s))
        wake_all(s);
    s->cycle = s->scheme->cycle = cycle;
    s->progress = false;
    if (writeback_tick(s, err) || unit_tick(s, err))
        return -1;
    if (s->n_entry && has_pipe_order(s) && collect_tick(s, err))
        return -1;
    if (has_stations(s) && s->scheme->ready && station_tick(s, err))
        return -1;
    if (wants_tick(s))
        TELL(s, tick, cycle);
    if (issue_tick(s, err))
        return -1;
    if (s->has_icache)
        take_instructions(s);
    if (has_skip(s) && warpset_any(&s->skip->woken))
        fetch_wake(s);
    if ((warpset_any(&s->fetchable) || s->fetch_latch < MAX_WARP_SLOTS) &&
        fetch_tick(s, err))
        return -1;
    if (!s->n_blocks)
        issue_rest(s);
    return 0;
}

/* The first cycle after now with an event in the wheel. */
static uint64_t wheel_next(const struct sm *s)
{
    unsigned at = (unsigned)((s->cycle + 1) % WHEEL);

    if (!s->n_events)
        return UINT64_MAX;
    for (unsigned k = 0; k <= WHEEL / 64; k++) {
        unsigned word = (at / 64 + k) % (WHEEL / 64);
        uint64_t set = s->wheel_set[word];

        if (!k)
            set &= ~(bit64(at % 64) - 1);
        if (set) {
            unsigned found = word * 64 + (unsigned)__builtin_ctzll(set);

            return s->cycle + 1 + (found + WHEEL - at) % WHEEL;
        }
    }
    return s->cycle + 1;
}

/* The first cycle in which a latch that an offer waits for is free, or a latched
 * instruction can enter a collector. */
static uint64_t units_next(const struct sm *s)
{
    uint64_t next = s->next_retry;

    for (unsigned n = 0; n < n_subcores(s) && has_pipe_order(s); n++)
        if (s->sub[n].latched)
            next = earlier(next, collect_next(s, &s->sub[n]));
    return next;
}

static uint64_t next_tick(const struct sm *s)
{
    uint64_t next = s->cycle + 1;
    bool is_busy = s->progress;

    if (!s->n_blocks)
        return UINT64_MAX;
    is_busy |= warpset_any(&s->dirty); /* perf: one branch for all three */
    is_busy |= warpset_any(&s->fetchable);
    if (is_busy)
        return next;
    if (wants_tick(s) || (has_stations(s) && s->scheme->ready) || is_eager(s) ||
        (has_skip(s) && warpset_any(&s->skip->woken)))
        return next;
    next = earlier(wheel_next(s), s->scheme->next_wake);
    next = earlier(next, s->next_timed);
    next = earlier(next, icache_next(s->icache));
    next = earlier(next, units_next(s));
    if (s->memory_at > s->cycle)
        next = earlier(next, s->memory_at);
    return next <= s->cycle ? s->cycle + 1 : next;
}

/* The SM sleeps through cycles before end. If memory works ahead, its LSU goes on
 * alone; a result, or a reply with code, may wake the SM. */
static void sleep_on(struct sm *s, uint64_t end)
{
    uint64_t code = memory_link(s->memory, s->index)->inst_at;
    uint64_t until = earlier(s->wake, end);

    memory_now(s->memory, s->index, until - 1);
    s->wake = earlier(s->wake, earlier(code, unit_sleep(s, earlier(code, until))));
}

/* True if no known event lies before cycle t, up to which the SM slept. */
static inline bool is_in_time(const struct sm *s, uint64_t t)
{
    uint64_t first = earlier(wheel_next(s), earlier(s->next_timed, s->lsu_at));

    return t <= later(earlier(first, s->scheme->next_wake), s->next);
}

static int sm_run_cycles(struct sm *s, uint64_t end, struct err *err)
{
    unsigned before = s->n_blocks;

    while (s->n_blocks && s->n_blocks == before) {
        uint64_t t;

        if (s->wake > s->next)
            sleep_on(s, end);
        t = later(s->wake, s->next);
        if (t >= end)
            return 0;
        INVARIANT(t >= s->next && is_in_time(s, t));
        memory_now(s->memory, s->index, t);
        if (sm_tick(s, t, err))
            return -1;
        s->wake = next_tick(s);
        s->next = t + 1;
    }
    return 0;
}

const struct sm_core SM_CORE = { sm_run_cycles };
