/* mnemonic_other.c - mnemonics of memory, control and texture instructions, and the
 * ways in which an opcode bends how its operands are written.
 */
#include "frontend/sass/print/mnemonic_other.h"

#include <string.h>

#include "frontend/sass/decode/special.h"
#include "frontend/sass/decode/texops.h"

/* Memory order and scope. Turing has separate fields, later parts one code. */
static void print_order(struct buf *out, const struct sass_inst *i)
{
    static const char *const scopes[4] = { "CTA", "SM", "GPU", "SYS" };
    static const char *const kinds[4] = { "CONSTANT", "", "STRONG", "MMIO" };
    static const char *const loads[16] = { "",
                                           "CONSTANT.PRIVATE",
                                           "CONSTANT.CTA",
                                           "CONSTANT.CTA.PRIVATE",
                                           "CONSTANT",
                                           "STRONG.SM",
                                           "STRONG.GPU.PRIVATE",
                                           "STRONG.GPU",
                                           "MMIO.GPU",
                                           "CONSTANT.SYS.PRIVATE",
                                           "STRONG.SYS",
                                           "CONSTANT.SYS",
                                           "MMIO.SYS",
                                           "CONSTANT.VC",
                                           "CONSTANT.VC.PRIVATE",
                                           "CONSTANT.GPU" };
    unsigned code = sass_field(i, ORDER_ORDER);

    if (i->arch == SM75) {
        mnemonic_dot(out, kinds[code >> 2]);
        mnemonic_dot(out, scopes[code & 3]);
        if (sass_has(i, ORDER_PRIVATE))
            mnemonic_dot(out, "PRIVATE");
    } else if (code == 4 && i->row->class != CLASS_load) {
        mnemonic_dot(out, "STRONG.SM.PRIVATE");
    } else {
        mnemonic_dot(out, loads[code]);
    }
}

static void print_size_name(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, i->arch == SM75 ? "msize75" : "msize", LDMOD_SIZE);
}

static void print_ldmod(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", LDMOD_EVICT);
    mnemonic_field(out, i, "ltc", LDMOD_LTC);
    print_size_name(out, i);
    if (i->arch == SM75 && sass_has(i, LDMOD_ZD))
        mnemonic_dot(out, "ZD");
    print_order(out, i);
}

static void print_stmod(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", STMOD_EVICT);
    print_size_name(out, i);
    print_order(out, i);
}

static void print_lds(struct buf *out, const struct sass_inst *i)
{
    if (i->arch == SM75 && sass_has(i, LDS_U))
        mnemonic_dot(out, "U");
}

static void print_atomg(struct buf *out, const struct sass_inst *i)
{
    static const char *const old[8] = { "",         "S32", "64",     "F32.FTZ.RN",
                                        "F16x2.RN", "S64", "F64.RN", "INVALID7" };
    static const char *const now[8] = { "",    "S32",      "64",       "S64",
                                        "128", "INVALID5", "INVALID6", "INVALID7" };

    mnemonic_dot(out, (i->arch >= SM90 ? now : old)[sass_field(i, ATOMG_TYPE)]);
}

/* Float atomics of sm_90. */
static void print_fatomic(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[16] = { "F16x2.RN",   "F16x4.RN",     "F16x8.RN",
                                           "BF16x2.RN",  "BF16x4.RN",    "BF16x8.RN",
                                           "INVALID6",   "INVALID7",     "INVALID8",
                                           "F32.FTZ.RN", "F32x2.FTZ.RN", "F32x4.FTZ.RN",
                                           "F32.RN",     "F32x2.RN",     "F32x4.RN",
                                           "F64.RN" };

    mnemonic_field(out, i, i->arch >= SM100 ? "fop100" : "fop", FATOMIC_OP);
    if (i->row->class == CLASS_atomic)
        mnemonic_field(out, i, "evict", FATOMIC_EVICT);
    mnemonic_dot(out, types[sass_field(i, FATOMIC_TYPE)]);
}

static void print_atomspopc(struct buf *out, const struct sass_inst *i)
{
    if (sass_field(i, ATOMSPOPC_ARRIVE_OP) == 1 || sass_has(i, ATOMSPOPC_ARRIVE))
        mnemonic_dot(out, "ARRIVE.64");
    else
        mnemonic_dot(out, "POPC.INC.32");
}

static void print_qspc(struct buf *out, const struct sass_inst *i)
{
    static const char *const spaces[4] = { "G", "L", "S", "D" };
    unsigned v = sass_field(i, QSPC_SPACE);

    mnemonic_dot(out, v == 3 && i->arch < SM90 ? "INVALID3" : spaces[v]);
}

static void print_ldgsts(struct buf *out, const struct sass_inst *i)
{
    unsigned mode = sass_field(i, LDGSTS_MODE);

    if (!(mode & 1))
        mnemonic_dot(out, "BYPASS");
    mnemonic_field(out, i, "evict", LDGSTS_EVICT);
    mnemonic_field(out, i, "ltc", i->arch >= SM100 ? LDGSTS_LTC_100 : LDGSTS_LTC);
    mnemonic_entry(out, "msize", special_copy_size(i));
    print_order(out, i);
    if (mode & 2)
        mnemonic_dot(out, "ZFILL");
}

static void print_arrives(struct buf *out, const struct sass_inst *i)
{
    static const char *const counts[4] = { "", "ARVCNT", "TRANSCNT", "INVALID3" };

    if (i->arch >= SM90)
        mnemonic_dot(out, counts[special_arrival(i)]);
}

static void print_synccctl(struct buf *out, const struct sass_inst *i)
{
    if (!sass_has(i, SYNCCCTL_HAS_ADDRESS))
        mnemonic_dot(out, "IVALL");
    else
        mnemonic_dot(out, sass_has(i, SYNCCCTL_WB) ? "WB" : "IV");
}

static void print_bar(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "bar", BAR_MODE);
    if (sass_field(i, BAR_MODE) == 2)
        mnemonic_field(out, i, "barop", BAR_OP);
    if (sass_has(i, BAR_DEFER_BLOCKING))
        mnemonic_dot(out, "DEFER_BLOCKING");
}

static void print_bra(struct buf *out, const struct sass_inst *i)
{
    static const char *const kinds[4] = { "", "U", "DIV", "CONV" };

    mnemonic_dot(out, kinds[sass_field(i, BRA_TEST)]);
    if (sass_field(i, BRA_TEST) == 1 && sass_has(i, BRA_ANY))
        mnemonic_dot(out, "ANY");
}

static void print_warpsync(struct buf *out, const struct sass_inst *i)
{
    bool is_90 = i->arch >= SM90;

    if (is_90 && sass_has(i, WARPSYNC_COLLECTIVE))
        mnemonic_dot(out, "COLLECTIVE");
    if (sass_has(i, is_90 ? WARPSYNC_EXCLUSIVE_90 : WARPSYNC_EXCLUSIVE))
        mnemonic_dot(out, "EXCLUSIVE");
    if (is_90 && i->base.op == OP_WARPSYNC_IMM)
        mnemonic_dot(out, "ALL");
}

static void print_converge(struct buf *out, const struct sass_inst *i)
{
    if (i->arch < SM100)
        return;
    if (sass_has(i, CONVERGE_RELIABLE))
        mnemonic_dot(out, "RELIABLE");
    if (sass_has(i, CONVERGE_RECONVERGENT))
        mnemonic_dot(out, "RECONVERGENT");
}

static void print_texture_head(struct buf *out, const struct sass_inst *i)
{
    if (sass_has(i, TEXTURE_SCR))
        mnemonic_dot(out, "SCR");
    if (sass_has(i, HANDLE_B) && !texops_has_uniform_handle(i))
        mnemonic_dot(out, "B");
}

/* How the four kinds of lookups differ. */
struct lookup_text {
    const char *lod; /* table of the level or component; NULL: none */
    unsigned level;
    const char *first, *second; /* if it has them */
    bool has_first, has_second;
};

static void print_lookup(struct buf *out, const struct sass_inst *i,
                         const struct lookup_text *t)
{
    print_texture_head(out, i);
    mnemonic_field(out, i, "tf16", TEXTURE_HALF);
    if (t->lod)
        mnemonic_entry(out, t->lod, t->level);
    if (texops_has_offset(i))
        mnemonic_dot(out, "AOFFI");
    if (t->has_first)
        mnemonic_dot(out, t->first);
    if (t->has_second)
        mnemonic_dot(out, t->second);
    mnemonic_field(out, i, "evict", TEXTURE_EVICT);
    if (sass_has(i, TEXTURE_NODEP))
        mnemonic_dot(out, "NODEP");
}

static void print_tex(struct buf *out, const struct sass_inst *i)
{
    print_lookup(out, i,
                 &(struct lookup_text){ "lod", texops_lod(i), "DC", "NDV",
                                        sass_has(i, TEX_DC), sass_has(i, TEX_NDV) });
}

static void print_tld(struct buf *out, const struct sass_inst *i)
{
    print_lookup(out, i,
                 &(struct lookup_text){ "tldlod", texops_lod(i), "MS", "CL",
                                        texops_is_multisampled(i),
                                        texops_is_clamped(i) });
}

static void print_tld4(struct buf *out, const struct sass_inst *i)
{
    print_lookup(out, i,
                 &(struct lookup_text){ "tld4c", sass_field(i, TLD4_COMPONENT), "DC",
                                        "PTP", sass_has(i, TLD4_DC),
                                        sass_has(i, TLD4_PTP) });
}

static void print_txd(struct buf *out, const struct sass_inst *i)
{
    print_lookup(
        out, i,
        &(struct lookup_text){ .first = "LC", .has_first = sass_has(i, TXD_LC) });
}

static void print_txq(struct buf *out, const struct sass_inst *i)
{
    print_texture_head(out, i);
    if (sass_has(i, TEXTURE_NODEP))
        mnemonic_dot(out, "NODEP");
}

static void print_warpgroup(struct buf *out, const struct sass_inst *i)
{
    if (sass_has(i, WARPGROUP_DEPBAR))
        mnemonic_dot(out, "DEPBAR.LE");
    else
        mnemonic_dot(out, sass_has(i, WARPGROUP_WAIT) ? "WAIT" : "ARRIVE");
}

const struct mnemonic_special mnemonic_other[] = {
    { "order", print_order },
    { "ldmod", print_ldmod },
    { "stmod", print_stmod },
    { "lds", print_lds },
    { "atomg", print_atomg },
    { "fatomic", print_fatomic },
    { "atomspopc", print_atomspopc },
    { "qspc", print_qspc },
    { "ldgsts", print_ldgsts },
    { "arrives", print_arrives },
    { "synccctl", print_synccctl },
    { "bar", print_bar },
    { "bra", print_bra },
    { "converge", print_converge },
    { "warpsync", print_warpsync },
    { "tex", print_tex },
    { "tld", print_tld },
    { "tld4", print_tld4 },
    { "txd", print_txd },
    { "txq", print_txq },
    { "warpgroup", print_warpgroup },
    { NULL, NULL },
};

_Static_assert(IADD3_X == LEA_X && IADD3_X == IMAD_X, "all have .X in the same bit");

bool mnemonic_complements(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_IADD_64:
    case OP_IADD3:
    case OP_UIADD3:
    case OP_LEA:
    case OP_ULEA:
    case OP_IMAD:
    case OP_IMAD_WIDE:
    case OP_IMAD_HI:
    case OP_UIMAD:
    case OP_UIMAD_WIDE:
    case OP_UIMAD_HI:
        return sass_has(i, IADD3_X);
    default:
        return false;
    }
}

/* Which byte or half of the source a conversion takes. */
static void print_part_suffix(struct buf *out, const struct sass_inst *i)
{
    bool from_int =
        i->base.op == OP_I2F || i->base.op == OP_I2F_64 || i->base.op == OP_UI2F;
    unsigned part = sass_field(i, CVT_PART);
    unsigned size = sass_field(i, from_int ? ICVT_FROM : CVT_FROM);

    if (!from_int) /* two formats of 16 bits, none of 8 */
        size = size == 1 || size == 4 ? 1 : 2;

    if (size == 0 && part)
        buf_printf(out, ".B%u", part);
    else if (size == 1 && part)
        buf_puts(out, part == 1 ? ".H1" : ".INVALID2");
}

void mnemonic_suffix(struct buf *out, const struct sass_inst *i,
                     const struct opd_spec *s)
{
    bool is_b = s->kind == '@' && !strcmp(s->name, "ib");

    switch (i->base.op) {
    case OP_IMMA:
    case OP_BMMA:
        if (s->kind == '@' && !strcmp(s->name, "ia"))
            buf_puts(out, ".ROW");
        else if (is_b)
            buf_puts(out, ".COL");
        break;
    case OP_HMMA_884:
        if (s->kind == 'A')
            buf_puts(out, sass_has(i, HMMA884_COL_A) ? ".COL" : ".ROW");
        else if (s->kind == 'R' && s->at == 32)
            buf_puts(out, sass_has(i, HMMA884_COL_B) ? ".COL" : ".ROW");
        break;
    case OP_FFMA2:
    case OP_FADD2:
    case OP_FMUL2:
        if (!s->is_dst)
            buf_puts(out, ".F32x2.HI_LO");
        break;
    case OP_PLOP3_PRP:
    case OP_PLOP3_PRR:
    case OP_PLOP3_SIGN:
        if (s->kind == 'A' || s->kind == 'X' || s->kind == 'R')
            buf_puts(out, ".SIGN");
        break;
    case OP_R2P:
    case OP_UR2UP:
        if (s->kind == 'A' && sass_field(i, R2P_BYTE))
            buf_printf(out, ".B%u", sass_field(i, R2P_BYTE));
        break;
    case OP_I2F:
    case OP_I2F_64:
    case OP_F2F:
    case OP_F2F_64:
    case OP_F2I:
    case OP_F2I_64:
    case OP_FRND:
    case OP_FRND_64:
        if (s->kind == '@')
            print_part_suffix(out, i);
        break;
    case OP_MUFU:
        if (s->kind == '@' && i->opd[MUFU_A].flags & OPD_H1)
            buf_puts(out, ".H1");
        break;
    case OP_HFMA2:
        if (!strcmp(s->name, "hb") && sass_has(i, HFMA2_NH1))
            buf_puts(out, ".H0_NH1");
        break;
    case OP_F2FP:
        if (is_b || !strcmp(s->name, "f2fpb"))
            if (special_f2fp(i) == F2FP_UNPACK_B && sass_has(i, F2FP_HIGH_B))
                buf_puts(out, ".H1");
        break;
    case OP_I2IP:
        if (!strcmp(s->name, "i2ipc") && sass_has(i, I2IP_SIZED))
            buf_puts(out, sass_has(i, I2IP_28) ? ".28" : ".24");
        break;
    default:
        break;
    }
}

static bool is_compare(const struct sass_inst *i)
{
    return i->base.op == OP_HSET2 || i->base.op == OP_HSETP2;
}

char mnemonic_immediate(const struct sass_inst *i, const struct opd_spec *s)
{
    if (s->kind != '@')
        return s->type;
    if (s->name[0] == 'h' && s->name[1] && !s->name[2])
        return sass_has(i, is_compare(i) ? HBF_BF16 : HOUT_BF16) ? 'e' : 'h';
    if (!strcmp(s->name, "icvt"))
        return sass_has(i, I2F_SIGNED) ? s->type : 'u';
    if (!strcmp(s->name, "cvt"))
        return sass_field(i, CVT_FROM_LOG) == 3 ? 'd' : 'f';
    if (!strcmp(s->name, "mufu"))
        return (sass_field(i, MUFU_NAME) & 14) == 6 ? 'D' : 'f';
    if (!strcmp(s->name, "f2fpb"))
        return 'f';
    if (!strcmp(s->name, "mask"))
        return 'u';
    return s->type;
}

const char *mnemonic_separator(const struct sass_inst *i, unsigned slot,
                               const char *usual)
{
    switch (i->base.op) {
    case OP_BRX:
    case OP_BRXU:
    case OP_JMX:
    case OP_RET:
    case OP_CALL_REL_REG:
    case OP_CALL_ABS_REG:
        return slot == JMX_TARGET ? " " : usual;
    default:
        return usual;
    }
}
