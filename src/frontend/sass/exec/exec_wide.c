/* exec_wide.c - what Blackwell adds: integers of 64 bits in one instruction and bytes in
 * fours (sm_120), pairs of floats, minimum and maximum of three, mixed precision.
 *
 * LIMIT: no machine of this kind was at hand. Results are those of the same operation in
 * other instructions; they were compared with what the same sources give on an H200.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/fpconv.h"

/* MOV.64, UMOV.64. */
enum exec_result exec_mov64(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint64_t v[WARP_LANES];

    if (i->base.op == OP_MOV_64_R && !sass_has(i, MOV_64_R_64))
        return exec_mov(w, i, mask);
    sass_source64(w, &i->opd[MOV_64_A], v);
    sass_result64(w, &i->opd[MOV_64_D], v, mask);
    return EXEC_NEXT;
}
_Static_assert(MOV_64_A == MOV_A && MOV_64_D == MOV_D, "one handler");

enum exec_result exec_sel64(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t p = sass_predicate(w, &i->opd[USEL_64_P]);
    uint64_t a[WARP_LANES], b[WARP_LANES];

    sass_source64(w, &i->opd[USEL_64_A], a);
    sass_source64(w, &i->opd[USEL_64_B], b);
    LANES(l)
        a[l] = lane_bit(p, l) ? a[l] : b[l];
    sass_result64(w, &i->opd[USEL_64_D], a, mask);
    return EXEC_NEXT;
}

static bool holds_wide(unsigned relation, bool is_signed, uint64_t a, uint64_t b)
{
    enum { LESS = 1, EQUAL = 2, GREATER = 4 };
    uint64_t flip = is_signed ? (uint64_t)1 << 63 : 0;
    unsigned is = a == b ? EQUAL : (a ^ flip) < (b ^ flip) ? LESS : GREATER;

    return relation & is;
}

enum exec_result exec_isetp64(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    unsigned relation = sass_field(i, ISETP_CMP);
    uint64_t a[WARP_LANES], b[WARP_LANES];
    uint32_t holds = 0;

    if (!sass_has(i, ISET64_IS_64))
        return exec_isetp(w, i, mask);
    if (sass_has(i, ISETP_EX))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported extended comparison");
    sass_source64(w, &i->opd[ISETP_A], a);
    sass_source64(w, &i->opd[ISETP_B], b);
    LANES(l)
        if (holds_wide(relation, !sass_has(i, ISETP_U32), a[l], b[l]))
            holds |= sass_lane_bit[l];
    return set_compared(w, i, mask, holds, &i->opd[ISETP_P]);
}

/* Of its predicates only those that compilers write are known: PT, PT and !PT. */
enum exec_result exec_imnmx64(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    uint32_t min = sass_predicate(w, &i->opd[IMNMX_64_P]);
    uint64_t a[WARP_LANES], b[WARP_LANES];
    const struct operand *low = &i->opd[IMNMX_64_LOW];
    bool is_usual = is_pt(&i->opd[IMNMX_64_PD]) && is_pt(&i->opd[IMNMX_64_PD2]) &&
                    low->reg == PRED_PT && low->flags & OPD_NOT;

    if (!is_usual || !sass_has(i, IMNMX_64_IS_64))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicates");
    sass_source64(w, &i->opd[IMNMX_64_A], a);
    sass_source64(w, &i->opd[IMNMX_64_B], b);
    LANES(l) {
        bool less = holds_wide(1, sass_has(i, IMNMX_64_S64), a[l], b[l]);

        a[l] = less == lane_bit(min, l) ? a[l] : b[l];
    }
    sass_result64(w, &i->opd[IMNMX_64_D], a, mask);
    return EXEC_NEXT;
}

/* A term of a sum: negated it is its complement, and one more is added unless the carry
 * stands for that (.X). */
static void read_term(struct sass_warp *w, const struct operand *o, uint64_t *v,
                      bool is_x, unsigned *more)
{
    struct operand plain = *o;

    plain.flags &= (uint16_t)~OPD_NEG;
    plain.way = WAY_ANY;
    sass_source64(w, &plain, v);
    if (!(o->flags & OPD_NEG))
        return;
    *more += !is_x;
    LANES(l)
        v[l] = ~v[l];
}

enum exec_result exec_iadd64(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    bool is_x = sass_has(i, IADD_64_X);
    uint32_t in = is_x ? sass_predicate(w, &i->opd[IADD_64_CARRY_IN]) : 0, carried = 0;
    uint64_t a[WARP_LANES], b[WARP_LANES];
    unsigned more = 0;

    read_term(w, &i->opd[IADD_64_A], a, is_x, &more);
    read_term(w, &i->opd[IADD_64_B], b, is_x, &more);
    LANES(l) {
        uint64_t sum = a[l] + b[l], out = sum + more + lane_bit(in, l);

        if (sum < a[l] || out < sum)
            carried |= sass_lane_bit[l];
        a[l] = out;
    }
    if (!is_pt(&i->opd[IADD_64_CARRY]))
        set_predicate_bits(w, &i->opd[IADD_64_CARRY], carried, mask);
    sass_result64(w, &i->opd[IADD_64_D], a, mask);
    return EXEC_NEXT;
}

/* Element k of a word in elements of that many bits. */
static int64_t element_of(uint32_t word, unsigned bits, unsigned k, bool is_signed)
{
    uint64_t v = (uint64_t)word >> bits * k << (64 - bits);

    return is_signed ? (int64_t)v >> (64 - bits) : (int64_t)(v >> (64 - bits));
}

static uint32_t put_element(int64_t v, unsigned bits, unsigned k)
{
    return (uint32_t)(((uint64_t)v & (((uint64_t)1 << bits) - 1)) << bits * k);
}

static const uint32_t *plain_source(struct sass_warp *w, const struct operand *o,
                                    uint32_t *tmp)
{
    struct operand plain = *o;

    plain.flags &= (uint16_t)~OPD_NEG;
    plain.way = WAY_ANY;
    return sass_source(w, &plain, 0, SRC_BITS, tmp);
}

/* VIADD of sm_120. */
enum exec_result exec_viadd_120(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    static const uint8_t widths[8] = { 32, 16, 32, 0, 8, 8 };
    unsigned type = sass_field(i, VIADD_120_TYPE), bits = widths[type];
    bool saturates = sass_has(i, VIADD_120_ISAT);
    const struct operand *x = &i->opd[VIADD_120_A], *y = &i->opd[VIADD_120_B];
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = plain_source(w, x, tmp[0]), *b = plain_source(w, y, tmp[1]);

    if (!bits || (saturates && bits != 32))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported type of sum");
    LANES(l) {
        out[l] = 0;
        for (unsigned k = 0; k < 32 / bits; k++) {
            int64_t p = element_of(a[l], bits, k, true);
            int64_t q = element_of(b[l], bits, k, true);
            int64_t sum = (x->flags & OPD_NEG ? -p : p) + (y->flags & OPD_NEG ? -q : q);

            if (saturates)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            out[l] |= put_element(sum, bits, k);
        }
    }
    sass_result(w, &i->opd[VIADD_120_D], 0, out, mask);
    return EXEC_NEXT;
}

/* VIMNMX of sm_120: also bytes. */
enum exec_result exec_vimnmx_120(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    enum { U8X4 = 4, S8X4 };
    unsigned type = sass_field(i, VIMNMX_120_TYPE);
    uint32_t min = sass_predicate(w, &i->opd[VIMNMX_P]), out[WARP_LANES];

    if (type < U8X4)
        return exec_vimnmx(w, i, mask);
    if (type > S8X4 || !is_pt(&i->opd[VIMNMX_PD]) || !is_pt(&i->opd[VIMNMX_PD2]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported type of minimum");
    SOURCE(a, VIMNMX_A, SRC_INT);
    SOURCE(b, VIMNMX_B, SRC_INT);
    LANES(l) {
        out[l] = 0;
        for (unsigned k = 0; k < 4; k++) {
            int64_t p = element_of(a[l], 8, k, type == S8X4);
            int64_t q = element_of(b[l], 8, k, type == S8X4);
            int64_t v = (p < q) == lane_bit(min, l) ? p : q;

            out[l] |= put_element(sass_has(i, VIMNMX_120_RELU) && v < 0 ? 0 : v, 8, k);
        }
    }
    sass_result(w, &i->opd[VIMNMX_D], 0, out, mask);
    return EXEC_NEXT;
}
_Static_assert(VIMNMX_P == VIMNMX_120_P && VIMNMX_A == VIMNMX_120_A &&
                   VIMNMX_PD2 == VIMNMX_120_PD2,
               "one handler");

/* FADD2, FMUL2, FFMA2: two floats each. */
enum exec_result exec_f32x2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    struct fp_mode m = { .round = (uint8_t)sass_field(i, FADD2_RND),
                         .ftz = sass_has(i, FADD2_FTZ) };
    uint32_t out[2][WARP_LANES];

    for (unsigned part = 0; part < 2; part++) {
        SOURCE_PART(a, FADD2_A, part, SRC_F32);
        SOURCE_PART(b, FADD2_B, part, SRC_F32);
        uint32_t c_tmp[WARP_LANES];
        const uint32_t *c = i->base.op == OP_FFMA2
                                ? sass_source(w, &i->opd[FFMA2_C], part, SRC_F32, c_tmp)
                                : a;

        LANES(l)
            out[part][l] =
                (uint32_t)(i->base.op == OP_FADD2 ? fp_add(FP_F32, m, a[l], b[l])
                           : i->base.op == OP_FMUL2
                               ? fp_mul(FP_F32, m, a[l], b[l])
                               : fp_fma(FP_F32, m, a[l], b[l], c[l]));
    }
    for (unsigned part = 0; part < 2; part++)
        sass_result(w, &i->opd[FADD2_D], part, out[part], mask);
    return EXEC_NEXT;
}
_Static_assert(FADD2_A == FFMA2_A && FADD2_B == FFMA2_B && FADD2_B == FMUL2_B &&
                   FADD2_RND == FFMA2_RND && FADD2_RND == FMUL2_RND,
               "one handler");

/* FMNMX3 is two of FMNMX. */
enum exec_result exec_fmnmx3(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct fp_minmax m = { .ftz = sass_has(i, FMNMX3_FTZ),
                           .nan = sass_has(i, FMNMX3_NAN) };
    uint32_t p = sass_predicate(w, &i->opd[FMNMX3_P]), out[WARP_LANES];

    if (sass_has(i, FMNMX3_XORSIGN))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported sign");
    SOURCE(a, FMNMX3_A, SRC_F32);
    SOURCE(b, FMNMX3_B, SRC_F32);
    SOURCE(c, FMNMX3_C, SRC_F32);
    LANES(l) {
        m.is_max = !lane_bit(p, l);
        out[l] = (uint32_t)fp_minmax(FP_F32, m, fp_minmax(FP_F32, m, a[l], b[l]), c[l]);
    }
    sass_result(w, &i->opd[FMNMX3_D], 0, out, mask);
    return EXEC_NEXT;
}

/* CREDUX: minimum or maximum over the lanes of a warp. */
enum exec_result exec_credux(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    enum { ABS = 1, MIN = 2 };
    unsigned op = sass_field(i, CREDUX_OP);
    struct fp_minmax m = { .is_max = !(op & MIN), .nan = sass_has(i, CREDUX_NAN) };
    uint32_t flip = sass_has(i, CREDUX_S32) ? 0x80000000u : 0;
    uint32_t keep = op & ABS ? 0x7fffffffu : ~0u, out[WARP_LANES], r;

    if (!mask)
        return EXEC_NEXT;
    SOURCE(a, CREDUX_A, SRC_BITS);
    r = a[__builtin_ctz(mask)] & keep;
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint32_t v = a[__builtin_ctz(left)] & keep;

        if (sass_has(i, CREDUX_F32))
            r = (uint32_t)fp_minmax(FP_F32, m, r, v);
        else if (((v ^ flip) < (r ^ flip)) == !!(op & MIN))
            r = v;
    }
    LANES(l)
        out[l] = r;
    sass_result(w, &i->opd[CREDUX_D], 0, out, mask);
    return EXEC_NEXT;
}

/* A source of FHADD and FHFMA: the low half of a register, widened. Modifiers are those
 * of the half. */
static void read_half(struct sass_warp *w, const struct sass_inst *i, unsigned slot,
                      uint32_t *v)
{
    struct operand plain = i->opd[slot];
    unsigned flags = plain.flags;
    bool is_bf16 = sass_has(i, MIXED_BF16);
    uint32_t tmp[WARP_LANES];
    const uint32_t *x;

    plain.flags &= (uint16_t) ~(OPD_NEG | OPD_ABS);
    plain.way = WAY_ANY;
    x = sass_source(w, &plain, 0, SRC_BITS, tmp);
    LANES(l) {
        v[l] = is_bf16 ? x[l] << 16
                       : (uint32_t)fp_convert(FP_F16, FP_F32, (struct fp_mode){ 0 },
                                              x[l] & 0xffff);
        if (flags & OPD_ABS)
            v[l] &= 0x7fffffffu;
        if (flags & OPD_NEG)
            v[l] ^= 0x80000000u;
    }
}

/* FADD and FFMA, or with half sources FHADD (the first) and FHFMA (the factors). */
enum exec_result exec_fadd_100(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    struct fp_mode m = { .round = (uint8_t)sass_field(i, FADD_RND),
                         .ftz = sass_has(i, FADD_FTZ),
                         .sat = sass_has(i, FADD_SAT) };
    uint32_t a[WARP_LANES], out[WARP_LANES];

    if (!sass_has(i, MIXED_HALF))
        return exec_fadd(w, i, mask);
    read_half(w, i, FADD_A, a);
    SOURCE(b, FADD_B, SRC_F32);
    LANES(l)
        out[l] = (uint32_t)fp_add(FP_F32, m, a[l], b[l]);
    sass_result(w, &i->opd[FADD_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_ffma_100(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    struct fp_mode m = { .round = (uint8_t)sass_field(i, FFMA_RND),
                         .ftz = sass_has(i, FFMA_FTZ),
                         .sat = sass_has(i, FFMA_SAT) };
    uint32_t a[WARP_LANES], b[WARP_LANES], out[WARP_LANES];

    if (!sass_has(i, MIXED_HALF))
        return exec_ffma(w, i, mask);
    read_half(w, i, FFMA_A, a);
    read_half(w, i, FFMA_B, b);
    SOURCE(c, FFMA_C, SRC_F32);
    LANES(l)
        out[l] = (uint32_t)fp_fma(FP_F32, m, a[l], b[l], c[l]);
    sass_result(w, &i->opd[FFMA_D], 0, out, mask);
    return EXEC_NEXT;
}
