/* choose.c - collectors with numbers, as in Accel-Sim: regfile.choice=lowest.
 *
 * An instruction enters the lowest-numbered free collector of its sub-core. In each step
 * collectors are asked in the order of their numbers: one that has all its operands leaves
 * if the latch of its pipe is free. So if two of them wait for the same pipe, the lower one
 * leaves, is filled again and may leave again, while the other one starves. Source:
 * dispatch_unit_t::find_ready() of gpgpu-sim 667834c, which begins with the first collector
 * of a sub-core, and the same in GhOST's artifact.
 *
 * Who leaves when depends on what issues later, so nothing can be worked out at issue:
 * steps are gone through one by one (collect.c has the usual form). A starving load is
 * passed by younger memory operations of its warp too. Only where they touch a common byte
 * and one of them writes it, they leave in issue order: Accel-Sim's do not, as its traces
 * have no values that could become wrong.
 */
#include "core/stages.h"

void choose_enter(struct sm *s, struct subcore *c, const struct uop *u, uint64_t ready)
{
    struct mem_waiter *at = c->memory.wait;

    INVARIANT(c->memory.n_wait < s->config.regfile.collectors);
    while (at->uop != NO_UOP)
        at++;
    *at = (struct mem_waiter){ u->id, u->issued, ready };
    if (++c->memory.n_wait == s->config.regfile.collectors)
        c->collect.free[0] = UINT64_MAX;
}

/* Is an earlier memory operation of its warp, which it must not pass, in a collector? */
static bool has_conflict(const struct sm *s, const struct subcore *c,
                         const struct mem_waiter *m)
{
    for (unsigned k = 0; k < s->config.regfile.collectors; k++) {
        const struct mem_waiter *o = &c->memory.wait[k];

        if (o->uop != NO_UOP && o->issued < m->issued &&
            s->pool[o->uop].pipe == PIPE_mem &&
            s->pool[o->uop].warp == s->pool[m->uop].warp &&
            dyn_conflict(&s->pool[o->uop].dyn, &s->pool[m->uop].dyn))
            return true;
    }
    return false;
}

static bool can_leave(const struct sm *s, const struct subcore *c,
                      const struct mem_waiter *m, uint64_t step)
{
    unsigned pipe = s->pool[m->uop].pipe;

    if (m->ready > step || c->units.input_free[pipe] << step_shift(s) > step)
        return false;
    return pipe != PIPE_mem || (c->memory.uop == NO_UOP && !has_conflict(s, c, m));
}

/* An instruction leaves its collector, for its unit or the LSU. */
static int leave_collector(struct sm *s, struct subcore *c, struct mem_waiter *m,
                           uint64_t step, struct err *err)
{
    struct mem_waiter left = *m;
    struct uop *u = &s->pool[left.uop];
    uint64_t done = NEVER;

    m->uop = NO_UOP;
    c->memory.n_wait--;
    c->collect.free[0] = step;
    if (u->pipe == PIPE_mem)
        collect_lsu(s, c, left.uop, left.issued, step);
    else
        done = collect_take_unit(s, c, u, step);
    return uop_phase(s, u, done, err);
}

int choose_leave(struct sm *s, uint64_t step, struct err *err)
{
    for (unsigned i = 0; i < n_subcores(s); i++) {
        struct subcore *c = &s->sub[i];

        for (unsigned k = 0; k < s->config.regfile.collectors && c->memory.n_wait;
             k++) {
            struct mem_waiter *m = &c->memory.wait[k];

            if (m->uop != NO_UOP && can_leave(s, c, m, step) &&
                leave_collector(s, c, m, step, err))
                return -1;
        }
    }
    return 0;
}

bool choose_is_busy(const struct sm *s)
{
    unsigned n = 0;

    for (unsigned k = 0; k < n_subcores(s) && has_choice(s); k++)
        n += s->sub[k].memory.n_wait;
    return n != 0;
}
