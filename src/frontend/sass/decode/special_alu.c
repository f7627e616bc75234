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
static void mask(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'u', 1);
}

/* PLOP3's third source may be a uniform predicate. */
static void third_predicate(const struct sass_inst *i, struct operand *o)
{
    o->kind = sass_bits(i, 67, 1) ? OPD_UPRED : OPD_PRED;
    o->reg = (uint8_t)sass_bits(i, 68, 3);
    if (sass_bits(i, 71, 1))
        o->flags |= OPD_NOT;
}

static void split_table(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_IMM;
    o->imm = sass_bits(i, 64, 3) | sass_bits(i, 72, 5) << 3;
}

/* Bits of a half operand's modifiers, by its field. */
static void half_flags(const struct sass_inst *i, struct operand *o, unsigned field)
{
    unsigned swizzle_at = field == 24 ? 74 : field == 32 ? 60 : 81;
    unsigned neg_at = field == 24 ? 72 : field == 32 ? 63 : 84;
    unsigned abs_at = field == 24 ? 73 : field == 32 ? 62 : 83;
    static const uint16_t swizzles[4] = { 0, OPD_F32, OPD_H0, OPD_H1 };

    if (o->kind == OPD_IMM)
        return;
    if (i->base.op != OP_HFMA2_MMA || field == 32)
        o->flags |= swizzles[sass_bits(i, swizzle_at, 2)];
    if (sass_bits(i, neg_at, 1))
        o->flags |= OPD_NEG;
    if (sass_bits(i, abs_at, 1))
        o->flags |= OPD_ABS;
}

static void half_operand(const struct sass_inst *i, struct operand *o, char kind)
{
    unsigned field = operand_field(i, kind);

    if (field == 32)
        operand_field32(i, o, 'u', 1);
    else
        operand_register(o, OPD_REG, sass_bits(i, field, 8), 1);
    half_flags(i, o, field);
}

static void half_a(const struct sass_inst *i, struct operand *o)
{
    half_operand(i, o, 'A');
}

static void half_b(const struct sass_inst *i, struct operand *o)
{
    half_operand(i, o, 'B');
}

static void half_c(const struct sass_inst *i, struct operand *o)
{
    half_operand(i, o, 'C');
}

static void half_x(const struct sass_inst *i, struct operand *o)
{
    half_operand(i, o, 'X');
}

/* The source of a conversion: its width is log2 of bytes at bit 84. */
static void convert_source(const struct sass_inst *i, struct operand *o)
{
    bool wide = sass_bits(i, 84, 2) == 3;

    operand_field32(i, o, wide ? 'd' : 'f', wide ? 2 : 1);
    if (o->kind == OPD_IMM)
        return;
    if (sass_bits(i, 63, 1))
        o->flags |= OPD_NEG;
    if (sass_bits(i, 62, 1))
        o->flags |= OPD_ABS;
}

static void integer_source(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 0, sass_bits(i, 84, 2) == 3 ? 2 : 1);
}

static void mufu_source(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'f', 1);
    if (o->kind == OPD_IMM)
        return;
    if (sass_bits(i, 63, 1))
        o->flags |= OPD_NEG;
    if (sass_bits(i, 62, 1))
        o->flags |= OPD_ABS;
    if (sass_bits(i, 72, 2) && sass_bits(i, 60, 1))
        o->flags |= OPD_H1;
}

static void tensor_a(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, 24, 8), operand_count(i, 'p'));
}

static void tensor_b(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, 32, 8), operand_count(i, 'q'));
}

unsigned special_f2fp(const struct sass_inst *i)
{
    return sass_bits(i, 89, 2) << 1 | sass_bits(i, 78, 1);
}

/* Which sources F2FP has depends on what it does with them. */
static void f2fp_a(const struct sass_inst *i, struct operand *o)
{
    unsigned mode = special_f2fp(i);

    if (mode != F2FP_PACK_AB && mode != F2FP_PACK_AB_MERGE_C)
        return;
    operand_register(o, OPD_REG, sass_bits(i, 24, 8), 1);
}

static void f2fp_b(const struct sass_inst *i, struct operand *o)
{
    operand_field32(i, o, 'f', 1);
}

static void f2fp_c(const struct sass_inst *i, struct operand *o)
{
    unsigned mode = special_f2fp(i);

    if (mode == F2FP_MERGE_C || mode >= F2FP_UNPACK_B_MERGE_C)
        operand_register(o, OPD_REG, sass_bits(i, 64, 8), 1);
}

static void i2ip_c(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, 64, 8), 1);
}

/* Sparse tensor products have metadata in one more register. */
static void sparse(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, i->base.op == OP_IMMA ? 72 : 73, 1))
        operand_register(o, OPD_REG, sass_bits(i, 40, 8), 1);
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
    buf_printf(out, ", 0x%x", sass_bits(i, 48, 2));
}

/* FSWZADD: what each lane of a quad does with its two sources. */
static void print_swizzle(struct buf *out, const struct sass_inst *i,
                          const struct operand *o)
{
    static const char *const what[4] = { "PP", "PN", "NP", "ZP" };

    (void)o;
    for (unsigned at = 40; at > 32; at -= 2)
        buf_puts(out, what[sass_bits(i, at - 2, 2)]);
}

static void print_gdesc(struct buf *out, const struct sass_inst *i, unsigned at)
{
    bool a_too = at == 24;

    buf_printf(out, "gdesc[UR%u]", sass_bits(i, at, 6));
    if (a_too && sass_bits(i, 72, 1))
        buf_puts(out, ".negA");
    if (sass_bits(i, 63, 1))
        buf_puts(out, ".negB");
    if (a_too && sass_bits(i, 61, 1))
        buf_puts(out, ".tnspA");
    if (sass_bits(i, 62, 1))
        buf_puts(out, ".tnspB");
}

/* Warpgroup products: slots for the registers; the first one prints all of them. */
static void gmma_d(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, 16, 8), operand_gmma_registers(i));
    o->flags |= OPD_DST;
}

static bool gmma_has_a(const struct sass_inst *i)
{
    return sass_bits(i, 9, 3) == 6;
}

static void gmma_a(const struct sass_inst *i, struct operand *o)
{
    if (gmma_has_a(i))
        operand_register(o, OPD_REG, sass_bits(i, 24, 8), 4);
    else
        operand_register(o, OPD_UREG, sass_bits(i, 24, 6), 4);
}

static void gmma_b(const struct sass_inst *i, struct operand *o)
{
    if (gmma_has_a(i))
        operand_register(o, OPD_UREG, sass_bits(i, 32, 6), 4);
}

static void gmma_c(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, 64, 8), operand_gmma_registers(i));
}

/* The predicate is kept complemented. */
static void gmma_scale(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_UPRED;
    o->reg = (uint8_t)(PRED_PT - sass_bits(i, 87, 3));
    if (sass_bits(i, 90, 1))
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
    bool is_sparse = sass_bits(i, 73, 1);

    (void)o;
    buf_printf(out, "R%u, ", sass_bits(i, 16, 8));
    if (gmma_has_a(i)) {
        buf_printf(out, "%sR%u, ", sass_bits(i, 72, 1) ? "-" : "", sass_bits(i, 24, 8));
        print_gdesc(out, i, 32);
    } else {
        print_gdesc(out, i, 24);
    }
    if (sass_bits(i, 64, 8) == REG_RZ)
        buf_puts(out, ", RZ");
    else
        buf_printf(out, ", R%u", sass_bits(i, 64, 8));
    if (sass_bits(i, 87, 3)) /* kept complemented; plain UPT is not shown */
        buf_printf(out, ", %sUP%u", sass_bits(i, 90, 1) ? "!" : "",
                   7 - sass_bits(i, 87, 3));
    else if (sass_bits(i, 90, 1))
        buf_puts(out, ", !UPT");
    if (is_sparse)
        buf_printf(out, ", R%u", sass_bits(i, 40, 8));
    if (is_sparse && i->base.op == OP_HGMMA)
        buf_printf(out, ", 0x%x", sass_bits(i, 48, 2));
    if (sass_bits(i, 84, 3) != 7)
        buf_printf(out, ", gsb%u", sass_bits(i, 84, 3));
}

const struct special special_alu[] = {
    { "pr", NULL, print_pr },
    { "upr", NULL, print_pr },
    { "mask", mask, NULL },
    { "plop3", third_predicate, NULL },
    { "lut", split_table, NULL },
    { "ha", half_a, NULL },
    { "hb", half_b, NULL },
    { "hc", half_c, NULL },
    { "hx", half_x, NULL },
    { "cvt", convert_source, NULL },
    { "icvt", integer_source, NULL },
    { "mufu", mufu_source, NULL },
    { "ia", tensor_a, NULL },
    { "ib", tensor_b, NULL },
    { "f2fpa", f2fp_a, NULL },
    { "f2fpb", f2fp_b, NULL },
    { "f2fpc", f2fp_c, NULL },
    { "i2ipc", i2ip_c, NULL },
    { "sparse", sparse, print_sparse },
    { "swz", NULL, print_swizzle },
    { "gmma", gmma_d, print_gmma },
    { "gmmaa", gmma_a, print_quiet },
    { "gmmab", gmma_b, print_quiet },
    { "gmmac", gmma_c, print_quiet },
    { "gmmap", gmma_scale, print_quiet },
    { NULL, NULL, NULL },
};
