/* common.h - code that redundancy eliminators share: which registers older instructions
 * are using, and the shapes of the values in registers.
 */
#ifndef LENO_SKIP_COMMON_H
#define LENO_SKIP_COMMON_H

#include "core/skip.h"

#define SKIP_ALL_LANES UINT32_MAX

static inline bool skip_is_full(const struct uop *u)
{
    return u->dyn.active == SKIP_ALL_LANES && u->dyn.mask == SKIP_ALL_LANES;
}

static inline const uint16_t *skip_results(const struct inst *i)
{
    return i->list.reg + i->list.n_reads;
}

/* How many in-flight instructions of a warp read or write each register; needed with
 * skip.is_strict only. */
struct skip_use {
    uint8_t n[N_REGID];
};

static inline void skip_use(struct skip_use *t, const struct inst *i, int by)
{
    for (unsigned k = 0; k < i->list.n_reads + i->list.n_writes; k++) {
        INVARIANT(by > 0 ? t->n[i->list.reg[k]] < UINT8_MAX : t->n[i->list.reg[k]] > 0);
        t->n[i->list.reg[k]] = (uint8_t)(t->n[i->list.reg[k]] + by);
    }
}

/* Is any register that it writes in use? */
static inline bool skip_is_used(const struct skip_use *t, const struct inst *i)
{
    for (unsigned k = 0; k < i->list.n_writes; k++)
        if (t->n[skip_results(i)[k]])
            return true;
    return false;
}

/* The shapes of the values in a warp's registers (enum value_shape). A register that
 * was never written has an unknown shape. */
struct skip_shapes {
    uint8_t of[N_REGID];
};

static inline void skip_shapes_start(struct skip_shapes *s)
{
    for (unsigned r = 0; r < N_REGID; r++)
        s->of[r] = VALUE_OTHER;
}

/* The worst shape among its sources. */
static inline uint8_t skip_sources(const struct skip_shapes *s, const struct inst *i)
{
    uint8_t shape = VALUE_UNIFORM;

    for (unsigned k = 0; k < i->list.n_reads; k++)
        if (s->of[i->list.reg[k]] > shape)
            shape = s->of[i->list.reg[k]];
    return shape;
}

/* An instruction is fetched or dropped: records the shape of its results. */
static inline void skip_shapes_note(struct skip_shapes *s, const struct uop *u)
{
    const struct regset *writes = &u->dyn.inst->writes;
    uint8_t shape = skip_is_full(u) ? u->dyn.value.shape : VALUE_OTHER;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = writes->w[k]; m; m &= m - 1)
            s->of[k * 64 + (unsigned)__builtin_ctzll(m)] = shape;
}

/* Is it computed from registers alone, with all lanes on, and are sources and result of
 * no worse a shape? */
static inline bool skip_has_shape(const struct skip_shapes *s, const struct uop *u,
                                  uint8_t worst)
{
    return inst_computes(u->dyn.inst) && !inst_is_load(u->dyn.inst) &&
           skip_is_full(u) && u->dyn.value.shape <= worst &&
           skip_sources(s, u->dyn.inst) <= worst;
}

#endif
