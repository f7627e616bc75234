/* special_control.c - operands of branches, barriers and the like. */
#include <inttypes.h>

#include "frontend/sass/decode/special.h"

/* BSSY has a displacement of 30 bits, never split. */
static void bssy_target(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + 4 * word_signed(i->word, 34, 30);
}

/* An absolute code address. */
static void absolute(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = operand_displacement(i);
}

/* What is added to a register: relative to the next instruction, or nothing. */
static void relative(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + operand_displacement(i);
}

static void ret_target(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, 85, 1))
        absolute(i, o);
    else
        relative(i, o);
}

/* A predicate whose number is stored complemented, so that 0 is PT. */
static void inverted(const struct sass_inst *i, struct operand *o, unsigned at,
                     enum opd_kind kind)
{
    o->kind = (uint8_t)kind;
    o->reg = (uint8_t)(sass_bits(i, at, 3) ^ 7);
    if (sass_bits(i, at + 3, 1))
        o->flags |= OPD_NOT;
}

static void load_predicate(const struct sass_inst *i, struct operand *o)
{
    inverted(i, o, 64, OPD_PRED);
}

static void hmma_predicate(const struct sass_inst *i, struct operand *o)
{
    inverted(i, o, 87, OPD_UPRED);
}

static void print_absolute(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    if (o->imm || i->base.op == OP_JMX)
        buf_printf(out, "0x%" PRIx64, (uint64_t)o->imm);
}

static void lepc_here(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc;
}

/* LEPC's distance lies where no branch has one, and counts bytes. */
static void lepc_target(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + word_signed(i->word, 24, 58);
}

static void print_nothing(struct buf *out, const struct sass_inst *i,
                          const struct operand *o)
{
    (void)out;
    (void)i;
    (void)o;
}

/* BRA.U tests a uniform predicate, .DIV and .CONV a mask in a uniform register. */
static void bra_mask(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, 9, 3) == 2) {
        o->kind = OPD_UPRED;
        o->reg = (uint8_t)sass_bits(i, 24, 3);
        if (sass_bits(i, 27, 1))
            o->flags |= OPD_NOT;
        return;
    }
    if (!sass_bits(i, 91, 1))
        return; /* plain, or all lanes */
    operand_register(o, OPD_UREG, sass_bits(i, 24, 6), 1);
    if (sass_bits(i, 30, 1))
        o->flags |= OPD_NOT; /* ~URZ is all lanes */
}

static void collect_target(const struct sass_inst *i, struct operand *o)
{
    if (i->arch == SM90 && sass_bits(i, 86, 1))
        relative(i, o);
}

static void warpsync_register(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_bits(i, i->arch == SM90 ? 24 : 32, 8), 1);
}

static void warpsync_mask(const struct sass_inst *i, struct operand *o)
{
    if (i->arch == SM90)
        return; /* .ALL */
    o->kind = OPD_IMM;
    o->imm = sass_bits(i, 32, 32);
}

static void print_rpc(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    unsigned at = i->base.op == OP_RPCMOV_TO ? 31 : 31;

    (void)o;
    buf_puts(out, sass_bits(i, at, 1) ? "Rpc.HI" : "Rpc.LO");
}

static void barrier_register(const struct sass_inst *i, struct operand *o)
{
    unsigned n = sass_bits(i, 24, 6);

    if (n >= 16)
        return;
    o->kind = OPD_BREG;
    o->reg = (uint8_t)n;
}

static void barrier_register_dst(const struct sass_inst *i, struct operand *o)
{
    barrier_register(i, o);
    o->flags |= OPD_DST;
}

static void print_breg(struct buf *out, const struct sass_inst *i,
                       const struct operand *o)
{
    (void)o;
    special_table(out, "bmov", sass_bits(i, 24, 6));
}

/* BAR: number and thread count are each a register or an immediate, by the form. */
static void bar_id(const struct sass_inst *i, struct operand *o)
{
    unsigned form = sass_bits(i, 9, 3);

    if (form == 4 || form == 5) {
        o->kind = OPD_IMM;
        o->imm = sass_bits(i, 54, 4);
    } else {
        operand_register(o, OPD_REG, sass_bits(i, 32, 8), 1);
    }
    if (form == 2) { /* register number, immediate count */
        operand_register(o, OPD_REG, sass_bits(i, 32, 8), 1);
    }
}

static void bar_count(const struct sass_inst *i, struct operand *o)
{
    unsigned form = sass_bits(i, 9, 3);

    if (form == 4) {
        operand_register(o, OPD_REG, sass_bits(i, 32, 8), 1);
    } else if (form == 1) {
        operand_register(o, OPD_REG, sass_bits(i, 32, 8), 1);
    } else if (sass_bits(i, 42, 12)) {
        o->kind = OPD_IMM;
        o->imm = sass_bits(i, 42, 12);
    }
}

static void bar_predicate(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, 77, 3) != 2)
        return;
    o->kind = OPD_PRED;
    o->reg = (uint8_t)sass_bits(i, 87, 3);
    if (sass_bits(i, 90, 1))
        o->flags |= OPD_NOT;
}

/* B2R.RESULT P; B2R.BAR 0x0 reads a barrier instead. */
static void b2r_source(const struct sass_inst *i, struct operand *o)
{
    if (sass_bits(i, 77, 2) != 2) {
        o->kind = OPD_IMM;
        o->imm = sass_bits(i, 54, 4);
        return;
    }
    o->kind = OPD_PRED;
    o->reg = (uint8_t)sass_bits(i, 81, 3);
    o->flags |= OPD_DST;
}

static void print_b2r(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    (void)i;
    if (o->kind == OPD_IMM)
        buf_printf(out, "0x%" PRIx64, (uint64_t)o->imm);
    else if (o->reg != PRED_PT)
        buf_printf(out, "P%u", o->reg);
}

static void print_depbar(struct buf *out, const struct sass_inst *i,
                         const struct operand *o)
{
    unsigned set = sass_bits(i, 32, 6);
    const char *comma = "";

    (void)o;
    if (sass_bits(i, 47, 1)) {
        buf_printf(out, "SB%u, 0x%x", sass_bits(i, 44, 3), sass_bits(i, 38, 6));
        if (set)
            buf_puts(out, ", ");
    }
    if (!set)
        return;
    buf_putc(out, '{');
    for (int k = 5; k >= 0; k--) {
        if (!(set >> k & 1))
            continue;
        buf_printf(out, "%s%d", comma, k);
        comma = ",";
    }
    buf_putc(out, '}');
}

static void print_gsb(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    (void)o;
    if (sass_bits(i, 80, 1))
        buf_printf(out, "gsb%u", sass_bits(i, 84, 3));
}

static void print_gsb_count(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    (void)o;
    if (sass_bits(i, 80, 1))
        buf_printf(out, "0x%x", sass_bits(i, 72, 3));
}

const struct special special_control[] = {
    { "bssy", bssy_target, NULL },
    { "target", absolute, NULL },
    { "abs", absolute, print_absolute },
    { "ldp", load_predicate, NULL },
    { "hmmap", hmma_predicate, NULL },
    { "rel", relative, NULL },
    { "ret", ret_target, NULL },
    { "pc", lepc_here, print_nothing },
    { "lepc", lepc_target, NULL },
    { "bramask", bra_mask, NULL },
    { "collect", collect_target, NULL },
    { "wsmask", warpsync_mask, NULL },
    { "wsreg", warpsync_register, NULL },
    { "rpc", NULL, print_rpc },
    { "breg", barrier_register, print_breg },
    { "bregd", barrier_register_dst, print_breg },
    { "barid", bar_id, NULL },
    { "barcount", bar_count, NULL },
    { "barpred", bar_predicate, NULL },
    { "b2r", b2r_source, print_b2r },
    { "depbar", NULL, print_depbar },
    { "gsb", NULL, print_gsb },
    { "gsbn", NULL, print_gsb_count },
    { NULL, NULL, NULL },
};
