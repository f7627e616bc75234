/* special_control.c - operands of branches, barriers and the like. */
#include <inttypes.h>

#include "frontend/sass/decode/special.h"

/* The displacement of BSSY is never split. */
static void fill_bssy_target(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + 4 * sass_signed(i, BSSY_DISPLACEMENT);
}

/* An absolute code address. */
static void fill_absolute(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = operand_displacement(i);
}

/* What is added to a register: relative to the next instruction, or nothing. */
static void fill_relative(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + operand_displacement(i);
}

static void fill_ret_target(const struct sass_inst *i, struct operand *o)
{
    if (sass_has(i, RET_ABS))
        fill_absolute(i, o);
    else
        fill_relative(i, o);
}

/* A predicate whose number is stored complemented, so that 0 is PT. */
static void set_complemented(struct operand *o, enum opd_kind kind, unsigned number,
                             bool is_not)
{
    o->kind = (uint8_t)kind;
    o->reg = (uint8_t)(number ^ PRED_PT);
    if (is_not)
        o->flags |= OPD_NOT;
}

static void fill_load_predicate(const struct sass_inst *i, struct operand *o)
{
    set_complemented(o, OPD_PRED, sass_field(i, LDP_P_NUMBER), sass_has(i, LDP_P_NOT));
}

static void fill_hmma_predicate(const struct sass_inst *i, struct operand *o)
{
    set_complemented(o, OPD_UPRED, sass_field(i, HMMAP_P_NUMBER),
                     sass_has(i, HMMAP_P_NOT));
}

static void print_absolute(struct buf *out, const struct sass_inst *i,
                           const struct operand *o)
{
    if (o->imm || i->base.op == OP_JMX)
        buf_printf(out, "0x%" PRIx64, (uint64_t)o->imm);
}

static void fill_lepc_here(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc;
}

/* LEPC's distance lies where no branch has one, and counts bytes. */
static void fill_lepc_target(const struct sass_inst *i, struct operand *o)
{
    o->kind = OPD_TARGET;
    o->imm = (int64_t)i->base.pc + 16 + sass_signed(i, LEPC_DISPLACEMENT);
}

static void print_nothing(struct buf *out, const struct sass_inst *i,
                          const struct operand *o)
{
    (void)out;
    (void)i;
    (void)o;
}

/* BRA.U tests a uniform predicate, .DIV and .CONV a mask in a uniform register. */
static void fill_bra_mask(const struct sass_inst *i, struct operand *o)
{
    if (sass_field(i, WORD_FORM) == 2) {
        o->kind = OPD_UPRED;
        o->reg = (uint8_t)sass_field(i, BRAMASK_UP);
        if (sass_has(i, BRAMASK_UP_NOT))
            o->flags |= OPD_NOT;
        return;
    }
    if (!sass_has(i, BRAMASK_HAS_MASK))
        return; /* plain, or all lanes */
    operand_register(o, OPD_UREG, sass_uniform_field(i, WORD_UA), 1);
    if (sass_has(i, BRAMASK_MASK_NOT))
        o->flags |= OPD_NOT; /* ~URZ is all lanes */
}

static void fill_collect_target(const struct sass_inst *i, struct operand *o)
{
    if (i->arch >= SM90 && sass_has(i, WARPSYNC_COLLECTIVE))
        fill_relative(i, o);
}

static void fill_warpsync_register(const struct sass_inst *i, struct operand *o)
{
    operand_register(o, OPD_REG, sass_field(i, i->arch >= SM90 ? WORD_RA : WORD_RB), 1);
}

static void fill_warpsync_mask(const struct sass_inst *i, struct operand *o)
{
    if (i->arch >= SM90)
        return; /* .ALL */
    o->kind = OPD_IMM;
    o->imm = sass_field(i, WORD_IMM);
}

static void print_rpc(struct buf *out, const struct sass_inst *i,
                      const struct operand *o)
{
    (void)o;
    buf_puts(out, sass_has(i, RPC_HI) ? "Rpc.HI" : "Rpc.LO");
}

static void fill_barrier_register(const struct sass_inst *i, struct operand *o)
{
    unsigned n = sass_field(i, BREG_NUMBER);

    if (n >= 16)
        return;
    o->kind = OPD_BREG;
    o->reg = (uint8_t)n;
}

static void fill_barrier_register_dst(const struct sass_inst *i, struct operand *o)
{
    fill_barrier_register(i, o);
    o->flags |= OPD_DST;
}

static void print_breg(struct buf *out, const struct sass_inst *i,
                       const struct operand *o)
{
    (void)o;
    special_table(out, "bmov", sass_field(i, BREG_NUMBER));
}

/* BAR: number and thread count are each a register or an immediate, by the form. */
static void fill_bar_id(const struct sass_inst *i, struct operand *o)
{
    unsigned form = sass_field(i, WORD_FORM);

    if (form == 4 || form == 5) {
        o->kind = OPD_IMM;
        o->imm = sass_field(i, BAR_ID_NUMBER);
    } else {
        operand_register(o, OPD_REG, sass_field(i, WORD_RB), 1);
    }
}

static void fill_bar_count(const struct sass_inst *i, struct operand *o)
{
    unsigned form = sass_field(i, WORD_FORM);

    if (form == 4 || form == 1) {
        operand_register(o, OPD_REG, sass_field(i, WORD_RB), 1);
    } else if (sass_field(i, BAR_THREADS)) {
        o->kind = OPD_IMM;
        o->imm = sass_field(i, BAR_THREADS);
    }
}

static void fill_bar_predicate(const struct sass_inst *i, struct operand *o)
{
    if (sass_field(i, BAR_MODE) != 2)
        return;
    o->kind = OPD_PRED;
    o->reg = (uint8_t)sass_field(i, BAR_P_NUMBER);
    if (sass_has(i, BAR_P_NOT))
        o->flags |= OPD_NOT;
}

/* B2R.RESULT P; B2R.BAR 0x0 reads a barrier instead. */
static void fill_b2r_source(const struct sass_inst *i, struct operand *o)
{
    if (sass_field(i, B2R_WHAT) != 2) {
        o->kind = OPD_IMM;
        o->imm = sass_field(i, B2R_ID_NUMBER);
        return;
    }
    o->kind = OPD_PRED;
    o->reg = (uint8_t)sass_field(i, B2R_P_NUMBER);
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
    unsigned set = sass_field(i, DEPBAR_SET);
    const char *comma = "";

    (void)o;
    if (sass_has(i, DEPBAR_LE)) {
        buf_printf(out, "SB%u, 0x%x", sass_field(i, DEPBAR_SCOREBOARD),
                   sass_field(i, DEPBAR_MAX));
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
    if (sass_has(i, WARPGROUP_DEPBAR))
        buf_printf(out, "gsb%u", sass_field(i, WARPGROUP_GROUP_NUMBER));
}

static void print_gsb_count(struct buf *out, const struct sass_inst *i,
                            const struct operand *o)
{
    (void)o;
    if (sass_has(i, WARPGROUP_DEPBAR))
        buf_printf(out, "0x%x", sass_field(i, WARPGROUP_GROUPS));
}

const struct special special_control[] = {
    { "bssy", fill_bssy_target, NULL },
    { "target", fill_absolute, NULL },
    { "abs", fill_absolute, print_absolute },
    { "ldp", fill_load_predicate, NULL },
    { "hmmap", fill_hmma_predicate, NULL },
    { "rel", fill_relative, NULL },
    { "ret", fill_ret_target, NULL },
    { "pc", fill_lepc_here, print_nothing },
    { "lepc", fill_lepc_target, NULL },
    { "bramask", fill_bra_mask, NULL },
    { "collect", fill_collect_target, NULL },
    { "wsmask", fill_warpsync_mask, NULL },
    { "wsreg", fill_warpsync_register, NULL },
    { "rpc", NULL, print_rpc },
    { "breg", fill_barrier_register, print_breg },
    { "bregd", fill_barrier_register_dst, print_breg },
    { "barid", fill_bar_id, NULL },
    { "barcount", fill_bar_count, NULL },
    { "barpred", fill_bar_predicate, NULL },
    { "b2r", fill_b2r_source, print_b2r },
    { "depbar", NULL, print_depbar },
    { "gsb", NULL, print_gsb },
    { "gsbn", NULL, print_gsb_count },
    { NULL, NULL, NULL },
};
