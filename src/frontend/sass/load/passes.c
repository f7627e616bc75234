/* passes.c - passes over the static code of a module. */
#include "frontend/sass/load/passes.h"

#include <stdlib.h>

#include "analysis/distance.h"
#include "analysis/idempotence.h"
#include "frontend/sass/load/flow.h"

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

/* Where a jump goes. What calls and returns lead to is not asked: INST_SYNC. */
static int64_t target_of(const struct piece *p, const struct sass_inst *i)
{
    if (!(i->base.flags & INST_CONTROL) || i->base.flags & INST_SYNC)
        return CODE_NONE;
    if (i->base.op == OP_BRX || i->base.op == OP_BRXU || i->base.op == OP_JMX)
        return CODE_ANY;
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET)
            return place_of(p, (uint64_t)i->opd[k].imm);
    return CODE_NONE;
}

/* Whatever an operand names as a place in the code may be come to. */
static void note_entries(const struct piece *p, const struct sass_inst *i,
                         struct code_line *code)
{
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_TARGET) {
            int64_t to = place_of(p, (uint64_t)i->opd[k].imm);

            if (to >= 0)
                code[to].is_entry = true;
        }
}

static void describe_code(const struct piece *p, struct code_line *code)
{
    for (uint64_t k = 0; k < p->n; k++) {
        struct sass_inst *i = &p->inst[k];

        code[k].inst = &i->base;
        code[k].target = i->row ? target_of(p, i) : CODE_NONE;
        code[k].is_guarded = i->guard != PRED_PT || i->guard_not;
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
