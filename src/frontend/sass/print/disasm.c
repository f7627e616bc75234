/* disasm.c - the text of one instruction, as nvdisasm writes it.
 *
 * Walks the row's format: modifiers from tables (modifiers.def) or printers of their
 * own (mnemonic.c), operands from the slots the decoder filled.
 */
#include "frontend/sass/print/disasm.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "frontend/sass/decode/special.h"
#include "frontend/sass/decode/sreg.h"
#include "frontend/sass/print/mnemonic.h"

/* What one operand's text depends on. */
struct printer {
    struct buf *out;
    const struct sass_inst *i;
    const struct sass_labels *labels;
};

static void print_hex(struct buf *out, int64_t v)
{
    if (v < 0)
        buf_printf(out, "-0x%" PRIx64, -(uint64_t)v);
    else
        buf_printf(out, "0x%" PRIx64, (uint64_t)v);
}

/* 20 digits as far as needed; large numbers with an exponent and all 20. quiet matters
 * for doubles only: narrower ones are widened first, which makes a NaN quiet. */
static void print_double(struct buf *out, double v, bool quiet)
{
    if (isnan(v))
        buf_printf(out, "%c%cNAN ", signbit(v) ? '-' : '+', quiet ? 'Q' : 'S');
    else if (isinf(v))
        buf_puts(out, v < 0 ? "-INF " : "+INF ");
    else if (fabs(v) >= 1e9)
        buf_printf(out, "%.20e", v);
    else
        buf_printf(out, "%.20g", v);
}

static void print_f32(struct buf *out, uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    print_double(out, (double)f, true);
}

static void print_f64(struct buf *out, uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    print_double(out, d, bits >> 51 & 1);
}

static void print_f16(struct buf *out, uint32_t h)
{
    double m = h & 0x3ff, v;
    unsigned e = h >> 10 & 31;

    if (e == 31)
        v = h & 0x3ff ? (double)NAN : (double)INFINITY;
    else
        v = ldexp(e ? m + 1024 : m, (int)(e ? e : 1) - 25);
    if (h == 0x8000)
        buf_puts(out, "-0.0 ");
    else
        print_double(out, h & 0x8000 ? -v : v, true);
}

static void print_immediate(struct buf *out, const struct operand *o, char type)
{
    uint32_t v = (uint32_t)o->imm;

    switch (type) {
    case 'f':
        print_f32(out, v);
        break;
    case 'd':
        print_f64(out, (uint64_t)o->imm);
        break;
    case 'D': /* the high word of a double */
        print_f64(out, (uint64_t)v << 32);
        break;
    case 'h':
        print_f16(out, v >> 16);
        buf_puts(out, ", ");
        print_f16(out, v & 0xffff);
        break;
    case 'e':
        print_f32(out, v & 0xffff0000u);
        buf_puts(out, ", ");
        print_f32(out, v << 16);
        break;
    case 'u':
        buf_printf(out, "0x%x", v);
        break;
    default:
        print_hex(out, o->imm);
    }
}

static void print_reg(struct buf *out, unsigned reg)
{
    if (reg == REG_RZ)
        buf_puts(out, "RZ");
    else
        buf_printf(out, "R%u", reg);
}

static void print_ureg(struct buf *out, unsigned reg)
{
    if (reg == UREG_URZ)
        buf_puts(out, "URZ");
    else
        buf_printf(out, "UR%u", reg);
}

static void print_predicate(struct buf *out, const struct operand *o)
{
    const char *u = o->kind == OPD_UPRED ? "U" : "";

    if (o->flags & OPD_NOT)
        buf_putc(out, '!');
    if (o->reg == PRED_PT)
        buf_printf(out, "%sPT", u);
    else
        buf_printf(out, "%sP%u", u, o->reg);
}

static void print_offset(struct buf *out, int64_t imm, bool first)
{
    if (!imm && !first)
        return;
    if (!first)
        buf_putc(out, '+');
    print_hex(out, imm);
}

static void print_address(struct buf *out, const struct operand *o)
{
    bool has_ureg = o->flags & OPD_HAS_UREG && !(o->flags & OPD_DESC), first = true;

    if (o->flags & OPD_DESC && !(o->flags & OPD_QUIET)) {
        buf_puts(out, "desc[");
        print_ureg(out, o->ureg);
        buf_putc(out, ']');
    }
    buf_putc(out, '[');
    if (o->reg != REG_RZ || o->scale ||
        (!has_ureg && (!o->imm || o->flags & OPD_SIZED))) {
        print_reg(out, o->reg);
        if (o->scale)
            buf_printf(out, ".X%u", 1u << o->scale);
        if (o->flags & OPD_SIZED)
            buf_puts(out, o->flags & OPD_WIDE ? ".64" : ".U32");
        first = false;
    }
    if (has_ureg) {
        if (!first)
            buf_putc(out, '+');
        print_ureg(out, o->ureg);
        first = false;
    }
    print_offset(out, o->imm, first);
    buf_putc(out, ']');
}

/* c[0x0][0x28], c[0x3][R0+0x8], c[0x0][RZ] */
/* Halves and signs are printed by another part of nvdisasm: with a blank. */
static bool has_blank(const struct sass_inst *i)
{
    return (i->row->class == CLASS_half && i->base.op != OP_F2FP &&
            i->base.op != OP_HFMA2_MMA) ||
           i->base.op == OP_PLOP3_SIGN;
}

static void print_constant(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    bool indexed = o->flags & (OPD_INDEXED | OPD_UINDEXED), first = true;
    unsigned zero = o->flags & OPD_UINDEXED ? UREG_URZ : REG_RZ;

    if (o->kind == OPD_CDESC) {
        buf_puts(out, "cx[");
        print_ureg(out, indexed ? o->ureg : o->reg);
        buf_puts(out, "][");
    } else {
        buf_printf(out, has_blank(i) ? "c[0x%x] [" : "c[0x%x][", o->bank);
    }
    if (indexed && (o->reg != zero || !o->imm)) {
        if (o->flags & OPD_UINDEXED)
            print_ureg(out, o->reg);
        else
            print_reg(out, o->reg);
        first = false;
    }
    print_offset(out, o->imm, first);
    buf_putc(out, ']');
}

static void print_target(struct printer *p, const struct operand *o)
{
    uint64_t base = p->labels ? p->labels->section_base : 0;

    if (p->labels && p->labels->print &&
        p->labels->print(p->labels, p->out, (uint64_t)o->imm))
        return;
    print_hex(p->out, (int64_t)((uint64_t)o->imm - base));
}

static bool is_reused(const struct sass_inst *i, const struct opd_spec *s)
{
    unsigned index = s->is_dst ? 3 : operand_reuse(i, s);

    if (i->row->class == CLASS_load || i->row->class == CLASS_store ||
        i->row->class == CLASS_atomic || i->row->class == CLASS_texture)
        return false;
    if (i->base.control.yield) /* another warp would lose the operands anyway */
        return false;
    return index < 3 && i->base.control.reuse >> index & 1;
}

static const char *half_suffix(unsigned flags)
{
    return flags & OPD_H0    ? ".H0_H0"
           : flags & OPD_H1  ? ".H1_H1"
           : flags & OPD_F32 ? ".F32"
                             : "";
}

/* A register, uniform register or constant with its modifiers. */
static void print_value(struct printer *p, const struct opd_spec *s,
                        const struct operand *o)
{
    struct buf *out = p->out;
    bool not_arithmetic = o->flags & OPD_NEG && mnemonic_complements(p->i);

    if (o->flags & OPD_NEG)
        buf_putc(out, not_arithmetic ? '~' : '-');
    if (o->flags & OPD_NOT)
        buf_putc(out, '~');
    if (o->flags & OPD_ABS)
        buf_putc(out, '|');
    if (o->kind == OPD_REG)
        print_reg(out, o->reg);
    else if (o->kind == OPD_UREG)
        print_ureg(out, o->reg);
    else
        print_constant(out, p->i, o);
    if (o->flags & OPD_ABS)
        buf_putc(out, '|');
    if (o->kind == OPD_REG && is_reused(p->i, s))
        buf_puts(out, ".reuse");
    if (p->i->base.op != OP_MUFU)
        buf_puts(out, half_suffix(o->flags));
    mnemonic_suffix(out, p->i, s);
}

_Static_assert(IADD3_X == LEA_X && IADD3_X == IMAD_X, "?Y is for all three");

static bool is_hidden(const struct sass_inst *i, const struct opd_spec *s,
                      const struct operand *o)
{
    bool is_pt = (o->kind == OPD_PRED || o->kind == OPD_UPRED) && o->reg == PRED_PT;

    switch (s->hide) {
    case 'T':
        return is_pt && !(o->flags & OPD_NOT);
    case 'F':
        return is_pt && o->flags & OPD_NOT;
    case 'Z':
        return o->kind == OPD_IMM ? !o->imm
                                  : o->reg == (o->kind == OPD_REG ? REG_RZ : UREG_URZ);
    case 'M':
        return o->imm == 0xf;
    case 'X':
        return !sass_has(i, ISETP_EX);
    case 'Y':
        return !sass_has(i, IADD3_X);
    case 'H':
        return !sass_has(i, LEA_HI) || sass_has(i, LEA_SX32);
    case 'G':
        return sass_has(i, MATCH_ANY);
    case 'O':
        return is_pt && !sass_has(i, R2UR_OR);
    case 'B':
        return o->imm == 0xff;
    case 'Q': /* carries, which sm_100 shows always */
        return i->arch < SM100 && is_pt && !(o->flags & OPD_NOT);
    case 'U':
        if (i->arch >= SM100)
            return false;
        return i->opd[VIMNMX_PD].reg == PRED_PT && i->opd[VIMNMX_PD2].reg == PRED_PT;
    case 'V':
        return i->opd[VIMNMX_PD].reg == PRED_PT && i->opd[VIMNMX_PD2].reg == PRED_PT;
    default:
        return s->hide == 'N';
    }
}

static void print_operand(struct printer *p, const struct opd_spec *s,
                          const struct operand *o)
{
    const struct special *special = s->kind == '@' ? special_find(s->name) : NULL;

    if (special && special->print) {
        special->print(p->out, p->i, o);
        return;
    }
    switch (o->kind) {
    case OPD_REG:
    case OPD_UREG:
    case OPD_CONST:
    case OPD_CDESC:
        print_value(p, s, o);
        break;
    case OPD_PRED:
    case OPD_UPRED:
        print_predicate(p->out, o);
        break;
    case OPD_BREG:
        buf_printf(p->out, "B%u", o->reg);
        break;
    case OPD_IMM:
        print_immediate(p->out, o, mnemonic_immediate(p->i, s));
        break;
    case OPD_SREG:
        sreg_print(p->out, p->i->arch, (unsigned)o->imm);
        break;
    case OPD_ADDR:
        print_address(p->out, o);
        break;
    case OPD_TARGET:
        print_target(p, o);
        break;
    default:
        break;
    }
}

static void print_guard(struct buf *out, const struct sass_inst *i)
{
    struct operand o = { .kind = i->guard_uniform ? OPD_UPRED : OPD_PRED,
                         .reg = i->guard,
                         .flags = i->guard_not ? OPD_NOT : 0 };

    if (i->guard == PRED_PT && !i->guard_not)
        return;
    buf_putc(out, '@');
    print_predicate(out, &o);
    buf_putc(out, ' ');
}

void sass_print(struct buf *out, const struct sass_inst *i, const struct sass_labels *l)
{
    struct printer p = { out, i, l };
    struct opd_spec spec;
    const char *format, *separator = " ";
    unsigned slot = 0;

    if (!i->row) {
        buf_printf(out, "??? 0x%016" PRIx64 "%016" PRIx64, i->word.hi, i->word.lo);
        return;
    }
    print_guard(out, i);
    format = i->row->format;
    mnemonic_print(out, i, &format);
    while (slot < i->n_opds && format_operand(&format, &spec)) {
        const struct operand *o = &i->opd[slot++];
        size_t before = out->len, start;

        if (is_hidden(i, &spec, o))
            continue;
        buf_puts(out, mnemonic_separator(i, slot - 1, separator));
        start = out->len;
        print_operand(&p, &spec, o);
        if (out->len == start) {
            out->len = before;
            out->data[before] = '\0';
            continue;
        }
        separator = ", ";
    }
}
