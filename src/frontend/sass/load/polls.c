/* polls.c - where warps ask again and again for something that comes later.
 *
 * A poll asks if a phase of a barrier in shared memory is over, or tries to get registers. A
 * branch that depends on nothing else leads on after success; its other side is a retry if
 * whatever can be reached there, up to the side of success, has no effect but to poll.
 */
#include "frontend/sass/load/polls.h"

#include <stdlib.h>

#include "frontend/sass/decode/operand.h"
#include "frontend/sass/load/flow.h"

struct search {
    const struct sass_flow *code;
    const struct flow *flow;
    uint8_t *marks;
    uint32_t *stack; /* the blocks of a retry; the first n_done have been looked at */
    uint32_t n, n_done;
    uint32_t *found_by; /* by block: number of the last search that came to it */
    uint32_t number;
};

static bool is_poll(const struct sass_inst *i)
{
    return i->base.op == OP_SYNCS_CHECK ||
           (i->base.op == OP_USETMAXREG &&
            sass_field(i, USETMAXREG_HOW) == MAXREG_TRY_ALLOC);
}

/* Can it be executed more or less often, as far as registers and memory are concerned? */
static bool has_no_effect(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_BRA:
    case OP_YIELD:
    case OP_NOP:
    case OP_NANOSLEEP:
    case OP_WARPSYNC:
    case OP_WARPSYNC_IMM:
    case OP_PLOP3:
        return true;
    default:
        return is_poll(i);
    }
}

/* Is the predicate that a block's branch goes by the result of a poll in the block, or
 * computed from one? */
static bool goes_by_poll(const struct search *p, const struct flow_block *b)
{
    const struct flow_inst *branch = &p->flow->code[b->end - 1];
    struct regset from = { 0 };

    if (branch->kind != FLOW_BRANCH || !branch->guard)
        return false;
    regset_add(&from, (unsigned)abs(branch->guard) - 1);
    for (uint32_t k = b->end - 1; k-- > b->first;) {
        const struct sass_inst *i = &p->code->inst[k];

        if (!regset_meets(&i->base.writes, &from))
            continue;
        if (i->base.op != OP_PLOP3)
            return is_poll(i);
        from = i->base.reads;
    }
    return false;
}

static void find_block(struct search *p, uint32_t block)
{
    if (block == NO_TARGET || p->found_by[block] == p->number)
        return;
    p->found_by[block] = p->number;
    p->stack[p->n++] = block;
}

/* Is a block of no effect, and does it not end the thread? Counts its polls. */
static bool only_polls(const struct search *p, const struct flow_block *b, uint32_t *n)
{
    if (b->next[0] == NO_TARGET && b->next[1] == NO_TARGET)
        return false;
    for (uint32_t k = b->first; k < b->end; k++) {
        if (!has_no_effect(&p->code->inst[k]))
            return false;
        *n += is_poll(&p->code->inst[k]);
    }
    return true;
}

/* Finds all blocks from one on, up to the side of success. Are they a retry? */
static bool find_retry(struct search *p, uint32_t failed, uint32_t success)
{
    uint32_t n_polls = 0;

    if (failed == NO_TARGET || success == NO_TARGET || failed == success)
        return false;
    p->number++;
    p->n = p->n_done = 0;
    find_block(p, success);
    p->n = 0; /* it ends the search */
    find_block(p, failed);
    while (p->n_done < p->n) {
        const struct flow_block *b = &p->flow->block[p->stack[p->n_done++]];

        if (!only_polls(p, b, &n_polls))
            return false;
        find_block(p, b->next[0]);
        find_block(p, b->next[1]);
    }
    return n_polls;
}

static void mark_retry(struct search *p, uint32_t branch)
{
    if (!p->marks[branch])
        p->marks[branch] = POLL_BRANCH;
    for (uint32_t n = 0; n < p->n; n++) {
        const struct flow_block *b = &p->flow->block[p->stack[n]];

        for (uint32_t k = b->first; k < b->end; k++)
            p->marks[k] = POLL_RETRY;
    }
}

static void mark_polls(struct search *p)
{
    for (uint32_t k = 0; k < p->flow->n_blocks; k++) {
        const struct flow_block *b = &p->flow->block[k];

        if (goes_by_poll(p, b) && (find_retry(p, b->next[0], b->next[1]) ||
                                   find_retry(p, b->next[1], b->next[0])))
            mark_retry(p, b->end - 1);
    }
}

static int search_flow(const struct sass_flow *code, uint8_t *marks, struct err *err)
{
    struct flow *f = flow_new(code->flow, code->n, err);
    struct search p = { .code = code, .flow = f, .marks = marks };
    int rc = -1;

    if (f) {
        p.stack = calloc(f->n_blocks, sizeof *p.stack);
        p.found_by = calloc(f->n_blocks, sizeof *p.found_by);
        rc = p.stack && p.found_by ? 0 : err_memory(err, "the polls of a kernel");
    }
    if (!rc)
        mark_polls(&p);
    free(p.stack);
    free(p.found_by);
    flow_free(f);
    return rc;
}

uint8_t *sass_polls(const struct sass_module *m, const struct sass_kernel *k,
                    uint32_t *n, struct err *err)
{
    enum sass_flow_known known;
    struct sass_flow code;
    uint8_t *marks;

    if (sass_flow_make(&code, m, k, &known, err))
        return NULL;
    *n = code.n;
    marks = calloc((size_t)code.n + 1, sizeof *marks);
    if (!marks) {
        err_memory(err, "the polls of a kernel");
    } else if (known == FLOW_IS_KNOWN && search_flow(&code, marks, err)) {
        free(marks);
        marks = NULL;
    }
    sass_flow_free(&code);
    return marks;
}
