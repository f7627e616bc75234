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

void mnemonic_field(struct buf *out, const struct sass_inst *i, const char *table,
                    unsigned at)
{
    const struct mod_table *t = modifier_table(table, strlen(table));
    unsigned v = sass_bits(i, at, t->width);

    if (t->text[v])
        mnemonic_dot(out, t->text[v]);
    else
        buf_printf(out, ".INVALID%u", v);
}

/* .FMZ and .FTZ are two values of one field. */
static void fmz(struct buf *out, const struct sass_inst *i)
{
    unsigned v = sass_bits(i, 76, 1) << 1 | sass_bits(i, 80, 1);

    if (v == 3)
        mnemonic_dot(out, i->row->class == CLASS_half ? "OOB" : "INVALID3");
    else if (v)
        mnemonic_dot(out, v == 2 ? "FMZ" : "FTZ");
}

/* 4 is no scaling; 0 and what follows are the factors. */
static void fscale(struct buf *out, const struct sass_inst *i)
{
    static const char *const text[8] = { "INVALID0", "D8", "D4", "D2",
                                         "",         "M2", "M4", "M8" };

    mnemonic_dot(out, text[sass_bits(i, 84, 3)]);
}

/* IMAD with trivial operands is written as what it does. */
static void imad(struct buf *out, const struct sass_inst *i)
{
    const struct operand *a = &i->opd[2], *b = &i->opd[3], *c = &i->opd[4];
    bool is_u32 = !sass_bits(i, 73, 1);
    bool no_product = a->reg == REG_RZ || (b->kind == OPD_REG && b->reg == REG_RZ);
    bool c_zero = c->kind == OPD_REG && c->reg == REG_RZ;
    bool b_imm = b->kind == OPD_IMM && sass_bits(i, 9, 3) == 4;
    uint32_t v = (uint32_t)b->imm;

    if (sass_bits(i, 74, 1)) {
        if (is_u32)
            mnemonic_dot(out, "U32");
        mnemonic_dot(out, "X");
        return;
    }
    if (no_product && c->kind != OPD_UREG && c->kind != OPD_CDESC)
        mnemonic_dot(out, "MOV");
    else if (b_imm && v == 1)
        mnemonic_dot(out, "IADD");
    else if (b_imm && c_zero && (int32_t)v > 0 && v != 0x10000 && !(v & (v - 1)))
        mnemonic_dot(out, "SHL");
    if (is_u32)
        mnemonic_dot(out, "U32");
}

static void idp(struct buf *out, const struct sass_inst *i)
{
    bool is_2a = sass_bits(i, 76, 1);

    mnemonic_dot(out, is_2a ? "2A" : "4A");
    if (is_2a)
        mnemonic_dot(out, sass_bits(i, 77, 1) ? "HI" : "LO");
    mnemonic_dot(out,
                 sass_bits(i, 73, 1) ? (is_2a ? "S16" : "S8") : (is_2a ? "U16" : "U8"));
    mnemonic_dot(out, sass_bits(i, 74, 1) ? "S8" : "U8");
}

/* Half operations: bit 78 is an fp32 result, 85 bf16. */
static void hout(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 85, 1))
        mnemonic_dot(out, sass_bits(i, 78, 1) ? "INVALID3" : "BF16_V2");
    else if (sass_bits(i, 78, 1))
        mnemonic_dot(out, i->base.op == OP_HADD2 ? "F32" : "INVALID1");
}

static void hbf(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 65, 1))
        mnemonic_dot(out, "BF16_V2");
    else if (sass_bits(i, 64, 1))
        mnemonic_dot(out, "INVALID1");
}

static void hmma884(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[4] = { "F16.F16", "F16.F32", "F32.F16", "F32.F32" };

    mnemonic_dot(out, types[sass_bits(i, 76, 2) & 3]);
    buf_printf(out, ".STEP%u", sass_bits(i, 79, 2));
}

static void hmma(struct buf *out, const struct sass_inst *i)
{
    bool is_sparse = sass_bits(i, 73, 1);
    unsigned type = sass_bits(i, 82, 2);
    unsigned size = sass_bits(i, 75, 1) | sass_bits(i, 78, 1) << 1;
    static const char *const sizes[4] = { "1688", "16816", "1684", "16832" };

    if (is_sparse)
        mnemonic_dot(out, "SP");
    mnemonic_dot(out, size == 3 && !is_sparse ? "INVALID3" : sizes[size]);
    mnemonic_dot(out, sass_bits(i, 76, 1) ? "F32" : "F16");
    mnemonic_dot(out, type == 1 ? "BF16" : type == 2 ? "TF32" : "");
}

static void imma(struct buf *out, const struct sass_inst *i)
{
    unsigned size =
        sass_bits(i, 75, 1) | sass_bits(i, 85, 1) << 1 | sass_bits(i, 86, 1) << 2;
    static const char *const sizes[8] = { "8816",  "INVALID1", "8832",  "INVALID3",
                                          "16816", "16832",    "16864", "168128" };

    if (sass_bits(i, 72, 1))
        mnemonic_dot(out, "SP");
    mnemonic_dot(out, sizes[size]);
    for (unsigned k = 0; k < 2; k++)
        buf_printf(out, ".%c%c", sass_bits(i, 76 + 2 * k, 1) ? 'S' : 'U',
                   sass_bits(i, 83 + k, 1) ? '4' : '8');
    if (sass_bits(i, 82, 1))
        mnemonic_dot(out, "SAT");
}

static void bmma(struct buf *out, const struct sass_inst *i)
{
    static const char *const sizes[4] = { "88128", "168128", "168256", "INVALID3" };

    mnemonic_dot(out, sizes[sass_bits(i, 75, 2)]);
    mnemonic_dot(out, sass_bits(i, 77, 2) == 2 ? "AND" : "XOR");
    mnemonic_dot(out, "POPC");
}

static void dmma(struct buf *out, const struct sass_inst *i)
{
    static const char *const sizes[4] = { "8x8x4", "16x8x4", "16x8x8", "16x8x16" };

    mnemonic_dot(out, i->arch == SM86 ? "884" : sizes[sass_bits(i, 76, 2)]);
    mnemonic_field(out, i, "rnd", 78);
}

static void i2ip(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[8] = { "U8", "S8", "U16", "S16",
                                          "U2", "S2", "U4",  "S4" };

    mnemonic_dot(out, types[sass_bits(i, 76, 3)]);
    mnemonic_dot(out, "S32.SAT");
}

static void f2fp(struct buf *out, const struct sass_inst *i)
{
    static const char *const modes[8] = {
        "PACK_AB",          "MERGE_C",         "UNPACK_B", "PACK_B",
        "UNPACK_B_MERGE_C", "PACK_AB_MERGE_C", "???6",     "???7"
    };
    unsigned mode = special_f2fp(i), rnd = sass_bits(i, 79, 2);
    bool b76 = sass_bits(i, 76, 1);

    if (sass_bits(i, 77, 1))
        mnemonic_dot(out, "SATFINITE");
    if (sass_bits(i, 75, 1))
        mnemonic_dot(out, "RELU");
    if (mode <= F2FP_MERGE_C && i->arch != SM90)
        mnemonic_dot(out, b76 ? "BF16" : "");
    else if (mode <= F2FP_MERGE_C)
        mnemonic_dot(out, b76 ? "BF16.F32" : "F16.F32");
    else if (mode == F2FP_UNPACK_B)
        mnemonic_dot(out, sass_bits(i, 73, 1) ? "F16.E4M3" : "F16.E5M2");
    else if (mode == F2FP_PACK_B)
        mnemonic_dot(out, "TF32.F32");
    else
        buf_printf(out, ".%s.%s", b76 ? "E4M3" : "E5M2",
                   mode == F2FP_UNPACK_B_MERGE_C ? "F16" : "F32");
    mnemonic_dot(out, modes[mode]);
    if (rnd)
        mnemonic_dot(out, rnd == 3 ? "RZ" : rnd == 1 ? "???1" : "???2");
}

static void f2ip(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[4] = { "U8", "S8", "INVALID2", "INVALID3" };

    if (sass_bits(i, 75, 1))
        mnemonic_dot(out, "RELU");
    mnemonic_dot(out, types[sass_bits(i, 76, 2)]);
    mnemonic_dot(out, "F32");
    mnemonic_field(out, i, "irnd", 78);
    if (sass_bits(i, 74, 1))
        mnemonic_dot(out, "NTZ");
}

static void stsm(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 78, 1) ? "MT88" : "M88");
}

static void i2fp(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 74, 1) ? "F32.S32" : "F32.U32");
    mnemonic_field(out, i, "rnd", 78);
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

static void f2f(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, float_name(sass_bits(i, 75, 3)));
    mnemonic_dot(out, float_name(sass_bits(i, 84, 3)));
    mnemonic_field(out, i, "rnd", 78);
}

static void f2i(struct buf *out, const struct sass_inst *i)
{
    unsigned src = sass_bits(i, 84, 3), dst = sass_bits(i, 75, 2);

    if (dst != 2 || !sass_bits(i, 72, 1))
        mnemonic_dot(out, int_name(dst, sass_bits(i, 72, 1)));
    if (src != 2)
        mnemonic_dot(out, float_name(src));
}

static void i2f(struct buf *out, const struct sass_inst *i)
{
    unsigned src = sass_bits(i, 84, 2), dst = sass_bits(i, 75, 3);

    if (dst != 2)
        mnemonic_dot(out, float_name(dst));
    if (src != 2 || !sass_bits(i, 74, 1))
        mnemonic_dot(out, int_name(src, sass_bits(i, 74, 1)));
}

static void frnd(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 75, 3) != 2)
        mnemonic_dot(out, float_name(sass_bits(i, 75, 3)));
}

static void mufu(struct buf *out, const struct sass_inst *i)
{
    unsigned type = i->arch == SM90 ? sass_bits(i, 72, 2) : sass_bits(i, 73, 1);

    mnemonic_field(out, i, "mufu", 74);
    if (type)
        mnemonic_dot(out, type == 1 ? "F16" : type == 2 ? "BF16" : "INVALID3");
}

static void match(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 79, 1) ? "ANY" : "ALL");
    if (sass_bits(i, 73, 1))
        mnemonic_dot(out, "U64");
}

/* Warpgroup products. */
static void gmma(struct buf *out, const struct sass_inst *i)
{
    unsigned k = 16;
    bool is_sparse = sass_bits(i, 73, 1), k_bit = sass_bits(i, 58, 1);

    if (is_sparse)
        mnemonic_dot(out, "SP");
    if (i->base.op == OP_HGMMA)
        k = k_bit ? 8 : 16;
    else if (i->base.op == OP_BGMMA)
        k = 256;
    else
        k = 32;
    buf_printf(out, ".64x%ux%u", operand_gmma_columns(i), is_sparse ? 2 * k : k);
    switch (i->base.op) {
    case OP_HGMMA:
        mnemonic_dot(out, sass_bits(i, 75, 1) ? "F32" : "F16");
        mnemonic_dot(out, sass_bits(i, 76, 1)   ? "BF16"
                          : sass_bits(i, 77, 1) ? "TF32"
                                                : "");
        break;
    case OP_IGMMA:
        mnemonic_field(out, i, "s8", 76);
        mnemonic_field(out, i, "s8", 82);
        if (sass_bits(i, 75, 1))
            mnemonic_dot(out, "SAT");
        break;
    case OP_BGMMA:
        mnemonic_dot(out, "AND.POPC");
        break;
    default:
        mnemonic_dot(out, sass_bits(i, 75, 1) ? "F32" : "F16");
        mnemonic_dot(out, sass_bits(i, 76, 1) ? "E5M2" : "E4M3");
        mnemonic_dot(out, sass_bits(i, 77, 1) ? "E5M2" : "E4M3");
    }
}

static const struct mnemonic_special specials[] = {
    { "fmz", fmz },   { "fscale", fscale }, { "imad", imad },  { "idp", idp },
    { "hout", hout }, { "hbf", hbf },       { "hmma", hmma },  { "hmma884", hmma884 },
    { "imma", imma }, { "bmma", bmma },     { "dmma", dmma },  { "i2ip", i2ip },
    { "f2fp", f2fp }, { "f2ip", f2ip },     { "stsm", stsm },  { "i2fp", i2fp },
    { "f2f", f2f },   { "f2i", f2i },       { "i2f", i2f },    { "frnd", frnd },
    { "mufu", mufu }, { "match", match },   { "wgmma", gmma }, { NULL, NULL },
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
    if (fn)
        fn(out, i);
    else
        buf_printf(out, ".<%.*s>", (int)m->len, m->text);
}

void mnemonic_print(struct buf *out, const struct sass_inst *i, const char **format)
{
    struct mod_spec m;
    char name[32];

    while (format_modifier(format, &m)) {
        if (!m.how) {
            buf_add(out, m.text, m.len);
        } else if (m.how == '=') {
            print_special(out, i, &m);
        } else if (m.how == '@') {
            memcpy(name, m.text, m.len);
            name[m.len] = '\0';
            mnemonic_field(out, i, name, m.at);
        } else if (sass_bits(i, m.at, 1) == (m.how == '?')) {
            buf_putc(out, '.');
            buf_add(out, m.text, m.len);
        }
    }
}
