/* lanes.h - small things that handlers of several files do with 32 lanes. */
#ifndef LENO_SASS_LANES_H
#define LENO_SASS_LANES_H

#include "frontend/sass/access.h"

/* A predicate result joined with a source predicate, by the instruction's field. */
enum combine { COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static inline uint32_t combine(unsigned how, uint32_t a, uint32_t b)
{
    return how == COMBINE_AND ? a & b : how == COMBINE_OR ? a | b : a ^ b;
}

/* The two results of a comparison: holds and its complement, each joined with the
 * predicate in slot `with`. Slots 0 and 1 take them. */
static inline enum exec_result set_compared(struct sass_warp *w,
                                            const struct sass_inst *i, uint32_t mask,
                                            uint32_t holds, const struct operand *with)
{
    unsigned how = sass_bits(i, 74, 2);
    uint32_t p = predicate(w, with);

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    set_predicate_bits(w, &i->opd[0], combine(how, holds, p), mask);
    set_predicate_bits(w, &i->opd[1], combine(how, ~holds, p), mask);
    return EXEC_NEXT;
}

/* The complement of x where the operand is negated, for sums that need the carries of
 * x's two's complement; *n counts the ones still to be added. */
static inline const uint32_t *source_complemented(struct sass_warp *w,
                                                  const struct operand *o,
                                                  uint32_t *tmp, uint32_t *n)
{
    struct operand plain = *o;

    if (o->flags & OPD_NEG) {
        plain.flags ^= OPD_NEG | OPD_NOT;
        ++*n;
    }
    return source(w, &plain, 0, SRC_BITS, tmp);
}

/* Lane l of a predicate word as 0 or 1. */
static inline uint32_t lane_bit(uint32_t bits, unsigned l)
{
    return (bits & sass_lane_bit[l]) != 0;
}

/* a where the predicate holds, else b. */
static inline void select_lanes(uint32_t *out, uint32_t p, const uint32_t *a,
                                const uint32_t *b)
{
    LANES(l)
    {
        uint32_t pick = -lane_bit(p, l);

        out[l] = (a[l] & pick) | (b[l] & ~pick);
    }
}

static inline bool is_rz(const struct operand *o)
{
    return o->kind == OPD_REG && o->reg == REG_RZ;
}

static inline bool is_pt(const struct operand *o)
{
    return o->reg == PRED_PT;
}

#endif
