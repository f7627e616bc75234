/* issue.c - offers, the choice among them, and what issuing does to a warp.
 *
 * What each warp offers is filed in bit masks of its sub-core: by pipe, or by the cause
 * why it offers nothing. A warp is filed anew only when something happened to it, so a
 * scheduler that looks for a warp reads a few words. A cycle in which nothing issues is
 * charged to the first cause, in the order of stats/stall.h, that any of its warps has.
 */
#include "core/stages.h"

static enum stall wait_cause(const struct warp *w)
{
    switch (w->wait) {
    case WAIT_BARRIER:
        return STALL_barrier;
    case WAIT_EXIT:
        return STALL_drain;
    default:
        return STALL_fence;
    }
}

/* Nothing in the window: why not. */
static enum stall fetch_cause(const struct sm *s, const struct warp *w)
{
    unsigned slot = (unsigned)(w - s->warp);

    if (w->branch != NO_UOP || s->cycle < w->fetch_at)
        return STALL_branch;
    if (warpset_has(&s->stream_wait, slot))
        return STALL_barrier;
    if (warpset_has(&s->skip_wait, slot))
        return STALL_skip;
    return w->has_ended ? STALL_drain : STALL_fetch;
}

static struct offer offer_of(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];
    struct offer o = { NO_UOP, STALL_fetch, false };

    if (w->wait)
        o.cause = (uint8_t)wait_cause(w);
    else if (s->cycle < w->hold)
        o.cause = w->hold_cause;
    else
        o = ops_of(s)->candidate(s->scheme, warp);
    if (o.uop == NO_UOP && o.cause == STALL_fetch)
        o.cause = (uint8_t)fetch_cause(s, w);
    return o;
}

/* Takes a warp out of the masks of its sub-core. */
static inline void unfile(struct sm *s, struct subcore *c, const struct filed *f,
                          uint64_t bit)
{
    if (f->cause == UNFILED)
        return;
    if (f->uop == NO_UOP) {
        c->causes[f->cause] &= ~bit;
        if (!c->causes[f->cause])
            c->caused &= ~(1u << f->cause);
        return;
    }
    c->pipe[f->pipe].offers &= ~bit;
    if (c->pipe[f->pipe].offers)
        return;
    c->offering &= ~(1u << f->pipe);
    if (!c->offering)
        s->offered &= ~c->self;
}

static inline void file(struct sm *s, struct subcore *c, struct filed *f, uint64_t bit)
{
    const struct uop *u;

    if (f->uop == NO_UOP) {
        c->causes[f->cause] |= bit;
        c->caused |= 1u << f->cause;
        return;
    }
    u = &s->pool[f->uop];
    f->pipe = u->pipe;
    __builtin_prefetch(&u->dyn.inst->list); /* its issue will look at it */
    c->pipe[f->pipe].offers |= bit;
    c->offering |= 1u << f->pipe;
    s->offered |= c->self;
}

/* Asks the scheme, and files the answer. */
static void refresh(struct sm *s, unsigned warp)
{
    struct subcore *c = &s->sub[s->sub_of[warp]];
    uint64_t bit = bit64(s->bit_of[warp]);
    struct filed *f = &s->warp[warp].filed;
    struct offer o = offer_of(s, warp);

    if (o.uop == NO_UOP && f->uop == NO_UOP && f->cause == o.cause && !has_view(s))
        return;
    s->touched |= c->self;
    unfile(s, c, f, bit);
    f->uop = o.uop;
    f->cause = o.cause;
    f->yield = o.yield;
    file(s, c, f, bit);
    if (has_view(s))
        view_wait(s, warp, o.uop != NO_UOP ? STALL_issued : o.cause);
}

void issue_forget(struct sm *s, unsigned warp)
{
    struct subcore *c = &s->sub[s->sub_of[warp]];

    unfile(s, c, &s->warp[warp].filed, bit64(s->bit_of[warp]));
    s->warp[warp].filed = (struct filed){ .uop = NO_UOP, .cause = STALL_idle };
    s->touched |= c->self;
}

/* Warps whose barrier's latency or whose redirect is over. */
static void open_timed(struct sm *s)
{
    s->next_timed = UINT64_MAX;
    for (struct warpset m = s->timed; warpset_any(&m);) {
        unsigned k = warpset_take(&m);
        uint64_t first = UINT64_MAX;

        warpset_add(&s->dirty, k);
        fetch_refresh(s, k);
        if (s->warp[k].hold > s->cycle)
            first = s->warp[k].hold;
        if (s->warp[k].fetch_at > s->cycle && s->warp[k].fetch_at < first)
            first = s->warp[k].fetch_at;
        if (first == UINT64_MAX)
            warpset_drop(&s->timed, k);
        else if (first < s->next_timed)
            s->next_timed = first;
    }
}

/* Warps that the scheme wants to be asked for from a cycle on. */
static void wake_late(struct sm *s)
{
    struct scheme *sch = s->scheme;

    sch->next_wake = UINT64_MAX;
    for (unsigned n = 0; n < WARP_WORDS; n++)
        for (uint64_t m = s->resident.w[n]; m; m &= m - 1) {
            uint64_t *at = &sch->wake_at[n * 64 + (unsigned)__builtin_ctzll(m)];

            if (!*at)
                continue;
            if (*at <= s->cycle) {
                *at = 0;
                s->dirty.w[n] |= m & -m;
            } else if (*at < sch->next_wake) {
                sch->next_wake = *at;
            }
        }
}

/* Warps that the scheme wants to be asked for in this cycle. */
static void wake_scheme(struct sm *s)
{
    struct scheme *sch = s->scheme;
    struct warpset woken;

    if (s->cycle >= sch->next_wake)
        wake_late(s);
    s->dirty = warpset_union(&s->dirty, &sch->woken);
    woken = warpset_common(&sch->woken, &s->resident);
    while (warpset_any(&woken))
        fetch_refresh(s, warpset_take(&woken));
    warpset_clear(&sch->woken);
}

static void count_issued(struct sm *s, struct warp *w, const struct uop *u)
{
    struct sm_stats *t = &s->stats;

    t->warp_insts++;
    if (u->dyn.mask == 0xffffffffu) {
        t->thread_insts += WARP_LANES;
    } else {
        t->thread_insts += (unsigned)__builtin_popcount(u->dyn.mask);
        t->divergent++;
    }
    t->reordered += uop_list_drop(&w->window, s->pool, u);
}

/* What makes a warp wait from its own issue on. */
static int begin_wait(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    switch (u->dyn.inst->class) {
    case CLASS_barrier:
        if (check_performed(s, u, err))
            return -1;
        s->stats.barriers++;
        block_arrive(s, u);
        break;
    case CLASS_fence:
        if (check_performed(s, u, err))
            return -1;
        if (w->loads || w->stores || w->atomics)
            w->wait = WAIT_FENCE;
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
            w->wait = WAIT_ATOMIC;
        break;
    default:
        break;
    }
    if (u->dyn.inst->flags & INST_CONVERGE && s->config.core.converge_cycles) {
        w->hold = s->cycle + s->config.core.converge_cycles;
        w->hold_cause = STALL_branch;
        warp_timer(s, w->hold, u->warp);
    }
    if (w->has_ended && w->window.oldest == NO_UOP)
        block_exit(s, u->warp);
    return 0;
}

static int issue_uop(struct sm *s, struct subcore *c, unsigned bit, struct err *err)
{
    unsigned slot = bit * s->shape.n_subcores + c->index;
    struct warp *w = &s->warp[slot];
    struct uop *u = &s->pool[w->filed.uop];

    w->has_yielded = w->filed.yield && s->config.sched.yield;
    if (w->has_yielded)
        w->yielded = s->cycle;
    c->last = w->has_yielded ? NOBODY : bit;
    unfile(s, c, &w->filed, bit64(bit));
    s->touched |= c->self;
    w->filed.uop = NO_UOP;
    w->filed.cause = UNFILED;
    warpset_add(&s->dirty, slot);
    if (u->pipe == PIPE_mem || s->scheme->wants_cycles)
        u->issued = s->cycle;
    u->stage = UOP_ISSUED;
    count_issued(s, w, u);
    ops_of(s)->issued(s->scheme, u);
    if (has_view(s))
        view_stage(s, u, TRACE_ISSUE);
    if (begin_wait(s, w, u, err))
        return -1;
    fetch_refresh(s, slot);
    s->progress = true;
    if (has_skip(s) && u->reused)
        return unit_reuse(s, w, u, err);
    if (has_stations(s))
        return station_issue(s, c, u, err);
    return has_ports(s) ? ports_issue(s, c, u, err) : collect_issue(s, c, w, u, err);
}

/* Warps that could issue now: their pipe takes another one, or a station does. */
static uint64_t able_warps(const struct sm *s, const struct subcore *c)
{
    uint64_t able = 0;

    if (has_ports(s) && s->cycle < c->port.issue_free && !has_stations(s))
        return 0;
    for (uint32_t m = c->offering & ~c->latched; m; m &= m - 1) {
        const struct pipe_state *p = &c->pipe[__builtin_ctz(m)];

        if (has_stations(s) ||
            s->cycle >= (has_ports(s) ? p->unit_free : p->latch_free))
            able |= p->offers;
    }
    if (!has_ports(s) || has_stations(s))
        return able;
    for (uint64_t m = able; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        unsigned slot = bit * s->shape.n_subcores + c->index;

        if (!ports_free(s, c, &s->pool[s->warp[slot].filed.uop]))
            able &= ~bit64(bit);
    }
    return able;
}

/* Warps that could not issue in the cycle before queue up behind those that could; one
 * that only yielded keeps its place (seen on an H200). */
static void gty_queue(struct sm *s, struct subcore *c, uint64_t able)
{
    uint64_t before = c->able_at + 1 == s->cycle ? c->was_able : 0;

    for (uint64_t m = able & ~before; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        struct warp *w = &s->warp[bit * s->shape.n_subcores + c->index];

        if (w->has_yielded && w->yielded + 2 == s->cycle)
            continue;
        w->ready_since = s->cycle;
        if (c->last == bit)
            c->last = NOBODY;
    }
    c->was_able = able;
    c->able_at = s->cycle;
}

static enum stall idle_cause(const struct subcore *c)
{
    if (c->offering)
        return c->offering & ~(1u << PIPE_mem) ? STALL_pipe : STALL_lsu;
    return c->caused ? (enum stall)__builtin_ctz(c->caused) : STALL_idle;
}

/* From a cycle on the sub-core's slots go to another cause. */
static void charge(struct sm *s, struct subcore *c, enum stall cause, uint64_t cycle)
{
    if (cause == c->cause)
        return;
    s->stats.slot[c->index][c->cause] += cycle - c->since;
    c->since = cycle;
    c->cause = cause;
}

/* A stream may tell its end after this cycle's slots were charged, and the SM then sleeps. */
void issue_rest(struct sm *s)
{
    for (unsigned k = 0; k < s->shape.n_subcores; k++)
        charge(s, &s->sub[k], STALL_idle, s->cycle + 1);
}

/* Nothing can be issued before a latch is free, or the LSU has taken what is in one: the
 * sub-core is passed over until then. */
static void block(struct sm *s, struct subcore *c)
{
    c->retry = UINT64_MAX;
    for (uint32_t m = c->offering & ~c->latched; m; m &= m - 1) {
        uint64_t at = c->pipe[__builtin_ctz(m)].latch_free;

        c->retry = at < c->retry ? at : c->retry;
    }
    s->blocked |= c->self;
    s->next_retry = c->retry < s->next_retry ? c->retry : s->next_retry;
}

static void unblock(struct sm *s)
{
    s->next_retry = UINT64_MAX;
    for (uint32_t m = s->blocked; m; m &= m - 1) {
        const struct subcore *c = &s->sub[__builtin_ctz(m)];

        if (c->retry <= s->cycle)
            s->blocked &= ~(m & -m);
        else if (c->retry < s->next_retry)
            s->next_retry = c->retry;
    }
}

static int issue_from(struct sm *s, struct subcore *c, struct err *err)
{
    uint64_t able = c->offering ? able_warps(s, c) : 0;
    bool strict = s->config.sched.policy == SCHED_SRR;
    unsigned bit;

    if (c->offering && !able && !strict && !has_ports(s))
        block(s, c);

    if (s->config.sched.policy == SCHED_GTY)
        gty_queue(s, c, able);
    bit = able || strict ? sched_pick(s, c, able) : NOBODY;
    charge(s, c,
           bit != NOBODY ? STALL_issued
           : able        ? STALL_turn
                         : idle_cause(c),
           s->cycle);
    return bit != NOBODY ? issue_uop(s, c, bit, err) : 0;
}

int issue_tick(struct sm *s, struct err *err)
{
    unsigned n = s->shape.n_subcores, first;
    uint32_t visit;

    if (s->cycle >= s->next_timed)
        open_timed(s);
    if (warpset_any(&s->scheme->woken) || s->cycle >= s->scheme->next_wake)
        wake_scheme(s);
    for (unsigned k = 0; k < WARP_WORDS; k++) {
        for (uint64_t m = s->dirty.w[k] & s->resident.w[k]; m; m &= m - 1)
            refresh(s, k * 64 + (unsigned)__builtin_ctzll(m));
        s->dirty.w[k] = 0;
    }
    if (s->cycle >= s->next_retry)
        unblock(s);
    s->blocked &= ~s->touched;
    visit = s->touched | (s->offered & ~s->blocked);
    s->touched = 0;
    if (!visit)
        return 0;
    first = n == 4 ? (unsigned)s->cycle & 3 : (unsigned)(s->cycle % n);
    /* In turn: bit k of visit is the sub-core first + k. */
    visit = (visit >> first | visit << (n - first)) & ((1u << n) - 1);
    for (; visit; visit &= visit - 1) {
        unsigned k = first + (unsigned)__builtin_ctz(visit);

        if (issue_from(s, &s->sub[k < n ? k : k - n], err))
            return -1;
    }
    return 0;
}

void issue_account(struct sm *s, uint64_t cycle)
{
    for (unsigned k = 0; k < s->shape.n_subcores; k++) {
        struct subcore *c = &s->sub[k];

        s->stats.slot[k][c->cause] += cycle - c->since;
        c->since = cycle;
    }
}
