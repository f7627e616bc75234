/* fetch.c - fetch and decode: warps in turn, as many instructions as their windows
 * hold.
 *
 * One latch between fetch and decode; both run several times per cycle, decode first,
 * as in Accel-Sim (inst_fetch_throughput). Fetch goes round robin over the warps whose
 * window has room. Decode takes the instructions from the warp's stream, which executes
 * them. After a taken branch or other redirect nothing more is fetched until it is
 * resolved and the redirect penalty has passed; fetch never follows a wrong path, so
 * time is lost but no bandwidth. After a barrier nothing is fetched until it opens: the
 * instructions there may depend on what other warps do before it. After an instruction
 * that reads the time nothing is fetched until it issues, which tells its result; nor after
 * one on a barrier in shared memory, until it takes effect.
 */
#include <stddef.h>
#include <string.h>

#include "base/invariant.h"
#include "core/icache.h"
#include "core/stages.h"

enum { INST_BYTES = 16 };

/* May a held warp access the cache? Instructions that it has fetched already take the
 * place of one group. */
static bool can_fetch_held(const struct sm *s, const struct warp *w)
{
    return fetches_at_barrier(s) && !has_skip(s) &&
           w->n_code + (w->rest ? 1u : 0u) < s->fetch.code_ahead;
}

/* Will the warp fetch once more, after its last instruction? With fetch.follow_decode
 * fetch does not know that there is none until it has decoded nothing, or the last one
 * has issued. */
static bool fetch_overruns(const struct sm *s, const struct warp *w)
{
    return follows_decode(s) && s->fetch.has_icache && !w->has_exited &&
           !w->has_overrun;
}

bool fetch_can_go_on(const struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];

    if (w->window.oldest != NO_UOP &&
        w->next_seq - s->pool[w->window.oldest].dyn.seq > MAX_AHEAD)
        return false;
    return w->is_resident && (!w->has_ended || fetch_overruns(s, w)) &&
           !w->awaits_code && (!w->is_held || can_fetch_held(s, w)) &&
           w->branch == NO_UOP && s->cycle >= w->fetch_at &&
           !warpset_has(&s->fetch.stream_wait, warp) &&
           !warpset_has(&s->fetch.skip_wait, warp);
}

/* Could the warp fetch, as far as the warp itself is concerned? */
static bool can_fetch(const struct sm *s, unsigned warp)
{
    return fetch_can_go_on(s, warp) &&
           (!has_skip_stage(s) || warpset_has(&s->fetch.passed, warp));
}

/* (perf) Prefetches the next two uops of the warp on the host, as many as most windows
 * take. If fewer are executed, that does no harm. */
static void prefetch_next_uops(const struct sm *s, const struct ahead *a)
{
    __builtin_prefetch(&s->pool[a->at[a->first % AHEAD]]);
    __builtin_prefetch(&s->pool[a->at[(a->first + 1) % AHEAD]]);
}

void fetch_open(struct sm *s, unsigned warp)
{
    if (has_skip_stage(s))
        skip_show_warp(s, warp);
    if (!can_fetch(s, warp)) {
        wake_no_fetch(&s->wake, warp);
        return;
    }
    wake_fetch(&s->wake, warp);
    prefetch_next_uops(s, &s->warp[warp].ahead);
}

/* The stream has ended; the warp's last instruction is in flight or has issued. */
static void fetch_end_stream(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];

    w->has_ended = true;
    wake_warp(&s->wake, warp);
    if (w->window.oldest == NO_UOP && !w->has_exited)
        block_exit(s, warp);
    warp_check_done(s, warp);
}

/* The warp's fetch waits at this instruction, which will be taken again. */
static void hold_back_inst(struct sm *s, struct uop *u)
{
    struct ahead *a = &s->warp[u->warp].ahead;

    INVARIANT(a->first && a->n < AHEAD);
    a->first--;
    a->n++;
    u->stage = UOP_FREE;
    warpset_add(&s->fetch.skip_wait, u->warp);
}

void fetch_drop_inst(struct sm *s, struct uop *u)
{
    check_dropped(s, u);
    s->warp[u->warp].next_seq = u->dyn.seq + 1;
    s->warp[u->warp].next_pc = u->dyn.inst->pc + u->dyn.inst->length;
    s->stats.skipped++;
    wake_next(&s->wake);
    INVARIANT(s->uops.n_free < s->n_pool);
    uops_put(&s->uops, u);
}

/* An executed instruction enters the pipeline. Returns true if it redirects the warp and
 * decoding stops after it. */
static inline bool enter_window(struct sm *s, struct warp *w, struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    uint64_t after = i->pc + i->length, next = u->dyn.next_pc;

    INVARIANT(u->dyn.seq == w->next_seq);
    u->pipe = s->timing[i->class].pipe;
    u->dyn.redirects = next != after && next; /* 0: none follows */
    if (s->fetch.has_icache)
        w->next_pc = u->dyn.redirects && !follows_decode(s) ? next : after;
    w->next_seq = u->dyn.seq + 1;
    w->in_flight++;
    uop_list_add(&w->window, s->pool, u);
    check_fetched(s, w, u);
    s->stats.fetched++;
    if (has_hot(s))
        hot_fetched(s, u);
    ops_of(s)->insert(s->scheme, u);
    if (has_view(s))
        view_stage(s, u, TRACE_WINDOW);
    if (!u->dyn.redirects)
        return false;
    s->stats.redirects++;
    if (s->config.fetch.wait_branch && !s->scheme->predicts)
        w->branch = u->id;
    return !follows_decode(s) || ops_of(s)->flushes;
}

void fetch_release_streams(struct sm *s)
{
    struct warpset waiting = s->fetch.stream_wait;

    warpset_clear(&s->fetch.stream_wait);
    while (warpset_any(&waiting)) {
        unsigned k = warpset_take(&waiting);

        wake_warp(&s->wake, k);
        fetch_refresh(s, k);
    }
}

/* Prepares those of the last n free uops that were never used. */
static void prepare_uops(struct sm *s, unsigned n)
{
    while (s->uops.n_fresh > s->uops.n_free - n) {
        uop_id id = s->uops.free[--s->uops.n_fresh];

        s->pool[id].id = id;
        s->pool[id].dyn.addr.list = s->uops.lists[id];
    }
}

/* Executes some instructions of a warp, at least one. STREAM_INST: there are some
 * now. */
static enum stream_status run_ahead(struct sm *s, unsigned warp, struct err *err)
{
    struct warp *w = &s->warp[warp];
    struct ahead *a = &w->ahead;
    struct dyn *to[AHEAD];
    unsigned n = s->uops.n_free < AHEAD ? s->uops.n_free : AHEAD;
    enum stream_status status;

    prepare_uops(s, n);
    for (unsigned k = 0; k < n; k++) {
        uop_id id = s->uops.free[s->uops.n_free - 1 - k];

        s->pool[id].warp = (uint8_t)warp;
        a->at[k] = id;
        to[k] = &s->pool[id].dyn;
    }
    status = stream_run(s->blocks.at[w->block].stream, w->index, to, &n, err);
    INVARIANT(n <= AHEAD && n <= s->uops.n_free);
    s->uops.n_free -= n;
    for (unsigned k = 0; k < n && has_narrow(s); k++)
        to[k]->inst = narrow_inst(s->fetch.narrow, to[k]->inst, a->at[k]);
    a->first = 0;
    a->n = (uint8_t)n;
    a->has_ended = status == STREAM_END;
    return status;
}

/* Outcome of taking one instruction of a warp. */
enum taken {
    TAKEN_ERROR = -1,
    TAKEN_STOP, /* nothing follows for now */
    TAKEN_ONE,
    TAKEN_DROPPED, /* no instruction entered the window */
    /* usually the last one: ask the stream at once, so that nothing is fetched for
     * the warp */
    TAKEN_EXIT,
};

int fetch_fill_ahead(struct sm *s, unsigned warp, struct err *err)
{
    const struct ahead *a = &s->warp[warp].ahead;
    enum stream_status status = STREAM_END;

    if (a->n)
        return 1;
    if (!s->uops.n_free)
        return 0;
    if (!a->has_ended)
        status = run_ahead(s, warp, err);
    if (status == STREAM_END)
        fetch_end_stream(s, warp);
    else if (status == STREAM_WAIT)
        warpset_add(&s->fetch.stream_wait, warp);
    return status == STREAM_ERROR ? -1 : status == STREAM_INST;
}

/* Must fetch wait until the barrier opens? Not with fetch.at_barrier, if the instructions
 * after it are known. */
static bool fetch_stops_at(const struct sm *s, const struct uop *u)
{
    const struct stream *stream = s->blocks.at[s->warp[u->warp].block].stream;

    return dyn_waits(&u->dyn) && !(fetches_at_barrier(s) && stream->is_recorded);
}

/* Takes an instruction that other warps may have waited for, or that may be the
 * last. */
static enum taken take_sync_inst(struct sm *s, const struct uop *u, bool stops)
{
    const struct dyn *d = &u->dyn;

    if (warpset_any(&s->fetch.stream_wait))
        fetch_release_streams(s);
    if (d->inst->flags & INST_EXIT && !d->next_pc)
        return TAKEN_EXIT;
    if (d->inst->flags & (INST_TIME | INST_PHASE)) {
        s->warp[u->warp].is_held = true;
        return TAKEN_STOP;
    }
    if (!fetch_stops_at(s, u))
        return stops ? TAKEN_STOP : TAKEN_ONE;
    s->warp[u->warp].is_held = true;
    return TAKEN_STOP;
}

struct uop *fetch_take_executed(struct sm *s, struct ahead *a)
{
    struct uop *u = &s->pool[a->at[a->first++]];

    INVARIANT(a->n && a->first <= AHEAD);
    a->n--;
    u->stage = UOP_WINDOW;
    if (ops_of(s)->wants_cycles)
        u->fetched = s->cycle;
    return u;
}

/* Asks the redundancy eliminator about an instruction; drops it or holds it back
 * here. */
static enum taken ask_skip(struct sm *s, struct uop *u, struct err *err)
{
    enum skip_verdict v;

    if (skip_ask(s, u, true, &v, err))
        return TAKEN_ERROR;
    if (v == SKIP_WAIT) {
        hold_back_inst(s, u);
        return TAKEN_STOP;
    }
    u->reused = v == SKIP_REUSE;
    if (v != SKIP_DROP)
        return TAKEN_ONE;
    fetch_drop_inst(s, u);
    return TAKEN_DROPPED;
}

static inline enum taken take_inst(struct sm *s, unsigned warp, struct err *err)
{
    struct warp *w = &s->warp[warp];
    struct ahead *a = &w->ahead;
    const struct inst *i;
    struct uop *u;
    bool stops;

    if (!a->n) {
        int has_inst = fetch_fill_ahead(s, warp, err);

        if (has_inst <= 0)
            return has_inst ? TAKEN_ERROR : TAKEN_STOP;
    }
    u = fetch_take_executed(s, a);
    if (has_skip(s)) {
        enum taken t = ask_skip(s, u, err);

        if (t != TAKEN_ONE)
            return t;
    }
    wake_next(&s->wake);
    i = u->dyn.inst;
    stops = enter_window(s, w, u);
    if (!i->is_plain &&
        (i->class == CLASS_barrier || i->flags & (INST_EXIT | INST_TIME | INST_PHASE)))
        return take_sync_inst(s, u, stops);
    return stops ? TAKEN_STOP : TAKEN_ONE;
}

/* Decodes a group of at most n instructions; 0: as many as fit. */
static int decode_group(struct sm *s, unsigned warp, unsigned most, struct err *err)
{
    unsigned n = ops_of(s)->room(s->scheme, warp);
    enum taken taken = TAKEN_ONE;

    if (most && n > most)
        n = most;
    if (has_skip_stage(s))
        warpset_drop(&s->fetch.passed, warp);
    while (taken == TAKEN_ONE && n--)
        do
            taken = take_inst(s, warp, err);
        while (taken == TAKEN_EXIT || taken == TAKEN_DROPPED);
    if (fetches_at_barrier(s) && s->warp[warp].is_held)
        s->warp[warp].rest = (uint8_t)n;
    /* The warp offers something now, or waits for something else. */
    if (s->warp[warp].filed.uop == NO_UOP)
        wake_warp(&s->wake, warp);
    fetch_refresh(s, warp);
    return taken == TAKEN_ERROR ? -1 : 0;
}

static int fetch_decode_warp(struct sm *s, unsigned warp, struct err *err)
{
    return decode_group(s, warp, s->config.fetch.width, err);
}

void fetch_go_on(struct sm *s, unsigned warp)
{
    s->warp[warp].is_held = false;
    if (fetches_at_barrier(s))
        warpset_add(&s->fetch.refill, warp);
    else
        fetch_refresh(s, warp);
}

void fetch_tell_time(struct sm *s, const struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    struct stream *stream = s->blocks.at[w->block].stream;

    if (stream->ops->tell_time)
        stream->ops->tell_time(stream, w->index, u->dyn.seq, s->cycle,
                               sm_cycle_ns(s->config.core_clock, s->cycle));
    fetch_go_on(s, u->warp);
}

/* Gives a warp one group of instructions that it would have fetched while it was held:
 * the rest of its last fetch first. Returns 0 if there is none. */
static int refill_group(struct sm *s, unsigned warp, struct err *err)
{
    struct warp *w = &s->warp[warp];
    unsigned rest = w->rest;

    if (w->is_held || w->has_ended || w->branch != NO_UOP ||
        !ops_of(s)->room(s->scheme, warp) || (!rest && !w->n_code) ||
        (!s->fetch.code_ahead && !warpset_has(&s->wake.fetch, warp)))
        return 0;
    w->rest = 0;
    w->n_code = (uint8_t)(w->n_code - !rest);
    return decode_group(s, warp, rest ? rest : s->config.fetch.width, err) ? -1 : 1;
}

static int refill_warp(struct sm *s, unsigned warp, struct err *err)
{
    int more = 1;

    /* Without a cache to access, the next group has been fetched too. */
    s->warp[warp].n_code |= !s->fetch.code_ahead && !s->warp[warp].rest;
    s->scheme->is_refill = true;
    while (more > 0)
        more = refill_group(s, warp, err);
    s->scheme->is_refill = false;
    s->warp[warp].n_code = 0;
    fetch_refresh(s, warp);
    return more;
}

/* Warps whose barrier has opened (fetch.at_barrier), or that were told the time, go on.
 * Their next instructions could not be executed before: those after a barrier may depend
 * on other warps, those after a clock on the time. With fetch.at_barrier the cache was
 * accessed for them meanwhile, if it is not perfect: for as many groups of fetch.width as
 * the window holds, in a row. */
static int refill_warps(struct sm *s, struct err *err)
{
    struct warpset filled = s->fetch.refill;

    warpset_clear(&s->fetch.refill);
    while (warpset_any(&filled))
        if (refill_warp(s, warpset_take(&filled), err))
            return -1;
    return 0;
}

/* The instructions of a warp have been fetched: they are decoded next or, while the warp
 * is held, when it goes on. */
static void fetch_finish(struct sm *s, unsigned warp)
{
    if (!fetches_at_barrier(s) || !s->warp[warp].is_held) {
        s->fetch.latch = warp;
        return;
    }
    s->warp[warp].n_code++;
    fetch_refresh(s, warp);
}

/* The address of a warp's fetch; while it is held, after the groups already fetched, as
 * if no branch were among them. */
static uint64_t fetch_address(const struct sm *s, const struct warp *w)
{
    unsigned n = w->rest + w->n_code * s->config.fetch.width;

    return w->next_pc + (fetches_at_barrier(s) ? (uint64_t)n * INST_BYTES : 0);
}

/* Accesses the cache for a warp: for its next instructions, or after its last one. */
static void fetch_access(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];

    if (follows_decode(s) && w->has_ended) {
        w->has_overrun = icache_touch(s->fetch.icache, fetch_address(s, w), s->cycle);
        fetch_refresh(s, warp);
        return;
    }
    if (!s->fetch.has_icache ||
        icache_access(s->fetch.icache, warp, fetch_address(s, w), s->cycle))
        fetch_finish(s, warp);
    else
        w->awaits_code = true;
}

int fetch_tick(struct sm *s, struct err *err)
{
    if (chaos(s, CHAOS_FETCH))
        return 0;
    if (warpset_any(&s->fetch.refill) && refill_warps(s, err))
        return -1;
    for (unsigned k = 0; k < s->config.fetch.rounds; k++) {
        unsigned warp = s->fetch.latch;

        s->fetch.latch = NO_LATCH;
        if (warp != NO_LATCH && fetch_decode_warp(s, warp, err))
            return -1;
        if (has_skip_stage(s)) /* woken: it is looked at again first */
            s->wake.fetch = warpset_without(&s->wake.fetch, &s->skip->woken);
        if (!warpset_any(&s->wake.fetch))
            break;
        warp = warpset_after(&s->wake.fetch, s->fetch.last);
        s->fetch.last = warp;
        wake_next(&s->wake);
        wake_no_fetch(&s->wake, warp);
        fetch_access(s, warp);
    }
    return 0;
}

unsigned fetch_code_ahead(const struct sm *s)
{
    const struct scheme_ops *o = s->config.scheme;
    unsigned width = s->config.fetch.width, n = 1;

    if (!s->config.fetch.at_barrier || !s->fetch.has_icache)
        return 0;
    if (width && o->window)
        n = o->window(s->config.scheme_params) / width;
    return n < 1 ? 1 : n > UINT8_MAX ? UINT8_MAX : n;
}
