/* issue.c - offers, the choice among them, and the effects of issue on a warp.
 *
 * Each warp is filed in a bit mask of its sub-core: by the pipe of the instruction that
 * it offers, or by the reason why it offers none; again only when something happened to
 * it, so a scheduler finds a warp by reading a few words. A cycle without issue is charged
 * to the first stall reason of any of its warps, in the order of stats/stall.h.
 */
#include "base/invariant.h"
#include "core/stages.h"

static enum stall warp_wait_cause(const struct warp *w)
{
    static const uint8_t causes[] = {
        [WAIT_BARRIER] = STALL_barrier, [WAIT_FENCE] = STALL_fence,
        [WAIT_ATOMIC] = STALL_fence,    [WAIT_EXIT] = STALL_drain,
        [WAIT_PHASE] = STALL_barrier,   [WAIT_TMA] = STALL_lsu,
        [WAIT_GROUPS] = STALL_memory,   [WAIT_CLUSTER] = STALL_barrier,
    };

    return (enum stall)causes[w->wait];
}

/* The reason why a window is empty. */
static enum stall empty_window_cause(const struct sm *s, const struct warp *w)
{
    unsigned slot = (unsigned)(w - s->warp);

    if (w->branch != NO_UOP || s->cycle < w->fetch_at)
        return STALL_branch;
    if (warpset_has(&s->fetch.stream_wait, slot))
        return STALL_barrier;
    if (warpset_has(&s->fetch.skip_wait, slot))
        return STALL_skip;
    return w->has_ended ? STALL_drain : STALL_fetch;
}

static struct filed no_offer(enum stall cause)
{
    return (struct filed){ NO_UOP, (uint8_t)cause, false };
}

/* What a warp offers, or why it offers nothing. */
static struct filed issue_ask_offer(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];
    struct offer o;

    if (w->wait)
        return no_offer(warp_wait_cause(w));
    if (s->cycle < w->hold)
        return no_offer((enum stall)w->hold_cause);
    o = ops_of(s)->candidate(s->scheme, warp);
    if (o.hold == HOLD_nothing)
        return (struct filed){ o.uop, (uint8_t)(FILED_OFFER + s->pool[o.uop].pipe),
                               o.yield && s->config.sched.yield };
    return no_offer(o.hold == HOLD_empty ? empty_window_cause(s, w)
                                         : cause_of_offer(s, &o));
}

/* Takes a warp out of its mask (UNFILED is a mask that is never read). The bitmap of
 * non-empty masks is kept separately (perf, decision 036: reading several words just
 * after one was written stalls the host). */
static inline void subcore_unfile(struct subcore_issue *q, const struct filed *f,
                                  uint64_t bit)
{
    uint64_t left = q->filed[f->key] ^ bit;

    INVARIANT(f->key == UNFILED || q->filed[f->key] & bit);
    q->filed[f->key] = left;
    q->keys &= ~((uint64_t)!left << f->key);
    q->offering &= ~bit;
}

/* Asks the scheme for the warp's offer and files the answer. */
static void issue_refresh_warp(struct sm *s, unsigned warp)
{
    struct subcore *c = subcore_of(s, warp);
    uint64_t bit = bit64(bit_of(s, warp));
    struct filed *f = &s->warp[warp].filed, now = issue_ask_offer(s, warp);

    if (now.key == f->key && now.uop == f->uop && !has_view(s))
        return;
    wake_subcore(&s->wake, c->self);
    subcore_unfile(&c->issue, f, bit);
    *f = now;
    subcore_file(&c->issue, now.key, bit);
    if (has_view(s))
        view_wait(s, warp, now.uop != NO_UOP ? STALL_issued : (enum stall)now.key);
}

void issue_forget(struct sm *s, unsigned warp)
{
    struct subcore *c = subcore_of(s, warp);

    subcore_unfile(&c->issue, &s->warp[warp].filed, bit64(bit_of(s, warp)));
    s->warp[warp].filed = (struct filed){ .uop = NO_UOP, .key = STALL_idle };
    wake_subcore(&s->wake, c->self);
}

/* Wakes warps whose barrier latency or redirect penalty is over. */
static void issue_end_timers(struct sm *s)
{
    struct sm_wake *wake = &s->wake;

    agenda_set(&wake->agenda, SM_TIMER, NEVER);
    for (struct warpset m = wake->timed; warpset_any(&m);) {
        unsigned k = warpset_take(&m);
        uint64_t first = NEVER;

        wake_warp(wake, k);
        fetch_refresh(s, k);
        if (s->warp[k].hold > s->cycle)
            first = s->warp[k].hold;
        if (s->warp[k].fetch_at > s->cycle && s->warp[k].fetch_at < first)
            first = s->warp[k].fetch_at;
        if (first == NEVER)
            warpset_drop(&wake->timed, k);
        else
            agenda_add(&wake->agenda, SM_TIMER, first);
    }
}

/* Wakes warps for which the scheme asked to be called from a given cycle on. */
static void issue_wake_late(struct sm *s)
{
    struct scheme *sch = s->scheme;

    sch->next_wake = NEVER;
    for (struct warpset m = warpset_common(&sch->late, &s->blocks.resident);
         warpset_any(&m);) {
        unsigned warp = warpset_take(&m);
        uint64_t *at = &sch->wake_at[warp];

        if (*at > s->cycle) {
            sch->next_wake = earlier(sch->next_wake, *at);
            continue;
        }
        *at = 0;
        warpset_drop(&sch->late, warp);
        wake_warp(&s->wake, warp);
    }
}

/* Wakes warps for which the scheme asked to be called in this cycle. */
static void issue_ask_scheme(struct sm *s)
{
    struct scheme *sch = s->scheme;
    struct warpset roomier;

    if (s->cycle >= sch->next_wake)
        issue_wake_late(s);
    s->wake.warps = warpset_union(&s->wake.warps, &sch->woken);
    roomier = warpset_common(&sch->roomier, &s->blocks.resident);
    while (warpset_any(&roomier))
        fetch_refresh(s, warpset_take(&roomier));
    sch->woken = sch->roomier = (struct warpset){ { 0 } };
}

/* Counts words, or parts of one, between lanes and memory; LDGSTS writes shared memory, too. */
static void issue_count_words(struct sm_stats *t, const struct inst *i, unsigned lanes)
{
    unsigned words = lanes * ((i->bytes + 3u) / 4);

    if (i->space == SPACE_SHARED)
        t->shared_words += words;
    else
        t->memory_words += words;
    sm_count_copy(t, words, (i->flags & INST_ASYNC) != 0);
}

/* Counts the lanes that its unit works for, the registers that it writes, and its words. */
static inline void issue_count_work(struct sm_stats *t, const struct inst *i,
                                    unsigned lanes)
{
    t->unit.lanes[i->class] += lanes;
    if (!lanes)
        return;
    if (i->n_dst) {
        t->results++;
        t->reg_writes += i->n_written;
    }
    if (!i->is_plain && inst_is_memory(i))
        issue_count_words(t, i, lanes);
}

/* Counts it and takes it out of its window; whether it leaves an older one there. */
static inline bool issue_count_uop(struct sm *s, struct warp *w, const struct uop *u)
{
    unsigned lanes = (unsigned)__builtin_popcount(u->dyn.mask);
    bool is_reordered = uop_list_drop(&w->window, s->pool, u);
    struct sm_stats *t = &s->stats;

    t->warp_insts++;
    t->thread_insts += lanes;
    if (lanes != WARP_LANES)
        t->divergent++;
    t->reordered += is_reordered;
    if (!has_skip(s) || !u->reused)
        issue_count_work(t, u->dyn.inst, lanes);
    return is_reordered;
}

/* Starts the wait that one which is not plain imposes on its warp from issue on. */
static int issue_begin_wait(struct sm *s, struct warp *w, struct uop *u,
                            struct err *err)
{
    if (check_is_performed_in(s, u, PERFORMED_AT_ISSUE) && check_performed(s, u, err))
        return -1;
    switch (u->dyn.inst->class) {
    case CLASS_barrier:
        s->stats.barriers++;
        block_arrive(s, u);
        break;
    case CLASS_fence:
        warp_begin_fence(s, w, u);
        break;
    case CLASS_load:
        w->loads++;
        s->stats.loads++;
        break;
    case CLASS_store:
        w->stores++;
        s->stats.stores++;
        break;
    case CLASS_branch:
    case CLASS_exit:
        s->stats.branches++;
        break;
    case CLASS_atomic:
        w->atomics++;
        s->stats.atomics++;
        if (s->config.core.atomic_blocks)
            warp_set_wait(s, u->warp, WAIT_ATOMIC);
        break;
    default:
        break;
    }
    if (async_begin(s, w, u, err))
        return -1;
    if (u->dyn.inst->flags & INST_CONVERGE && s->config.core.converge_cycles) {
        w->hold = s->cycle + s->config.core.converge_cycles;
        w->hold_cause = STALL_branch;
        wake_warp_at(&s->wake, u->warp, w->hold);
    }
    return 0;
}

__attribute__((noinline)) static int
report_not_in_window(const struct sm *s, const struct uop *u, struct err *err)
{
    struct violation v = { "window", u, VIOLATION_NOBODY, "", false };

    return violation_report(s, &v, err, "is offered but is not in the window");
}

/* perf: one function with collect_issue(), apart from the rest of the cycle. */
__attribute__((noinline)) static int issue_uop(struct sm *s, struct subcore *c,
                                               unsigned bit, struct err *err)
{
    unsigned slot = warp_slot(s, c, bit);
    struct warp *w = &s->warp[slot];
    struct uop *u = &s->pool[w->filed.uop];
    bool is_reordered;

    if (u->stage != UOP_WINDOW)
        return report_not_in_window(s, u, err);
    __builtin_prefetch(&w->ahead); /* perf: when it has issued, the warp may fetch */
    w->has_yielded = w->filed.yield;
    if (w->has_yielded)
        w->yielded = s->cycle;
    c->issue.last = w->has_yielded ? NOBODY : bit;
    subcore_unfile(&c->issue, &w->filed, bit64(bit));
    wake_subcore(&s->wake, c->self);
    w->filed.uop = NO_UOP;
    w->filed.key = UNFILED;
    wake_warp(&s->wake, slot);
    if (u->pipe == PIPE_mem || ops_of(s)->wants_cycles)
        u->issued = s->cycle;
    u->stage = UOP_ISSUED;
    is_reordered = issue_count_uop(s, w, u);
    if (has_hot(s))
        hot_issued(s, c, u, is_reordered);
    if (is_reordered || is_exposed(s))
        violation_note(s, w, u);
    if (ops_of(s)->check && ops_of(s)->check(s->scheme, u, err))
        return -1;
    ops_of(s)->issued(s->scheme, u);
    if (has_view(s))
        view_stage(s, u, TRACE_ISSUE);
    if (!u->dyn.inst->is_plain && issue_begin_wait(s, w, u, err))
        return -1;
    if (w->has_ended && w->window.oldest == NO_UOP)
        block_exit(s, slot);
    if (ops_of(s)->room(s->scheme, slot)) /* issue never takes room away */
        fetch_open(s, slot);
    wake_next(&s->wake);
    if (has_skip(s) && u->reused)
        return unit_reuse(s, w, u, err);
    if (has_stations(s))
        return station_issue(s, c, u, err);
    return has_ports(s) ? ports_issue(s, c, u, err) : collect_issue(s, c, w, u, err);
}

/* With ports: those of these warps whose operands can be read now. */
static uint64_t find_able_ports(const struct sm *s, const struct subcore *c,
                                uint64_t able)
{
    if (s->cycle < c->port.issue_free || !ports_have_code(s, c))
        return 0;
    for (uint64_t m = able; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);

        if (!ports_free(s, c, &s->pool[s->warp[warp_slot(s, c, bit)].filed.uop]))
            able &= ~bit64(bit);
    }
    return able;
}

/* By pipe: the cycle from which an instruction can issue to it. */
static const uint64_t *issue_free_pipes(const struct sm *s, const struct subcore *c)
{
    return has_ports(s) && !has_stations(s) ? c->units.free : c->collect.latch_free;
}

/* Warps that could issue now: the latch of their pipe is free or, with stations,
 * always, since no latch is used then. Most often all latches are free. */
static uint64_t issue_find_able(const struct sm *s, const struct subcore *c)
{
    bool by_unit = has_ports(s) && !has_stations(s);
    const uint64_t *free = issue_free_pipes(s, c);
    uint64_t able = 0;

    if (!by_unit && !c->latches.waiting && c->latches.all_free <= s->cycle)
        return c->issue.offering;
    for (uint64_t m = c->issue.keys >> FILED_OFFER; m; m &= m - 1) {
        unsigned p = (unsigned)__builtin_ctzll(m);

        able |= free[p] <= s->cycle ? c->issue.filed[FILED_OFFER + p] : 0;
    }
    return by_unit ? find_able_ports(s, c, able) : able;
}

enum { MEM_KEY = FILED_OFFER + PIPE_mem };

/* The stall reason of a cycle without issue: an offer that is not taken, or the first
 * of the warps' reasons. */
static enum stall idle_slot_cause(uint64_t keys)
{
    uint64_t offers = keys >> FILED_OFFER << FILED_OFFER;

    if (offers)
        return offers & ~bit64(MEM_KEY) ? STALL_pipe : STALL_lsu;
    return keys ? (enum stall)__builtin_ctzll(keys) : STALL_idle;
}

/* Charges the sub-core's slots to a reason from this cycle on. */
static void issue_charge_slots(struct sm *s, struct subcore *c, enum stall cause,
                               uint64_t cycle)
{
    struct subcore_issue *q = &c->issue;

    INVARIANT(cycle >= q->since);
    if (has_hot(s))
        hot_charge(s, c, cycle);
    q->slot[q->cause] += cycle - q->since;
    q->since = cycle;
    q->cause = cause;
    if (has_hot(s) && cause != STALL_issued) /* else the instruction that issues */
        hot_set_cause(s, c, cause);
}

/* A stream may report its end after this cycle's slots were charged; then the SM
 * sleeps. */
void issue_go_idle(struct sm *s)
{
    for (unsigned k = 0; k < n_subcores(s); k++)
        issue_charge_slots(s, &s->sub[k], STALL_idle, s->cycle + 1);
}

/* The first cycle in which one of the latches with an offer is free. A scheme that then
 * offers something else for another latch is told about it in every cycle. */
static uint64_t first_free_latch(const struct sm *s, const struct subcore *c)
{
    uint64_t next = NEVER;

    INVARIANT(!ops_of(s)->wants_pipes || wants_tick(s));
    for (uint64_t m = c->issue.keys >> FILED_OFFER; m; m &= m - 1) {
        uint64_t at = c->collect.latch_free[__builtin_ctzll(m)];

        next = at > s->cycle ? earlier(next, at) : next;
    }
    return next;
}

/* Nothing can issue before a latch is free or the LSU takes the instruction in one: the
 * sub-core is skipped until then. */
static void issue_block_subcore(struct sm *s, struct subcore *c)
{
    c->issue.retry = first_free_latch(s, c);
    wake_subcore_at(&s->wake, c->self, c->issue.retry);
}

static void issue_unblock_subcores(struct sm *s)
{
    agenda_set(&s->wake.agenda, SM_LATCH, NEVER);
    for (uint32_t m = s->wake.blocked; m; m &= m - 1) {
        const struct subcore *c = &s->sub[__builtin_ctz(m)];

        if (c->issue.retry <= s->cycle)
            wake_subcore(&s->wake, c->self);
        else
            agenda_add(&s->wake.agenda, SM_LATCH, c->issue.retry);
    }
}

/* No warp issues. If one might next cycle, visit the sub-core again then. */
static void issue_pass_subcore(struct sm *s, struct subcore *c, uint64_t able)
{
    bool strict = s->config.sched.policy == SCHED_SRR;

    issue_charge_slots(s, c, able ? STALL_turn : idle_slot_cause(c->issue.keys),
                       s->cycle);
    if (!c->issue.offering)
        return;
    if (!able && !strict && !has_ports(s)) {
        issue_block_subcore(s, c);
        return;
    }
    wake_subcore(&s->wake, c->self);
    wake_next(&s->wake);
}

/* With sched.dual: the warp that has issued to a pipe issues what it offers now, if that
 * is for another one. Its slot is charged already. */
static int issue_second(struct sm *s, struct subcore *c, unsigned bit, enum pipe pipe,
                        struct err *err)
{
    unsigned slot = warp_slot(s, c, bit);
    const struct filed *f = &s->warp[slot].filed;

    issue_refresh_warp(s, slot);
    if (f->uop == NO_UOP || f->key == FILED_OFFER + pipe ||
        !(issue_find_able(s, c) >> bit & 1))
        return 0;
    s->stats.dual_issued++;
    return issue_uop(s, c, bit, err);
}

/* Those of these warps whose offers are first (struct scheme). */
static uint64_t issue_find_first(const struct sm *s, const struct subcore *c,
                                 uint64_t able)
{
    uint64_t first = 0;

    if (!ops_of(s)->wants_pipes || sched_has_candidates(s))
        return 0;
    for (; able; able &= able - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(able);

        if (warpset_has(&s->scheme->first, warp_slot(s, c, bit)))
            first |= bit64(bit);
    }
    return first;
}

/* Issues the offers of these warps that are first, as many as find their pipes free. */
static int issue_first_offers(struct sm *s, struct subcore *c, uint64_t able,
                              struct err *err)
{
    unsigned n = 0;

    issue_charge_slots(s, c, STALL_issued, s->cycle);
    for (unsigned bit; (bit = sched_pick(s, c, able)) != NOBODY; n++) {
        if (issue_uop(s, c, bit, err))
            return -1;
        able = issue_find_first(s, c, issue_find_able(s, c));
    }
    s->stats.dual_issued += n - 1;
    return 0;
}

static int issue_from_subcore(struct sm *s, struct subcore *c, struct err *err)
{
    uint64_t able = issue_find_able(s, c);
    uint64_t first = issue_find_first(s, c, able);
    unsigned bit;
    enum pipe pipe;

    if (first)
        return issue_first_offers(s, c, first, err);
    bit = sched_pick(s, c, able);
    INVARIANT(bit == NOBODY || able >> bit & 1);
    if (bit == NOBODY) {
        issue_pass_subcore(s, c, able);
        return 0;
    }
    issue_charge_slots(s, c, STALL_issued, s->cycle);
    if (!has_dual(s))
        return issue_uop(s, c, bit, err);
    pipe = (enum pipe)(s->warp[warp_slot(s, c, bit)].filed.key - FILED_OFFER);
    return issue_uop(s, c, bit, err) || issue_second(s, c, bit, pipe, err) ? -1 : 0;
}

/* Tells the scheme which pipes are free; where that has changed, warps are asked for their
 * offers again. */
static void issue_tell_pipes(struct sm *s)
{
    for (unsigned k = 0; k < n_subcores(s); k++) {
        struct subcore *c = &s->sub[k];
        const uint64_t *free = issue_free_pipes(s, c);
        uint32_t now = 0;

        for (unsigned p = 0; p < N_PIPE; p++)
            now |= (uint32_t)(free[p] <= s->cycle) << p;
        if (now == s->scheme->free_pipes[k])
            continue;
        s->scheme->free_pipes[k] = now;
        for (uint64_t m = c->issue.warps; m; m &= m - 1)
            wake_warp(&s->wake, warp_slot(s, c, (unsigned)__builtin_ctzll(m)));
    }
}

/* core.turns: what a sub-core that came before it in this cycle has changed for the warps
 * of a sub-core, which is an open barrier. */
static void issue_refresh_late(struct sm *s, const struct subcore *c)
{
    for (uint64_t m = c->issue.warps; m; m &= m - 1) {
        unsigned slot = warp_slot(s, c, (unsigned)__builtin_ctzll(m));

        if (!warpset_has(&s->wake.warps, slot))
            continue;
        warpset_drop(&s->wake.warps, slot);
        issue_refresh_warp(s, slot);
    }
}

/* core.turns: sub-cores issue one after another. */
static int issue_in_turn(struct sm *s, unsigned first, struct err *err)
{
    for (unsigned i = 0; i < n_subcores(s); i++) {
        struct subcore *c = &s->sub[(first + i) % n_subcores(s)];

        if (i)
            issue_refresh_late(s, c);
        if (!(s->wake.subcores & c->self))
            continue;
        s->wake.subcores &= ~c->self;
        s->wake.blocked &= ~c->self;
        if (issue_from_subcore(s, c, err))
            return -1;
    }
    return 0;
}

int issue_tick(struct sm *s, struct err *err)
{
    unsigned n = n_subcores(s), first = issue_first_subcore(s, s->cycle);
    struct sm_wake *wake = &s->wake;
    uint32_t visit;

    if (wake_is_due(wake, SM_TIMER, s->cycle))
        issue_end_timers(s);
    if (warpset_any(&s->scheme->woken) || s->cycle >= s->scheme->next_wake)
        issue_ask_scheme(s);
    if (ops_of(s)->wants_pipes)
        issue_tell_pipes(s);
    for (unsigned k = 0; k < WARP_WORDS; k++) {
        for (uint64_t m = wake->warps.w[k] & s->blocks.resident.w[k]; m; m &= m - 1)
            issue_refresh_warp(s, k * 64 + (unsigned)__builtin_ctzll(m));
        wake->warps.w[k] = 0;
    }
    if (wake_is_due(wake, SM_LATCH, s->cycle))
        issue_unblock_subcores(s);
    wake->blocked &= ~wake->subcores;
    if (has_turns(s))
        return issue_in_turn(s, first, err);
    visit = wake->subcores;
    wake->subcores = 0;
    /* In turn: bit k of visit is sub-core first + k. */
    visit = (visit >> first | visit << (n - first)) & ((1u << n) - 1);
    for (; visit; visit &= visit - 1) {
        unsigned k = (first + (unsigned)__builtin_ctz(visit)) % n;

        if (issue_from_subcore(s, &s->sub[k], err))
            return -1;
    }
    return 0;
}

void issue_account(struct sm *s, uint64_t cycle)
{
    for (unsigned k = 0; k < n_subcores(s); k++) {
        struct subcore_issue *q = &s->sub[k].issue;

        if (has_hot(s))
            hot_charge(s, &s->sub[k], cycle);
        q->slot[q->cause] += cycle - q->since;
        q->since = cycle;
    }
}
