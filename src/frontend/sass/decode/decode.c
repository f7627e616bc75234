/* decode.c - from a 128-bit word to operand slots and register sets.
 *
 * The row's format says where each operand sits; this file turns that into slots and,
 * from the slots alone, into the sets of registers the instruction reads and writes.
 */
#include "frontend/sass/decode/decode.h"

#include <string.h>

#include "frontend/sass/decode/format.h"
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/decode/pipeline.h"
#include "frontend/sass/decode/texops.h"

#define A75    (1 << SM75)
#define A86    (1 << SM80 | 1 << SM86 | 1 << SM89)
#define H90    (1 << SM90)
#define A100   (1 << SM100)
#define A120   (1 << SM120)
#define B100   (A100 | A120)
#define A90    (H90 | B100) /* sm_90 and later */
#define ALL    (A75 | A86 | A90)
#define N100   (ALL & ~B100)
#define N120   (ALL & ~A120)
#define F(n)   (1 << (n))
#define F_ANY  0xff
#define F_RICU (F(1) | F(4) | F(5) | F(6))   /* second source varies */
#define F_RICV (F(1) | F(2) | F(3) | F(7))   /* the same, in the third's field */
#define F_3    (F_RICU | F(2) | F(3) | F(7)) /* second or third source varies */

static const struct op_row rows[N_SASS_OP] = {
#define OP(id, opcode, forms, archs, class, format) \
    [OP_##id] = { format, opcode, forms, archs, class },
#include "frontend/sass/decode/opcodes.def"
#undef OP
};

const struct op_row *sass_rows(void)
{
    return rows;
}

/* opcodes.def is sorted by opcode, so that the rows of one can be found quickly. */
static const struct op_row *find_row(enum sass_arch arch, struct word w)
{
    unsigned opcode = (unsigned)word_field(w, WORD_OPCODE);
    unsigned form = (unsigned)word_field(w, WORD_FORM);
    size_t lo = 0, hi = N_SASS_OP;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (rows[mid].opcode < opcode)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < N_SASS_OP && rows[lo].opcode == opcode; lo++)
        if (rows[lo].forms >> form & 1 && rows[lo].archs >> arch & 1)
            return &rows[lo];
    return NULL;
}

static void decode_control(struct inst_control *c, struct word w)
{
    c->stall = (uint8_t)word_field(w, WORD_STALL);
    c->yield = !word_field(w, WORD_NO_YIELD);
    c->write_barrier = (uint8_t)word_field(w, WORD_WRITE_BARRIER);
    c->read_barrier = (uint8_t)word_field(w, WORD_READ_BARRIER);
    c->wait_mask = (uint8_t)word_field(w, WORD_WAIT_MASK);
    c->reuse = (uint8_t)word_field(w, WORD_REUSE);
}

static void add_range(struct regset *s, unsigned first, unsigned n, unsigned limit)
{
    for (unsigned k = 0; k < n && first + k < limit; k++)
        regset_add(s, first + k);
}

static void add_uniform(struct regset *s, unsigned first, unsigned n)
{
    for (unsigned k = first; k < first + n && k < N_UR; k++)
        regset_add(s, regid_uniform(k));
}

static void add_address(struct regset *reads, const struct operand *o)
{
    if (o->reg != REG_RZ)
        add_range(reads, REGID_R + o->reg, o->flags & OPD_WIDE ? 2 : 1, REGID_R + 255);
    if (o->flags & OPD_HAS_UREG && o->ureg != UREG_URZ)
        add_uniform(reads, o->ureg, o->flags & (OPD_DESC | OPD_UWIDE) ? 2 : 1);
}

/* Adds what one operand slot reads or writes. */
static void add_operand(struct inst *base, const struct operand *o)
{
    struct regset *s = o->flags & OPD_DST ? &base->writes : &base->reads;

    switch (o->kind) {
    case OPD_REG:
        add_range(s, REGID_R + o->reg, o->n_regs, REGID_R + 255);
        break;
    case OPD_UREG:
        add_uniform(s, o->reg, o->n_regs);
        break;
    case OPD_PRED:
        if (o->reg != PRED_PT)
            regset_add(s, REGID_P + o->reg);
        break;
    case OPD_UPRED:
        if (o->reg != PRED_PT)
            regset_add(s, REGID_UP + o->reg);
        break;
    case OPD_BREG:
        regset_add(s, REGID_B + o->reg);
        break;
    case OPD_ADDR:
        add_address(&base->reads, o);
        break;
    case OPD_CONST:
    case OPD_CDESC:
        if (o->flags & OPD_INDEXED && o->reg != REG_RZ)
            regset_add(&base->reads, REGID_R + o->reg);
        if (o->flags & OPD_UINDEXED && o->reg != UREG_URZ)
            add_uniform(&base->reads, o->reg, 1);
        break;
    default:
        break;
    }
}

static void decode_guard(struct sass_inst *i)
{
    i->guard = (uint8_t)sass_field(i, WORD_GUARD);
    i->guard_not = sass_has(i, WORD_GUARD_NOT);
    i->guard_uniform = i->row->class == CLASS_uniform;
    i->guard_at = (uint8_t)(i->guard + (i->guard_uniform ? N_PRED : 0));
    i->guard_flip = i->guard_not ? ~0u : 0;
    if (i->guard != PRED_PT)
        regset_add(&i->base.reads,
                   (i->guard_uniform ? REGID_UP : REGID_P) + (unsigned)i->guard);
}

/* Predicates that an instruction of this kind names by a mask: all, if it is no number. */
static unsigned masked_predicates(const struct operand *mask)
{
    return (mask->kind == OPD_IMM ? (unsigned)mask->imm : ~0u) & ((1u << PRED_PT) - 1);
}

/* P2R reads predicates and R2P writes them; no operand has their numbers. */
static void add_packed_predicates(struct sass_inst *i)
{
    bool reads = i->base.op == OP_P2R || i->base.op == OP_UP2UR;
    bool writes = i->base.op == OP_R2P || i->base.op == OP_UR2UP;
    const struct operand *mask = &i->opd[reads ? P2R_MASK : R2P_MASK];
    unsigned first = i->row->class == CLASS_uniform ? REGID_UP : REGID_P;

    if (!reads && !writes)
        return;
    for (unsigned m = masked_predicates(mask); m; m &= m - 1) {
        unsigned id = first + (unsigned)__builtin_ctz(m);

        regset_add(writes ? &i->base.writes : &i->base.reads, id);
        if (writes && mask->kind != OPD_IMM) /* those left out keep their value */
            regset_add(&i->base.reads, id);
    }
}

/* Fields of uniform registers have room for more of them than there are. */
static bool has_uniform(const struct operand *o)
{
    bool is_named = o->kind == OPD_UREG ||
                    (o->kind == OPD_CDESC && !(o->flags & OPD_INDEXED)) ||
                    (o->kind == OPD_CONST && o->flags & OPD_UINDEXED);
    unsigned reg = is_named ? o->reg : o->ureg;

    return reg < N_UR || reg == UREG_URZ;
}

bool sass_decode(struct sass_inst *i, enum sass_arch arch, struct word w, uint64_t pc)
{
    struct opd_spec spec;
    const char *format;

    memset(i, 0, sizeof *i);
    i->word = w;
    i->base.pc = pc;
    decode_control(&i->base.control, w);
    i->row = find_row(arch, w);
    if (!i->row)
        return false;
    i->arch = (uint8_t)arch;
    i->base.op = (uint16_t)(i->row - rows);
    i->base.class = i->row->class;
    i->run = sass_handlers_of_host()[i->base.op];
    decode_guard(i);
    format = format_operands(i->row->format);
    while (i->n_opds < SASS_OPDS && format_operand(&format, &spec)) {
        struct operand *o = &i->opd[i->n_opds++];

        operand_fill(i, &spec, o);
        if (!has_uniform(o)) {
            i->row = NULL;
            return false;
        }
        add_operand(&i->base, o);
        pipeline_operand(i, o, operand_reuse(i, &spec));
    }
    operand_memory(i);
    for (unsigned k = 0; k < i->n_opds; k++)
        operand_bind(&i->opd[k]);
    if (i->row->class == CLASS_texture)
        texops_add_registers(i);
    add_packed_predicates(i);
    pipeline_facts(i);
    return true;
}
