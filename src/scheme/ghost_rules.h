/* ghost_rules.h - the rules of GhOST's IB-Calc units: kinds of instructions, and
 * whether a younger instruction must wait for an older one in the issue buffer.
 */
#ifndef LENO_SCHEME_GHOST_RULES_H
#define LENO_SCHEME_GHOST_RULES_H

#include "scheme/ghost.h"

/* A load that gets translated, so that the LSU will report when. */
static inline bool can_fault(const struct uop *u)
{
    return u->dyn.inst->memory & INST_READS && !inst_is_atomic(u->dyn.inst) &&
           u->dyn.mask && (u->dyn.space == SPACE_GLOBAL || u->dyn.space == SPACE_LOCAL);
}

/* May a store pass this older load, if their addresses do not overlap? */
static inline bool stores_pass(const struct ghost *g, const struct uop *old)
{
    const struct ghost_params *p = g->base.params;

    return p->stores_pass && !is_precise(g) && !inst_writes_memory(old->dyn.inst);
}

/* Must u stay after the older memory operation? Only loads pass loads. */
static inline bool is_ordered(const struct ghost *g, const struct uop *old,
                              const struct uop *u)
{
    const struct inst *a = old->dyn.inst, *b = u->dyn.inst;

    if (!inst_is_memory(a) || !inst_is_memory(b))
        return false;
    if (!inst_may_conflict(a, b))
        return is_precise(g);
    return !stores_pass(g, old) || dyn_overlap(&old->dyn, &u->dyn);
}

static inline bool has_hazard(const struct ghost *g, const struct inst *a,
                              const struct inst *b)
{
    const struct ghost_params *p = g->base.params;

    return regset_meets(&b->touches, &a->touches) && /* rarely true: test it first */
           (regset_meets(&b->reads, &a->writes) ||   /* RAW */
            regset_meets(&b->writes, &a->touches) || /* WAR, WAW */
            (p->rar && regset_meets(&b->reads, &a->reads)));
}

#endif
