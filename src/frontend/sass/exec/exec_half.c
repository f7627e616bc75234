/* exec_half.c - two halves to a register: HADD2, HMUL2, HFMA2, comparisons, minima.
 *
 * f16, or bf16 where the instruction says so. An operand is taken whole, or one of its
 * halves for both (the decoder's flags). An fp32 operand is cut to f16 first: sm_75
 * converts that way with rounding toward zero; seen in compiled code, not measured.
 *
 * LIMIT: .OOB turns products of one special NaN, which bulk copies fill in, into zero;
 * which NaN is not known, so that here it computes as without.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/fpconv.h"
#include "frontend/sass/math/fpvec.h"

static enum fp_format format_of(const struct sass_inst *i, unsigned bit)
{
    return sass_bits(i, bit, 1) ? FP_BF16 : FP_F16;
}

static const uint32_t *half_source(struct sass_warp *w, const struct operand *o,
                                   uint32_t *tmp)
{
    const struct fp_mode cut = { .round = FP_RZ };
    const uint32_t *x;

    if (!(o->flags & OPD_F32))
        return source(w, o, 0, SRC_HALF, tmp);
    x = source(w, o, 0, SRC_F32, tmp);
    LANES(l)
        tmp[l] = (uint32_t)fp_convert(FP_F32, FP_F16, cut, x[l]) * 0x10001u;
    return tmp;
}

/* .OOB, the fourth value of the field that .FTZ and .FMZ share. */
static bool is_oob(const struct sass_inst *i)
{
    return sass_bits(i, 76, 1) && sass_bits(i, 80, 1);
}

static struct fp_mode half_mode(const struct sass_inst *i)
{
    bool oob = is_oob(i);

    return (struct fp_mode){ .ftz = sass_bits(i, 80, 1) && !oob,
                             .sat = sass_bits(i, 77, 1),
                             .fmz = sass_bits(i, 76, 1) && !oob,
                             .relu = sass_bits(i, 79, 1) };
}

/* HADD2.F32: the sum of two halves as fp32; the compiler converts with it. */
static void add_wide(struct fp_mode m, uint32_t *out, const uint32_t *a,
                     const uint32_t *b)
{
    const struct fp_mode exact = { 0 };

    LANES(l) {
        uint64_t x = fp_convert(FP_F16, FP_F32, exact, a[l] & 0xffff);
        uint64_t y = fp_convert(FP_F16, FP_F32, exact, b[l] & 0xffff);

        out[l] = (uint32_t)fp_add(FP_F32, m, x, y);
    }
}

static enum exec_result no_wide(struct sass_warp *w, const struct sass_inst *i)
{
    return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported fp32 result of halves");
}

enum exec_result exec_hadd2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[1], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[2], tmp[1]);
    enum fp_format f = format_of(i, 85);
    struct fp_mode m = half_mode(i);

    m.fmz = m.relu = false;
    if (!sass_bits(i, 78, 1))
        fpv_hadd2(f, m, out, a, b);
    else if (f == FP_F16)
        add_wide(m, out, a, b);
    else
        return no_wide(w, i);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_hmul2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[1], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[2], tmp[1]);

    if (sass_bits(i, 78, 1))
        return no_wide(w, i);
    fpv_hmul2(format_of(i, 85), half_mode(i), out, a, b);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* HFMA2 and HFMA2.MMA. */
enum exec_result exec_hfma2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    struct fpv_half h = { format_of(i, 85), half_mode(i) };
    uint32_t tmp[3][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[1], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[2], tmp[1]);
    const uint32_t *c = half_source(w, &i->opd[3], tmp[2]);

    if (sass_bits(i, 78, 1))
        return no_wide(w, i);
    if (i->base.op == OP_HFMA2 && sass_bits(i, 86, 1)) { /* b.H0_NH1 */
        LANES(l)
            tmp[1][l] = b[l] << 16 | (b[l] >> 16 ^ 0x8000u);
        b = tmp[1];
    }
    fpv_hfma2(h, out, a, b, c);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* Lanes for which the comparison of the field at 76 holds, for each half. */
static void compare_halves(struct sass_warp *w, const struct sass_inst *i,
                           const struct operand *opd, uint32_t *low, uint32_t *high)
{
    unsigned code = sass_bits(i, 76, 4);
    bool ftz = sass_bits(i, 80, 1);
    enum fp_format f = format_of(i, 65);
    uint32_t tmp[2][WARP_LANES];
    const uint32_t *a = half_source(w, &opd[0], tmp[0]);
    const uint32_t *b = half_source(w, &opd[1], tmp[1]);
    uint8_t lo[WARP_LANES], hi[WARP_LANES];

    LANES(l) {
        lo[l] = fp_compare(f, code, ftz, a[l] & 0xffff, b[l] & 0xffff);
        hi[l] = fp_compare(f, code, ftz, a[l] >> 16, b[l] >> 16);
    }
    *low = gather_bits(lo);
    *high = gather_bits(hi);
}

/* Slots: d, a, b, P. The result of each half is 1.0 (.BF) or all ones. */
enum exec_result exec_hset2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    unsigned how = sass_bits(i, 69, 2);
    uint32_t p = predicate(w, &i->opd[3]), low, high, out[WARP_LANES], one = 0xffff;

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    if (sass_bits(i, 71, 1))
        one = format_of(i, 65) == FP_BF16 ? 0x3f80 : 0x3c00;
    compare_halves(w, i, &i->opd[1], &low, &high);
    low = combine(how, low, p);
    high = combine(how, high, p);
    LANES(l)
        out[l] = one * lane_bit(low, l) | one * lane_bit(high, l) << 16;
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* Slots: Pd, second Pd, a, b, P. One predicate a half; with .H_AND both halves together
 * and the complement of that (the latter not measured). */
enum exec_result exec_hsetp2(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    unsigned how = sass_bits(i, 69, 2);
    uint32_t p = predicate(w, &i->opd[4]), low, high;

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    compare_halves(w, i, &i->opd[2], &low, &high);
    if (sass_bits(i, 71, 1)) {
        low &= high;
        high = ~low;
    }
    set_predicate_bits(w, &i->opd[0], combine(how, low, p), mask);
    set_predicate_bits(w, &i->opd[1], combine(how, high, p), mask);
    return EXEC_NEXT;
}

/* Slots: d, a, b, P. P holds: the smaller. */
enum exec_result exec_hmnmx2(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct fp_minmax m = { .ftz = sass_bits(i, 80, 1),
                           .nan = sass_bits(i, 81, 1),
                           .xorsign = sass_bits(i, 82, 1) };
    enum fp_format f = format_of(i, 85);
    struct operand x = i->opd[1], y = i->opd[2];
    uint32_t p = predicate(w, &i->opd[3]), tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a, *b;

    if (sass_bits(i, 78, 1))
        return no_wide(w, i);
    if (m.xorsign)
        drop_abs(&x, &y);
    a = half_source(w, &x, tmp[0]);
    b = half_source(w, &y, tmp[1]);
    LANES(l) {
        m.is_max = !lane_bit(p, l);
        out[l] = fp_minmax2(f, m, a[l], b[l]);
    }
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}
