/* unit.c - execution units, result buses, the event wheel, writeback and retirement.
 *
 * A unit takes an instruction every `interval` cycles; its result is written after its
 * latency. With collectors two more cycles go to the unit's input latch and the result
 * latch, so that a dependent instruction issues latency + 5 cycles after its producer,
 * as measured on Accel-Sim. With ports the latency is that distance itself.
 */
#include "core/state.h"
#include "stats/latency.h"

enum { LATCHES = 2 };

void wheel_add(struct sm *s, uop_id id, uint64_t cycle)
{
    unsigned at = (unsigned)(cycle % WHEEL);

    s->pool[id].next_event = s->wheel[at];
    s->wheel[at] = id;
    s->wheel_set[at / 64] |= bit64(at % 64);
    s->n_events++;
}

void uop_retire(struct sm *s, struct uop *u)
{
    unsigned warp = u->warp;

    if (s->trace)
        view_retire(s, u);
    u->stage = UOP_FREE;
    s->free_list[s->n_free++] = u->id;
    s->warp[warp].in_flight--;
    warp_check_done(s, warp);
}

/* A write takes its bank's port for a step. */
static void take_write_ports(struct sm *s, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    struct subcore *c = &s->sub[s->sub_of[u->warp]];
    unsigned skew = s->config.regfile.warp_skew ? u->warp : 0;

    for (unsigned n = 0; n < i->n_dst; n++)
        c->bank[s->bank_of[i->dst[n].reg + skew]].written = s->cycle;
}

static void resolve(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];

    s->scheme->ops->resolved(s->scheme, u);
    if (w->branch != u->id)
        return;
    w->branch = NO_UOP;
    w->fetch_at = s->cycle + s->config.fetch.redirect;
    warp_timer(s, w->fetch_at, u->warp);
    fetch_refresh(s, u->warp);
}

int uop_written(struct sm *s, struct uop *u, struct err *err)
{
    u->stage = UOP_DONE;
    if (s->trace)
        view_stage(s, u, TRACE_WRITE);
    if (check_written(s, u, err))
        return -1;
    take_write_ports(s, u);
    s->scheme->ops->written_back(s->scheme, u);
    if (s->skip)
        s->skip->ops->written_back(s->skip, u);
    if (u->dyn.inst->flags & INST_CONTROL || u->redirects)
        resolve(s, u);
    s->dirty |= bit64(u->warp);
    fetch_refresh(s, u->warp);
    s->progress = true;
    return 0;
}

int writeback_tick(struct sm *s, struct err *err)
{
    unsigned at = (unsigned)(s->cycle % WHEEL);
    uop_id id = s->wheel[at];

    if (id == NO_UOP)
        return 0;
    s->wheel[at] = NO_UOP;
    s->wheel_set[at / 64] &= ~bit64(at % 64);
    s->results[at] = 0;
    while (id != NO_UOP) {
        struct uop *u = &s->pool[id];

        id = u->next_event;
        s->n_events--;
        if (uop_written(s, u, err))
            return -1;
        uop_retire(s, u);
    }
    return 0;
}

int unit_start(struct sm *s, struct subcore *c, struct uop *u, struct err *err)
{
    const struct unit_timing *t = &s->timing[u->dyn.inst->class];
    uint64_t done = s->cycle + t->latency + (s->shape.has_ports ? 0 : LATCHES);

    (void)err;
    c->unit_free[u->pipe] = s->cycle + t->interval;
    s->results[done % WHEEL]++;
    u->stage = UOP_EXECUTE;
    u->taken = s->cycle;
    wheel_add(s, u->id, done);
    s->progress = true;
    if (s->trace)
        view_stage(s, u, TRACE_EXECUTE);
    return 0;
}

/* Is a result bus free when it will be done? If not, the next cycle may be another
 * matter: nobody sleeps until then. */
static bool gets_bus(struct sm *s, const struct uop *u)
{
    uint64_t done = s->cycle + s->timing[u->dyn.inst->class].latency + LATCHES;

    if (s->results[done % WHEEL] < s->config.core.result_buses)
        return true;
    s->progress = true;
    return false;
}

/* A latch before a unit is free again. */
static void left_latch(struct sm *s, const struct subcore *c)
{
    s->collects |= 1u << (c - s->sub);
    if (!c->out)
        s->outs &= ~(1u << (c - s->sub));
}

static int start_units(struct sm *s, struct subcore *c, struct err *err)
{
    for (uint32_t m = c->out & ~(1u << PIPE_mem); m; m &= m - 1) {
        unsigned p = (unsigned)__builtin_ctz(m);
        struct uop *u = &s->pool[c->exec[p]];

        if (s->cycle < c->unit_free[p] || !gets_bus(s, u) ||
            chaos(s, (unsigned)(c - s->sub)))
            continue;
        c->out &= ~(1u << p);
        left_latch(s, c);
        if (unit_start(s, c, u, err))
            return -1;
    }
    return 0;
}

/* The LSU is one for the SM and takes what was issued first. */
static int start_memory(struct sm *s, struct err *err)
{
    struct subcore *first = NULL;
    struct uop *u = NULL;

    for (uint32_t m = s->outs; m; m &= m - 1) {
        struct subcore *c = &s->sub[__builtin_ctz(m)];

        if (!(c->out >> PIPE_mem & 1))
            continue;
        if (!u || s->pool[c->exec[PIPE_mem]].issued < u->issued) {
            first = c;
            u = &s->pool[c->exec[PIPE_mem]];
        }
    }
    if (!u || !lsu_can_take(s->lsu) || chaos(s, CHAOS_MEMORY))
        return 0;
    first->out &= ~(1u << PIPE_mem);
    left_latch(s, first);
    u->stage = UOP_EXECUTE;
    u->taken = s->cycle;
    s->progress = true;
    if (s->trace)
        view_stage(s, u, TRACE_MEMORY);
    if (u->dyn.inst->class != CLASS_ldc && u->dyn.inst->class != CLASS_texture &&
        check_performed(s, u, err))
        return -1;
    lsu_take(s->lsu, u, s->cycle);
    s->lsu_at = s->cycle + 1;
    return 0;
}

/* All of an instruction's traffic is answered. */
static void answered(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];

    w->loads -= u->dyn.inst->class == CLASS_load;
    w->stores -= u->dyn.inst->class == CLASS_store;
    w->atomics -= u->dyn.inst->class == CLASS_atomic;
    warp_settle(s, u->warp);
    uop_retire(s, u);
}

static void note_latency(struct sm *s, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    if (s->latency && i->class == CLASS_load && u->dyn.space != SPACE_SHARED)
        latency_add(s->latency, s->kernel_key, s->kernel->name,
                    i->pc - s->kernel->first_pc, s->cycle - u->issued);
}

static int take_events(struct sm *s, struct err *err)
{
    struct lsu_event e;

    while (lsu_event(s->lsu, &e)) {
        struct uop *u = &s->pool[e.uop];

        if (e.kind == LSU_RESULT)
            note_latency(s, u);
        if ((e.kind == LSU_RESULT || u->stage != UOP_DONE) && uop_written(s, u, err))
            return -1;
        if (e.kind == LSU_DONE)
            answered(s, u);
    }
    return 0;
}

int unit_tick(struct sm *s, struct err *err)
{
    if (s->cycle >= s->lsu_at || memory_has_data(s->memory, s->index)) {
        if (lsu_tick(s->lsu, s->cycle))
            s->progress = true;
        s->lsu_at = lsu_next(s->lsu);
        if (take_events(s, err))
            return -1;
    }
    if (!s->outs)
        return 0;
    for (uint32_t m = s->outs; m; m &= m - 1)
        if (start_units(s, &s->sub[__builtin_ctz(m)], err))
            return -1;
    return start_memory(s, err);
}
