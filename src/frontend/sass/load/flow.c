/* flow.c - where each instruction of a kernel may lead. */
#include "frontend/sass/load/flow.h"

#include <stdlib.h>

unsigned flow_target_opd(const struct sass_inst *i)
{
    return i->base.op == OP_BRA ? BRA_TARGET : JMP_TARGET;
}

static enum flow_kind kind_of(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_BRA:
    case OP_JMP:
        return FLOW_BRANCH;
    case OP_EXIT:
    case OP_KILL:
    case OP_RTT:
        return FLOW_END;
    case OP_RET:
        return FLOW_RETURN;
    case OP_CALL_ABS:
    case OP_CALL_ABS_REG:
    case OP_CALL_REL:
    case OP_CALL_REL_REG:
        return FLOW_CALL;
    default:
        return FLOW_NEXT;
    }
}

/* Branches by register, and the ways in and out of a collective section. */
static bool is_indirect(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_BRX:
    case OP_BRXU:
    case OP_JMX:
    case OP_ENDCOLLECTIVE:
        return true;
    case OP_WARPSYNC:
    case OP_WARPSYNC_IMM:
        return i->opd[WARPSYNC_TARGET].kind == OPD_TARGET;
    default:
        return false;
    }
}

_Static_assert(BRA_P == JMP_P && BRA_P == JMX_P && BRA_P == EXIT_P && BRA_P == KILL_P &&
                   BRA_P == RTT_P,
               "may_pass() is for all of them");

/* May it do nothing in a thread? Instructions that branch have a predicate beside their
 * guard. */
static bool may_pass(const struct sass_inst *i, enum flow_kind kind)
{
    const struct operand *p = &i->opd[BRA_P];

    if (i->guard != PRED_PT || i->guard_not)
        return true;
    if (kind == FLOW_NEXT)
        return false;
    if (p->kind == OPD_PRED && (p->reg != PRED_PT || p->flags & OPD_NOT))
        return true;
    return i->base.op == OP_BRA &&
           (i->opd[BRA_CONDITION].kind != OPD_NONE || sass_field(i, BRA_TEST));
}

/* The guard, unless a branch has a second condition beside it. */
static int16_t sole_guard(const struct sass_inst *i, enum flow_kind kind)
{
    int16_t id = (int16_t)(1 + REGID_P + i->guard);
    struct sass_inst unguarded = *i;

    unguarded.guard = PRED_PT;
    unguarded.guard_not = false;
    if (i->guard == PRED_PT || may_pass(&unguarded, kind))
        return 0;
    return i->guard_not ? (int16_t)-id : id;
}

bool flow_stops(const struct sass_inst *i)
{
    enum flow_kind kind = i->row ? kind_of(i) : FLOW_END;

    return kind != FLOW_NEXT && kind != FLOW_CALL && !(i->row && may_pass(i, kind));
}

static bool has_target(const struct sass_inst *i, enum flow_kind kind)
{
    return kind == FLOW_BRANCH || i->base.op == OP_CALL_REL ||
           i->base.op == OP_CALL_ABS;
}

static enum sass_flow_known describe_inst(const struct sass_flow *f, uint32_t n)
{
    static const struct inst nothing = { .pc = 0 };
    const struct sass_inst *i = &f->inst[n];
    struct flow_inst *to = &f->flow[n];

    *to = (struct flow_inst){ .inst = &nothing, .target = NO_TARGET };
    if (!i->row) { /* padding, or something that ends a run if it is reached */
        to->kind = FLOW_END;
        return FLOW_IS_KNOWN;
    }
    to->inst = &i->base;
    to->kind = kind_of(i);
    to->may_pass = may_pass(i, to->kind);
    to->guard = sole_guard(i, to->kind);
    if (is_indirect(i))
        return FLOW_HAS_INDIRECT;
    if (has_target(i, to->kind)) {
        uint64_t at = (uint64_t)i->opd[flow_target_opd(i)].imm - f->base;

        if (at / 16 < f->n && at % 16 == 0)
            to->target = (uint32_t)(at / 16);
        else if (to->kind == FLOW_BRANCH)
            return FLOW_LEAVES;
    }
    return FLOW_IS_KNOWN;
}

int sass_flow_make(struct sass_flow *f, const struct sass_module *m,
                   const struct sass_kernel *k, enum sass_flow_known *known,
                   struct err *err)
{
    *f = (struct sass_flow){ .inst = sass_module_inst(m, k->text_base),
                             .base = k->text_base,
                             .n = (uint32_t)k->n_code };
    f->flow = calloc((size_t)f->n + 1, sizeof *f->flow);
    if (!f->flow)
        return err_memory(err, "the flow of a kernel");
    *known = k->info->entry ? FLOW_NOT_AT_START : FLOW_IS_KNOWN;
    for (uint32_t n = 0; n < f->n && *known == FLOW_IS_KNOWN; n++)
        *known = describe_inst(f, n);
    return 0;
}

void sass_flow_free(struct sass_flow *f)
{
    free(f->flow);
    f->flow = NULL;
}
