/* exec_int.c - integer sums, products, comparisons and minima.
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

/* Slots: d, carry, second carry, a, b, c, carry in, second carry in. */
static ASIDE enum exec_result iadd3_carry(struct sass_warp *w,
                                          const struct sass_inst *i, uint32_t mask)
{
    uint32_t tmp[3][WARP_LANES], carried[WARP_LANES], n = 0, in[2] = { 0, 0 };
    const uint32_t *a = source_complemented(w, &i->opd[3], tmp[0], &n);
    const uint32_t *b = source_complemented(w, &i->opd[4], tmp[1], &n);
    const uint32_t *c = source_complemented(w, &i->opd[5], tmp[2], &n);

    if (sass_bits(i, 74, 1)) {
        n = 0;
        in[0] = predicate(w, &i->opd[6]);
        in[1] = predicate(w, &i->opd[7]);
    }
    TARGET(out, 0);
    EACH_LANE(l) {
        uint32_t carry = n + lane_bit(in[0], l) + lane_bit(in[1], l), often = 0;
        uint32_t ab = intop_add(a[l], b[l], &often);

        out[l] = intop_add(intop_add(ab, c[l], &often), carry, &often);
        carried[l] = often;
    }
    result(w, &i->opd[0], 0, out, mask);
    set_carry(w, &i->opd[1], carried, 1, mask);
    set_carry(w, &i->opd[2], carried, 2, mask);
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
    if (!is_pt(&i->opd[1]) || !is_pt(&i->opd[2]) || sass_bits(i, 74, 1))
        return iadd3_carry(w, i, mask);
    return run_rows(w, i, mask, add3_rows, (struct rows_slots){ 0, 3, 4, 5, SRC_INT });
}

/* Slots: d, carry, a, b, c, carry in. */
static ASIDE enum exec_result imad_carry(struct sass_warp *w, const struct sass_inst *i,
                                         uint32_t mask)
{
    bool extended = sass_bits(i, 74, 1);
    uint32_t c_tmp[WARP_LANES], carried[WARP_LANES], n = 0, in;

    SOURCE(a, 2, SRC_INT);
    SOURCE(b, 3, SRC_INT);
    const uint32_t *c = source_complemented(w, &i->opd[4], c_tmp, &n);

    in = extended ? predicate(w, &i->opd[5]) : 0;
    if (extended)
        n = 0;
    TARGET(out, 0);
    EACH_LANE(l) {
        uint32_t often = 0, sum = intop_add(a[l] * b[l], c[l], &often);

        out[l] = intop_add(sum, n + lane_bit(in, l), &often);
        carried[l] = often;
    }
    result(w, &i->opd[0], 0, out, mask);
    set_carry(w, &i->opd[1], carried, 1, mask);
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
    if (!is_pt(&i->opd[1]) || sass_bits(i, 74, 1))
        return imad_carry(w, i, mask);
    if (is_rz(&i->opd[2])) /* IMAD.MOV */
        return run_rows(w, i, mask, copy_rows,
                        (struct rows_slots){ 0, 4, 4, 4, SRC_INT });
    return run_rows(w, i, mask, imad_rows, (struct rows_slots){ 0, 2, 3, 4, SRC_INT });
}

/* a * b in 64 bits; a minus sign applies to the product. */
static void wide_product(struct sass_warp *w, const struct sass_inst *i, uint64_t *p)
{
    SOURCE(a, 2, SRC_BITS);
    SOURCE(b, 3, SRC_BITS);

    if (sass_bits(i, 73, 1))
        LANES(l)
            p[l] = (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]);
    else
        LANES(l)
            p[l] = (uint64_t)a[l] * b[l];
    if ((i->opd[2].flags ^ i->opd[3].flags) & OPD_NEG)
        LANES(l)
            p[l] = -p[l];
}

/* The product plus the 64-bit c and the incoming carry; sets the carry out. */
static void wide_sum(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                     uint64_t *sum)
{
    bool extended = sass_bits(i, 74, 1), negated = i->opd[4].flags & OPD_NEG;
    uint64_t c[WARP_LANES], p[WARP_LANES];
    uint32_t in = extended ? predicate(w, &i->opd[5]) : 0;
    uint64_t one = negated && !extended, flip = negated ? ~(uint64_t)0 : 0;
    uint8_t carry[WARP_LANES];

    wide_product(w, i, p);
    sass_source64(w, &i->opd[4], c);
    LANES(l) {
        uint64_t x = p[l] + (c[l] ^ flip);
        uint64_t y = x + one + lane_bit(in, l);

        carry[l] = (x < p[l]) | (y < x);
        sum[l] = y;
    }
    if (!is_pt(&i->opd[1]))
        set_predicate_bits(w, &i->opd[1], gather_bits(carry), mask);
}

static ASIDE enum exec_result wide_carry(struct sass_warp *w, const struct sass_inst *i,
                                         uint32_t mask)
{
    uint64_t sum[WARP_LANES];

    wide_sum(w, i, mask, sum);
    sass_result64(w, &i->opd[0], sum, mask);
    return EXEC_NEXT;
}

/* Word by word: so the registers are, and lanes of 64 bits would have to be taken apart
 * and put together again. */
enum exec_result exec_imad_wide(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    unsigned negated = i->opd[2].flags | i->opd[3].flags | i->opd[4].flags;

    if (!is_pt(&i->opd[1]) || sass_bits(i, 74, 1) || negated & OPD_NEG)
        return wide_carry(w, i, mask);
    SOURCE(a, 2, SRC_BITS);
    SOURCE(b, 3, SRC_BITS);
    SOURCE(c, 4, SRC_BITS);
    SOURCE_PART(c_high, 4, 1, SRC_BITS);
    TARGET(low, 0);
    TARGET_PART(high, 0, 1);
    if (sass_bits(i, 73, 1))
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
    result(w, &i->opd[0], 0, low, mask);
    result(w, &i->opd[0], 1, high, mask);
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
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* Slots: d, carry, a, b, high word of a, shift, carry in. A minus on a applies to the
 * shifted value. */
static ASIDE enum exec_result lea_carry(struct sass_warp *w, const struct sass_inst *i,
                                        uint32_t mask)
{
    bool high = sass_bits(i, 80, 1), extended = sass_bits(i, 74, 1);
    bool from_sign = sass_bits(i, 73, 1);
    unsigned n = (unsigned)i->opd[5].imm & 31;
    uint32_t flip = i->opd[2].flags & OPD_NEG ? ~0u : 0, ones = flip & 1;
    uint32_t in = extended ? predicate(w, &i->opd[6]) : 0;
    uint32_t b_tmp[WARP_LANES], carried[WARP_LANES];
    const uint32_t *b = source_complemented(w, &i->opd[3], b_tmp, &ones);

    SOURCE(a, 2, SRC_BITS);
    SOURCE(c, 4, SRC_BITS);
    TARGET(out, 0);
    if (extended)
        ones = 0;
    EACH_LANE(l) {
        uint32_t upper = from_sign ? intop_sign_word(a[l]) : c[l];
        uint32_t x = high ? upper << n | a[l] >> 1 >> (31 - n) : a[l] << n;
        uint32_t often = 0, sum = intop_add(x ^ flip, b[l], &often);

        out[l] = intop_add(sum, ones + lane_bit(in, l), &often);
        carried[l] = often;
    }
    result(w, &i->opd[0], 0, out, mask);
    set_carry(w, &i->opd[1], carried, 1, mask);
    return EXEC_NEXT;
}

ROWS_FN(lea_rows)
{
    unsigned n = (unsigned)i->opd[5].imm & 31;

    EACH_LANE(l)
        out[l] = (a[l] << n) + b[l];
}

enum exec_result exec_lea(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (!is_pt(&i->opd[1]) || sass_bits(i, 80, 1) || sass_bits(i, 74, 1) ||
        (i->opd[2].flags | i->opd[3].flags) & OPD_MODIFIERS)
        return lea_carry(w, i, mask);
    return run_rows(w, i, mask, lea_rows, (struct rows_slots){ 0, 2, 3, 3, SRC_BITS });
}

/* flip: the sign bit, for signed numbers. */
static uint32_t less(const uint32_t *a, const uint32_t *b, uint32_t flip)
{
    uint32_t lanes = 0;

    LANES(l)
        lanes |= (a[l] ^ flip) < (b[l] ^ flip) ? sass_lane_bit[l] : 0;
    return lanes;
}

static uint32_t equal(const uint32_t *a, const uint32_t *b)
{
    uint32_t lanes = 0;

    LANES(l)
        lanes |= a[l] == b[l] ? sass_lane_bit[l] : 0;
    return lanes;
}

/* Lanes for which a relation holds. Relations are as in the comparison field: a set of
 * less 1, equal 2, greater 4. */
static uint32_t compare(unsigned relation, const uint32_t *a, const uint32_t *b,
                        uint32_t flip)
{
    switch (relation) {
    case 1:
        return less(a, b, flip);
    case 2:
        return equal(a, b);
    case 3:
        return ~less(b, a, flip);
    case 4:
        return less(b, a, flip);
    case 5:
        return ~equal(a, b);
    case 6:
        return ~less(a, b, flip);
    default:
        return relation ? ALL_LANES : 0;
    }
}

/* Slots: Pd, Pd of the complement, a, b, P, P of the low halves (.EX). */
enum exec_result exec_isetp(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    enum { NEVER = 0, ALWAYS = 7 };
    unsigned relation = sass_bits(i, 76, 3);
    uint32_t flip = sass_bits(i, 73, 1) ? 0x80000000u : 0, holds;

    SOURCE(a, 2, SRC_INT);
    SOURCE(b, 3, SRC_INT);
    if (sass_bits(i, 72, 1) && relation != NEVER && relation != ALWAYS)
        holds = compare(relation & 5, a, b, flip) |
                (equal(a, b) & predicate(w, &i->opd[5]));
    else
        holds = compare(relation, a, b, flip);
    return set_compared(w, i, mask, holds, &i->opd[4]);
}

/* P holds: the smaller of the two. */
static void minmax_lanes(uint32_t *out, const uint32_t *a, const uint32_t *b,
                         bool is_signed, uint32_t min)
{
    uint32_t flip = is_signed ? 0x80000000u : 0;

    EACH_LANE(l) {
        bool less = (a[l] ^ flip) < (b[l] ^ flip);

        out[l] = less == lane_bit(min, l) ? a[l] : b[l];
    }
}

static void minmax_halves(uint32_t *out, const uint32_t *a, const uint32_t *b,
                          bool is_signed, uint32_t min)
{
    uint32_t lo[2][WARP_LANES], hi[2][WARP_LANES], low[WARP_LANES];

    LANES(l) {
        lo[0][l] = a[l] << 16;
        lo[1][l] = b[l] << 16;
        hi[0][l] = a[l] & 0xffff0000u;
        hi[1][l] = b[l] & 0xffff0000u;
    }
    minmax_lanes(low, lo[0], lo[1], is_signed, min);
    minmax_lanes(out, hi[0], hi[1], is_signed, min);
    LANES(l)
        out[l] |= low[l] >> 16;
}

ROWS_FN(imnmx_rows)
{
    minmax_lanes(out, a, b, sass_bits(i, 73, 1), predicate(w, &i->opd[3]));
}

enum exec_result exec_imnmx(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    return run_rows(w, i, mask, imnmx_rows, (struct rows_slots){ 0, 1, 2, 2, SRC_INT });
}

/* The packed and signed variants of the V instructions of sm_90. */
struct vector_type {
    bool is_signed, halves, relu;
};

static struct vector_type vector_type(const struct sass_inst *i)
{
    return (struct vector_type){ .is_signed = sass_bits(i, 72, 1),
                                 .halves = sass_bits(i, 73, 1),
                                 .relu = sass_bits(i, 76, 1) };
}

static void vector_minmax(struct vector_type t, uint32_t *out, const uint32_t *a,
                          const uint32_t *b, uint32_t min)
{
    static const uint32_t zero[WARP_LANES];

    if (t.halves)
        minmax_halves(out, a, b, t.is_signed, min);
    else
        minmax_lanes(out, a, b, t.is_signed, min);
    if (!t.relu)
        return;
    if (t.halves)
        minmax_halves(out, out, zero, true, 0);
    else
        minmax_lanes(out, out, zero, true, 0);
}

static void vector_add(bool halves, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    if (halves)
        LANES(l)
            out[l] = ((a[l] + b[l]) & 0xffff) |
                     ((a[l] & 0xffff0000u) + (b[l] & 0xffff0000u));
    else
        LANES(l)
            out[l] = a[l] + b[l];
}

/* A minus sign on packed halves negates each. */
static const uint32_t *vector_source(struct sass_warp *w, const struct operand *o,
                                     bool halves, uint32_t *tmp)
{
    const uint32_t *x = source(w, o, 0, halves ? SRC_BITS : SRC_INT, tmp);

    if (halves && o->flags & OPD_NEG) {
        LANES(l)
            tmp[l] = (-x[l] & 0xffff) | -(x[l] & 0xffff0000u);
        return tmp;
    }
    return x;
}

/* Lanes in which a is the result, of two words. */
static uint32_t takes_a(const uint32_t *a, const uint32_t *b, bool is_signed,
                        uint32_t min)
{
    uint32_t flip = is_signed ? 0x80000000u : 0;

    return (min & ~less(b, a, flip)) | (~min & ~less(a, b, flip));
}

/* The predicates of VIMNMX: is a the result? Of halves the first is the low one's. */
static void set_taken(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                      const uint32_t *a, const uint32_t *b)
{
    struct vector_type t = vector_type(i);
    uint32_t min = predicate(w, &i->opd[5]), low[2][WARP_LANES];

    if (!t.halves) {
        set_predicate_bits(w, &i->opd[1], takes_a(a, b, t.is_signed, min), mask);
        return;
    }
    LANES(l) {
        low[0][l] = a[l] << 16;
        low[1][l] = b[l] << 16;
    }
    set_predicate_bits(w, &i->opd[1], takes_a(low[0], low[1], t.is_signed, min), mask);
    LANES(l) {
        low[0][l] = a[l] & 0xffff0000u;
        low[1][l] = b[l] & 0xffff0000u;
    }
    set_predicate_bits(w, &i->opd[2], takes_a(low[0], low[1], t.is_signed, min), mask);
}

/* Slots: d, Pd, second Pd, a, b, P. */
enum exec_result exec_vimnmx(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    uint32_t out[WARP_LANES];

    if (!is_pt(&i->opd[2]) && !sass_bits(i, 73, 1))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate result");
    SOURCE(a, 3, SRC_INT);
    SOURCE(b, 4, SRC_INT);
    if (!is_pt(&i->opd[1]) || !is_pt(&i->opd[2]))
        set_taken(w, i, mask, a, b);
    vector_minmax(vector_type(i), out, a, b, predicate(w, &i->opd[5]));
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_vimnmx3(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    struct vector_type t = vector_type(i), first = t;
    uint32_t min = predicate(w, &i->opd[4]), ab[WARP_LANES], out[WARP_LANES];

    SOURCE(a, 1, SRC_INT);
    SOURCE(b, 2, SRC_INT);
    SOURCE(c, 3, SRC_INT);
    first.relu = false;
    vector_minmax(first, ab, a, b, min);
    vector_minmax(t, out, ab, c, min);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_viadd(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    bool halves = sass_bits(i, 73, 1);
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = vector_source(w, &i->opd[1], halves, tmp[0]);
    const uint32_t *b = vector_source(w, &i->opd[2], halves, tmp[1]);

    vector_add(halves, out, a, b);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_viaddmnmx(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    struct vector_type t = vector_type(i);
    uint32_t tmp[2][WARP_LANES], sum[WARP_LANES], out[WARP_LANES];
    const uint32_t *a = vector_source(w, &i->opd[1], t.halves, tmp[0]);
    const uint32_t *b = vector_source(w, &i->opd[2], t.halves, tmp[1]);

    SOURCE(c, 3, SRC_INT);
    vector_add(t.halves, sum, a, b);
    vector_minmax(t, out, sum, c, predicate(w, &i->opd[4]));
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_idp(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct intop_idp m = { .signed_a = sass_bits(i, 73, 1),
                           .signed_b = sass_bits(i, 74, 1),
                           .high = sass_bits(i, 77, 1) };
    bool halves = sass_bits(i, 76, 1);
    uint32_t out[WARP_LANES];

    SOURCE(a, 1, SRC_BITS);
    SOURCE(b, 2, SRC_BITS);
    SOURCE(c, 3, SRC_INT);
    LANES(l)
        out[l] =
            halves ? intop_dp2a(m, a[l], b[l], c[l]) : intop_dp4a(m, a[l], b[l], c[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_vabsdiff(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    bool is_signed = sass_bits(i, 73, 1);
    uint32_t out[WARP_LANES];

    SOURCE(a, 1, SRC_INT);
    SOURCE(b, 2, SRC_INT);
    SOURCE(c, 3, SRC_INT);
    LANES(l)
        out[l] = intop_absdiff(is_signed, a[l], b[l], c[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

static uint32_t byte_differences(bool is_signed, uint32_t a, uint32_t b)
{
    uint32_t flip = is_signed ? 0x80 : 0, r = 0;

    for (unsigned k = 0; k < 32; k += 8)
        r |= intop_absdiff(false, (a >> k & 0xff) ^ flip, (b >> k & 0xff) ^ flip, 0)
             << k;
    return r;
}

/* .ACC: their sum, added to c; without it the four bytes, c not being used. */
enum exec_result exec_vabsdiff4(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    bool sum = sass_bits(i, 75, 1), is_signed = sass_bits(i, 73, 1);
    uint32_t out[WARP_LANES];

    if (sass_bits(i, 74, 1))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported byte differences");
    SOURCE(a, 1, SRC_BITS);
    SOURCE(b, 2, SRC_BITS);
    SOURCE(c, 3, SRC_INT);
    LANES(l)
        out[l] = sum ? intop_absdiff4(is_signed, a[l], b[l], c[l])
                     : byte_differences(is_signed, a[l], b[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_iabs(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    SOURCE(a, 1, SRC_INT);
    LANES(l)
        out[l] = intop_abs(a[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* UIADD3.64 on pairs. Slots: d, two carries (not seen), a, b, c. The compiler keeps to
 * immediates below 2^31. */
enum exec_result exec_uiadd3_64(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    uint64_t sum[WARP_LANES] = { 0 };

    if (i->opd[1].reg != PRED_PT || i->opd[2].reg != PRED_PT ||
        (i->opd[4].kind == OPD_IMM && (i->opd[4].imm < 0 || i->opd[4].imm >> 31)))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported 64-bit sum");
    for (unsigned k = 3; k < 6; k++) {
        bool negative = i->opd[k].kind == OPD_UREG && i->opd[k].flags & OPD_NEG;
        struct operand o = i->opd[k];
        uint64_t v[WARP_LANES];

        o.flags &= (uint16_t)~OPD_NEG;
        sass_source64(w, &o, v);
        LANES(l)
            sum[l] += negative ? -v[l] : v[l];
    }
    sass_result64(w, &i->opd[0], sum, mask);
    return EXEC_NEXT;
}
