/* pending.h - registers of a warp with a pending write: the scoreboard, and the source
 * of stall reasons.
 *
 * The core keeps it and a scheme reads it (scheme.pending): a scheme tells which
 * instruction waits for registers, never the reason.
 */
#ifndef LENO_CORE_PENDING_H
#define LENO_CORE_PENDING_H

#include "isa/stream.h"
#include "stats/stall.h"

/* perf: each set is in one host cache line. */
enum { PENDING_ALIGN = 64, N_SCOREBOARDS = 6, NO_SCOREBOARD = 7 };
struct pending {
    _Alignas(PENDING_ALIGN) struct regset all;
    _Alignas(PENDING_ALIGN) struct regset far;  /* of these, by memory */
    _Alignas(PENDING_ALIGN) struct regset near; /* by shared memory, constants, lanes */
    /* loads from memory, by the scoreboard they name */
    uint8_t loads[NO_SCOREBOARD + 1];
};

/* Adds or removes a result with a variable latency. */
static inline void pending_late(struct pending *p, const struct dyn *d, bool issues)
{
    enum late_result late = dyn_late(d);
    struct regset *set = late == LATE_FAR ? &p->far : &p->near;
    uint8_t *loads = &p->loads[d->inst->control.write_barrier & NO_SCOREBOARD];

    if (late == LATE_NOT)
        return;
    (issues ? regset_join : regset_drop)(set, &d->inst->writes);
    if (late == LATE_FAR)
        *loads = (uint8_t)(*loads + (issues ? 1 : -1));
}

static inline void pending_issued(struct pending *p, const struct dyn *d)
{
    regset_join(&p->all, &d->inst->writes);
    pending_late(p, d, true);
}

static inline void pending_written(struct pending *p, const struct dyn *d)
{
    regset_drop(&p->all, &d->inst->writes);
    pending_late(p, d, false);
}

/* The stall reason of an instruction that waits for the scoreboards of its control
 * word: whether a load holds one of them, of its own operands or not. */
static inline enum stall pending_scoreboard_cause(const struct pending *p,
                                                  const struct inst *i)
{
    unsigned mask = i->control.wait_mask | i->depbar_all;

    if (i->depbar < N_SCOREBOARDS)
        mask |= 1u << i->depbar;
    for (unsigned k = 0; k < N_SCOREBOARDS; k++)
        if (mask >> k & 1 && p->loads[k])
            return STALL_memory;
    return STALL_shared;
}

/* The stall reason of an instruction that waits for registers. If none of them is
 * pending, its scheme holds it. */
static inline enum stall pending_cause(const struct pending *p, const struct inst *i)
{
    if (regset_meets(&i->touches, &p->far))
        return STALL_memory;
    if (regset_meets(&i->touches, &p->near))
        return STALL_shared;
    if (regset_meets(&i->reads, &p->all))
        return STALL_compute;
    return regset_meets(&i->writes, &p->all) ? STALL_war : STALL_scheme;
}

#endif
