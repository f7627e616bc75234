/* pending.h - registers with a write under way, and how long those who wait for them
 * will wait: what a scoreboard holds, and what names the cause of a stall.
 *
 * `far` and `near` are for the causes alone; hardware has no need of them.
 */
#ifndef LENO_SCHEME_PENDING_H
#define LENO_SCHEME_PENDING_H

#include <stddef.h>

#include "core/scheme.h"

/* Each set is in one line of the host's cache where 8 bytes of a line come before it. */
struct pending {
    struct regset all;
    uint64_t gap;
    struct regset far; /* of these, by loads from memory */
    uint64_t gaps[2];
    struct regset near; /* by shared memory, atomics and the like */
};

/* Classes whose results come late, as bits: from memory, or shared memory; always soon. */
enum {
    PENDING_MEMORY = 1 << CLASS_load | 1 << CLASS_atomic | 1 << CLASS_texture,
    PENDING_NEAR = 1 << CLASS_ldc | 1 << CLASS_shuffle
};
_Static_assert(N_INST_CLASS <= 31, "an int has a bit for each class");

/* Where the results of this instruction are noted besides; NULL: nowhere. */
static inline struct regset *pending_kind(struct pending *p, const struct uop *u)
{
    unsigned class = u->dyn.inst->class;

    if (!((PENDING_MEMORY | PENDING_NEAR) >> class & 1))
        return NULL;
    return PENDING_NEAR >> class & 1 || u->dyn.space == SPACE_SHARED ? &p->near
                                                                     : &p->far;
}

static inline void pending_issued(struct pending *p, const struct uop *u)
{
    struct regset *kind = pending_kind(p, u);

    regset_join(&p->all, &u->dyn.inst->writes);
    if (kind)
        regset_join(kind, &u->dyn.inst->writes);
}

static inline void pending_written(struct pending *p, const struct uop *u)
{
    struct regset *kind = pending_kind(p, u);

    regset_drop(&p->all, &u->dyn.inst->writes);
    if (kind)
        regset_drop(kind, &u->dyn.inst->writes);
}

/* Why an instruction that meets some of them waits. */
static inline enum stall pending_cause(const struct pending *p, const struct uop *u)
{
    if (regset_meets(&u->dyn.inst->touches, &p->far))
        return STALL_memory;
    if (regset_meets(&u->dyn.inst->touches, &p->near))
        return STALL_shared;
    return regset_meets(&u->dyn.inst->reads, &p->all) ? STALL_compute : STALL_war;
}

#endif
