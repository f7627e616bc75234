/* exec_fp.c - single and double precision: FADD to FCHK, MUFU, DADD to DSETP.
 *
 * The arithmetic is in fpvec.h and fp.h; here the modifiers are taken from the word.
 */
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/fp.h"
#include "frontend/sass/math/fpvec.h"
#include "frontend/sass/math/mufu.h"

_Static_assert(FADD_SAT == FMUL_SAT && FADD_RND == FMUL_RND && FADD_FTZ == FMUL_FTZ &&
                   FADD_SAT == FFMA_SAT && FADD_RND == FFMA_RND && FADD_FTZ == FFMA_FTZ,
               "mode_of() is for all three");

/* What sums and products have in common. */
static struct fp_mode mode_of(const struct sass_inst *i)
{
    if (!sass_span(i, FADD_SAT, FADD_FTZ))
        return (struct fp_mode){ 0 };
    return (struct fp_mode){ .round = (uint8_t)sass_field(i, FADD_RND),
                             .ftz = sass_has(i, FADD_FTZ),
                             .sat = sass_has(i, FADD_SAT) };
}

ROWS_FN(fadd_rows)
{
    fpv_fadd(mode_of(i), out, a, b);
}

enum exec_result exec_fadd(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    return run_rows(w, i, mask, fadd_rows, ROWS_AB(FADD, SRC_F32));
}

/* FSWZADD: each lane of a quad adds its two sources with signs of its own; lane 0 has the
 * top two bits of the field. With ZP the first source is zero. LIMIT: the sign of a zero
 * result of ZP is not measured. */
enum exec_result exec_fswzadd(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    enum { PP, PN, NP, ZP };
    const struct fp_mode m = { .round = (uint8_t)sass_field(i, FSWZADD_RND),
                               .ftz = sass_has(i, FSWZADD_FTZ) };
    unsigned swizzles = sass_field(i, FSWZADD_SWIZZLES);
    uint32_t x[WARP_LANES], y[WARP_LANES], out[WARP_LANES];

    SOURCE(a, FSWZADD_A, SRC_F32);
    SOURCE(c, FSWZADD_C, SRC_F32);
    LANES(l) {
        unsigned how = swizzles >> (6 - 2 * (l % 4)) & 3;

        x[l] = how == ZP ? 0 : a[l] ^ (how == NP ? 1u << 31 : 0);
        y[l] = c[l] ^ (how == PN ? 1u << 31 : 0);
    }
    fpv_fadd(m, out, x, y);
    sass_result(w, &i->opd[FSWZADD_D], 0, out, mask);
    return EXEC_NEXT;
}

ROWS_FN(fmul_rows)
{
    enum { NO_SCALE = 4 };
    struct fp_mode m = mode_of(i);

    m.scale = (int8_t)(sass_field(i, FMUL_SCALE) - NO_SCALE);
    m.fmz = sass_has(i, FMUL_FMZ);
    fpv_fmul(m, out, a, b);
}

enum exec_result exec_fmul(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    if (!sass_field(i, FMUL_SCALE))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported scale of a product");
    return run_rows(w, i, mask, fmul_rows, ROWS_AB(FMUL, SRC_F32));
}

ROWS_FN(ffma_rows)
{
    struct fp_mode m = mode_of(i);

    m.fmz = sass_has(i, FFMA_FMZ);
    fpv_ffma(m, out, a, b, c);
}

enum exec_result exec_ffma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    return run_rows(w, i, mask, ffma_rows, ROWS_ABC(FFMA, SRC_F32));
}

enum exec_result exec_fsetp(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t holds;

    SOURCE(a, FSETP_A, SRC_F32);
    SOURCE(b, FSETP_B, SRC_F32);
    holds = fpv_fcompare(sass_field(i, FSETP_CMP), sass_has(i, FSETP_FTZ), a, b);
    return set_compared(w, i, mask, holds, &i->opd[FSETP_P]);
}

/* FSET.BF: 1.0 or 0. */
enum exec_result exec_fset(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned how = sass_field(i, FSET_BOP);
    uint32_t out[WARP_LANES], holds;

    if (how > COMBINE_XOR)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    SOURCE(a, FSET_A, SRC_F32);
    SOURCE(b, FSET_B, SRC_F32);
    holds = fpv_fcompare(sass_field(i, FSET_CMP), sass_has(i, FSET_FTZ), a, b);
    holds = combine_predicates(how, holds, sass_predicate(w, &i->opd[FSET_P]));
    LANES(l)
        out[l] = lane_bit(holds, l) ? 0x3f800000u : 0;
    sass_result(w, &i->opd[FSET_D], 0, out, mask);
    return EXEC_NEXT;
}

/* Denormals count as zero of their sign. */
static uint32_t flush_denormal(uint32_t x)
{
    return x & 0x7f800000u ? x : x & 0x80000000u;
}

ROWS_FN(fsel_rows)
{
    select_lanes(out, sass_predicate(w, &i->opd[FSEL_P]), a, b);
    if (sass_has(i, FSEL_FTZ))
        EACH_LANE(l)
            out[l] = flush_denormal(out[l]);
}

enum exec_result exec_fsel(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    return run_rows(w, i, mask, fsel_rows, ROWS_AB(FSEL, SRC_F32));
}

/* P holds: the smaller. */
enum exec_result exec_fmnmx(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    struct fp_minmax m = { .ftz = sass_has(i, FMNMX_FTZ),
                           .nan = sass_has(i, FMNMX_NAN),
                           .xorsign = sass_has(i, FMNMX_XORSIGN) };
    struct operand x = i->opd[FMNMX_A], y = i->opd[FMNMX_B];
    uint32_t p = sass_predicate(w, &i->opd[FMNMX_P]), tmp[2][WARP_LANES],
             out[WARP_LANES];
    const uint32_t *a, *b;

    if (m.xorsign)
        drop_abs(&x, &y);
    a = sass_source(w, &x, 0, SRC_F32, tmp[0]);
    b = sass_source(w, &y, 0, SRC_F32, tmp[1]);
    LANES(l) {
        m.is_max = !lane_bit(p, l);
        out[l] = (uint32_t)fp_minmax(FP_F32, m, a[l], b[l]);
    }
    sass_result(w, &i->opd[FMNMX_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_fchk(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint8_t slow[WARP_LANES];

    SOURCE(a, FCHK_A, SRC_F32);
    SOURCE(b, FCHK_B, SRC_F32);
    LANES(l)
        slow[l] = fp_check_divide(a[l], b[l]);
    set_predicate_bits(w, &i->opd[FCHK_PD], gather_bits(slow), mask);
    return EXEC_NEXT;
}

/* The 16-bit forms: the result is in the low half. The upper half was not measured; it is
 * cleared. */
static void mufu_half(const struct sass_inst *i, enum mufu_fn fn, bool is_bf16,
                      uint32_t *out, const uint32_t *a)
{
    unsigned shift = 16 * sass_field(i, MUFU_HALF);

    LANES(l) {
        uint16_t x = (uint16_t)(a[l] >> shift);

        out[l] = is_bf16 ? mufu_bf16(fn, x) : mufu_f16(fn, x);
    }
}

/* Two halves, each as the 16-bit form has it. */
static void mufu_pair(enum mufu_fn fn, bool is_bf16, uint32_t *out, const uint32_t *a)
{
    LANES(l) {
        uint16_t low = (uint16_t)a[l], high = (uint16_t)(a[l] >> 16);

        out[l] = is_bf16 ? mufu_bf16(fn, low) | (uint32_t)mufu_bf16(fn, high) << 16
                         : mufu_f16(fn, low) | (uint32_t)mufu_f16(fn, high) << 16;
    }
}

enum exec_result exec_mufu(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned fn = sass_field(i, MUFU_FN);
    enum mufu_type type = operand_mufu_type(i);
    struct operand whole = i->opd[MUFU_A];
    uint32_t tmp[WARP_LANES], out[WARP_LANES];
    const uint32_t *a;

    if (fn >= N_MUFU_FN || (type == MUFU_OF_F16X2 && i->arch != SM100))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported special function");
    whole.flags &= (uint16_t) ~(OPD_H0 | OPD_H1);
    a = sass_source(w, &whole, 0, type == MUFU_OF_F32 ? SRC_F32 : SRC_HALF, tmp);
    if (type == MUFU_OF_F32)
        mufu_lanes((enum mufu_fn)fn, out, a);
    else if (type >= MUFU_OF_F16X2)
        mufu_pair((enum mufu_fn)fn, type == MUFU_OF_BF16X2, out, a);
    else
        mufu_half(i, (enum mufu_fn)fn, type == MUFU_OF_BF16, out, a);
    sass_result(w, &i->opd[MUFU_D], 0, out, mask);
    return EXEC_NEXT;
}

/* A double of each lane: 32 low words, then 32 high ones. A register pair is just that.
 * Modifiers leave a NaN alone. */
static const uint32_t *source_f64(struct sass_warp *w, const struct operand *o,
                                  uint32_t *tmp)
{
    bool negative = o->flags & OPD_NEG, absolute = o->flags & OPD_ABS;
    struct operand plain = *o;
    const uint32_t *lo, *hi;

    plain.flags &= (uint16_t) ~(OPD_NEG | OPD_ABS);
    if (o->kind == OPD_REG && o->reg != REG_RZ && !negative && !absolute)
        return w->r[o->reg + 1];
    lo = sass_source(w, &plain, 0, SRC_BITS, tmp);
    if (lo != tmp)
        memcpy(tmp, lo, WARP_LANES * sizeof *tmp);
    hi = sass_source(w, &plain, 1, SRC_BITS, tmp + WARP_LANES);
    if (hi != tmp + WARP_LANES)
        memcpy(tmp + WARP_LANES, hi, WARP_LANES * sizeof *tmp);
    if (negative || absolute)
        fpv_modify64(tmp, tmp, absolute, negative);
    return tmp;
}

static void result_f64(struct sass_warp *w, const struct operand *o, const uint32_t *v,
                       uint32_t mask)
{
    sass_result(w, o, 0, v, mask);
    sass_result(w, o, 1, v + WARP_LANES, mask);
}

_Static_assert(DADD_RND == DMUL_RND && DADD_RND == DFMA_RND,
               "round_of() is for all three");

static struct fp_mode round_of(const struct sass_inst *i)
{
    return (struct fp_mode){ .round = (uint8_t)sass_field(i, DADD_RND) };
}

enum exec_result exec_dadd(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t tmp[2][2 * WARP_LANES], out[2 * WARP_LANES];
    const uint32_t *a = source_f64(w, &i->opd[DADD_A], tmp[0]);
    const uint32_t *b = source_f64(w, &i->opd[DADD_B], tmp[1]);

    fpv_dadd(round_of(i), out, a, b);
    result_f64(w, &i->opd[DADD_D], out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_dmul(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t tmp[2][2 * WARP_LANES], out[2 * WARP_LANES];
    const uint32_t *a = source_f64(w, &i->opd[DMUL_A], tmp[0]);
    const uint32_t *b = source_f64(w, &i->opd[DMUL_B], tmp[1]);

    fpv_dmul(round_of(i), out, a, b);
    result_f64(w, &i->opd[DMUL_D], out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_dfma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t tmp[3][2 * WARP_LANES], out[2 * WARP_LANES];
    const uint32_t *a = source_f64(w, &i->opd[DFMA_A], tmp[0]);
    const uint32_t *b = source_f64(w, &i->opd[DFMA_B], tmp[1]);
    const uint32_t *c = source_f64(w, &i->opd[DFMA_C], tmp[2]);

    fpv_dfma(round_of(i), out, a, b, c);
    result_f64(w, &i->opd[DFMA_D], out, mask);
    return EXEC_NEXT;
}

/* DSETP.MIN, .MAX: which of the two is the result, and whether both are NaN. */
static enum exec_result dsetp_minmax(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask, const uint32_t *a,
                                     const uint32_t *b)
{
    unsigned how = sass_field(i, DSETP_BOP);
    uint32_t p = sass_predicate(w, &i->opd[DSETP_P]);
    uint8_t take_a[WARP_LANES], both_nan[WARP_LANES];

    if (how != COMBINE_AND)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate operation");
    LANES(l) {
        struct fp_setp s = fp_setp_minmax(sass_field(i, DSETP_CMP) == 15,
                                          (uint64_t)a[l + WARP_LANES] << 32 | a[l],
                                          (uint64_t)b[l + WARP_LANES] << 32 | b[l]);

        take_a[l] = s.take_a;
        both_nan[l] = s.both_nan;
    }
    set_predicate_bits(w, &i->opd[DSETP_PD], gather_bits(take_a) & p, mask);
    set_predicate_bits(w, &i->opd[DSETP_PD2], gather_bits(both_nan) & p, mask);
    return EXEC_NEXT;
}

enum exec_result exec_dsetp(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    unsigned code = sass_field(i, DSETP_CMP);
    uint32_t tmp[2][2 * WARP_LANES];
    const uint32_t *a = source_f64(w, &i->opd[DSETP_A], tmp[0]);
    const uint32_t *b = source_f64(w, &i->opd[DSETP_B], tmp[1]);

    if (code == 0 || code == 15)
        return dsetp_minmax(w, i, mask, a, b);
    return set_compared(w, i, mask, fpv_dcompare(code, a, b), &i->opd[DSETP_P]);
}
