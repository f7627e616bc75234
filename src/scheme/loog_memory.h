/* loog_memory.h - the rules of LOOG's load and store queues: which memory operation of a
 * warp must not leave before which older one.
 *
 * Loads pass loads. If one of two writes, the younger one waits until the address of the
 * older one is known, and then, where they touch the same bytes, until that has left.
 * The sources say so of older stores only; that a store waits for older loads in the
 * same way is needed for their values. Atomics are passed by none: one may have its
 * address and wait for the value that some lanes keep.
 */
#ifndef LENO_SCHEME_LOOG_MEMORY_H
#define LENO_SCHEME_LOOG_MEMORY_H

#include "scheme/loog.h"

static inline bool is_memory(const struct uop *u)
{
    switch (u->dyn.inst->class) {
    case CLASS_load:
    case CLASS_store:
    case CLASS_atomic:
    case CLASS_texture:
        return true;
    default:
        return false;
    }
}

/* Copies into shared memory (INST_ASYNC) are stores too; a texture instruction without a
 * result writes a surface. */
static inline bool is_store(const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    if (i->class == CLASS_texture)
        return !i->n_dst;
    return i->class != CLASS_load || i->flags & INST_ASYNC;
}

/* Does a memory operation need this source for its address? Not what only the last of a
 * store's operands holds: that is its data. */
static inline bool is_address(const struct uop *u, unsigned reg)
{
    const struct inst *i = u->dyn.inst;
    const struct inst_operand *last = &i->src[i->n_src ? i->n_src - 1 : 0];

    if (i->class != CLASS_store || i->n_src < 2)
        return is_memory(u);
    for (const struct inst_operand *o = i->src; o < last; o++)
        if (reg >= o->reg && reg < o->reg + o->n)
            return true;
    return reg < last->reg || reg >= last->reg + last->n;
}

static inline bool has_address(const struct loog_unit *e)
{
    return e->has_read && !e->address;
}

/* Must the younger of two memory operations wait for the older one, in its unit? */
static inline bool must_wait(const struct uop *older, const struct loog_unit *unit,
                             const struct uop *u)
{
    uint8_t a = older->dyn.inst->class, b = u->dyn.inst->class;

    if (!is_store(older) && !is_store(u))
        return false;
    if (a == CLASS_atomic || b == CLASS_atomic)
        return true;
    if (a == CLASS_texture || b == CLASS_texture) /* addresses are not known */
        return a == b;
    return !has_address(unit) || dyn_overlap(&older->dyn, &u->dyn);
}

#endif
