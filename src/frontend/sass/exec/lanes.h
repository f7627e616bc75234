/* lanes.h - small things that handlers of several files do with 32 lanes. */
#ifndef LENO_SASS_LANES_H
#define LENO_SASS_LANES_H

#include "frontend/sass/exec/access.h"

/* What an instruction does to rows, lane by lane: out may be a source. An instruction with
 * two sources names one of them again. */
typedef void rows_fn(const struct sass_warp *w, const struct sass_inst *i,
                     uint32_t *out, const uint32_t *a, const uint32_t *b,
                     const uint32_t *c);
#define ROWS_FN(name)                                                        \
    static inline void name(UNUSED const struct sass_warp *w,                \
                            UNUSED const struct sass_inst *i, uint32_t *out, \
                            const uint32_t *a, UNUSED const uint32_t *b,     \
                            UNUSED const uint32_t *c)
#define UNUSED __attribute__((unused))

/* The slots of its result and its sources, and how those are modified. */
struct rows_slots {
    uint8_t d, a, b, c;
    enum src_type type;
};

/* Those of an opcode by its name: three sources, two, one. */
#define ROWS_ABC(op, type)                   \
    (struct rows_slots)                      \
    {                                        \
        op##_D, op##_A, op##_B, op##_C, type \
    }
#define ROWS_AB(op, type)                    \
    (struct rows_slots)                      \
    {                                        \
        op##_D, op##_A, op##_B, op##_B, type \
    }
#define ROWS_A(op, type)                     \
    (struct rows_slots)                      \
    {                                        \
        op##_D, op##_A, op##_A, op##_A, type \
    }

/* Any form of it. */
enum exec_result sass_run_rows(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask, rows_fn *fn, struct rows_slots slots);

/* The same, and quickly what is most usual: all lanes, and nothing to be done to sources
 * or result. */
static inline __attribute__((always_inline)) enum exec_result
run_rows(struct sass_warp *w, const struct sass_inst *i, uint32_t mask, rows_fn *fn,
         struct rows_slots slots)
{
    if (mask != ALL_LANES || !i->is_bound)
        return sass_run_rows(w, i, mask, fn, slots);
    fn(w, i, bound_row(w, &i->opd[slots.d]), bound_row(w, &i->opd[slots.a]),
       bound_row(w, &i->opd[slots.b]), bound_row(w, &i->opd[slots.c]));
    return EXEC_NEXT;
}

ROWS_FN(copy_rows)
{
    memcpy(out, a, ROW_BYTES);
}

/* A predicate result joined with a source predicate, by the instruction's field. */
enum combine { COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static inline uint32_t combine_predicates(unsigned how, uint32_t a, uint32_t b)
{
    return how == COMBINE_AND ? a & b : how == COMBINE_OR ? a | b : a ^ b;
}

_Static_assert(ISETP_BOP == FSETP_BOP && ISETP_PD == FSETP_PD &&
                   ISETP_PD2 == FSETP_PD2 && ISETP_BOP == DSETP_BOP &&
                   ISETP_PD == DSETP_PD && ISETP_PD2 == DSETP_PD2,
               "set_compared() is for all three");

/* The two results of ISETP, FSETP or DSETP: holds and its complement, each joined with
 * the predicate `with`. */
static inline enum exec_result set_compared(struct sass_warp *w,
                                            const struct sass_inst *i, uint32_t mask,
                                            uint32_t holds, const struct operand *with)
{
    unsigned how = sass_field(i, ISETP_BOP);
    uint32_t p = sass_predicate(w, with);

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    set_predicate_bits(w, &i->opd[ISETP_PD], combine_predicates(how, holds, p), mask);
    set_predicate_bits(w, &i->opd[ISETP_PD2], combine_predicates(how, ~holds, p), mask);
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
    return sass_source(w, &plain, 0, SRC_BITS, tmp);
}

/* Lane l of a predicate word as 0 or 1. */
static inline uint32_t lane_bit(uint32_t bits, unsigned l)
{
    return (bits & sass_lane_bit[l]) != 0;
}

/* Lanes in which a is less than b; flip is the sign bit for signed numbers. */
static inline uint32_t lanes_less(const uint32_t *a, const uint32_t *b, uint32_t flip)
{
    uint32_t lanes = 0;

    LANES(l)
        lanes |= (a[l] ^ flip) < (b[l] ^ flip) ? sass_lane_bit[l] : 0;
    return lanes;
}

/* a where the predicate holds, else b. */
static inline void select_lanes(uint32_t *out, uint32_t p, const uint32_t *a,
                                const uint32_t *b)
{
    EACH_LANE(l) {
        uint32_t pick = -lane_bit(p, l);

        out[l] = (a[l] & pick) | (b[l] & ~pick);
    }
}

/* .XORSIGN minima write |a|, |b|, but use the signs. */
static inline void drop_abs(struct operand *a, struct operand *b)
{
    a->flags &= (uint16_t)~OPD_ABS;
    b->flags &= (uint16_t)~OPD_ABS;
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
