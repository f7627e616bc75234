/* operand.c - fills one operand slot from the instruction word, by the general scheme of
 * format.h. Operands with a shape of their own are in special.c.
 */
#include "frontend/sass/decode/operand.h"

#include <string.h>

/* Registers that A, B and C of a tensor product take, by the field that gives its shape;
 * D takes what C does. mma.c has the layouts. */
struct tensor_regs {
    uint8_t a, b, c;
};

static struct tensor_regs hmma_regs(const struct sass_inst *i)
{
    bool k16 = sass_has(i, HMMA_K16), k4 = sass_has(i, HMMA_K4);
    bool tf32 = sass_field(i, HMMA_TYPE) == 2, wide = k16 || (tf32 && !k4);
    uint8_t c = sass_has(i, HMMA_F32) ? 4 : 2; /* fp32 or fp16 accumulators */

    return wide ? (struct tensor_regs){ 4, 2, c } : (struct tensor_regs){ 2, 1, c };
}

static struct tensor_regs tensor_regs(const struct sass_inst *i)
{
    static const struct tensor_regs dmma[4] = {
        { 2, 2, 4 }, { 4, 2, 8 }, { 8, 4, 8 }, { 16, 8, 8 }
    };
    static const struct tensor_regs bmma[4] = {
        { 1, 1, 2 }, { 2, 1, 4 }, { 4, 2, 4 }, { 4, 2, 4 }
    };
    bool nibbles = sass_has(i, IMMA_NIBBLES_A), tall = sass_has(i, IMMA_TALL);
    bool deep = sass_has(i, nibbles ? IMMA_DEEP_NIBBLES : IMMA_DEEP);

    switch (i->base.op) {
    case OP_HMMA:
        return hmma_regs(i);
    case OP_DMMA:
        return dmma[sass_field(i, DMMA_SHAPE)];
    case OP_BMMA:
        return bmma[sass_field(i, BMMA_SHAPE)];
    default: /* IMMA: 8 or 16 rows, k of one or two registers of B */
        if (!tall)
            return (struct tensor_regs){ 1, 1, 2 };
        return deep ? (struct tensor_regs){ 4, 2, 4 } : (struct tensor_regs){ 2, 1, 4 };
    }
}

unsigned operand_gmma_columns(const struct sass_inst *i)
{
    bool is_int = i->base.op == OP_IGMMA || i->base.op == OP_BGMMA;
    unsigned v = i->base.op == OP_IGMMA ? sass_field(i, WGMMA_COLUMNS_INT) / 3
                                        : sass_field(i, WGMMA_COLUMNS);

    return is_int && v >= 4 ? 16 * (v - 1) : 8 * (v + 1);
}

bool operand_gmma_has_a(const struct sass_inst *i)
{
    return sass_field(i, WORD_FORM) == 6;
}

unsigned operand_gmma_registers(const struct sass_inst *i)
{
    bool is_f16 =
        (i->base.op == OP_HGMMA || i->base.op == OP_QGMMA) && !sass_has(i, WGMMA_F32);

    return operand_gmma_columns(i) / (is_f16 ? 4 : 2);
}

enum mufu_type operand_mufu_type(const struct sass_inst *i)
{
    if (i->arch < SM90)
        return sass_has(i, MUFU_F16) ? MUFU_OF_F16 : MUFU_OF_F32;
    if (i->arch == SM100 && sass_has(i, MUFU_BF16X2))
        return MUFU_OF_BF16X2;
    return (enum mufu_type)sass_field(i, MUFU_TYPE);
}

/* Registers that an operand takes, by the letter in the format. */
unsigned operand_count(const struct sass_inst *i, char count)
{
    static const uint8_t by_size[8] = { 1, 1, 1, 1, 1, 2, 4, 4 };
    static const uint8_t by_float[16] = {
        1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2
    };

    switch (count) {
    case 'm': /* memory access size */
        return by_size[sass_field(i, LD_SIZE)];
    case 'w': /* CS2R: 64 bits unless .32 */
        return sass_has(i, CS2R_32) ? 1 : 2;
    case 'x': /* atomic type: 64-bit ones take two, from sm_90 on there is a 128 */
        if (i->arch >= SM90)
            return (unsigned[]){ 1, 1, 2, 2, 4, 2, 1, 1 }[sass_field(i, ATOM_TYPE)];
        return 0x64u >> sass_field(i, ATOM_TYPE) & 1 ? 2 : 1;
    case 'c': /* compare and swap: 32, 64, 128 bits */
        return (unsigned[]){ 1, 1, 2, 1, 4, 1, 1, 1 }[sass_field(i, ATOM_CAS_TYPE)];
    case 'f': /* float atomic of sm_90 */
        return by_float[sass_field(i, ATOM_F_TYPE)];
    case 'A': /* ATOMS.POPC or ARRIVE */
        return sass_has(i, ATOMS_POPC_IS_64) ? 2 : 1;
    case 'v': /* 64 bits, on sm_120 */
        return sass_has(i, ISETP_64_IS_64) ? 2 : 1;
    case 'y':
        return sass_has(i, MATCH_U64) ? 2 : 1;
    case 'L': /* LDSM: 1, 2, 4 matrices */
        return (i->arch >= SM100 && i->base.op == OP_LDSM && sass_has(i, LDSM_MT1616)
                    ? 2u
                    : 1u)
               << sass_field(i, LDSM_COUNT);
    case 'W': /* words of the first half of 32 bytes, and of the second */
        return (unsigned)__builtin_popcount(sass_field(i, WORDS_WANTED) & 0xf);
    case 'H':
        return (unsigned)__builtin_popcount(sass_field(i, WORDS_WANTED) >> 4) +
               sass_field(i, WORDS_LAST);
    case 't': /* tensor memory: columns of a register, two or four each */
        return (unsigned[]){
            2, 4, 1, 1, 1, 1, 1, 1
        }[sass_field(i, LDTM_SHAPE_HIGH) << 2 | sass_field(i, LDTM_SHAPE)]
               << sass_field(i, LDTM_COUNT);
    case 'z': /* conversion result: log2 of bytes */
        return sass_field(i, F2I_TO) == 3 ? 2 : 1;
    case 'p': /* tensor operands */
        return tensor_regs(i).a;
    case 'q':
        return tensor_regs(i).b;
    case 'r':
        return tensor_regs(i).c;
    default:
        return (unsigned)(count - '0');
    }
}

void operand_register(struct operand *o, enum opd_kind kind, unsigned reg, unsigned n)
{
    o->kind = (uint8_t)kind;
    o->reg = (uint8_t)reg;
    o->n_regs = reg == (kind == OPD_REG ? REG_RZ : UREG_URZ) ? 0 : (uint8_t)n;
}

/* The register of a field, of the file the instruction works on. */
static void set_plain(const struct sass_inst *i, struct operand *o, enum sass_field reg,
                      unsigned n)
{
    if (i->row->class == CLASS_uniform)
        operand_register(o, OPD_UREG, sass_uniform_field(i, reg), n);
    else
        operand_register(o, OPD_REG, sass_field(i, reg), n);
}

static void set_const(const struct sass_inst *i, struct operand *o)
{
    if (sass_has(i, CONSTANT_IS_BOUND)) {
        o->kind = OPD_CDESC;
        o->reg = (uint8_t)sass_uniform_field(i, WORD_UB);
    } else {
        o->kind = OPD_CONST;
        o->bank = (uint8_t)sass_field(i, CONSTANT_BANK);
    }
    o->imm = sass_signed(i, CONSTANT_OFFSET);
}

static void set_immediate(const struct sass_inst *i, struct operand *o, char type)
{
    uint32_t v = sass_field(i, WORD_IMM);

    o->kind = OPD_IMM;
    o->imm = type == 'd' ? (int64_t)((uint64_t)v << 32) : (int64_t)(int32_t)v;
}

void operand_field32(const struct sass_inst *i, struct operand *o, char type,
                     unsigned n)
{
    switch (sass_field(i, WORD_FORM)) {
    case 1:
        set_plain(i, o, WORD_RB, n);
        break;
    case 2:
    case 4:
        set_immediate(i, o, type);
        break;
    case 3:
    case 5:
        set_const(i, o);
        break;
    case 6:
    case 7:
        operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UB), n);
        break;
    default:
        o->kind = OPD_NONE;
    }
}

/* Forms 2, 3 and 7 put the third source where others have the second, and the reverse. */
enum sass_field operand_field(const struct sass_inst *i, char kind)
{
    unsigned form = sass_field(i, WORD_FORM);
    bool swapped = form == 2 || form == 3 || form == 7;

    if (kind == 'A')
        return WORD_RA;
    if (kind == 'X')
        return WORD_RB;
    return (kind == 'C') == swapped ? WORD_RB : WORD_RC;
}

/* The bit of a modifier; 1 in a format means the usual one of a source whose register
 * is at bit at. */
static unsigned modifier_bit(unsigned named, unsigned at, bool is_abs)
{
    if (named != 1)
        return named;
    if (at == field_at(WORD_RA))
        return field_at(is_abs ? SOURCE_ABS_A : SOURCE_NEG_A);
    if (at == field_at(WORD_RB))
        return field_at(is_abs ? SOURCE_ABS_B : SOURCE_NEG_B);
    return field_at(is_abs ? SOURCE_ABS_C : SOURCE_NEG_C);
}

/* at: the bit of the register. The bit that negates b is another thing's where b is in
 * the third field. */
static void set_flags(const struct sass_inst *i, struct operand *o,
                      const struct opd_spec *s, unsigned at)
{
    unsigned neg = modifier_bit(s->neg, at, false);
    unsigned abs = modifier_bit(s->abs, at, true);

    if (o->kind == OPD_IMM ||
        (s->neg == field_at(SOURCE_NEG_B) && s->kind == 'B' && at == field_at(WORD_RC)))
        return;
    if (neg && sass_bits(i, neg, 1))
        o->flags |= OPD_NEG;
    if (abs && sass_bits(i, abs, 1))
        o->flags |= OPD_ABS;
    if (s->not &&sass_bits(i, s->not, 1))
        o->flags |= OPD_NOT;
}

static void set_source(const struct sass_inst *i, struct operand *o,
                       const struct opd_spec *s, unsigned n)
{
    enum sass_field reg = operand_field(i, s->kind);

    if (reg == WORD_RB)
        operand_field32(i, o, s->type, n);
    else
        set_plain(i, o, reg, n);
    set_flags(i, o, s, field_at(reg));
}

static void set_predicate(const struct sass_inst *i, struct operand *o,
                          const struct opd_spec *s)
{
    o->kind = s->kind == 'P' ? OPD_PRED : OPD_UPRED;
    o->reg = (uint8_t)sass_bits(i, s->at, 3);
    if (!s->is_dst && sass_bits(i, s->at + 3u, 1))
        o->flags |= OPD_NOT;
}

int64_t operand_displacement(const struct sass_inst *i)
{
    int64_t words = sass_signed(i, BRANCH_DISPLACEMENT);

    if (i->arch >= SM90)
        words = words * (1 << field_width(BRANCH_LOW)) + sass_field(i, BRANCH_LOW);
    return 4 * words;
}

static void set_value(const struct sass_inst *i, struct operand *o,
                      const struct opd_spec *s)
{
    o->kind = s->kind == 'S' ? OPD_SREG : OPD_IMM;
    if (s->kind == 's')
        o->imm = word_signed(i->word, s->at, s->width);
    else
        o->imm = (int64_t)word_bits(i->word, s->at, s->kind == 'S' ? 8 : s->width);
}

void operand_fill(const struct sass_inst *i, const struct opd_spec *s,
                  struct operand *o)
{
    unsigned n = operand_count(i, s->count);

    *o = (struct operand){ 0 };
    switch (s->kind) {
    case 'D':
        set_plain(i, o, WORD_RD, n);
        break;
    case 'R':
    case 'U':
        if (s->kind == 'R')
            operand_register(o, OPD_REG, sass_bits(i, s->at, 8), n);
        else
            operand_register(o, OPD_UREG, sass_uniform_field(i, s->at), n);
        set_flags(i, o, s, s->at);
        break;
    case 'P':
    case 'V':
        set_predicate(i, o, s);
        break;
    case 'K':
        o->kind = OPD_BREG;
        o->reg = (uint8_t)sass_bits(i, s->at, 4);
        break;
    case 'i':
    case 's':
    case 'S':
        set_value(i, o, s);
        break;
    case 'T':
        o->kind = OPD_TARGET;
        o->imm = (int64_t)i->base.pc + 16 + operand_displacement(i);
        break;
    case '@':
        special_fill(i, s, o);
        break;
    default:
        set_source(i, o, s, n);
    }
    if (s->is_dst)
        o->flags |= OPD_DST;
}

unsigned operand_reuse(const struct sass_inst *i, const struct opd_spec *s)
{
    static const struct {
        const char *name;
        uint8_t index;
    } special[] = { { "ha", 0 },    { "hb", 1 },    { "hc", 2 },    { "cvt", 1 },
                    { "icvt", 1 },  { "mufu", 1 },  { "ia", 0 },    { "ib", 1 },
                    { "f2fpa", 0 }, { "f2fpb", 1 }, { "f2fpc", 2 }, { "hx", 1 },
                    { "i2ipc", 2 }, { "sel64", 1 } };
    bool in_third = i->row->forms == FORMS_THIRD;

    switch (s->kind) {
    case 'A':
        return 0;
    case 'B':
        return 1;
    case 'X':
        return in_third ? 2 : 1;
    case 'C':
        return 2;
    case 'R':
        return s->at == field_at(WORD_RA)   ? 0
               : s->at == field_at(WORD_RB) ? 1
               : s->at == field_at(WORD_RC) ? 2
                                            : 3;
    case '@':
        if (!strcmp(s->name, "hx") && in_third)
            return 2;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            if (!strcmp(special[k].name, s->name))
                return special[k].index;
        return 3;
    default:
        return 3;
    }
}
