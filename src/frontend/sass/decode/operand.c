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
    bool k16 = sass_bits(i, 75, 1), k4 = sass_bits(i, 78, 1);
    bool tf32 = sass_bits(i, 82, 2) == 2, wide = k16 || (tf32 && !k4);
    uint8_t c = sass_bits(i, 76, 1) ? 4 : 2; /* fp32 or fp16 accumulators */

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
    bool nibbles = sass_bits(i, 83, 1), tall = sass_bits(i, 86, 1);
    bool deep = nibbles ? sass_bits(i, 85, 1) : sass_bits(i, 75, 1);

    switch (i->base.op) {
    case OP_HMMA:
        return hmma_regs(i);
    case OP_DMMA:
        return dmma[sass_bits(i, 76, 2)];
    case OP_BMMA:
        return bmma[sass_bits(i, 75, 2)];
    default: /* IMMA: 8 or 16 rows, k of one or two registers of B */
        if (!tall)
            return (struct tensor_regs){ 1, 1, 2 };
        return deep ? (struct tensor_regs){ 4, 2, 4 } : (struct tensor_regs){ 2, 1, 4 };
    }
}

unsigned operand_gmma_columns(const struct sass_inst *i)
{
    bool is_int = i->base.op == OP_IGMMA || i->base.op == OP_BGMMA;
    unsigned v = sass_bits(i, i->base.op == OP_IGMMA ? 54 : 53, 5);

    return is_int && v >= 4 ? 16 * (v - 1) : 8 * (v + 1);
}

unsigned operand_gmma_registers(const struct sass_inst *i)
{
    bool is_f16 =
        (i->base.op == OP_HGMMA || i->base.op == OP_QGMMA) && !sass_bits(i, 75, 1);

    return operand_gmma_columns(i) / (is_f16 ? 4 : 2);
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
        return by_size[sass_bits(i, 73, 3)];
    case 'w': /* CS2R: bit 80 is 64-bit */
        return 1 + sass_bits(i, 80, 1);
    case 'x': /* atomic type: 64-bit ones take two, from sm_90 on there is a 128 */
        if (i->arch == SM90)
            return (unsigned[]){ 1, 1, 2, 2, 4, 2, 1, 1 }[sass_bits(i, 73, 3)];
        return 0x64u >> sass_bits(i, 73, 3) & 1 ? 2 : 1;
    case 'c': /* compare and swap: 32, 64, 128 bits */
        return sass_bits(i, 73, 3) == 2 ? 2 : sass_bits(i, 73, 3) == 4 ? 4 : 1;
    case 'f': /* float atomic of sm_90 */
        return by_float[sass_bits(i, 73, 4)];
    case 'A':
        return sass_bits(i, 87, 1) ? 2 : 1;
    case 'y': /* MATCH: bit 73 is 64-bit */
        return 1 + sass_bits(i, 73, 1);
    case 'L': /* LDSM: 1, 2, 4 matrices */
        return 1u << sass_bits(i, 72, 2);
    case 'z': /* conversion result: log2 of bytes at 75 */
        return sass_bits(i, 75, 2) == 3 ? 2 : 1;
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

/* A register at bit at, of the file the instruction works on. */
static void set_plain(const struct sass_inst *i, struct operand *o, unsigned at,
                      unsigned n)
{
    if (i->row->class == CLASS_uniform)
        operand_register(o, OPD_UREG, sass_bits(i, at, 6), n);
    else
        operand_register(o, OPD_REG, sass_bits(i, at, 8), n);
}

static void set_const(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, 91, 1)) {
        o->kind = OPD_CDESC;
        o->reg = (uint8_t)sass_bits(i, 32, 6);
    } else {
        o->kind = OPD_CONST;
        o->bank = (uint8_t)sass_bits(i, 54, 5);
    }
    o->imm = word_signed(i->word, 38, 16);
}

static void set_immediate(const struct sass_inst *i, struct operand *o, char type)
{
    uint32_t v = sass_bits(i, 32, 32);

    o->kind = OPD_IMM;
    o->imm = type == 'd' ? (int64_t)((uint64_t)v << 32) : (int64_t)(int32_t)v;
}

void operand_field32(const struct sass_inst *i, struct operand *o, char type,
                     unsigned n)
{
    switch (sass_bits(i, 9, 3)) {
    case 1:
        set_plain(i, o, 32, n);
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
        operand_register(o, OPD_UREG, sass_bits(i, 32, 6), n);
        break;
    default:
        o->kind = OPD_NONE;
    }
}

/* Forms 2, 3 and 7 put the third source into the field at bit 32, the second at 64. */
unsigned operand_field(const struct sass_inst *i, char kind)
{
    unsigned form = sass_bits(i, 9, 3);
    bool swapped = form == 2 || form == 3 || form == 7;

    if (kind == 'A')
        return 24;
    if (kind == 'X')
        return 32;
    return (kind == 'C') == swapped ? 32 : 64;
}

/* 1 in a format means the usual modifier bit of the field. */
static unsigned modifier_bit(unsigned named, unsigned field, bool is_abs)
{
    if (named != 1)
        return named;
    if (field == 24)
        return is_abs ? 73 : 72;
    if (field == 32)
        return is_abs ? 62 : 63;
    return is_abs ? 74 : 75;
}

static void set_flags(const struct sass_inst *i, struct operand *o,
                      const struct opd_spec *s, unsigned field)
{
    unsigned neg = modifier_bit(s->neg, field, false);
    unsigned abs = modifier_bit(s->abs, field, true);

    if (o->kind == OPD_IMM || (s->neg == 63 && s->kind == 'B' && field == 64))
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
    unsigned field = operand_field(i, s->kind);

    if (field == 32)
        operand_field32(i, o, s->type, n);
    else
        set_plain(i, o, field, n);
    set_flags(i, o, s, field);
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
    if (i->arch == SM90)
        return 4 * (word_signed(i->word, 34, 48) * 256 + (int64_t)sass_bits(i, 16, 8));
    return 4 * word_signed(i->word, 34, 48);
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
        set_plain(i, o, 16, n);
        break;
    case 'R':
    case 'U':
        operand_register(o, s->kind == 'R' ? OPD_REG : OPD_UREG,
                         sass_bits(i, s->at, s->kind == 'R' ? 8 : 6), n);
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
                    { "f2fpa", 0 }, { "f2fpb", 1 }, { "f2fpc", 2 }, { "hx", 1 } };
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
        return s->at == 24 ? 0 : s->at == 32 ? 1 : s->at == 64 ? 2 : 3;
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
