/* stages.h - the stages of an SM for one another: all parts of its state, and the
 * functions across parts that are inlined.
 */
#ifndef LENO_CORE_STAGES_H
#define LENO_CORE_STAGES_H

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/hot.h"
#include "core/known.h"
#include "core/view.h"

/* cycle.c: brings the entries of an agenda up to date that are set before it sleeps */
void cycle_plan_sleep(const struct sm *s, struct agenda *a);

/* A warp begins to wait, or has waited long enough. */
static inline void warp_set_wait(struct sm *s, unsigned warp, enum warp_wait wait)
{
    s->warp[warp].wait = (uint8_t)wait;
    warpset_drop(&s->scheme->waiting, warp);
    warpset_add_if(&s->scheme->waiting, warp, wait != WAIT_NONE);
}

/* Updates whether a warp can fetch. Most often its window has no room. */
static inline void fetch_refresh(struct sm *s, unsigned warp)
{
    if (ops_of(s)->room(s->scheme, warp)) {
        fetch_open(s, warp);
        return;
    }
    wake_no_fetch(&s->wake, warp);
    if (has_skip_stage(s))
        skip_show_warp(s, warp);
}

/* An instruction issues that a front end has yet to be told about, or that starts or waits
 * for asynchronous work. */
static inline int async_begin(struct sm *s, struct warp *w, struct uop *u,
                              struct err *err)
{
    const struct inst *i = u->dyn.inst;

    if (i->flags & INST_TIME)
        fetch_tell_time(s, u);
    if (!(i->flags & (INST_PHASE | INST_COPIES | INST_ASYNC)) &&
        i->depbar >= N_SCOREBOARDS && !i->depbar_all && !i->products_left)
        return 0;
    return async_issue(s, w, u, err);
}

/* Is it a wait for a phase that is not over? */
static inline bool async_suspends(const struct sm *s, const struct uop *u)
{
    return u->dyn.inst->flags & INST_PHASE && s->async->warp[u->warp].uop == u->id;
}

/* Schedules the result of an instruction that has its operands, in this cycle, if that is
 * known. */
static inline int uop_await_result(struct sm *s, struct uop *u, uint64_t done)
{
    u->stage = UOP_READ;
    if (u->pipe == PIPE_mem || async_suspends(s, u))
        return 0;
    u->stage = UOP_WRITE;
    wheel_add(&s->events, u, done, s->cycle);
    return 0;
}

/* Schedules the next event of an issued instruction: usually its result. */
static inline int uop_phase(struct sm *s, struct uop *u, uint64_t done, struct err *err)
{
    return s->is_plain ? uop_await_result(s, u, done) : uop_stages(s, u, err);
}

/* Checks the registers of an instruction that issues. As long as the instructions of a
 * warp issue in program order, and only when all registers they name are written,
 * nothing can go wrong, and a set is enough to see that. From the first one that does
 * not, its warp goes by versions. */
static inline int check_issued(struct sm *s, struct warp *w, struct uop *u,
                               struct err *err)
{
    struct pending *p = &s->check.pending[u->warp];

    if (w->by_version || u->dyn.seq != w->n_named ||
        regset_meets(&u->dyn.inst->touches, &p->all)) {
        if (check_version(s, w, u, err))
            return -1;
    } else {
        w->n_named++;
    }
    if (!scheme_renames(s))
        pending_issued(p, &u->dyn);
    if (!has_stations(s))
        u->issued_low = (uint16_t)s->cycle;
    return 0;
}

/* Does the operation reach memory, or take effect, in this place? */
static inline bool check_is_performed_in(const struct sm *s, const struct uop *u,
                                         enum performed place)
{
    const struct inst *i = u->dyn.inst;

    if (!i->memory)
        return false;
    if (inst_orders_memory(i))
        return place == PERFORMED_AT_ISSUE;
    if (u->pipe == PIPE_mem)
        return place == PERFORMED_BY_LSU;
    return place == (has_stations(s) ? PERFORMED_AT_DISPATCH : PERFORMED_AT_ISSUE);
}

/* Notes that an instruction issues now. */
static inline void violation_note(const struct sm *s, struct warp *w,
                                  const struct uop *u)
{
    w->note[u->dyn.seq % ISSUE_NOTES] =
        (struct issue_note){ u->dyn.inst, (uint32_t)u->dyn.seq, (uint32_t)s->cycle };
}

/* The sub-core that is first to issue in a cycle: they take turns, with core.turns only
 * while there are blocks. */
static inline unsigned issue_first_subcore(const struct sm *s, uint64_t cycle)
{
    return (unsigned)((cycle - (has_turns(s) ? s->blocks.idle : 0)) % n_subcores(s));
}

#endif
