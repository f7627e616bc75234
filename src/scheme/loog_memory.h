/* loog_memory.h - the rules of LOOG's load and store queues: when a memory operation
 * must wait for an older one of its warp.
 *
 * Loads pass loads. If one of two operations writes, the younger waits until the older
 * one's address is known and, if they touch the same bytes, until the older one has
 * left. The sources demand this for older stores only; a store must wait for older
 * loads in the same way so that they read the right values. Nothing passes an atomic:
 * it may know its address and still wait for the value that some lanes keep.
 */
#ifndef LENO_SCHEME_LOOG_MEMORY_H
#define LENO_SCHEME_LOOG_MEMORY_H

#include "scheme/loog.h"

/* Does a memory operation need this source for its address? A register that only a
 * store's last operand names is its data. */
static inline bool is_address(const struct uop *u, unsigned reg)
{
    const struct inst *i = u->dyn.inst;
    const struct inst_operand *last = &i->src[i->n_src ? i->n_src - 1 : 0];

    if (i->class != CLASS_store || i->n_src < 2)
        return inst_is_memory(i);
    for (const struct inst_operand *o = i->src; o < last; o++)
        if (reg >= o->reg && reg < o->reg + o->n)
            return true;
    return reg < last->reg || reg >= last->reg + last->n;
}

static inline bool has_address(const struct loog_unit *e)
{
    return e->has_read && !e->address;
}

/* Must the younger memory operation wait in its unit for the older one? */
static inline bool must_wait(const struct uop *older, const struct loog_unit *unit,
                             const struct uop *u)
{
    const struct inst *a = older->dyn.inst, *b = u->dyn.inst;

    if (!inst_may_conflict(a, b))
        return false;
    if (inst_is_atomic(a) || inst_is_atomic(b))
        return true;
    if (a->space == SPACE_TEXTURE ||
        b->space == SPACE_TEXTURE) /* texture memory is separate */
        return a->space == b->space;
    return !has_address(unit) || dyn_overlap(&older->dyn, &u->dyn);
}

#endif
