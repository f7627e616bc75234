/* functions.c - functions that a kernel calls and that nothing else enters: their blocks. */
#include "analysis/functions.h"

#include <stdlib.h>

static const struct flow_inst *last_inst(const struct flow *f, uint32_t block)
{
    return &f->code[f->block[block].end - 1];
}

/* Adds the blocks that paths from the first one reach; with_calls: into functions too. */
static void add_reached(const struct flow *f, uint32_t first, bool with_calls,
                        bool *has, uint32_t *stack)
{
    uint32_t n = 0;

    has[first] = true;
    stack[n++] = first;
    while (n) {
        uint32_t at = stack[--n];
        unsigned edges = !with_calls && last_inst(f, at)->kind == FLOW_CALL ? 1 : 2;

        for (unsigned e = 0; e < edges; e++) {
            uint32_t to = f->block[at].next[e];

            if (to == NO_TARGET || has[to])
                continue;
            has[to] = true;
            stack[n++] = to;
        }
    }
}

static bool is_function(const struct flow *f, const bool *has, const bool *is_kernel)
{
    for (uint32_t k = 0; k < f->n_blocks; k++) {
        const struct flow_inst *last = last_inst(f, k);

        if (has[k] && (is_kernel[k] || (last->kind == FLOW_RETURN && last->may_pass) ||
                       (last->kind == FLOW_CALL && last->target == NO_TARGET)))
            return false;
    }
    return true;
}

static uint32_t function_at(const struct flow_functions *l, uint32_t entry)
{
    for (uint32_t k = 0; k < l->n; k++)
        if (l->function[k].entry == entry)
            return k;
    return NO_TARGET;
}

/* Looks at the code that a call leads to, unless another call already led there. */
static int add_function(const struct flow *f, struct flow_functions *l, uint32_t entry,
                        const bool *is_kernel, uint32_t *stack)
{
    struct flow_function *to = &l->function[l->n];

    if (function_at(l, entry) != NO_TARGET)
        return 0;
    to->entry = entry;
    to->has = calloc(f->n_blocks, sizeof *to->has);
    if (!to->has)
        return -1;
    add_reached(f, entry, true, to->has, stack);
    if (is_function(f, to->has, is_kernel))
        l->n++;
    else
        free(to->has);
    return 0;
}

static int add_functions(const struct flow *f, struct flow_functions *l,
                         bool *is_kernel, uint32_t *stack)
{
    add_reached(f, 0, false, is_kernel, stack);
    for (uint32_t k = 0; k < f->n_order; k++) {
        uint32_t block = f->order[k];

        if (last_inst(f, block)->kind == FLOW_CALL &&
            f->block[block].next[1] != NO_TARGET &&
            add_function(f, l, f->block[block].next[1], is_kernel, stack))
            return -1;
    }
    for (uint32_t k = 0; k < f->n_blocks; k++)
        l->called[k] = last_inst(f, k)->kind == FLOW_CALL
                           ? function_at(l, f->block[k].next[1])
                           : NO_TARGET;
    return 0;
}

int flow_find_functions(const struct flow *f, struct flow_functions *to,
                        struct err *err)
{
    bool *is_kernel = calloc(f->n_blocks, sizeof *is_kernel);
    uint32_t *stack = calloc(f->n_blocks, sizeof *stack);
    int rc = -1;

    *to = (struct flow_functions){ .n = 0 };
    to->function = calloc(f->n_blocks, sizeof *to->function);
    to->called = calloc(f->n_blocks, sizeof *to->called);
    if (is_kernel && stack && to->function && to->called)
        rc = add_functions(f, to, is_kernel, stack);
    free(is_kernel);
    free(stack);
    if (!rc)
        return 0;
    flow_functions_free(to);
    return err_memory(err, "the functions of a kernel");
}

void flow_functions_free(struct flow_functions *l)
{
    for (uint32_t k = 0; k < l->n; k++)
        free(l->function[k].has);
    free(l->function);
    free(l->called);
    *l = (struct flow_functions){ .n = 0 };
}
