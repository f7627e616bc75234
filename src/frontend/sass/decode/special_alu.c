/* special_alu.c - arithmetic operands with a shape of their own: packed halves,
 * conversion sources, predicates from elsewhere, tensor operands.
 */
#include <string.h>

#include "frontend/sass/decode/special.h"

static void print_pr(struct buf *out, const struct sass_inst *i,
                     const struct operand *o)
{
    (void)o;
    buf_puts(out, i->row->class == CLASS_uniform ? "UPR" : "PR");
}

/* R2P's mask; the byte its source is taken from is written before it. */
static void fill_mask(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'u', 1);
}

/* PLOP3's third source may be a uniform predicate. */
static void fill_third_predicate(const struct sass_inst *i, struct operand *o)
{
    o->kind = sass_has(i, PLOP3_C_IS_UNIFORM) ? OPD_UPRED : OPD_PRED;
    o->reg = (uint8_t)sass_field(i, PLOP3_C_NUMBER);
    if (sass_has(i, PLOP3_C_NOT))
        o->flags |= OPD_NOT;
}

static void fill_split_table(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_IMM;
    o->imm = sass_field(i, LUT_TABLE_LOW) | sass_field(i, LUT_TABLE_HIGH)
                                                << field_width(LUT_TABLE_LOW);
}

/* Which halves of its register an operand takes, by the value of its field. */
static const uint16_t half_swizzles[4] = { 0, OPD_F32, OPD_H0, OPD_H1 };

/* The modifiers of a half operand, by the register that would be its source. */
static void set_half_flags(const struct sass_inst *i, struct operand *o,
                           enum sass_field reg)
{
    static const struct {
        enum sass_field reg, swizzle, neg, abs;
    } fields[] = {
        { WORD_RA, HALF_SWIZZLE_A, HALF_NEG_A, HALF_ABS_A },
        { WORD_RB, HALF_SWIZZLE_B, HALF_NEG_B, HALF_ABS_B },
        { WORD_RC, HALF_SWIZZLE_C, HALF_NEG_C, HALF_ABS_C },
    };
    unsigned k = 0;

    if (o->kind == OPD_IMM)
        return;
    while (fields[k].reg != reg)
        k++;
    if (i->base.op != OP_HFMA2_MMA || reg == WORD_RB)
        o->flags |= half_swizzles[sass_field(i, fields[k].swizzle)];
    if (sass_has(i, fields[k].neg))
        o->flags |= OPD_NEG;
    if (sass_has(i, fields[k].abs))
        o->flags |= OPD_ABS;
}

static void fill_half_operand(const struct sass_inst *i, struct operand *o, char kind)
{
    enum sass_field reg = operand_field(i, kind);

    if (reg == WORD_RB)
        operand_field32(i, o, 'u', 1);
    else
        operand_register(o, OPD_REG, sass_field(i, reg), 1);
    set_half_flags(i, o, reg);
}

static void fill_half_a(const struct sass_inst *i, struct operand *o)
{
    fill_half_operand(i, o, 'A');
}

static void fill_half_b(const struct sass_inst *i, struct operand *o)
{
    fill_half_operand(i, o, 'B');
}

static void fill_half_c(const struct sass_inst *i, struct operand *o)
{
    fill_half_operand(i, o, 'C');
}

static void fill_half_x(const struct sass_inst *i, struct operand *o)
{
    fill_half_operand(i, o, 'X');
}

/* The third source of VHMNMX. */
static void fill_half_third(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RC), 1);
    o->flags |= half_swizzles[sass_field(i, HV_SWIZZLE_C)];
    if (sass_has(i, HALF_NEG_C))
        o->flags |= OPD_NEG;
    if (sass_has(i, HALF_ABS_C))
        o->flags |= OPD_ABS;
}

/* The source of a conversion. */
static void fill_convert_source(const struct sass_inst *i, struct operand *o)
{
    bool wide = sass_field(i, CVT_FROM_LOG) == 3;

    operand_field32(i, o, wide ? 'd' : 'f', wide ? 2 : 1);
    if (o->kind == OPD_IMM)
        return;
    if (sass_has(i, SOURCE_NEG_B))
        o->flags |= OPD_NEG;
    if (sass_has(i, SOURCE_ABS_B))
        o->flags |= OPD_ABS;
}

static void fill_integer_source(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 0, sass_field(i, ICVT_FROM) == 3 ? 2 : 1);
}

static void fill_mufu_source(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'f', 1);
    if (o->kind == OPD_IMM)
        return;
    if (sass_has(i, SOURCE_NEG_B))
        o->flags |= OPD_NEG;
    if (sass_has(i, SOURCE_ABS_B))
        o->flags |= OPD_ABS;
    if (sass_field(i, MUFU_TYPE) && sass_field(i, MUFU_HALF))
        o->flags |= OPD_H1;
}

static void fill_tensor_a(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RA), operand_count(i, 'p'));
}

static void fill_tensor_b(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RB), operand_count(i, 'q'));
}

unsigned special_f2fp(const struct sass_inst *i)
{
    return sass_field(i, F2FP_MODE) << 1 | sass_field(i, F2FP_MERGE);
}

/* Which sources F2FP has depends on what it does with them. */
static void fill_f2fp_a(const struct sass_inst *i, struct operand *o)
{
    unsigned mode = special_f2fp(i);

    if (mode != F2FP_PACK_AB && mode != F2FP_PACK_AB_MERGE_C)
        return;
    operand_register(o, OPD_REG, sass_field(i, WORD_RA), 1);
}

static void fill_f2fp_b(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'f', 1);
}

static void fill_f2fp_c(const struct sass_inst *i, struct operand *o)
{
    unsigned mode = special_f2fp(i);

    if (mode == F2FP_MERGE_C || mode >= F2FP_UNPACK_B_MERGE_C ||
        (i->arch >= SM100 && sass_has(i, F2FP_RS)))
        operand_register(o, OPD_REG, sass_field(i, WORD_RC), 1);
}

static void fill_i2ip_c(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RC), 1);
}

/* A constant of 64 bits. */
static void fill_wide_immediate(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_IMM;
    o->imm = word_signed_field(i->word, IMM64_VALUE);
}

static void print_wide_immediate(struct buf *out, const struct sass_inst *i,
                                 const struct operand *o)
{
    (void)i;
    buf_printf(out, "0x%llx", (unsigned long long)o->imm);
}

/* The second source of SEL.64; a constant has 33 bits. */
static void fill_wide_choice(const struct sass_inst *i, struct operand *o)
{
    if (sass_field(i, WORD_FORM) == 3) {
        operand_register(o, OPD_REG, sass_field(i, WORD_RB), 2);
    } else if (sass_field(i, WORD_FORM) == 7) {
        operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UB), 2);
    } else {
        o->kind = OPD_IMM;
        o->imm = word_signed_field(i->word, SEL64_VALUE);
    }
}

/* Sparse tensor products have metadata in one more register. */
static void fill_sparse(const struct sass_inst *i, struct operand *o)
{
    if (sass_has(i, i->base.op == OP_IMMA ? IMMA_SP : HMMA_SP))
        operand_register(o, OPD_REG, sass_field(i, SPARSE_META), 1);
}

static void print_sparse(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    if (o->kind != OPD_REG)
        return;
    if (o->reg == REG_RZ)
        buf_puts(out, "RZ");
    else
        buf_printf(out, "R%u", o->reg);
    buf_printf(out, ", 0x%x", sass_field(i, SPARSE_SELECTOR));
}

/* FSWZADD: what each lane of a quad does with its two sources. */
static void print_swizzle(struct buf *out, const struct sass_inst *i,
                          const struct operand *o)
{
    static const char *const what[4] = { "PP", "PN", "NP", "ZP" };

    (void)o;
    for (int shift = 6; shift >= 0; shift -= 2)
        buf_puts(out, what[sass_field(i, SWZ_SWIZZLES) >> shift & 3]);
}

/* with_a: the descriptor of A stands for both. */
static void print_gdesc(struct buf *out, const struct sass_inst *i, unsigned ureg,
                        bool with_a)
{
    buf_printf(out, "gdesc[UR%u]", ureg);
    if (with_a && sass_has(i, WGMMA_NEG_A))
        buf_puts(out, ".negA");
    if (sass_has(i, WGMMA_NEG_B))
        buf_puts(out, ".negB");
    if (with_a && sass_has(i, WGMMA_TNSP_A))
        buf_puts(out, ".tnspA");
    if (sass_has(i, WGMMA_TNSP_B))
        buf_puts(out, ".tnspB");
}

/* Warpgroup products: slots for the registers; the first one prints all of them. */
static void fill_gmma_d(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RD), operand_gmma_registers(i));
    o->flags |= OPD_DST;
}

static void fill_gmma_a(const struct sass_inst *i, struct operand *o)
{
    if (operand_gmma_has_a(i))
        operand_register(o, OPD_REG, sass_field(i, WORD_RA), 4);
    else
        operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UA), 4);
}

static void fill_gmma_b(const struct sass_inst *i, struct operand *o)
{
    if (operand_gmma_has_a(i))
        operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UB), 4);
}

static void fill_gmma_c(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, WORD_RC), operand_gmma_registers(i));
}

/* The predicate is kept complemented. */
static void fill_gmma_scale(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_UPRED;
    o->reg = (uint8_t)(PRED_PT - sass_field(i, WGMMA_P_NUMBER));
    if (sass_has(i, WGMMA_P_NOT))
        o->flags |= OPD_NOT;
}

static void print_quiet(struct buf *out, const struct sass_inst *i,
                        const struct operand *o)
{
    (void)out;
    (void)i;
    (void)o;
}

/* D, A, B, C, how C counts, metadata, group barrier. */
static void print_gmma(struct buf *out, const struct sass_inst *i,
                       const struct operand *o)
{
    bool is_sparse = sass_has(i, WGMMA_SP);
    unsigned p = sass_field(i, WGMMA_P_NUMBER), group = sass_field(i, WGMMA_GROUP);

    (void)o;
    buf_printf(out, "R%u, ", sass_field(i, WORD_RD));
    if (operand_gmma_has_a(i)) {
        buf_printf(out, "%sR%u, ", sass_has(i, WGMMA_NEG_A) ? "-" : "",
                   sass_field(i, WORD_RA));
        print_gdesc(out, i, sass_uniform_field(i, WORD_UB), false);
    } else {
        print_gdesc(out, i, sass_uniform_field(i, WORD_UA), true);
    }
    if (sass_field(i, WORD_RC) == REG_RZ)
        buf_puts(out, ", RZ");
    else
        buf_printf(out, ", R%u", sass_field(i, WORD_RC));
    if (p) /* kept complemented; plain UPT is not shown */
        buf_printf(out, ", %sUP%u", sass_has(i, WGMMA_P_NOT) ? "!" : "", PRED_PT - p);
    else if (sass_has(i, WGMMA_P_NOT))
        buf_puts(out, ", !UPT");
    if (is_sparse)
        buf_printf(out, ", R%u", sass_field(i, WGMMA_META));
    if (is_sparse && i->base.op == OP_HGMMA)
        buf_printf(out, ", 0x%x", sass_field(i, WGMMA_SELECTOR));
    if (group != GMMA_NO_GROUP)
        buf_printf(out, ", gsb%u", group);
}

const struct special special_alu[] = {
    { "pr", NULL, print_pr },
    { "upr", NULL, print_pr },
    { "mask", fill_mask, NULL },
    { "plop3", fill_third_predicate, NULL },
    { "lut", fill_split_table, NULL },
    { "ha", fill_half_a, NULL },
    { "hb", fill_half_b, NULL },
    { "hc", fill_half_c, NULL },
    { "hx", fill_half_x, NULL },
    { "hv", fill_half_third, NULL },
    { "cvt", fill_convert_source, NULL },
    { "icvt", fill_integer_source, NULL },
    { "mufu", fill_mufu_source, NULL },
    { "ia", fill_tensor_a, NULL },
    { "ib", fill_tensor_b, NULL },
    { "f2fpa", fill_f2fp_a, NULL },
    { "f2fpb", fill_f2fp_b, NULL },
    { "f2fpc", fill_f2fp_c, NULL },
    { "i2ipc", fill_i2ip_c, NULL },
    { "imm64", fill_wide_immediate, print_wide_immediate },
    { "sel64", fill_wide_choice, NULL },
    { "sparse", fill_sparse, print_sparse },
    { "swz", NULL, print_swizzle },
    { "gmma", fill_gmma_d, print_gmma },
    { "gmmaa", fill_gmma_a, print_quiet },
    { "gmmab", fill_gmma_b, print_quiet },
    { "gmmac", fill_gmma_c, print_quiet },
    { "gmmap", fill_gmma_scale, print_quiet },
    { NULL, NULL, NULL },
};
