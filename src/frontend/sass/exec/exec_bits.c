/* exec_bits.c - moves, selections, logic, shifts, bit counts, predicates as words.
 *
 * The U opcodes share these handlers: their sources are spread over all lanes and their
 * destination takes one.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/intop.h"

/* LANES: those of each quad that take part. */
enum exec_result exec_mov(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (i->opd[MOV_LANES].kind == OPD_IMM)
        mask &= (uint32_t)(i->opd[MOV_LANES].imm & 15) * 0x11111111u;
    return run_rows(w, i, mask, copy_rows, ROWS_A(MOV, SRC_INT));
}

ROWS_FN(sel_rows)
{
    select_lanes(out, sass_predicate(w, &i->opd[SEL_P]), a, b);
}

enum exec_result exec_sel(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    return run_rows(w, i, mask, sel_rows, ROWS_AB(SEL, SRC_INT));
}

/* Any function of three bits as a tree of selections: by c, then b, then a. */
static void lop3_lanes(uint8_t table, uint32_t *out, const uint32_t *a,
                       const uint32_t *b, const uint32_t *c)
{
    uint32_t when0[4], flip[4]; /* by a, b: the result for c = 0, its change for 1 */

    for (unsigned k = 0; k < 4; k++) {
        when0[k] = -(uint32_t)(table >> 2 * k & 1);
        flip[k] = when0[k] ^ -(uint32_t)(table >> (2 * k + 1) & 1);
    }
    EACH_LANE(l) {
        uint32_t f00 = when0[0] ^ (c[l] & flip[0]), f01 = when0[1] ^ (c[l] & flip[1]);
        uint32_t f10 = when0[2] ^ (c[l] & flip[2]), f11 = when0[3] ^ (c[l] & flip[3]);
        uint32_t f0 = f00 ^ (b[l] & (f00 ^ f01)), f1 = f10 ^ (b[l] & (f10 ^ f11));

        out[l] = f0 ^ (a[l] & (f0 ^ f1));
    }
}

ROWS_FN(lop3_rows)
{
    enum { AND = 0xc0, OR = 0xfc, XOR = 0x3c };
    uint8_t table = (uint8_t)i->opd[LOP3_TABLE].imm;

    if (table == AND)
        EACH_LANE(l)
            out[l] = a[l] & b[l];
    else if (table == OR)
        EACH_LANE(l)
            out[l] = a[l] | b[l];
    else if (table == XOR)
        EACH_LANE(l)
            out[l] = a[l] ^ b[l];
    else
        lop3_lanes(table, out, a, b, c);
}

/* LOP3 with a predicate: is the result not zero? */
static ASIDE enum exec_result lop3_nonzero(struct sass_warp *w,
                                           const struct sass_inst *i, uint32_t mask)
{
    uint32_t p = sass_predicate(w, &i->opd[LOP3_P]), out[WARP_LANES], nonzero = 0;

    SOURCE(a, LOP3_A, SRC_BITS);
    SOURCE(b, LOP3_B, SRC_BITS);
    SOURCE(c, LOP3_C, SRC_BITS);
    lop3_rows(w, i, out, a, b, c);
    LANES(l)
        nonzero |= out[l] ? sass_lane_bit[l] : 0;
    sass_result(w, &i->opd[LOP3_D], 0, out, mask);
    p = sass_has(i, LOP3_PAND) ? p & nonzero : p | nonzero;
    set_predicate_bits(w, &i->opd[LOP3_PD], p, mask);
    return EXEC_NEXT;
}

enum exec_result exec_lop3(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    if (!is_pt(&i->opd[LOP3_PD]))
        return lop3_nonzero(w, i, mask);
    return run_rows(w, i, mask, lop3_rows, ROWS_ABC(LOP3, SRC_BITS));
}

_Static_assert(PLOP3_TABLE == PLOP3_SIGN_TABLE && PLOP3_TABLE == PLOP3_PRP_TABLE &&
                   PLOP3_TABLE == PLOP3_PRR_TABLE &&
                   PLOP3_TABLE2 == PLOP3_SIGN_TABLE2 &&
                   PLOP3_TABLE2 == PLOP3_PRP_TABLE2 &&
                   PLOP3_TABLE2 == PLOP3_PRR_TABLE2 && PLOP3_PD == PLOP3_SIGN_PD &&
                   PLOP3_PD == PLOP3_PRP_PD && PLOP3_PD == PLOP3_PRR_PD &&
                   PLOP3_PD2 == PLOP3_SIGN_PD2 && PLOP3_PD2 == PLOP3_PRP_PD2 &&
                   PLOP3_PD2 == PLOP3_PRR_PD2,
               "set_looked_up() is for all of them");

/* Two functions of three predicates. */
static enum exec_result set_looked_up(struct sass_warp *w, const struct sass_inst *i,
                                      uint32_t mask, const uint32_t p[3])
{
    uint8_t first = (uint8_t)i->opd[PLOP3_TABLE].imm,
            second = (uint8_t)i->opd[PLOP3_TABLE2].imm;

    set_predicate_bits(w, &i->opd[PLOP3_PD], intop_lop3(first, p[0], p[1], p[2]), mask);
    set_predicate_bits(w, &i->opd[PLOP3_PD2], intop_lop3(second, p[0], p[1], p[2]),
                       mask);
    return EXEC_NEXT;
}

enum exec_result exec_plop3(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    const uint32_t p[3] = { sass_predicate(w, &i->opd[PLOP3_A]),
                            sass_predicate(w, &i->opd[PLOP3_B]),
                            sass_predicate(w, &i->opd[PLOP3_C]) };

    return set_looked_up(w, i, mask, p);
}

/* The lanes in which a word is negative. */
static uint32_t source_signs(struct sass_warp *w, const struct operand *o)
{
    uint32_t tmp[WARP_LANES];
    const uint32_t *v = sass_source(w, o, 0, SRC_BITS, tmp);
    uint8_t bit[WARP_LANES];

    LANES(l)
        bit[l] = (uint8_t)(v[l] >> 31);
    return gather_bits(bit);
}

/* The same of the signs of three words. */
enum exec_result exec_plop3_sign(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    const uint32_t p[3] = { source_signs(w, &i->opd[PLOP3_SIGN_A]),
                            source_signs(w, &i->opd[PLOP3_SIGN_B]),
                            source_signs(w, &i->opd[PLOP3_SIGN_C]) };

    return set_looked_up(w, i, mask, p);
}

/* Predicate, sign, predicate. */
enum exec_result exec_plop3_prp(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    const uint32_t p[3] = { sass_predicate(w, &i->opd[PLOP3_PRP_A]),
                            source_signs(w, &i->opd[PLOP3_PRP_B]),
                            sass_predicate(w, &i->opd[PLOP3_PRP_C]) };

    return set_looked_up(w, i, mask, p);
}

/* Predicate, sign, sign. */
enum exec_result exec_plop3_prr(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    const uint32_t p[3] = { sass_predicate(w, &i->opd[PLOP3_PRR_A]),
                            source_signs(w, &i->opd[PLOP3_PRR_B]),
                            source_signs(w, &i->opd[PLOP3_PRR_C]) };

    return set_looked_up(w, i, mask, p);
}

/* The three shapes that nearly all shifts have, with one count for all lanes: the low
 * word shifted left, the high word shifted right. False if it is another. */
static bool shift_simple(struct intop_shf m, uint32_t *out, const uint32_t *lo,
                         uint32_t count, const uint32_t *hi)
{
    uint32_t n = m.wrap ? count & 31 : count < 32 ? count : 32;

    if (m.is_64 || m.right != m.high)
        return false;
    if (m.right && m.is_signed) {
        n = n < 31 ? n : 31;
        EACH_LANE(l)
            out[l] = (uint32_t)((int32_t)hi[l] >> n);
    } else if (n == 32) {
        LANES(l)
            out[l] = 0;
    } else if (m.right) {
        EACH_LANE(l)
            out[l] = hi[l] >> n;
    } else {
        EACH_LANE(l)
            out[l] = lo[l] << n;
    }
    return true;
}

ROWS_FN(shf_rows)
{
    enum { S64, U64, S32, U32 };
    const uint32_t *lo = a, *n = b, *hi = c;
    unsigned type = sass_field(i, SHF_TYPE);
    struct intop_shf m = { .is_64 = type == S64 || type == U64,
                           .is_signed = type == S64 || type == S32,
                           .wrap = sass_has(i, SHF_W),
                           .right = sass_has(i, SHF_LR),
                           .high = sass_has(i, SHF_HI) };

    if (i->opd[SHF_COUNT].kind == OPD_REG || !shift_simple(m, out, lo, n[0], hi))
        EACH_LANE(l)
            out[l] = intop_shf(m, lo[l], n[l], hi[l]);
}

enum exec_result exec_shf(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    return run_rows(
        w, i, mask, shf_rows,
        (struct rows_slots){ SHF_D, SHF_LOW, SHF_COUNT, SHF_HIGH, SRC_BITS });
}

/* One selector for all lanes, which takes bytes of c:a as they are. */
static void permute_lanes(uint32_t selector, uint32_t *out, const uint32_t *a,
                          const uint32_t *c)
{
    LANES(l)
        out[l] = 0;
    for (unsigned k = 0; k < 4; k++) {
        unsigned from = selector >> 4 * k & 7, shift = 8 * (from & 3);
        const uint32_t *word = from & 4 ? c : a;

        LANES(l)
            out[l] |= (word[l] >> shift & 255) << 8 * k;
    }
}

enum exec_result exec_prmt(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum intop_prmt mode = (enum intop_prmt)sass_field(i, PRMT_MODE);
    uint32_t out[WARP_LANES];

    if (mode > PRMT_RC16)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported permutation mode");
    SOURCE(a, PRMT_A, SRC_BITS);
    SOURCE(selector, PRMT_SELECTOR, SRC_BITS);
    SOURCE(c, PRMT_C, SRC_BITS);
    if (mode == PRMT_INDEX && i->opd[PRMT_SELECTOR].kind != OPD_REG &&
        !(selector[0] & 0x8888))
        permute_lanes(selector[0], out, a, c);
    else
        LANES(l)
            out[l] = intop_prmt(mode, a[l], selector[l], c[l]);
    sass_result(w, &i->opd[PRMT_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_bmsk(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    bool wrap = sass_has(i, BMSK_W);
    uint32_t out[WARP_LANES];

    SOURCE(start, BMSK_START, SRC_BITS);
    SOURCE(count, BMSK_COUNT, SRC_BITS);
    LANES(l)
        out[l] = intop_bmsk(wrap, start[l], count[l]);
    sass_result(w, &i->opd[BMSK_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_sgxt(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    bool is_signed = !sass_has(i, SGXT_U32), wrap = sass_has(i, SGXT_W);
    uint32_t out[WARP_LANES];

    SOURCE(a, SGXT_A, SRC_BITS);
    SOURCE(bits, SGXT_COUNT, SRC_BITS);
    LANES(l)
        out[l] = intop_sgxt(is_signed, wrap, a[l], bits[l]);
    sass_result(w, &i->opd[SGXT_D], 0, out, mask);
    return EXEC_NEXT;
}

/* What the predicate means is not known. */
enum exec_result exec_flo(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    bool is_signed = !sass_has(i, FLO_U32), shift = sass_has(i, FLO_SH);
    uint32_t out[WARP_LANES];

    if (!is_pt(&i->opd[FLO_PD]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate result");
    SOURCE(a, FLO_A, SRC_BITS);
    LANES(l)
        out[l] = intop_flo(is_signed, shift, a[l]);
    sass_result(w, &i->opd[FLO_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_popc(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    SOURCE(a, POPC_A, SRC_BITS);
    LANES(l)
        out[l] = intop_popc(a[l]);
    sass_result(w, &i->opd[POPC_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_brev(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    SOURCE(a, BREV_A, SRC_BITS);
    LANES(l)
        out[l] = intop_brev(a[l]);
    sass_result(w, &i->opd[BREV_D], 0, out, mask);
    return EXEC_NEXT;
}

/* Predicates 0..6 as bits of a word in each lane. */
static void pack_predicates(const uint32_t *p, uint32_t *out)
{
    LANES(l)
        out[l] = 0;
    for (unsigned k = 0; k < PRED_PT; k++)
        LANES(l)
            out[l] |= lane_bit(p[k], l) << k;
}

/* a with the masked bits of one byte replaced by the predicates. */
static enum exec_result pack_into_byte(struct sass_warp *w, const struct sass_inst *i,
                                       uint32_t mask, const uint32_t *p)
{
    unsigned shift = 8 * sass_field(i, P2R_BYTE);
    uint32_t out[WARP_LANES];

    SOURCE(a, P2R_A, SRC_BITS);
    SOURCE(chosen, P2R_MASK, SRC_BITS);
    pack_predicates(p, out);
    LANES(l) {
        uint32_t bits = (chosen[l] & 0xff) << shift;

        out[l] = (a[l] & ~bits) | (out[l] << shift & bits);
    }
    sass_result(w, &i->opd[P2R_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_p2r(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    return pack_into_byte(w, i, mask, w->p);
}

enum exec_result exec_up2ur(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    return pack_into_byte(w, i, mask, w->up);
}

/* Predicates from the masked bits of one byte of a. */
static enum exec_result unpack_byte(struct sass_warp *w, const struct sass_inst *i,
                                    uint32_t mask, enum opd_kind kind)
{
    unsigned shift = 8 * sass_field(i, R2P_BYTE);

    SOURCE(a, R2P_A, SRC_BITS);
    SOURCE(chosen, R2P_MASK, SRC_BITS);
    for (unsigned k = 0; k < PRED_PT; k++) {
        struct operand p = { .kind = (uint8_t)kind, .reg = (uint8_t)k };
        uint8_t bit[WARP_LANES], take[WARP_LANES];

        LANES(l)
            bit[l] = a[l] >> (shift + k) & 1;
        LANES(l)
            take[l] = chosen[l] >> k & 1;
        set_predicate_bits(w, &p, gather_bits(bit), mask & gather_bits(take));
    }
    return EXEC_NEXT;
}

enum exec_result exec_r2p(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    return unpack_byte(w, i, mask, OPD_PRED);
}

enum exec_result exec_ur2up(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    return unpack_byte(w, i, mask, OPD_UPRED);
}
