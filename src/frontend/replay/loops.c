/* loops.c - control flow from the texts of recorded instructions; see loops.h.
 *
 * Code that was not executed is not in a recording: the flow ends there.
 */
#include "frontend/replay/loops.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/nest.h"

/* What instructions do by name; those that are not here go on after them. */
static const struct {
    const char *name;
    enum flow_kind kind;
    bool is_indirect;
} branches[] = {
    { "BRA", FLOW_BRANCH, false }, { "JMP", FLOW_BRANCH, false },
    { "BRX", FLOW_BRANCH, true },  { "BRXU", FLOW_BRANCH, true },
    { "JMX", FLOW_BRANCH, true },  { "ENDCOLLECTIVE", FLOW_BRANCH, true },
    { "CALL", FLOW_CALL, false },  { "RET", FLOW_RETURN, false },
    { "EXIT", FLOW_END, false },   { "KILL", FLOW_END, false },
    { "RTT", FLOW_END, false },
};

/* The code of a table from its lowest address on, without gaps. */
struct code {
    struct flow_inst *at;
    uint64_t first_pc;
    uint32_t n, length;
};

/* The last operand, if it is an address. */
static bool read_target(const char *operands, uint64_t *target)
{
    const char *last = strrchr(operands, ' ');

    last = last ? last + 1 : operands;
    if (strncmp(last, "0x", 2) != 0)
        return false;
    *target = strtoull(last, NULL, 16);
    return true;
}

static void set_target(const struct code *c, struct flow_inst *i, uint64_t target)
{
    uint64_t n = target / c->length;

    i->target = n < c->n ? (uint32_t)n : c->n - 1; /* the end: it was not executed */
}

/* Is it known where a branch of this kind leads? */
static bool describe_branch(const struct code *c, struct flow_inst *i,
                            const char *operands)
{
    uint64_t target = 0;

    switch (i->kind) {
    case FLOW_BRANCH:
        if (!read_target(operands, &target))
            return false;
        set_target(c, i, target);
        i->may_pass |= strchr(operands, ' ') != NULL;
        return true;
    case FLOW_CALL: /* by register: "R2 0x0" */
        if (read_target(operands, &target) && !strchr(operands, ' '))
            set_target(c, i, target);
        return true;
    default:
        i->may_pass |= i->kind == FLOW_END && *operands;
        return true;
    }
}

static bool describe(const struct code *c, const struct inst *inst, const char *text)
{
    struct flow_inst *i = &c->at[(inst->pc - c->first_pc) / c->length];
    const char *operands;
    size_t name;

    *i = (struct flow_inst){ .inst = inst,
                             .target = NO_TARGET,
                             .may_pass = *text == '@' };
    if (i->may_pass)
        text += strcspn(text, " ") + 1;
    name = strcspn(text, ". ");
    operands = text + strcspn(text, " ");
    operands += *operands == ' ';
    for (size_t k = 0; k < sizeof branches / sizeof *branches; k++) {
        if (strlen(branches[k].name) != name ||
            memcmp(branches[k].name, text, name) != 0)
            continue;
        i->kind = branches[k].kind;
        return !branches[k].is_indirect && describe_branch(c, i, operands);
    }
    return true;
}

/* Gaps, and one place after the last, end the flow. */
static int make_room(struct code *c, const struct inst_table *t, struct err *err)
{
    static const struct inst nothing = { .pc = 0 };
    uint64_t last = c->first_pc;

    for (uint32_t n = 0; n < t->n; n++)
        last = t->inst[n]->pc > last ? t->inst[n]->pc : last;
    c->length = t->n && t->inst[0]->length ? t->inst[0]->length : 1;
    if ((last - c->first_pc) / c->length >= TABLE_MAX)
        return err_kind(err, ERR_UNSUPPORTED, "its code is too far apart");
    c->n = (uint32_t)((last - c->first_pc) / c->length) + 2;
    c->at = calloc(c->n, sizeof *c->at);
    if (!c->at)
        return err_memory(err, "the flow of a kernel");
    for (uint32_t n = 0; n < c->n; n++)
        c->at[n] = (struct flow_inst){ .inst = &nothing,
                                       .kind = FLOW_END,
                                       .target = NO_TARGET };
    return 0;
}

static int find_loops(const struct code *c, struct kernel_loops *l, struct err *err)
{
    struct flow *flow = flow_new(c->at, c->n, err);
    int failed = flow ? nest_find(flow, l, err) : -1;

    flow_free(flow);
    if (!failed) { /* the first instruction may be one that was not executed */
        l->base = c->first_pc;
        l->length = c->length;
    }
    return failed;
}

int loops_of_table(const struct inst_table *t, uint64_t first_pc,
                   struct kernel_loops *l, struct err *err)
{
    struct code c = { .first_pc = first_pc };
    bool is_known = true;
    int failed = make_room(&c, t, err);

    for (uint32_t n = 0; !failed && is_known && n < t->n; n++)
        is_known = t->inst[n]->pc >= first_pc && t->text[n] &&
                   describe(&c, t->inst[n], t->text[n]);
    if (!failed && !is_known)
        failed = err_kind(err, ERR_UNSUPPORTED,
                          "its control flow is not known from the recording");
    if (!failed)
        failed = find_loops(&c, l, err);
    free(c.at);
    return failed;
}
