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

static enum fp_format format_of(const struct sass_inst *i, enum sass_field is_bf16)
{
    return sass_has(i, is_bf16) ? FP_BF16 : FP_F16;
}

static const uint32_t *half_source(struct sass_warp *w, const struct operand *o,
                                   uint32_t *tmp)
{
    const struct fp_mode cut = { .round = FP_RZ };
    const uint32_t *x;

    if (!(o->flags & OPD_F32))
        return sass_source(w, o, 0, SRC_HALF, tmp);
    x = sass_source(w, o, 0, SRC_F32, tmp);
    LANES(l)
        tmp[l] = (uint32_t)fp_convert(FP_F32, FP_F16, cut, x[l]) * 0x10001u;
    return tmp;
}

_Static_assert(HADD2_FMZ == HMUL2_FMZ && HADD2_FTZ == HMUL2_FTZ &&
                   HADD2_SAT == HMUL2_SAT && HADD2_FMZ == HFMA2_FMZ &&
                   HADD2_FTZ == HFMA2_FTZ && HADD2_SAT == HFMA2_SAT,
               "half_mode() is for all three");

/* .OOB, the fourth value of the field that .FTZ and .FMZ share. */
static bool is_oob(const struct sass_inst *i)
{
    return sass_has(i, HADD2_FMZ) && sass_has(i, HADD2_FTZ);
}

static struct fp_mode half_mode(const struct sass_inst *i)
{
    bool oob = is_oob(i);

    return (struct fp_mode){ .ftz = sass_has(i, HADD2_FTZ) && !oob,
                             .sat = sass_has(i, HADD2_SAT),
                             .fmz = sass_has(i, HADD2_FMZ) && !oob };
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
    const uint32_t *a = half_source(w, &i->opd[HADD2_A], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[HADD2_B], tmp[1]);
    enum fp_format f = format_of(i, HADD2_BF16);
    struct fp_mode m = half_mode(i);

    m.fmz = false;
    if (!sass_has(i, HADD2_F32))
        fpv_hadd2(f, m, out, a, b);
    else if (f == FP_F16)
        add_wide(m, out, a, b);
    else
        return no_wide(w, i);
    sass_result(w, &i->opd[HADD2_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_hmul2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[HMUL2_A], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[HMUL2_B], tmp[1]);

    if (sass_has(i, HMUL2_F32))
        return no_wide(w, i);
    fpv_hmul2(format_of(i, HMUL2_BF16), half_mode(i), out, a, b);
    sass_result(w, &i->opd[HMUL2_D], 0, out, mask);
    return EXEC_NEXT;
}

/* HFMA2 and HFMA2.MMA. */
enum exec_result exec_hfma2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    struct fpv_half h = { format_of(i, HFMA2_BF16), half_mode(i) };
    uint32_t tmp[3][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[HFMA2_A], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[HFMA2_B], tmp[1]);
    const uint32_t *c = half_source(w, &i->opd[HFMA2_C], tmp[2]);

    h.m.relu = sass_has(i, HFMA2_RELU);
    if (sass_has(i, HFMA2_F32))
        return no_wide(w, i);
    if (i->base.op == OP_HFMA2 && sass_has(i, HFMA2_NH1)) { /* b.H0_NH1 */
        LANES(l)
            tmp[1][l] = b[l] << 16 | (b[l] >> 16 ^ 0x8000u);
        b = tmp[1];
    }
    fpv_hfma2(h, out, a, b, c);
    sass_result(w, &i->opd[HFMA2_D], 0, out, mask);
    return EXEC_NEXT;
}

_Static_assert(HSET2_CMP == HSETP2_CMP && HSET2_FTZ == HSETP2_FTZ &&
                   HSET2_BF16 == HSETP2_BF16,
               "compare_halves() is for both");

/* Lanes for which the comparison holds, for each half. */
static void compare_halves(struct sass_warp *w, const struct sass_inst *i,
                           const struct operand *x, const struct operand *y,
                           uint32_t *low, uint32_t *high)
{
    unsigned code = sass_field(i, HSET2_CMP);
    bool ftz = sass_has(i, HSET2_FTZ);
    enum fp_format f = format_of(i, HSET2_BF16);
    uint32_t tmp[2][WARP_LANES];
    const uint32_t *a = half_source(w, x, tmp[0]);
    const uint32_t *b = half_source(w, y, tmp[1]);
    uint8_t lo[WARP_LANES], hi[WARP_LANES];

    LANES(l) {
        lo[l] = fp_compare(f, code, ftz, a[l] & 0xffff, b[l] & 0xffff);
        hi[l] = fp_compare(f, code, ftz, a[l] >> 16, b[l] >> 16);
    }
    *low = gather_bits(lo);
    *high = gather_bits(hi);
}

/* The result of each half is 1.0 (.BF) or all ones. */
enum exec_result exec_hset2(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    unsigned how = sass_field(i, HSET2_BOP);
    uint32_t p = sass_predicate(w, &i->opd[HSET2_P]), low, high, out[WARP_LANES],
             one = 0xffff;

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    if (sass_has(i, HSET2_BF))
        one = format_of(i, HSET2_BF16) == FP_BF16 ? 0x3f80 : 0x3c00;
    compare_halves(w, i, &i->opd[HSET2_A], &i->opd[HSET2_B], &low, &high);
    low = combine_predicates(how, low, p);
    high = combine_predicates(how, high, p);
    LANES(l)
        out[l] = one * lane_bit(low, l) | one * lane_bit(high, l) << 16;
    sass_result(w, &i->opd[HSET2_D], 0, out, mask);
    return EXEC_NEXT;
}

/* One predicate per half; with .H_AND both halves together and the complement of that
 * (the latter not measured). */
enum exec_result exec_hsetp2(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    unsigned how = sass_field(i, HSETP2_BOP);
    uint32_t p = sass_predicate(w, &i->opd[HSETP2_P]), low, high;

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    compare_halves(w, i, &i->opd[HSETP2_A], &i->opd[HSETP2_B], &low, &high);
    if (sass_has(i, HSETP2_H_AND)) {
        low &= high;
        high = ~low;
    }
    set_predicate_bits(w, &i->opd[HSETP2_PD], combine_predicates(how, low, p), mask);
    set_predicate_bits(w, &i->opd[HSETP2_PD2], combine_predicates(how, high, p), mask);
    return EXEC_NEXT;
}

/* P holds: the smaller. */
enum exec_result exec_hmnmx2(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct fp_minmax m = { .ftz = sass_has(i, HMNMX2_FTZ),
                           .nan = sass_has(i, HMNMX2_NAN),
                           .xorsign = sass_has(i, HMNMX2_XORSIGN) };
    enum fp_format f = format_of(i, HMNMX2_BF16);
    struct operand x = i->opd[HMNMX2_A], y = i->opd[HMNMX2_B];
    uint32_t p = sass_predicate(w, &i->opd[HMNMX2_P]), tmp[2][WARP_LANES],
             out[WARP_LANES];
    const uint32_t *a, *b;

    if (sass_has(i, HMNMX2_F32))
        return no_wide(w, i);
    if (m.xorsign)
        drop_abs(&x, &y);
    a = half_source(w, &x, tmp[0]);
    b = half_source(w, &y, tmp[1]);
    LANES(l) {
        m.is_max = !lane_bit(p, l);
        out[l] = fp_minmax2(f, m, a[l], b[l]);
    }
    sass_result(w, &i->opd[HMNMX2_D], 0, out, mask);
    return EXEC_NEXT;
}

/* The least or greatest of three. LIMIT: .XORSIGN, which the compiler does not emit, is
 * refused. */
enum exec_result exec_vhmnmx(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct fp_minmax m = { .ftz = sass_has(i, VHMNMX_FTZ),
                           .nan = sass_has(i, VHMNMX_NAN) };
    enum fp_format f = format_of(i, VHMNMX_BF16);
    uint32_t p = sass_predicate(w, &i->opd[VHMNMX_P]), tmp[3][WARP_LANES],
             out[WARP_LANES];
    const uint32_t *a = half_source(w, &i->opd[VHMNMX_A], tmp[0]);
    const uint32_t *b = half_source(w, &i->opd[VHMNMX_B], tmp[1]);
    const uint32_t *c = half_source(w, &i->opd[VHMNMX_C], tmp[2]);

    if (sass_has(i, VHMNMX_F32))
        return no_wide(w, i);
    if (sass_has(i, VHMNMX_XORSIGN))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported sign of a minimum");
    LANES(l) {
        m.is_max = !lane_bit(p, l);
        out[l] = fp_minmax2(f, m, fp_minmax2(f, m, a[l], b[l]), c[l]);
    }
    sass_result(w, &i->opd[VHMNMX_D], 0, out, mask);
    return EXEC_NEXT;
}
