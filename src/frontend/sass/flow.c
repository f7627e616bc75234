/* flow.c - where each instruction of a module leads, for passes over static code. */
#include "frontend/sass/flow.h"

#include <stdlib.h>

#include "analysis/distance.h"
#include "analysis/idempotence.h"
#include "frontend/sass/unroll_flow.h"

/* Where a jump goes. What calls and returns lead to is not asked: INST_SYNC. */
static int64_t target_of(const struct sass_module *m, const struct sass_inst *i)
{
    if (!(i->base.flags & INST_CONTROL) || i->base.flags & INST_SYNC)
        return CODE_NONE;
    if (i->base.op == OP_BRX || i->base.op == OP_JMX)
        return CODE_ANY;
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET) {
            const struct sass_inst *to = sass_module_inst(m, (uint64_t)i->opd[k].imm);

            return to ? to - m->code : CODE_NONE;
        }
    return CODE_NONE;
}

/* Whatever an operand names as a place in the code may be come to. */
static void note_entries(const struct sass_module *m, const struct sass_inst *i,
                         struct code_line *code)
{
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET) {
            const struct sass_inst *to = sass_module_inst(m, (uint64_t)i->opd[k].imm);

            if (to)
                code[to - m->code].is_entry = true;
        }
}

int sass_mark(struct sass_module *m, struct err *err)
{
    struct code_line *code = calloc(m->n_code + 1, sizeof *code);
    int rc;

    if (!code)
        return err_set(err, "no memory for the flow of %llu instructions",
                       (unsigned long long)m->n_code);
    for (uint64_t i = 0; i < m->n_code; i++) {
        struct sass_inst *inst = &m->code[i];

        code[i] = (struct code_line){
            .inst = &inst->base,
            .target = inst->row ? target_of(m, inst) : CODE_NONE,
            .is_guarded = inst->guard != PRED_PT || inst->guard_not,
            .stops = flow_stops(inst),
        };
    }
    for (uint64_t i = 0; i < m->n_code; i++)
        note_entries(m, &m->code[i], code);
    rc = idempotence_mark(code, m->n_code, err) || distance_mark(code, m->n_code, err)
             ? -1
             : 0;
    free(code);
    return rc;
}
