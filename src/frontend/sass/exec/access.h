/* access.h - how handlers read sources and write results, 32 lanes at a time.
 *
 * A source is a pointer to 32 words: straight into the register file where nothing
 * has to be done to it, else a temporary of the caller's. Uniform registers,
 * immediates and constants are spread over all lanes, so that one handler serves the
 * vector and the uniform form of an operation; a uniform destination takes lane 0.
 * Results go to a temporary first and are written under the mask, or to the register
 * itself where all lanes take them.
 */
#ifndef LENO_SASS_ACCESS_H
#define LENO_SASS_ACCESS_H

#include <string.h>

#include "frontend/sass/exec/state.h"
#include "frontend/sass/math/simd.h"

/* How source modifiers act. */
enum src_type {
    SRC_INT,  /* negation is two's complement */
    SRC_BITS, /* only complement */
    SRC_F32,
    SRC_F64HI, /* high word of a double: the sign is there */
    SRC_HALF,  /* two halves, each with a sign */
};

static inline uint32_t *reg_row(struct sass_warp *w, unsigned reg)
{
    return w->r[(uint8_t)(reg + 1)];
}

/* One that may not be among the operands, by which rows are counted. */
static inline uint32_t sass_uniform(const struct sass_warp *w, unsigned reg)
{
    return reg < w->block->grid->n_urows ? w->u[reg][0] : 0;
}

static inline void set_uniform(struct sass_warp *w, unsigned reg, uint32_t v)
{
    LANES(l)
        w->u[reg][l] = v;
}

/* One word of operand o, register part of it, spread or modified into tmp. */
const uint32_t *sass_source_slow(struct sass_warp *w, const struct operand *o,
                                 unsigned part, enum src_type type, uint32_t *tmp);

/* The row of an operand that has one. */
static inline uint32_t *bound_row(const struct sass_warp *w, const struct operand *o)
{
    return w->rows[o->way][o->row];
}

/* Word part (0: low) of a source operand. */
static inline const uint32_t *sass_source(struct sass_warp *w, const struct operand *o,
                                          unsigned part, enum src_type type,
                                          uint32_t *tmp)
{
    if (o->way == WAY_ANY)
        return sass_source_slow(w, o, part, type, tmp);
    return w->rows[o->way][o->row + part];
}

/* Declares a source: SOURCE(a, SEL_A, SRC_INT) is that slot as `const uint32_t *a`. */
#define SOURCE(name, slot, type)     \
    uint32_t name##_tmp[WARP_LANES]; \
    const uint32_t *name = sass_source(w, &i->opd[slot], 0, type, name##_tmp)
#define SOURCE_PART(name, slot, part, type) \
    uint32_t name##_tmp[WARP_LANES];        \
    const uint32_t *name = sass_source(w, &i->opd[slot], part, type, name##_tmp)

/* 1 << lane: spreads a mask over lanes without shifts, which do not vectorise. */
extern const uint32_t sass_lane_bit[WARP_LANES];

static inline void write_row(uint32_t *row, const uint32_t *value, uint32_t mask)
{
    if (row == value)
        return;
    if (mask == ALL_LANES) {
        memcpy(row, value, WARP_LANES * sizeof *row);
        return;
    }
    LANES(l)
        row[l] = mask & sass_lane_bit[l] ? value[l] : row[l];
}

/* Where the result for destination o may be made: in the register if all lanes take it,
 * else in tmp. sass_result() has to be called in any case. Loops that make it must be
 * EACH_LANE: the register may be a source too. */
static inline uint32_t *sass_target(struct sass_warp *w, const struct operand *o,
                                    unsigned part, uint32_t *tmp, uint32_t mask)
{
    return o->way == WAY_REG && mask == ALL_LANES ? w->r[o->row + part] : tmp;
}

/* Declares a result: TARGET(out, SEL_D) is for that slot. */
#define TARGET(name, slot)           \
    uint32_t name##_tmp[WARP_LANES]; \
    uint32_t *name = sass_target(w, &i->opd[slot], 0, name##_tmp, mask)

#define TARGET_PART(name, slot, part) \
    uint32_t name##_tmp[WARP_LANES];  \
    uint32_t *name = sass_target(w, &i->opd[slot], part, name##_tmp, mask)

/* Forms of an instruction that would weigh the most usual one down. */
#define ASIDE __attribute__((noinline))

/* Lane l of what is written depends on lane l of what is read. */
#define EACH_LANE(l) SIMD_INDEPENDENT LANES(l)

/* Writes word part of destination o under mask. */
static inline void sass_result(struct sass_warp *w, const struct operand *o,
                               unsigned part, const uint32_t *value, uint32_t mask)
{
    if (o->kind == OPD_REG) {
        if (o->reg != REG_RZ)
            write_row(w->r[o->reg + 1 + part], value, mask);
    } else if (o->kind == OPD_UREG && o->reg + part < UREG_URZ && mask) {
        set_uniform(w, o->reg + part, value[__builtin_ctz(mask)]);
    }
}

/* Lanes in which predicate operand o holds. */
static inline uint32_t sass_predicate(const struct sass_warp *w,
                                      const struct operand *o)
{
    uint32_t v = o->kind == OPD_UPRED ? w->up[o->reg] : w->p[o->reg];

    return o->flags & OPD_NOT ? ~v : v;
}

static inline void set_predicate_bits(struct sass_warp *w, const struct operand *o,
                                      uint32_t value, uint32_t mask)
{
    if (o->reg == PRED_PT)
        return;
    if (o->kind == OPD_UPRED) {
        if (mask)
            w->up[o->reg] = value & mask & -mask ? ALL_LANES : 0;
    } else if (o->kind == OPD_PRED) {
        w->p[o->reg] = (w->p[o->reg] & ~mask) | (value & mask);
    }
}

/* Bit l of the result is v[l], which is 0 or 1. The product moves the low bits of
 * eight bytes into its top byte. */
static inline uint32_t gather_bits(const uint8_t *v)
{
    uint32_t bits = 0;

    for (unsigned k = 0; k < WARP_LANES; k += 8) {
        uint64_t bytes;

        memcpy(&bytes, v + k, sizeof bytes);
        bits |= (uint32_t)(bytes * 0x0102040810204080u >> 56) << k;
    }
    return bits;
}

/* 64-bit values of a register pair (or spread scalar). */
void sass_source64(struct sass_warp *w, const struct operand *o, uint64_t *value);
void sass_result64(struct sass_warp *w, const struct operand *o, const uint64_t *value,
                   uint32_t mask);

/* The value of a scalar operand: immediate, uniform register, constant, or the
 * register's lane that is the first of mask. */
uint32_t sass_scalar(struct sass_warp *w, const struct operand *o, uint32_t mask);

/* Word part of an immediate or a constant, which is the same for all of a launch. */
uint32_t sass_launch_scalar(const struct sass_grid *g, const struct operand *o,
                            unsigned part);

/* n bytes of constant bank from offset; reads beyond the bank are zero. */
uint64_t sass_constant(const struct sass_warp *w, unsigned bank, uint64_t offset,
                       unsigned bytes);

/* Ends the run with a message that names kernel, place and lane. */
enum exec_result sass_fault(struct sass_warp *w, const struct sass_inst *i,
                            enum err_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
