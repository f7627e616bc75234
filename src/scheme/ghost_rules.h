/* ghost_rules.h - what an IB-Calc unit of GhOST looks at: the kinds of instructions, and
 * whether a younger one must wait for an older one in the issue buffer.
 */
#ifndef LENO_SCHEME_GHOST_RULES_H
#define LENO_SCHEME_GHOST_RULES_H

#include "scheme/ghost.h"

static inline bool is_sync(const struct uop *u)
{
    return u->dyn.inst->flags & INST_SYNC;
}

/* May what follows depend on where it goes? Where lanes meet again, it does not: each
 * instruction has its own mask from the checker on. */
static inline bool is_branch(const struct uop *u)
{
    return (u->dyn.inst->flags & (INST_CONTROL | INST_CONVERGE)) == INST_CONTROL;
}

/* Copies from memory into shared memory (INST_ASYNC) are stores as well. */
static inline bool is_store(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_store || u->dyn.inst->class == CLASS_atomic ||
           u->dyn.inst->flags & INST_ASYNC;
}

static inline bool is_load(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_load || u->dyn.inst->class == CLASS_texture;
}

/* Is it a load that is translated, so that the LSU will say when? */
static inline bool can_fault(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_load && u->dyn.mask &&
           (u->dyn.space == SPACE_GLOBAL || u->dyn.space == SPACE_LOCAL);
}

/* May u not pass an older memory operation? Loads pass loads, nothing else passes. */
static inline bool is_ordered(const struct ghost *g, const struct uop *old,
                              const struct uop *u)
{
    const struct ghost_params *p = g->base.params;
    struct ghost_stats *t = g->base.stats;

    if (!(is_load(u) || is_store(u)) || !(is_load(old) || is_store(old)))
        return false;
    if (!is_store(old) && !is_store(u))
        return g->is_precise;
    if (is_store(old) || !p->stores_pass || g->is_precise)
        return true;
    if (!dyn_overlap(&old->dyn, &u->dyn))
        return false;
    t->stores_held++;
    return true;
}

static inline bool depends(const struct ghost *g, const struct uop *old,
                           const struct uop *u)
{
    const struct ghost_params *p = g->base.params;
    const struct inst *a = old->dyn.inst, *b = u->dyn.inst;

    if (!regset_meets(&b->touches, &a->touches)) /* most often */
        return is_ordered(g, old, u);
    return regset_meets(&b->reads, &a->writes) ||  /* RAW */
           regset_meets(&b->writes, &a->reads) ||  /* WAR */
           regset_meets(&b->writes, &a->writes) || /* WAW */
           (p->rar && regset_meets(&b->reads, &a->reads)) || is_ordered(g, old, u);
}

#endif
