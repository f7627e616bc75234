/* exec_int.c - integer sums, products and comparisons.
 *
 * Carries: a negated term enters a sum as its complement plus one, so that a - b has a
 * carry where there is no borrow, which is what chains of 64-bit subtractions expect;
 * in the .X forms the one is left to the incoming carry. IADD3's second predicate means
 * a sum of 2^33 or more. That one, the carries of IMAD and of LEA.HI.X were not
 * measured; they follow from what the compiler makes of 64-bit products.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/intop.h"

/* Sets predicate o where a sum has carried as often as that. */
static void set_carry(struct sass_warp *w, const struct operand *o,
                      const uint32_t *carried, uint32_t often, uint32_t mask)
{
    uint32_t lanes = 0;

    if (is_pt(o))
        return;
    LANES(l)
        lanes |= carried[l] >= often ? sass_lane_bit[l] : 0;
    set_predicate_bits(w, o, lanes, mask);
}

static ASIDE enum exec_result iadd3_carry(struct sass_warp *w,
                                          const struct sass_inst *i, uint32_t mask)
{
    uint32_t tmp[3][WARP_LANES], carried[WARP_LANES], n = 0, in[2] = { 0, 0 };
    const uint32_t *a = source_complemented(w, &i->opd[IADD3_A], tmp[0], &n);
    const uint32_t *b = source_complemented(w, &i->opd[IADD3_B], tmp[1], &n);
    const uint32_t *c = source_complemented(w, &i->opd[IADD3_C], tmp[2], &n);

    if (sass_has(i, IADD3_X)) {
        n = 0;
        in[0] = sass_predicate(w, &i->opd[IADD3_CARRY_IN]);
        in[1] = sass_predicate(w, &i->opd[IADD3_CARRY2_IN]);
    }
    TARGET(out, IADD3_D);
    EACH_LANE(l) {
        uint32_t carry = n + lane_bit(in[0], l) + lane_bit(in[1], l), often = 0;
        uint32_t ab = intop_add(a[l], b[l], &often);

        out[l] = intop_add(intop_add(ab, c[l], &often), carry, &often);
        carried[l] = often;
    }
    sass_result(w, &i->opd[IADD3_D], 0, out, mask);
    set_carry(w, &i->opd[IADD3_CARRY], carried, 1, mask);
    set_carry(w, &i->opd[IADD3_CARRY2], carried, 2, mask);
    return EXEC_NEXT;
}

ROWS_FN(add3_rows)
{
    EACH_LANE(l)
        out[l] = a[l] + b[l] + c[l];
}

enum exec_result exec_iadd3(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    if (!is_pt(&i->opd[IADD3_CARRY]) || !is_pt(&i->opd[IADD3_CARRY2]) ||
        sass_has(i, IADD3_X))
        return iadd3_carry(w, i, mask);
    return run_rows(w, i, mask, add3_rows, ROWS_ABC(IADD3, SRC_INT));
}

static ASIDE enum exec_result imad_carry(struct sass_warp *w, const struct sass_inst *i,
                                         uint32_t mask)
{
    bool extended = sass_has(i, IMAD_X);
    uint32_t c_tmp[WARP_LANES], carried[WARP_LANES], n = 0, in;

    SOURCE(a, IMAD_A, SRC_INT);
    SOURCE(b, IMAD_B, SRC_INT);
    const uint32_t *c = source_complemented(w, &i->opd[IMAD_C], c_tmp, &n);

    in = extended ? sass_predicate(w, &i->opd[IMAD_CARRY_IN]) : 0;
    if (extended)
        n = 0;
    TARGET(out, IMAD_D);
    EACH_LANE(l) {
        uint32_t often = 0, sum = intop_add(a[l] * b[l], c[l], &often);

        out[l] = intop_add(sum, n + lane_bit(in, l), &often);
        carried[l] = often;
    }
    sass_result(w, &i->opd[IMAD_D], 0, out, mask);
    set_carry(w, &i->opd[IMAD_CARRY], carried, 1, mask);
    return EXEC_NEXT;
}

ROWS_FN(imad_rows)
{
    EACH_LANE(l)
        out[l] = a[l] * b[l] + c[l];
}

enum exec_result exec_imad(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    if (!is_pt(&i->opd[IMAD_CARRY]) || sass_has(i, IMAD_X))
        return imad_carry(w, i, mask);
    if (is_rz(&i->opd[IMAD_A])) /* IMAD.MOV */
        return run_rows(w, i, mask, copy_rows,
                        (struct rows_slots){ IMAD_D, IMAD_C, IMAD_C, IMAD_C, SRC_INT });
    return run_rows(w, i, mask, imad_rows, ROWS_ABC(IMAD, SRC_INT));
}

/* a * b in 64 bits; a minus sign applies to the product. */
static void wide_product(struct sass_warp *w, const struct sass_inst *i, uint64_t *p)
{
    SOURCE(a, IMAD_A, SRC_BITS);
    SOURCE(b, IMAD_B, SRC_BITS);

    if (!sass_has(i, IMAD_U32))
        LANES(l)
            p[l] = (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]);
    else
        LANES(l)
            p[l] = (uint64_t)a[l] * b[l];
    if ((i->opd[IMAD_A].flags ^ i->opd[IMAD_B].flags) & OPD_NEG)
        LANES(l)
            p[l] = -p[l];
}

/* The product plus the 64-bit c and the incoming carry; sets the carry out. */
static void wide_sum(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                     uint64_t *sum)
{
    bool extended = sass_has(i, IMAD_X), negated = i->opd[IMAD_C].flags & OPD_NEG;
    uint64_t c[WARP_LANES], p[WARP_LANES];
    uint32_t in = extended ? sass_predicate(w, &i->opd[IMAD_CARRY_IN]) : 0;
    uint64_t one = negated && !extended, flip = negated ? ~(uint64_t)0 : 0;
    uint8_t carry[WARP_LANES];

    wide_product(w, i, p);
    sass_source64(w, &i->opd[IMAD_C], c);
    LANES(l) {
        uint64_t x = p[l] + (c[l] ^ flip);
        uint64_t y = x + one + lane_bit(in, l);

        carry[l] = (x < p[l]) | (y < x);
        sum[l] = y;
    }
    if (!is_pt(&i->opd[IMAD_CARRY]))
        set_predicate_bits(w, &i->opd[IMAD_CARRY], gather_bits(carry), mask);
}

static ASIDE enum exec_result wide_carry(struct sass_warp *w, const struct sass_inst *i,
                                         uint32_t mask)
{
    uint64_t sum[WARP_LANES];

    wide_sum(w, i, mask, sum);
    sass_result64(w, &i->opd[IMAD_D], sum, mask);
    return EXEC_NEXT;
}

/* Word by word: so the registers are, and lanes of 64 bits would have to be taken apart
 * and put together again. */
enum exec_result exec_imad_wide(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    unsigned negated =
        i->opd[IMAD_A].flags | i->opd[IMAD_B].flags | i->opd[IMAD_C].flags;

    if (!is_pt(&i->opd[IMAD_CARRY]) || sass_has(i, IMAD_X) || negated & OPD_NEG)
        return wide_carry(w, i, mask);
    SOURCE(a, IMAD_A, SRC_BITS);
    SOURCE(b, IMAD_B, SRC_BITS);
    SOURCE(c, IMAD_C, SRC_BITS);
    SOURCE_PART(c_high, IMAD_C, 1, SRC_BITS);
    TARGET(low, IMAD_D);
    TARGET_PART(high, IMAD_D, 1);
    if (!sass_has(i, IMAD_U32))
        EACH_LANE(l) {
            uint32_t p = a[l] * b[l], sum = p + c[l];
            uint64_t product = (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]);

            high[l] = (uint32_t)(product >> 32) + c_high[l] + (sum < p);
            low[l] = sum;
        }
    else
        EACH_LANE(l) {
            uint32_t p = a[l] * b[l], sum = p + c[l];

            high[l] = (uint32_t)((uint64_t)a[l] * b[l] >> 32) + c_high[l] + (sum < p);
            low[l] = sum;
        }
    sass_result(w, &i->opd[IMAD_D], 0, low, mask);
    sass_result(w, &i->opd[IMAD_D], 1, high, mask);
    return EXEC_NEXT;
}

enum exec_result exec_imad_hi(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    uint64_t sum[WARP_LANES];
    uint32_t out[WARP_LANES];

    wide_sum(w, i, mask, sum);
    LANES(l)
        out[l] = (uint32_t)(sum[l] >> 32);
    sass_result(w, &i->opd[IMAD_D], 0, out, mask);
    return EXEC_NEXT;
}

/* A minus on a applies to the shifted value. */
static ASIDE enum exec_result lea_carry(struct sass_warp *w, const struct sass_inst *i,
                                        uint32_t mask)
{
    bool high = sass_has(i, LEA_HI), extended = sass_has(i, LEA_X);
    bool from_sign = sass_has(i, LEA_SX32);
    unsigned n = (unsigned)i->opd[LEA_SHIFT].imm & 31;
    uint32_t flip = i->opd[LEA_A].flags & OPD_NEG ? ~0u : 0, ones = flip & 1;
    uint32_t in = extended ? sass_predicate(w, &i->opd[LEA_CARRY_IN]) : 0;
    uint32_t b_tmp[WARP_LANES], carried[WARP_LANES];
    const uint32_t *b = source_complemented(w, &i->opd[LEA_B], b_tmp, &ones);

    SOURCE(a, LEA_A, SRC_BITS);
    SOURCE(c, LEA_HIGH, SRC_BITS);
    TARGET(out, LEA_D);
    if (extended)
        ones = 0;
    EACH_LANE(l) {
        uint32_t upper = from_sign ? intop_sign_word(a[l]) : c[l];
        uint32_t x = high ? upper << n | a[l] >> 1 >> (31 - n) : a[l] << n;
        uint32_t often = 0, sum = intop_add(x ^ flip, b[l], &often);

        out[l] = intop_add(sum, ones + lane_bit(in, l), &often);
        carried[l] = often;
    }
    sass_result(w, &i->opd[LEA_D], 0, out, mask);
    set_carry(w, &i->opd[LEA_CARRY], carried, 1, mask);
    return EXEC_NEXT;
}

ROWS_FN(lea_rows)
{
    unsigned n = (unsigned)i->opd[LEA_SHIFT].imm & 31;

    EACH_LANE(l)
        out[l] = (a[l] << n) + b[l];
}

enum exec_result exec_lea(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (!is_pt(&i->opd[LEA_CARRY]) || sass_has(i, LEA_HI) || sass_has(i, LEA_X) ||
        (i->opd[LEA_A].flags | i->opd[LEA_B].flags) & OPD_MODIFIERS)
        return lea_carry(w, i, mask);
    return run_rows(w, i, mask, lea_rows, ROWS_AB(LEA, SRC_BITS));
}

static uint32_t lanes_equal(const uint32_t *a, const uint32_t *b)
{
    uint32_t lanes = 0;

    LANES(l)
        lanes |= a[l] == b[l] ? sass_lane_bit[l] : 0;
    return lanes;
}

/* Lanes for which a relation holds. Relations are as in the comparison field: a set of
 * less 1, equal 2, greater 4. */
static uint32_t compare_lanes(unsigned relation, const uint32_t *a, const uint32_t *b,
                              uint32_t flip)
{
    switch (relation) {
    case 1:
        return lanes_less(a, b, flip);
    case 2:
        return lanes_equal(a, b);
    case 3:
        return ~lanes_less(b, a, flip);
    case 4:
        return lanes_less(b, a, flip);
    case 5:
        return ~lanes_equal(a, b);
    case 6:
        return ~lanes_less(a, b, flip);
    default:
        return relation ? ALL_LANES : 0;
    }
}

/* .EX: of 64-bit numbers the high words; LOW is the result for the low ones. */
enum exec_result exec_isetp(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    enum { NEVER = 0, ALWAYS = 7 };
    unsigned relation = sass_field(i, ISETP_CMP);
    uint32_t flip = sass_has(i, ISETP_U32) ? 0 : 0x80000000u, holds;

    SOURCE(a, ISETP_A, SRC_INT);
    SOURCE(b, ISETP_B, SRC_INT);
    if (sass_has(i, ISETP_EX) && relation != NEVER && relation != ALWAYS)
        holds = compare_lanes(relation & 5, a, b, flip) |
                (lanes_equal(a, b) & sass_predicate(w, &i->opd[ISETP_LOW]));
    else
        holds = compare_lanes(relation, a, b, flip);
    return set_compared(w, i, mask, holds, &i->opd[ISETP_P]);
}

enum exec_result exec_iabs(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    SOURCE(a, IABS_A, SRC_INT);
    LANES(l)
        out[l] = intop_abs(a[l]);
    sass_result(w, &i->opd[IABS_D], 0, out, mask);
    return EXEC_NEXT;
}

/* UIADD3.64 on pairs. Carries were not seen; the compiler keeps to immediates below
 * 2^31. */
enum exec_result exec_uiadd3_64(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    static const uint8_t terms[] = { UIADD3_64_A, UIADD3_64_B, UIADD3_64_C };
    const struct operand *b = &i->opd[UIADD3_64_B];
    uint64_t sum[WARP_LANES] = { 0 };

    if (!is_pt(&i->opd[UIADD3_64_CARRY]) || !is_pt(&i->opd[UIADD3_64_CARRY2]) ||
        (i->arch < SM100 && b->kind == OPD_IMM && (b->imm < 0 || b->imm >> 31)))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported 64-bit sum");
    for (unsigned k = 0; k < sizeof terms; k++) {
        struct operand o = i->opd[terms[k]];
        bool negative = o.kind == OPD_UREG && o.flags & OPD_NEG;
        uint64_t v[WARP_LANES];

        o.flags &= (uint16_t)~OPD_NEG;
        sass_source64(w, &o, v);
        LANES(l)
            sum[l] += negative ? -v[l] : v[l];
    }
    sass_result64(w, &i->opd[UIADD3_64_D], sum, mask);
    return EXEC_NEXT;
}
