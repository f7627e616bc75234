/* mnemonic.c - mnemonics and modifiers, arithmetic part; see mnemonic_other.c for
 * memory and control.
 *
 * A {=name} in a format is a function here: what it prints depends on several fields,
 * on the operands or on the architecture.
 */
#include "frontend/sass/print/mnemonic.h"

#include <string.h>

#include "frontend/sass/decode/modifiers.h"
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/decode/special.h"
#include "frontend/sass/print/mnemonic_other.h"

void mnemonic_dot(struct buf *out, const char *text)
{
    if (!*text)
        return;
    buf_putc(out, '.');
    buf_puts(out, text);
}

static void print_entry(struct buf *out, const struct mod_table *t, unsigned v)
{
    if (t->text[v])
        mnemonic_dot(out, t->text[v]);
    else
        buf_printf(out, ".INVALID%u", v);
}

void mnemonic_entry(struct buf *out, const char *table, unsigned value)
{
    print_entry(out, modifier_table(table, strlen(table)), value);
}

void mnemonic_field(struct buf *out, const struct sass_inst *i, const char *table,
                    enum sass_field f)
{
    mnemonic_entry(out, table, sass_field(i, f));
}

/* .FMZ and .FTZ are two values of one field. */
static void print_fmz(struct buf *out, const struct sass_inst *i)
{
    unsigned v = sass_field(i, FMZ_FMZ) << 1 | sass_field(i, FMZ_FTZ);

    if (v == 3)
        mnemonic_dot(out, i->row->class == CLASS_half ? "OOB" : "INVALID3");
    else if (v)
        mnemonic_dot(out, v == 2 ? "FMZ" : "FTZ");
}

/* IMAD with trivial operands is written as what it does. */
static void print_imad(struct buf *out, const struct sass_inst *i)
{
    const struct operand *a = &i->opd[IMAD_A], *b = &i->opd[IMAD_B],
                         *c = &i->opd[IMAD_C];
    bool is_u32 = sass_has(i, IMAD_U32);
    bool no_product = a->reg == REG_RZ || (b->kind == OPD_REG && b->reg == REG_RZ);
    bool c_zero = c->kind == OPD_REG && c->reg == REG_RZ;
    bool b_imm = b->kind == OPD_IMM && sass_field(i, WORD_FORM) == 4;
    uint32_t v = (uint32_t)b->imm;

    if (sass_has(i, IMAD_X)) {
        if (is_u32)
            mnemonic_dot(out, "U32");
        mnemonic_dot(out, "X");
        return;
    }
    if ((no_product && c->kind != OPD_UREG && c->kind != OPD_CDESC) ||
        (b_imm && v == 1 && c_zero))
        mnemonic_dot(out, "MOV");
    else if (b_imm && v == 1)
        mnemonic_dot(out, "IADD");
    else if (b_imm && c_zero && (int32_t)v > 0 && v != 0x10000 && !(v & (v - 1)))
        mnemonic_dot(out, "SHL");
    if (is_u32)
        mnemonic_dot(out, "U32");
}

static void print_idp(struct buf *out, const struct sass_inst *i)
{
    bool is_2a = sass_has(i, IDP_2A);

    mnemonic_dot(out, is_2a ? "2A" : "4A");
    if (is_2a)
        mnemonic_dot(out, sass_has(i, IDP_HI) ? "HI" : "LO");
    mnemonic_dot(out, sass_has(i, IDP_SIGNED_A) ? (is_2a ? "S16" : "S8")
                                                : (is_2a ? "U16" : "U8"));
    mnemonic_dot(out, sass_has(i, IDP_SIGNED_B) ? "S8" : "U8");
}

/* Types of half operations. */
static void print_hout(struct buf *out, const struct sass_inst *i)
{
    if (sass_has(i, HOUT_BF16))
        mnemonic_dot(out, sass_has(i, HOUT_F32) ? "INVALID3" : "BF16_V2");
    else if (sass_has(i, HOUT_F32))
        mnemonic_dot(out, i->base.op == OP_HADD2 ? "F32" : "INVALID1");
}

static void print_hbf(struct buf *out, const struct sass_inst *i)
{
    if (sass_has(i, HBF_BF16))
        mnemonic_dot(out, "BF16_V2");
    else if (sass_has(i, HBF_RESERVED))
        mnemonic_dot(out, "INVALID1");
}

static void print_hmma884(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[4] = { "F16.F16", "F16.F32", "F32.F16", "F32.F32" };

    mnemonic_dot(out, types[sass_field(i, HMMA884_TYPES) & 3]);
    buf_printf(out, ".STEP%u", sass_field(i, HMMA884_STEP));
}

static void print_hmma(struct buf *out, const struct sass_inst *i)
{
    bool is_sparse = sass_has(i, HMMA_SP);
    unsigned type = sass_field(i, HMMA_TYPE);
    unsigned size = sass_field(i, HMMA_K16) | sass_field(i, HMMA_K4) << 1;
    static const char *const sizes[4] = { "1688", "16816", "1684", "16832" };

    if (is_sparse)
        mnemonic_dot(out, "SP");
    mnemonic_dot(out, size == 3 && !is_sparse ? "INVALID3" : sizes[size]);
    mnemonic_dot(out, sass_has(i, HMMA_F32) ? "F32" : "F16");
    mnemonic_dot(out, type == 1 ? "BF16" : type == 2 ? "TF32" : "");
}

static void print_imma(struct buf *out, const struct sass_inst *i)
{
    unsigned size = sass_field(i, IMMA_DEEP) | sass_field(i, IMMA_DEEP_NIBBLES) << 1 |
                    sass_field(i, IMMA_TALL) << 2;
    static const char *const sizes[8] = { "8816",  "INVALID1", "8832",  "INVALID3",
                                          "16816", "16832",    "16864", "168128" };

    if (sass_has(i, IMMA_SP))
        mnemonic_dot(out, "SP");
    mnemonic_dot(out, sizes[size]);
    buf_printf(out, ".%c%c.%c%c", sass_has(i, IMMA_SIGNED_A) ? 'S' : 'U',
               sass_has(i, IMMA_NIBBLES_A) ? '4' : '8',
               sass_has(i, IMMA_SIGNED_B) ? 'S' : 'U',
               sass_has(i, IMMA_NIBBLES_B) ? '4' : '8');
    if (sass_has(i, IMMA_SAT))
        mnemonic_dot(out, "SAT");
}

static void print_bmma(struct buf *out, const struct sass_inst *i)
{
    static const char *const sizes[4] = { "88128", "168128", "168256", "INVALID3" };

    mnemonic_dot(out, sizes[sass_field(i, BMMA_SHAPE)]);
    mnemonic_dot(out, sass_field(i, BMMA_OP) == 2 ? "AND" : "XOR");
    mnemonic_dot(out, "POPC");
}

static void print_dmma(struct buf *out, const struct sass_inst *i)
{
    static const char *const sizes[4] = { "8x8x4", "16x8x4", "16x8x8", "16x8x16" };

    mnemonic_dot(out,
                 sass_is_ampere(i->arch) ? "884" : sizes[sass_field(i, DMMA_SHAPE)]);
    mnemonic_field(out, i, "rnd", DMMA_RND);
}

/* What F2FP takes two bytes for; from sm_100 on there are smaller ones. */
static const char *f2fp_unpacked(const struct sass_inst *i)
{
    bool odd = sass_has(i, F2FP_E4M3);

    if (i->arch >= SM100 && sass_has(i, F2FP_E8))
        return "BF16.E8";
    if (i->arch >= SM100 && sass_has(i, F2FP_SMALL))
        return !sass_has(i, F2FP_WIDE) ? "F16.E2M1" : odd ? "F16.E3M2" : "F16.E2M3";
    return odd ? "F16.E4M3" : "F16.E5M2";
}

/* And what it makes bytes of. */
static const char *f2fp_packed(const struct sass_inst *i)
{
    enum { OF_FOUR_BITS = 1, OF_SIX_BITS = 3, OF_SCALES = 6 };
    unsigned byte = i->arch >= SM100 ? sass_field(i, F2FP_BYTE) : 0;
    bool odd = sass_has(i, F2FP_BF16);

    switch (byte) {
    case OF_FOUR_BITS:
        return "E2M1";
    case OF_SIX_BITS:
        return odd ? "E3M2" : "E2M3";
    case OF_SCALES:
        return "E8";
    default:
        return odd ? "E4M3" : "E5M2";
    }
}

static void print_f2fp_types(struct buf *out, const struct sass_inst *i, unsigned mode)
{
    bool is_bf16 = sass_has(i, F2FP_BF16);
    bool from_bf16 = i->arch >= SM100 && sass_has(i, F2FP_E8);

    if (mode <= F2FP_MERGE_C && i->arch < SM89)
        mnemonic_dot(out, is_bf16 ? "BF16" : "");
    else if (mode <= F2FP_MERGE_C)
        mnemonic_dot(out, is_bf16 ? "BF16.F32" : "F16.F32");
    else if (mode == F2FP_UNPACK_B)
        mnemonic_dot(out, f2fp_unpacked(i));
    else if (mode == F2FP_PACK_B)
        mnemonic_dot(out, "TF32.F32");
    else
        buf_printf(out, ".%s.%s", f2fp_packed(i),
                   mode != F2FP_UNPACK_B_MERGE_C ? "F32"
                   : from_bf16                   ? "BF16"
                                                 : "F16");
}

static void print_f2fp(struct buf *out, const struct sass_inst *i)
{
    static const char *const modes[8] = {
        "PACK_AB",          "MERGE_C",         "UNPACK_B", "PACK_B",
        "UNPACK_B_MERGE_C", "PACK_AB_MERGE_C", "???6",     "???7"
    };
    static const char *const rounds[4] = { "", "???1", "???2", "RZ" };
    unsigned mode = special_f2fp(i), rnd = sass_field(i, F2FP_RND);

    if (sass_has(i, F2FP_SATFINITE))
        mnemonic_dot(out, "SATFINITE");
    if (sass_has(i, F2FP_RELU))
        mnemonic_dot(out, "RELU");
    print_f2fp_types(out, i, mode);
    mnemonic_dot(out, modes[mode]);
    mnemonic_dot(out, i->arch >= SM100 && rnd == 2 ? "RP" : rounds[rnd]);
    if (i->arch >= SM100 && sass_has(i, F2FP_RS))
        mnemonic_dot(out, "RS");
}

static void print_i2fp(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_has(i, I2FP_SIGNED) ? "F32.S32" : "F32.U32");
    mnemonic_field(out, i, "rnd", I2FP_RND);
}

/* Codes of number formats in conversions: log2 of bytes, 4 is bf16. */
static const char *float_name(unsigned code)
{
    static const char *const names[8] = { "???0", "F16",  "F32",  "F64",
                                          "BF16", "???5", "???6", "???7" };

    return names[code];
}

static const char *int_name(unsigned log2_bytes, bool is_signed)
{
    static const char *const names[2][4] = { { "U8", "U16", "U32", "U64" },
                                             { "S8", "S16", "S32", "S64" } };

    return names[is_signed][log2_bytes];
}

static void print_f2i(struct buf *out, const struct sass_inst *i)
{
    unsigned src = sass_field(i, F2I_FROM), dst = sass_field(i, F2I_TO);

    if (dst != 2 || !sass_has(i, F2I_SIGNED))
        mnemonic_dot(out, int_name(dst, sass_has(i, F2I_SIGNED)));
    if (src != 2)
        mnemonic_dot(out, float_name(src));
}

static void print_i2f(struct buf *out, const struct sass_inst *i)
{
    unsigned src = sass_field(i, I2F_FROM), dst = sass_field(i, I2F_TO);

    if (dst != 2)
        mnemonic_dot(out, float_name(dst));
    if (src != 2 || !sass_has(i, I2F_SIGNED))
        mnemonic_dot(out, int_name(src, sass_has(i, I2F_SIGNED)));
}

static void print_frnd(struct buf *out, const struct sass_inst *i)
{
    if (sass_field(i, FRND_TO) != 2)
        mnemonic_dot(out, float_name(sass_field(i, FRND_TO)));
}

static void print_mufu(struct buf *out, const struct sass_inst *i)
{
    static const char *const names[] = { [MUFU_OF_F16] = "F16",
                                         [MUFU_OF_BF16] = "BF16",
                                         [MUFU_OF_F16X2] = "F16x2",
                                         [MUFU_OF_BF16X2] = "BF16x2" };
    enum mufu_type type = operand_mufu_type(i);

    mnemonic_field(out, i, "mufu", MUFU_NAME);
    if (type == MUFU_OF_F16X2 && i->arch != SM100)
        mnemonic_dot(out, "INVALID3");
    else if (type)
        mnemonic_dot(out, names[type]);
}

/* Warpgroup products. */
static void print_gmma(struct buf *out, const struct sass_inst *i)
{
    unsigned k = 16;
    bool is_sparse = sass_has(i, WGMMA_SP);

    if (is_sparse)
        mnemonic_dot(out, "SP");
    if (i->base.op == OP_HGMMA)
        k = sass_has(i, WGMMA_K8) ? 8 : 16;
    else if (i->base.op == OP_BGMMA)
        k = 256;
    else
        k = 32;
    buf_printf(out, ".64x%ux%u", operand_gmma_columns(i), is_sparse ? 2 * k : k);
    switch (i->base.op) {
    case OP_HGMMA:
        mnemonic_dot(out, sass_has(i, WGMMA_F32) ? "F32" : "F16");
        mnemonic_dot(out, sass_has(i, WGMMA_BF16)   ? "BF16"
                          : sass_has(i, WGMMA_TF32) ? "TF32"
                                                    : "");
        break;
    case OP_IGMMA:
        mnemonic_field(out, i, "s8", WGMMA_S8_A);
        mnemonic_field(out, i, "s8", WGMMA_S8_B);
        if (sass_has(i, WGMMA_SAT))
            mnemonic_dot(out, "SAT");
        break;
    case OP_BGMMA:
        mnemonic_dot(out, "AND.POPC");
        break;
    default:
        mnemonic_dot(out, sass_has(i, WGMMA_F32) ? "F32" : "F16");
        mnemonic_dot(out, sass_has(i, WGMMA_E5M2_A) ? "E5M2" : "E4M3");
        mnemonic_dot(out, sass_has(i, WGMMA_E5M2_B) ? "E5M2" : "E4M3");
    }
}

/* FADD and FFMA have forms with half sources. */
static void print_mixed(struct buf *out, const struct sass_inst *i)
{
    bool is_half = sass_has(i, MIXED_HALF);

    if (is_half)
        buf_putc(out, 'H');
    buf_puts(out, i->base.op == OP_FADD_100 ? "ADD" : "FMA");
    if (is_half && sass_has(i, MIXED_BF16))
        mnemonic_dot(out, "BF16");
}

static void print_nothing(struct buf *out, const struct sass_inst *i)
{
    (void)out;
    (void)i;
}

static void print_iset64(struct buf *out, const struct sass_inst *i)
{
    bool is_unsigned = sass_has(i, ISET64_U32);

    if (sass_has(i, ISET64_IS_64))
        mnemonic_dot(out, is_unsigned ? "U64" : "S64");
    else if (is_unsigned)
        mnemonic_dot(out, "U32");
}

static const struct mnemonic_special specials[] = {
    { "imnmx64", print_nothing }, { "mixed", print_mixed }, { "iset64", print_iset64 },
    { "fmz", print_fmz },         { "imad", print_imad },   { "idp", print_idp },
    { "hout", print_hout },       { "hbf", print_hbf },     { "hmma", print_hmma },
    { "hmma884", print_hmma884 }, { "imma", print_imma },   { "bmma", print_bmma },
    { "dmma", print_dmma },       { "f2fp", print_f2fp },   { "i2fp", print_i2fp },
    { "f2i", print_f2i },         { "i2f", print_i2f },     { "frnd", print_frnd },
    { "mufu", print_mufu },       { "wgmma", print_gmma },  { NULL, NULL },
};

static mnemonic_fn *find_special(const struct mnemonic_special *table,
                                 const struct mod_spec *m)
{
    for (; table->name; table++)
        if (!strncmp(table->name, m->text, m->len) && !table->name[m->len])
            return table->print;
    return NULL;
}

static void print_special(struct buf *out, const struct sass_inst *i,
                          const struct mod_spec *m)
{
    mnemonic_fn *fn = find_special(specials, m);

    if (!fn)
        fn = find_special(mnemonic_other, m);
    if (!fn)
        fn = find_special(mnemonic_tensor, m);
    if (fn)
        fn(out, i);
    else
        buf_printf(out, ".<%.*s>", (int)m->len, m->text);
}

void mnemonic_print(struct buf *out, const struct sass_inst *i, const char **format)
{
    struct mod_spec m;

    while (format_modifier(format, &m)) {
        if (!m.how) {
            buf_add(out, m.text, m.len);
        } else if (m.how == '=') {
            print_special(out, i, &m);
        } else if (m.how == '@') {
            const struct mod_table *t = modifier_table(m.text, m.len);

            print_entry(out, t, sass_bits(i, m.at, t->width));
        } else if (sass_bits(i, m.at, 1) == (m.how == '?')) {
            buf_putc(out, '.');
            buf_add(out, m.text, m.len);
        }
    }
}
