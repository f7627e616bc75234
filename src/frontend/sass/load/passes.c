/* passes.c - passes over the static code of a module. */
#include "frontend/sass/load/passes.h"

#include <stdlib.h>

#include "analysis/distance.h"
#include "analysis/idempotence.h"
#include "analysis/together.h"
#include "frontend/sass/load/flow.h"
#include "frontend/sass/load/marks.h"

/* Decoded code from an address on. */
struct piece {
    struct sass_inst *inst;
    uint64_t n, base;
};

static int64_t place_of(const struct piece *p, uint64_t address)
{
    uint64_t at = (address - p->base) / 16;

    return at < p->n && address % 16 == p->base % 16 ? (int64_t)at : CODE_NONE;
}

/* The operand of a jump that says where it goes; NULL: there is none. What calls and
 * returns lead to is not asked: INST_SYNC. */
static const struct operand *target_operand(const struct sass_inst *i)
{
    if (!(i->base.flags & INST_CONTROL) || i->base.flags & INST_SYNC)
        return NULL;
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET)
            return &i->opd[k];
    return NULL;
}

static int64_t target_of(const struct piece *p, const struct sass_inst *i)
{
    const struct operand *o = target_operand(i);

    if (i->base.op == OP_BRX || i->base.op == OP_BRXU || i->base.op == OP_JMX)
        return CODE_ANY;
    return o ? place_of(p, (uint64_t)o->imm) : CODE_NONE;
}

/* Other operands that name a place in the code let it be entered from anywhere; BSSY only
 * says where a BSYNC is. */
static void note_entries(const struct piece *p, const struct sass_inst *i,
                         struct code_line *code)
{
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET && &i->opd[k] != target_operand(i) &&
            i->base.op != OP_BSSY) {
            int64_t to = place_of(p, (uint64_t)i->opd[k].imm);

            if (to >= 0)
                code[to].is_entry = true;
        }
}

static bool is_guarded(const struct sass_inst *i)
{
    return i->guard != PRED_PT || i->guard_not;
}

static void describe_code(const struct piece *p, struct code_line *code)
{
    for (uint64_t k = 0; k < p->n; k++) {
        struct sass_inst *i = &p->inst[k];

        code[k].inst = &i->base;
        code[k].target = i->row ? target_of(p, i) : CODE_NONE;
        code[k].is_guarded = is_guarded(i);
        code[k].stops = flow_stops(i);
        note_entries(p, i, code);
    }
}

/* Lines for so many instructions; NULL with err set: no memory. */
static struct code_line *lines_new(const struct piece *p, struct err *err)
{
    struct code_line *code = calloc(p->n + 1, sizeof *code);

    if (code)
        describe_code(p, code);
    else
        err_memory(err, "the flow of %llu instructions", (unsigned long long)p->n);
    return code;
}

int sass_mark(struct sass_inst *inst, uint64_t n, uint64_t base, struct err *err)
{
    struct piece p = { .inst = inst, .n = n, .base = base };
    struct code_line *code = lines_new(&p, err);
    int rc = code ? idempotence_mark(code, n, err) : -1;

    if (!rc)
        rc = distance_mark(code, n, err);
    free(code);
    return rc;
}

int sass_mark_distances(struct sass_inst *inst, uint64_t n, uint64_t base,
                        struct err *err)
{
    struct piece p = { .inst = inst, .n = n, .base = base };
    struct code_line *code = lines_new(&p, err);
    int rc = code ? distance_mark(code, n, err) : -1;

    free(code);
    return rc;
}

/* Convergence barriers that it reads or writes, as bits. */
static uint16_t barriers_of(const struct inst *i)
{
    uint16_t bits = 0;

    for (unsigned b = 0; b < 16; b++)
        bits |= (uint16_t)(regset_has(&i->touches, REGID_B + b) << b);
    return bits;
}

/* Does each lane that executes it take part, whatever its predicates? */
static bool takes_all(const struct sass_inst *i, unsigned predicate)
{
    const struct operand *p = &i->opd[predicate];

    return !is_guarded(i) && p->kind == OPD_PRED && p->reg == PRED_PT &&
           !(p->flags & OPD_NOT);
}

/* A branch on a uniform predicate alone. */
static bool branches_uniformly(const struct sass_inst *i)
{
    return i->base.op == OP_BRA && takes_all(i, BRA_P) &&
           (i->opd[BRA_CONDITION].kind == OPD_NONE ||
            i->opd[BRA_CONDITION].kind == OPD_UPRED);
}

static bool waits_for_warp(const struct sass_inst *i)
{
    const struct operand *mask = &i->opd[WARPSYNC_MASK];

    return takes_all(i, WARPSYNC_P) &&
           (mask->kind == OPD_NONE ||
            (mask->kind == OPD_IMM && (uint32_t)mask->imm == UINT32_MAX));
}

/* is_same: every thread of the block that executes it does the same. */
static enum code_lanes lanes_of(const struct sass_inst *i, bool is_same)
{
    switch (i->base.op) {
    case OP_BSSY:
        return takes_all(i, BSSY_P) ? LANES_SAVE : LANES_LOSE;
    case OP_BSYNC:
        return takes_all(i, BSYNC_P) ? LANES_MEET : LANES_PART;
    case OP_EXIT:
    case OP_KILL:
        return LANES_STAY;
    case OP_BRA:
    case OP_JMP:
        return is_same || branches_uniformly(i) ? LANES_STAY : LANES_PART;
    case OP_WARPSYNC:
    case OP_WARPSYNC_IMM:
        return waits_for_warp(i) ? LANES_WAIT : LANES_PART;
    case OP_YIELD:
    case OP_NANOSLEEP:
        return is_guarded(i) ? LANES_PART : LANES_WAIT;
    default:
        break;
    }
    if (i->base.class == CLASS_barrier)
        return is_guarded(i) ? LANES_PART : LANES_WAIT;
    if (i->base.flags & INST_CONTROL)
        return LANES_PART;
    return barriers_of(&i->base) ? LANES_LOSE : LANES_STAY;
}

struct code_line *sass_kernel_lines(const struct sass_module *m,
                                    const struct sass_kernel *k, struct err *err)
{
    struct piece p = { .inst = &m->code[(k->text_base - m->code_base) / 16],
                       .n = k->n_code,
                       .base = k->text_base };
    struct code_line *code = lines_new(&p, err);
    uint32_t n;
    uint8_t *marks = code ? sass_uniform_marks(m, k, &n, err) : NULL;

    for (uint64_t i = 0; marks && i < p.n; i++) {
        code[i].lanes = LANES_PART;
        if (p.inst[i].row)
            code[i].lanes = (uint8_t)lanes_of(&p.inst[i], marks[i] == REDUNDANT);
        code[i].barriers = barriers_of(code[i].inst);
    }
    if (!marks || together_mark(code, p.n, err)) {
        free(code);
        code = NULL;
    }
    free(marks);
    return code;
}
