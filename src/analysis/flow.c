/* flow.c - blocks, edges, dominators. Dominators as by Cooper, Harvey and Kennedy: in
 * reverse postorder, until nothing changes.
 */
#include "analysis/flow.h"

#include <stdlib.h>

#include "analysis/internal.h"

static bool ends_block(const struct flow_inst *i)
{
    return i->kind != FLOW_NEXT;
}

static bool falls_through(const struct flow_inst *i)
{
    return i->kind == FLOW_NEXT || i->kind == FLOW_CALL || i->may_pass;
}

static bool has_target(const struct flow_inst *i)
{
    return i->kind == FLOW_BRANCH || (i->kind == FLOW_CALL && i->target != NO_TARGET);
}

static int check_targets(const struct flow_inst *code, uint32_t n, struct err *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (has_target(&code[i]) && code[i].target >= n)
            return err_set(err, "instruction %u leads to %u, expected below %u", i,
                           code[i].target, n);
    return n ? 0 : err_set(err, "no code");
}

/* Marks where blocks begin in block_of, then counts them there. */
static void number_blocks(struct flow *f)
{
    const struct flow_inst *code = f->code;

    f->block_of[0] = 1;
    for (uint32_t i = 0; i < f->n_insts; i++) {
        if (ends_block(&code[i]) && i + 1 < f->n_insts)
            f->block_of[i + 1] = 1;
        if (has_target(&code[i]))
            f->block_of[code[i].target] = 1;
    }
    for (uint32_t i = 0; i < f->n_insts; i++) {
        f->n_blocks += f->block_of[i];
        f->block_of[i] = f->n_blocks - 1;
    }
}

static void link_blocks(struct flow *f)
{
    for (uint32_t i = 0; i < f->n_insts; i++) {
        const struct flow_inst *c = &f->code[i];
        struct flow_block *b = &f->block[f->block_of[i]];

        if (!i || f->block_of[i - 1] != f->block_of[i]) {
            b->first = i;
            b->dominator = b->next[0] = b->next[1] = NO_TARGET;
        }
        b->end = i + 1;
        if (i + 1 < f->n_insts && f->block_of[i + 1] == f->block_of[i])
            continue;
        if (falls_through(c) && i + 1 < f->n_insts) /* else into padding, or nothing */
            b->next[0] = f->block_of[i + 1];
        if (has_target(c))
            b->next[1] = f->block_of[c->target];
    }
}

/* Visits blocks depth first; each is put into the order, from its end, when it is
 * left. */
static void visit_blocks(struct flow *f, uint32_t *stack, uint32_t *at)
{
    uint32_t n = 0;

    f->block[0].is_reached = true;
    stack[n++] = 0;
    while (n) {
        struct flow_block *b = &f->block[stack[n - 1]];
        uint32_t to = NO_TARGET;

        for (unsigned k = 0; k < 2 && to == NO_TARGET; k++)
            if (b->next[k] != NO_TARGET && !f->block[b->next[k]].is_reached)
                to = b->next[k];
        if (to == NO_TARGET) {
            f->order[--*at] = stack[--n];
        } else {
            f->block[to].is_reached = true;
            stack[n++] = to;
        }
    }
}

static int order_blocks(struct flow *f)
{
    uint32_t *stack = calloc(f->n_blocks, sizeof *stack), at = f->n_blocks;

    if (!stack)
        return -1;
    visit_blocks(f, stack, &at);
    free(stack);
    f->n_order = f->n_blocks - at;
    for (uint32_t k = 0; k < f->n_order; k++)
        f->order[k] = f->order[k + at];
    return 0;
}

/* The nearest block that dominates both. place: of each block in the order. */
static uint32_t common_dominator(const struct flow *f, const uint32_t *place,
                                 uint32_t a, uint32_t b)
{
    while (a != b)
        if (place[a] > place[b])
            a = f->block[a].dominator;
        else
            b = f->block[b].dominator;
    return a;
}

/* Updates the dominator of an edge's target. True if it has changed. */
static bool update_dominator(struct flow *f, const uint32_t *place, uint32_t from,
                             uint32_t to)
{
    uint32_t was = f->block[to].dominator;

    if (!to)
        return false;
    f->block[to].dominator =
        was == NO_TARGET ? from : common_dominator(f, place, was, from);
    return f->block[to].dominator != was;
}

static int find_dominators(struct flow *f)
{
    uint32_t *place = calloc(f->n_blocks, sizeof *place);
    bool again = place != NULL;

    for (uint32_t k = 0; again && k < f->n_order; k++)
        place[f->order[k]] = k;
    while (again) {
        again = false;
        for (uint32_t k = 0; k < f->n_order; k++)
            for (unsigned e = 0; e < 2; e++) {
                uint32_t to = f->block[f->order[k]].next[e];

                if (to != NO_TARGET)
                    again |= update_dominator(f, place, f->order[k], to);
            }
    }
    free(place);
    return place ? 0 : -1;
}

bool flow_dominates(const struct flow *f, uint32_t a, uint32_t b)
{
    while (b != a && b != NO_TARGET)
        b = f->block[b].dominator;
    return b == a;
}

struct flow *flow_new(const struct flow_inst *code, uint32_t n, struct err *err)
{
    struct flow *f;

    if (check_targets(code, n, err))
        return NULL;
    f = calloc(1, sizeof *f);
    if (f) {
        f->code = code;
        f->n_insts = n;
        f->block_of = calloc(n, sizeof *f->block_of);
    }
    if (f && f->block_of) {
        number_blocks(f);
        f->block = calloc(f->n_blocks, sizeof *f->block);
        f->order = calloc(f->n_blocks, sizeof *f->order);
    }
    if (!f || !f->block || !f->order) {
        err_memory(err, "the flow of a kernel");
        flow_free(f);
        return NULL;
    }
    link_blocks(f);
    if (order_blocks(f) || find_dominators(f)) {
        err_memory(err, "the flow of a kernel");
        flow_free(f);
        return NULL;
    }
    flow_find_live(f);
    return f;
}

void flow_free(struct flow *f)
{
    if (!f)
        return;
    free(f->block);
    free(f->block_of);
    free(f->order);
    free(f);
}
