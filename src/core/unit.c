/* unit.c - execution units, result buses, the event wheel, writeback and retirement.
 *
 * When an instruction issues, collect.c or ports.c compute the cycles of its further
 * stages. The wheel has one event for the next stage of interest: the writeback of its
 * result, unless there is a pipeline view or a scheme asks when operands have been
 * read. With collectors, a dependent instruction issues latency + 5 cycles after its
 * producer, as measured on Accel-Sim: collector, read, the unit's input and output.
 * With ports the latency is that distance itself.
 */
#include <string.h>

#include "base/invariant.h"
#include "core/stages.h"
#include "stats/latency.h"

static inline void unit_retire_uop(struct sm *s, struct warp *w, struct uop *u)
{
    if (has_view(s))
        view_retire(s, u);
    INVARIANT(u->stage != UOP_FREE && s->uops.n_free < s->n_pool && w->in_flight);
    uops_put(&s->uops, u);
    if (!--w->in_flight)
        warp_check_done(s, u->warp);
}

static void unit_resolve_branch(struct sm *s, struct warp *w, struct uop *u)
{
    TELL(s, resolved, u);
    if (w->branch != u->id)
        return;
    w->branch = NO_UOP;
    w->fetch_at = s->cycle + s->config.fetch.redirect;
    wake_warp_at(&s->wake, u->warp, w->fetch_at);
    fetch_refresh(s, u->warp);
}

static inline int unit_write_back(struct sm *s, struct warp *w, struct uop *u,
                                  struct err *err)
{
    u->stage = UOP_DONE;
    if (has_view(s))
        view_stage(s, u, TRACE_WRITE);
    if (has_hot(s))
        hot_written(s, u);
    if (check_written(s, w, u, err))
        return -1;
    if (has_ports(s))
        ports_wrote(s, u);
    if (!scheme_renames(s))
        pending_written(&s->check.pending[u->warp], &u->dyn);
    if (has_ports(s) && s->cycle < w->overlap_end)
        ports_pend_again(s, u);
    ops_of(s)->written_back(s->scheme, u);
    if (has_stations(s))
        check_filed(s, u);
    if (has_skip(s))
        s->skip->ops->written_back(s->skip, u);
    if (u->dyn.inst->flags & INST_CONTROL || u->dyn.redirects)
        unit_resolve_branch(s, w, u);
    /* Reasons from STALL_branch on are the core's own, which no result changes. For
     * others the scheme is asked again, most often about the oldest instruction in the
     * window. */
    __builtin_prefetch(&s->pool[w->window.oldest]);
    wake_warp_if(&s->wake, u->warp, w->filed.key < STALL_branch);
    wake_next(&s->wake);
    return 0;
}

/* A unit has its result; or the result is known, and then no operands were read. */
static inline int unit_finish_uop(struct sm *s, struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];

    if (has_skip(s) && u->reused && s->scheme->wants_reads && !has_stations(s))
        TELL(s, operands_read, u);
    if (unit_write_back(s, w, u, err))
        return -1;
    unit_retire_uop(s, w, u);
    return 0;
}

/* It waits until earlier issued instructions of its warp have read registers that it
 * may write. In a station it need not find its sources, which other schemes wait for. */
int unit_reuse(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    if (!has_stations(s) && check_issued(s, w, u, err))
        return -1;
    u->stage = UOP_WRITE;
    wheel_add(&s->events, u, later(s->cycle, w->read_step >> step_shift(s)) + 1,
              s->cycle);
    return 0;
}

/* The cycle in which the instruction reaches its next stage; NEVER: only the LSU
 * knows, its station, or who ends its wait for a phase. Stages of no interest are skipped. */
static uint64_t unit_next_stage(const struct sm *s, struct uop *u)
{
    if (u->stage == UOP_ISSUED) {
        u->stage = UOP_COLLECT;
        if (has_view(s))
            return u->entered;
    }
    if (u->stage == UOP_COLLECT) {
        u->stage = has_stations(s) ? UOP_STATION : UOP_READ;
        if (s->scheme->wants_reads)
            return u->read;
    }
    if (u->pipe == PIPE_mem || u->stage == UOP_STATION || async_suspends(s, u))
        return NEVER;
    if (u->stage == UOP_READ) {
        u->stage = UOP_EXECUTE;
        if (has_view(s))
            return u->taken;
    }
    u->stage = UOP_WRITE;
    return u->done;
}

/* The instruction has reached its present stage. */
static int unit_reach_stage(struct sm *s, struct uop *u, struct err *err)
{
    switch (u->stage) {
    case UOP_COLLECT:
        view_stage(s, u, TRACE_COLLECT);
        return 0;
    case UOP_STATION:
    case UOP_READ:
        TELL(s, operands_read, u);
        return 0;
    case UOP_EXECUTE:
        view_stage(s, u, TRACE_EXECUTE);
        return 0;
    default:
        return unit_finish_uop(s, u, err);
    }
}

int uop_stages(struct sm *s, struct uop *u, struct err *err)
{
    for (;;) {
        uint64_t at = unit_next_stage(s, u);

        if (at == NEVER)
            return 0;
        if (at > s->cycle) {
            wheel_add(&s->events, u, at, s->cycle);
            return 0;
        }
        if (unit_reach_stage(s, u, err))
            return -1;
        if (u->stage == UOP_FREE)
            return 0;
    }
}

/* An instruction has reached a stage before its result. In a station it stays until its
 * scheme lets it leave. */
static inline int unit_go_on(struct sm *s, struct uop *u, struct err *err)
{
    if (unit_reach_stage(s, u, err))
        return -1;
    return u->stage == UOP_STATION ? 0 : uop_stages(s, u, err);
}

/* Handles the events of this cycle. (perf: the event count is unpredictable, so the
 * loop has a single branch and an empty bucket is emptied too; little of an SM is in
 * the host's caches, so each event prefetches the next) */
int writeback_tick(struct sm *s, struct err *err)
{
    unsigned at = (unsigned)(s->cycle % WHEEL);
    uop_id id = s->events.wheel[at];

    __builtin_prefetch(&s->pool[s->events.wheel[(at + 1) % WHEEL]]);
    s->events.wheel[at] = NO_EVENT;
    s->events.set[at / 64] &= ~bit64(at % 64);
    s->events.results[at] = 0;
    memset(s->collect.writes[at % 64], 0, sizeof s->collect.writes[0]);
    while (id != NO_EVENT) {
        struct uop *u = &s->pool[id];

        id = u->next_event;
        __builtin_prefetch(&s->pool[id]);
        INVARIANT(s->events.n && u->stage != UOP_FREE);
        s->events.n--;
        wake_next(&s->wake);
        if (u->stage == UOP_WRITE ? unit_finish_uop(s, u, err) : unit_go_on(s, u, err))
            return -1;
    }
    return 0;
}

static int hand_over_one(struct sm *s, struct subcore *c, struct err *err)
{
    struct uop *u = &s->pool[c->memory.uop];

    INVARIANT(c->memory.uop != NO_UOP && u->stage == UOP_READ);
    u->stage = UOP_EXECUTE;
    wake_next(&s->wake);
    if (has_view(s))
        view_stage(s, u, TRACE_MEMORY);
    if (check_is_performed_in(s, u, PERFORMED_BY_LSU) && check_performed(s, u, err))
        return -1;
    lsu_take(s->lsu, u, s->cycle);
    return collect_taken(s, c, err);
}

/* With queues before the LSU each sub-core hands over its own instruction. */
static int hand_over_queued(struct sm *s, struct err *err)
{
    for (uint32_t m = s->collect.memory_out; m; m &= m - 1) {
        unsigned n = (unsigned)__builtin_ctz(m);

        if (s->sub[n].memory.at <= s->cycle && lsu_has_room(s->lsu, n) &&
            !chaos(s, CHAOS_MEMORY) && hand_over_one(s, &s->sub[n], err))
            return -1;
    }
    return 0;
}

/* Orders the instructions before the LSU by the cycle of their issue; those of one cycle
 * by the number of their sub-core, with core.turns by its turn. */
static uint64_t issue_order(const struct sm *s, const struct subcore *c)
{
    unsigned n = n_subcores(s), first;

    if (!has_turns(s)) /* find_first_out() takes the lowest number of equals */
        return c->memory.issued;
    first = issue_first_subcore(s, c->memory.issued);
    return c->memory.issued * n + (c->index + n - first) % n;
}

/* The sub-core whose instruction was issued first, of those that can be taken; NULL:
 * none. */
static struct subcore *find_first_out(struct sm *s)
{
    struct subcore *first = NULL;
    uint64_t least = UINT64_MAX;

    for (uint32_t m = s->collect.memory_out; m; m &= m - 1) {
        struct subcore *c = &s->sub[__builtin_ctz(m)];
        uint64_t order = issue_order(s, c);
        bool is_first = (c->memory.at <= s->cycle) & (order < least);

        least = is_first ? order : least;
        first = is_first ? c : first;
    }
    return first;
}

/* The SM has a single LSU. */
static int hand_over_first(struct sm *s, struct err *err)
{
    struct subcore *first;

    if (!lsu_can_take(s->lsu))
        return 0;
    first = find_first_out(s);
    if (!first || chaos(s, CHAOS_MEMORY))
        return 0;
    return hand_over_one(s, first, err);
}

/* All traffic of an instruction is answered. */
static void unit_end_traffic(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    unsigned class = u->dyn.inst->class;

    INVARIANT(class != CLASS_load || w->loads);
    INVARIANT(class != CLASS_store || w->stores);
    INVARIANT(class != CLASS_atomic || w->atomics);
    w->loads = (uint16_t)(w->loads - (class == CLASS_load));
    w->stores = (uint16_t)(w->stores - (class == CLASS_store));
    w->atomics = (uint16_t)(w->atomics - (class == CLASS_atomic));
    if (u->dyn.inst->flags & INST_ASYNC)
        async_end_store(s, u->warp);
    warp_settle(s, u->warp);
    unit_retire_uop(s, w, u);
}

static void note_latency(struct sm *s, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    if (s->latency && i->class == CLASS_load && u->dyn.space != SPACE_SHARED)
        latency_add(s->latency, s->launch.key, s->launch.kernel->name,
                    i->pc - s->launch.kernel->first_pc, s->cycle - u->issued);
}

/* perf: separate, so that unit_write_back() is inlined where a unit's result is written. */
__attribute__((noinline)) static int unit_finish_load(struct sm *s, struct uop *u,
                                                      struct err *err)
{
    return unit_write_back(s, &s->warp[u->warp], u, err);
}

static int take_lsu_events(struct sm *s, struct err *err)
{
    struct lsu_event e;

    while (lsu_event(s->lsu, &e)) {
        struct uop *u;

        if (e.kind == LSU_COPIED) {
            tma_reply(s, e.uop);
            continue;
        }
        if (e.kind == LSU_SETTLED) {
            warp_settle(s, e.uop);
            continue;
        }
        u = &s->pool[e.uop];
        if (e.kind == LSU_CHECKED) {
            TELL(s, checked, u);
            continue;
        }
        if (e.has_result)
            note_latency(s, u);
        if ((e.has_result || u->stage != UOP_DONE) && unit_finish_load(s, u, err))
            return -1;
        unit_end_traffic(s, u);
    }
    return 0;
}

static void plan_hand_over(struct sm *s)
{
    uint64_t first = NEVER;

    for (uint32_t m = s->collect.memory_out; m; m &= m - 1)
        first = earlier(first, s->sub[__builtin_ctz(m)].memory.at);
    wake_plan_hand_over(&s->wake, first, s->cycle);
}

int unit_tick(struct sm *s, struct err *err)
{
    struct sm_wake *wake = &s->wake;
    bool hands_over = wake->awaits_room | wake_is_due(wake, SM_HAND_OVER, s->cycle);

    /* The LSU's requests of a cycle precede those of the instruction cache. */
    if (!wake_is_due(wake, SM_LSU, s->cycle) &&
        (!hands_over || s->cycle < lsu_room_at(s->lsu)) && !s->fetch.has_icache &&
        s->link->data_at > s->link->now)
        return 0;
    if (lsu_tick(s->lsu, s->cycle) && take_lsu_events(s, err))
        return -1;
    if (hands_over) {
        if (has_ports(s) ? hand_over_queued(s, err) : hand_over_first(s, err))
            return -1;
        plan_hand_over(s);
    }
    agenda_set(&wake->agenda, SM_LSU, lsu_next(s->lsu));
    return 0;
}

void unit_sleep(struct sm *s, uint64_t end)
{
    agenda_set(&s->wake.agenda, SM_LSU, lsu_run(s->lsu, end, s->wake.awaits_room));
}
