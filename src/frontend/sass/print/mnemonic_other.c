/* mnemonic_other.c - mnemonics of memory, control and texture instructions, and the
 * ways in which an opcode bends how its operands are written.
 */
#include "frontend/sass/print/mnemonic_other.h"

#include <string.h>

#include "frontend/sass/decode/special.h"

/* Memory order and scope. Turing has separate fields, later parts one code. */
static void order(struct buf *out, const struct sass_inst *i)
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
    unsigned code = sass_bits(i, 77, 4);

    if (i->arch == SM75) {
        mnemonic_dot(out, kinds[code >> 2]);
        mnemonic_dot(out, scopes[code & 3]);
        if (sass_bits(i, 76, 1))
            mnemonic_dot(out, "PRIVATE");
    } else if (code == 4 && i->row->class != CLASS_load) {
        mnemonic_dot(out, "STRONG.SM.PRIVATE");
    } else {
        mnemonic_dot(out, loads[code]);
    }
}

static void size_name(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, i->arch == SM75 ? "msize75" : "msize", 73);
}

static void ldmod(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", 84);
    mnemonic_field(out, i, "ltc", 68);
    size_name(out, i);
    if (i->arch == SM75 && sass_bits(i, 87, 1))
        mnemonic_dot(out, "ZD");
    order(out, i);
}

static void stmod(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", 84);
    size_name(out, i);
    order(out, i);
}

static void ldcmode(struct buf *out, const struct sass_inst *i)
{
    static const char *const modes[4] = { "", "IL", "IS", "ISL" };

    mnemonic_dot(out, modes[sass_bits(i, 78, 2)]);
}

static void lds(struct buf *out, const struct sass_inst *i)
{
    if (i->arch == SM75 && sass_bits(i, 76, 1))
        mnemonic_dot(out, "U");
}

static void atomg(struct buf *out, const struct sass_inst *i)
{
    static const char *const old[8] = { "",         "S32", "64",     "F32.FTZ.RN",
                                        "F16x2.RN", "S64", "F64.RN", "INVALID7" };
    static const char *const now[8] = { "",    "S32",      "64",       "S64",
                                        "128", "INVALID5", "INVALID6", "INVALID7" };

    mnemonic_dot(out, (i->arch == SM90 ? now : old)[sass_bits(i, 73, 3)]);
}

/* Float atomics of sm_90. */
static void fatomic(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[16] = { "F16x2.RN",   "F16x4.RN",     "F16x8.RN",
                                           "BF16x2.RN",  "BF16x4.RN",    "BF16x8.RN",
                                           "INVALID6",   "INVALID7",     "INVALID8",
                                           "F32.FTZ.RN", "F32x2.FTZ.RN", "F32x4.FTZ.RN",
                                           "F32.RN",     "F32x2.RN",     "F32x4.RN",
                                           "F64.RN" };

    mnemonic_field(out, i, "fop", 87);
    if (i->row->class == CLASS_atomic)
        mnemonic_field(out, i, "evict", 84);
    mnemonic_dot(out, types[sass_bits(i, 73, 4)]);
}

static void ldgmc(struct buf *out, const struct sass_inst *i)
{
    static const char *const types[8] = { "32", "S32", "64", "S64", "", "", "", "" };

    mnemonic_field(out, i, "rop", 87);
    mnemonic_dot(out, types[sass_bits(i, 73, 3)]);
}

static void atomspopc(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 87, 2) == 1 || sass_bits(i, 74, 1))
        mnemonic_dot(out, "ARRIVE.64");
    else
        mnemonic_dot(out, "POPC.INC.32");
}

static void cctl(struct buf *out, const struct sass_inst *i)
{
    static const char *const ops[16] = { "PF1",    "PF2",   "WB",     "IV",
                                         "IVALL",  "RS",    "IVALLP", "WBALL",
                                         "WBALLP", "PML2",  "DML2",   "RML2",
                                         "???12",  "???13", "???14",  "???15" };
    static const char *const caches[8] = { "",     "U",    "C",    "I",
                                           "???4", "???5", "???6", "???7" };

    mnemonic_dot(out, caches[sass_bits(i, 78, 3)]);
    if (sass_bits(i, 72, 1))
        mnemonic_dot(out, "E");
    mnemonic_dot(out, ops[sass_bits(i, 87, 4)]);
}

static void membar(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "memsem", 79);
    mnemonic_field(out, i, "memsc", 76);
}

static void qspc(struct buf *out, const struct sass_inst *i)
{
    static const char *const spaces[4] = { "G", "L", "S", "D" };
    unsigned v = sass_bits(i, 73, 2);

    mnemonic_dot(out, v == 3 && i->arch != SM90 ? "INVALID3" : spaces[v]);
}

static void ldgsts(struct buf *out, const struct sass_inst *i)
{
    unsigned mode = sass_bits(i, 81, 2);

    if (!(mode & 1))
        mnemonic_dot(out, "BYPASS");
    mnemonic_field(out, i, "evict", 84);
    mnemonic_field(out, i, "ltc", 71);
    mnemonic_field(out, i, "msize", 73);
    order(out, i);
    if (mode & 2)
        mnemonic_dot(out, "ZFILL");
}

static void arrive(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 73, 1))
        mnemonic_dot(out, "TMASK");
    if (sass_bits(i, 74, 1))
        mnemonic_dot(out, "RED");
    if (sass_bits(i, 75, 1))
        mnemonic_dot(out, "OPTOUT");
    mnemonic_field(out, i, "synca", 84);
}

static void arrives(struct buf *out, const struct sass_inst *i)
{
    static const char *const counts[4] = { "", "ARVCNT", "TRANSCNT", "INVALID3" };

    if (i->arch == SM90)
        mnemonic_dot(out, counts[sass_bits(i, 70, 2)]);
}

static void synccctl(struct buf *out, const struct sass_inst *i)
{
    if (!sass_bits(i, 91, 1))
        mnemonic_dot(out, "IVALL");
    else
        mnemonic_dot(out, sass_bits(i, 72, 1) ? "WB" : "IV");
}

static void tma(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "tmadim", 79);
    if (sass_bits(i, 82, 1))
        mnemonic_dot(out, "IM2COL");
    if (i->base.op == OP_UTMALDG && sass_bits(i, 75, 1))
        mnemonic_dot(out, "MULTICAST");
}

static void tmacctl(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 82, 1) ? "PF" : "IV");
}

static void ublk(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 73, 1) ? "S" : "G");
    mnemonic_dot(out, sass_bits(i, 74, 1) ? "S" : "G");
    if (i->base.op == OP_UBLKCP && sass_bits(i, 75, 1))
        mnemonic_dot(out, "MULTICAST");
}

static void ublkred(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "rop", 87);
    mnemonic_field(out, i, "ublkt", 81);
}

static void b2r(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 78, 1) ? "RESULT" : "BAR");
}

static void bar(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "bar", 77);
    if (sass_bits(i, 77, 3) == 2)
        mnemonic_field(out, i, "barop", 74);
    if (sass_bits(i, 80, 1))
        mnemonic_dot(out, "DEFER_BLOCKING");
}

static void incdec(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 85, 1))
        mnemonic_dot(out, "INC");
    if (sass_bits(i, 86, 1))
        mnemonic_dot(out, "DEC");
}

static void bra(struct buf *out, const struct sass_inst *i)
{
    static const char *const kinds[4] = { "", "U", "DIV", "CONV" };

    mnemonic_dot(out, kinds[sass_bits(i, 32, 2)]);
    if (sass_bits(i, 32, 2) == 1 && sass_bits(i, 84, 1))
        mnemonic_dot(out, "ANY");
    incdec(out, i);
}

static void warpsync(struct buf *out, const struct sass_inst *i)
{
    bool is_90 = i->arch == SM90;

    if (is_90 && sass_bits(i, 86, 1))
        mnemonic_dot(out, "COLLECTIVE");
    if (sass_bits(i, is_90 ? 85 : 86, 1))
        mnemonic_dot(out, "EXCLUSIVE");
    if (is_90 && i->base.op == OP_WARPSYNC_IMM)
        mnemonic_dot(out, "ALL");
}

static void exit_kind(struct buf *out, const struct sass_inst *i)
{
    static const char *const kinds[4] = { "", "KEEPREFCOUNT", "PREEMPTED", "INVALID3" };

    mnemonic_dot(out, kinds[sass_bits(i, 84, 2)]);
    if (sass_bits(i, 86, 1))
        mnemonic_dot(out, "NO_ATEXIT");
}

static void ret(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 85, 1) ? "ABS" : "REL");
}

static void bpt(struct buf *out, const struct sass_inst *i)
{
    static const char *const kinds[8] = { "DRAIN", "CAL",  "PAUSE", "TRAP",
                                          "INT",   "???5", "???6",  "???7" };

    mnemonic_dot(out, kinds[sass_bits(i, 84, 3)]);
}

static void nanosleep_kind(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 84, 1))
        mnemonic_dot(out, "SYNCS");
    if (sass_bits(i, 85, 1))
        mnemonic_dot(out, "WARP");
    if (sass_bits(i, 86, 1))
        mnemonic_dot(out, "RAND");
}

static void texture_head(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 60, 1))
        mnemonic_dot(out, "SCR");
    if (sass_bits(i, 59, 1) && sass_bits(i, 9, 3) != 7)
        mnemonic_dot(out, "B");
}

/* What the texture instructions have in common; lod is the table of the field at 87,
 * NULL where there is none, bit77 and bit78 what these two say. */
static void texture(struct buf *out, const struct sass_inst *i, const char *lod,
                    const char *bit77, const char *bit78)
{
    texture_head(out, i);
    mnemonic_field(out, i, "tf16", 79);
    if (lod)
        mnemonic_field(out, i, lod, 87);
    if (sass_bits(i, 76, 1))
        mnemonic_dot(out, "AOFFI");
    if (sass_bits(i, 78, 1))
        mnemonic_dot(out, bit78);
    if (sass_bits(i, 77, 1))
        mnemonic_dot(out, bit77);
    if (!lod && sass_bits(i, 87, 1))
        mnemonic_dot(out, "LC");
    mnemonic_field(out, i, "evict", 84);
    if (sass_bits(i, 90, 1))
        mnemonic_dot(out, "NODEP");
}

static void tex(struct buf *out, const struct sass_inst *i)
{
    texture(out, i, "lod", "NDV", "DC");
}

static void tld(struct buf *out, const struct sass_inst *i)
{
    texture(out, i, "tldlod", "CL", "MS");
}

static void tld4(struct buf *out, const struct sass_inst *i)
{
    texture(out, i, "tld4c", "PTP", "DC");
}

static void txd(struct buf *out, const struct sass_inst *i)
{
    texture(out, i, NULL, "", "");
}

static void txq(struct buf *out, const struct sass_inst *i)
{
    texture_head(out, i);
    if (sass_bits(i, 90, 1))
        mnemonic_dot(out, "NODEP");
}

static void surface(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", 84);
    mnemonic_field(out, i, "msize", 73);
    order(out, i);
    mnemonic_field(out, i, "suclamp", 59);
}

static void sustp(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "evict", 84);
    order(out, i);
    mnemonic_field(out, i, "suclamp", 59);
    mnemonic_field(out, i, "sumask", 72);
}

static void sured(struct buf *out, const struct sass_inst *i)
{
    mnemonic_field(out, i, "rop", 87);
    mnemonic_field(out, i, "satype", 73);
    order(out, i);
    mnemonic_field(out, i, "suclamp", 59);
}

static void warpgroup(struct buf *out, const struct sass_inst *i)
{
    if (sass_bits(i, 80, 1))
        mnemonic_dot(out, "DEPBAR.LE");
    else
        mnemonic_dot(out, sass_bits(i, 79, 1) ? "WAIT" : "ARRIVE");
}

static void fence(struct buf *out, const struct sass_inst *i)
{
    mnemonic_dot(out, sass_bits(i, 72, 1) ? "G" : "S");
}

const struct mnemonic_special mnemonic_other[] = {
    { "order", order },
    { "ldmod", ldmod },
    { "stmod", stmod },
    { "ldcmode", ldcmode },
    { "lds", lds },
    { "atomg", atomg },
    { "fatomic", fatomic },
    { "ldgmc", ldgmc },
    { "atomspopc", atomspopc },
    { "cctl", cctl },
    { "membar", membar },
    { "qspc", qspc },
    { "ldgsts", ldgsts },
    { "arrive", arrive },
    { "arrives", arrives },
    { "synccctl", synccctl },
    { "tma", tma },
    { "tmacctl", tmacctl },
    { "ublk", ublk },
    { "ublkred", ublkred },
    { "b2r", b2r },
    { "bar", bar },
    { "incdec", incdec },
    { "bra", bra },
    { "warpsync", warpsync },
    { "exit", exit_kind },
    { "ret", ret },
    { "bpt", bpt },
    { "nanosleep", nanosleep_kind },
    { "tex", tex },
    { "tld", tld },
    { "tld4", tld4 },
    { "txd", txd },
    { "txq", txq },
    { "suld", surface },
    { "sust", surface },
    { "sustp", sustp },
    { "sured", sured },
    { "warpgroup", warpgroup },
    { "fence", fence },
    { NULL, NULL },
};

bool mnemonic_complements(const struct sass_inst *i)
{
    switch (i->base.op) {
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
        return sass_bits(i, 74, 1);
    default:
        return false;
    }
}

/* Which byte or half of the source a conversion takes. */
static void part_suffix(struct buf *out, const struct sass_inst *i)
{
    bool from_int = i->base.op == OP_I2F || i->base.op == OP_I2F_64;
    unsigned part = sass_bits(i, 60, 2), size = sass_bits(i, 84, from_int ? 2 : 3);

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
            buf_puts(out, sass_bits(i, 73, 1) ? ".COL" : ".ROW");
        else if (s->kind == 'R' && s->at == 32)
            buf_puts(out, sass_bits(i, 74, 1) ? ".COL" : ".ROW");
        break;
    case OP_PLOP3_PRP:
    case OP_PLOP3_PRR:
    case OP_PLOP3_SIGN:
        if (s->kind == 'A' || s->kind == 'X' || s->kind == 'R')
            buf_puts(out, ".SIGN");
        break;
    case OP_R2P:
    case OP_UR2UP:
        if (s->kind == 'A' && sass_bits(i, 76, 2))
            buf_printf(out, ".B%u", sass_bits(i, 76, 2));
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
            part_suffix(out, i);
        break;
    case OP_MUFU:
        if (s->kind == '@' && i->opd[1].flags & OPD_H1)
            buf_puts(out, ".H1");
        break;
    case OP_HFMA2:
        if (!strcmp(s->name, "hb") && sass_bits(i, 86, 1))
            buf_puts(out, ".H0_NH1");
        break;
    case OP_F2FP:
        if (is_b || !strcmp(s->name, "f2fpb"))
            if (special_f2fp(i) == F2FP_UNPACK_B && sass_bits(i, 88, 1))
                buf_puts(out, ".H1");
        break;
    case OP_I2IP:
        if (!strcmp(s->name, "i2ipc") && sass_bits(i, 73, 1))
            buf_puts(out, sass_bits(i, 72, 1) ? ".28" : ".24");
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
        return sass_bits(i, is_compare(i) ? 65 : 85, 1) ? 'e' : 'h';
    if (!strcmp(s->name, "cvt"))
        return sass_bits(i, 84, 2) == 3 ? 'd' : 'f';
    if (!strcmp(s->name, "mufu"))
        return (sass_bits(i, 74, 4) & 14) == 6 ? 'D' : 'f';
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
    case OP_JMX:
    case OP_RET:
    case OP_CALL_REL_REG:
    case OP_CALL_ABS_REG:
        return slot == 2 ? " " : usual;
    default:
        return usual;
    }
}
