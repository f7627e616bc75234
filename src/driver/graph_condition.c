/* graph_condition.c - conditional nodes: bodies that are executed once, or again and
 * again, as a word of device memory says. Kernels set it by cudaGraphSetConditional,
 * which stores to the handle: the word's address.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "driver/graph.h"

enum { MAX_BODIES = 4096 };

static uint8_t *condition_word(const struct driver *d, uint64_t addr)
{
    return d->space.bytes + (addr - d->space.base);
}

static bool is_condition(struct driver *d, CUgraphConditionalHandle handle)
{
    struct graph *g;
    uint32_t at = 0;

    while ((g = handle_next(&d->handles, HANDLE_GRAPH, &at)))
        for (uint32_t i = 0; i < g->n_conditions; i++)
            if (g->conditions[i]->addr == handle)
                return true;
    return false;
}

static CUresult add_condition(struct driver *d, struct graph *g,
                              struct graph_condition *condition)
{
    struct graph_condition **list =
        realloc(g->conditions, (g->n_conditions + 1) * sizeof *list);

    if (!list)
        return call_memory(d, "the conditions of a graph");
    g->conditions = list;
    g->conditions[g->n_conditions++] = condition;
    condition->refs++;
    return CUDA_SUCCESS;
}

static void drop_condition(struct driver *d, struct graph_condition *condition)
{
    if (--condition->refs)
        return;
    memory_release(d, condition->addr);
    free(condition);
}

CUresult graph_share_conditions(struct driver *d, struct graph *to,
                                const struct graph *from)
{
    CUresult result = CUDA_SUCCESS;

    for (uint32_t i = 0; !result && i < from->n_conditions; i++)
        result = add_condition(d, to, from->conditions[i]);
    return result;
}

void graph_drop_conditions(struct driver *d, struct graph *g)
{
    for (uint32_t i = 0; i < g->n_conditions; i++)
        drop_condition(d, g->conditions[i]);
    free(g->conditions);
}

void graph_assign_conditions(struct driver *d, const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_conditions; i++)
        if (g->conditions[i]->is_assigned)
            memcpy(condition_word(d, g->conditions[i]->addr), &g->conditions[i]->value,
                   sizeof g->conditions[i]->value);
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext ctx, unsigned int value,
                                        unsigned int flags)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphConditionalHandleCreate", graph, &result);
    struct graph_condition *condition;

    (void)ctx;
    if (!g || (result = call_check_place(d, handle)))
        return result;
    if (flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0 or 1",
                         flags);
    condition = calloc(1, sizeof *condition);
    if (!condition)
        return call_memory(d, "a condition");
    condition->refs = 1;
    condition->value = value;
    condition->is_assigned = flags;
    result = memory_alloc(d, g->context, MEMORY_DEVICE, sizeof value, &condition->addr);
    if (result) {
        free(condition);
        return result;
    }
    memset(condition_word(d, condition->addr), 0, sizeof value);
    *handle = condition->addr;
    result = add_condition(d, g, condition);
    drop_condition(d, condition);
    return result;
}

static CUresult check_condition(struct driver *d, const struct operation *op)
{
    const struct condition_work *w = &op->condition;
    uint32_t most = w->type == CU_GRAPH_COND_TYPE_WHILE ? 1
                    : w->type == CU_GRAPH_COND_TYPE_IF  ? 2
                                                        : MAX_BODIES;

    if ((unsigned)w->type > CU_GRAPH_COND_TYPE_SWITCH || !w->n_bodies ||
        w->n_bodies > most)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%u bodies of a conditional of kind %d", w->n_bodies,
                         (int)w->type);
    if (!is_condition(d, w->handle))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is not a condition",
                         w->handle);
    return CUDA_SUCCESS;
}

static void release_condition(struct driver *d, struct operation *op)
{
    for (uint32_t i = 0; op->condition.bodies && i < op->condition.n_bodies; i++)
        graph_free(d, op->condition.bodies[i]);
    free(op->condition.bodies);
    free(op->condition.handles);
}

/* The graph of which a new body is made, which is none: those of the condition. */
static struct context *context_of(struct driver *d)
{
    return d->n_stack ? d->stack[d->n_stack - 1] : NULL;
}

/* Bodies are new and empty, or clones of those given. */
static CUresult adopt_condition(struct driver *d, struct operation *op)
{
    struct condition_work *w = &op->condition;
    struct graph **given = w->bodies;
    CUresult result = CUDA_SUCCESS;

    w->bodies = calloc(w->n_bodies, sizeof(struct graph *));
    w->handles = calloc(w->n_bodies, sizeof(CUgraph));
    if (!w->bodies || !w->handles)
        result = call_memory(d, "the bodies of a conditional");
    for (uint32_t i = 0; !result && i < w->n_bodies; i++) {
        result = given ? graph_clone(d, given[i], &w->bodies[i])
                       : graph_new(d, context_of(d), &w->bodies[i]);
        if (result) {
            w->bodies[i] = NULL;
            break;
        }
        w->bodies[i]->is_part = true;
        w->handles[i] = w->bodies[i]->handle;
    }
    if (result)
        release_condition(d, op);
    return result;
}

/* The body to execute now, NULL for none. */
static const struct graph *choose_body(struct driver *d, const struct condition_work *w)
{
    uint32_t value;

    memcpy(&value, condition_word(d, w->handle), sizeof value);
    if (w->type != CU_GRAPH_COND_TYPE_SWITCH)
        value = !value;
    return value < w->n_bodies ? w->bodies[value] : NULL;
}

static CUresult run_condition(struct driver *d, struct context *c,
                              const struct operation *op)
{
    const struct condition_work *w = &op->condition;
    const struct graph *body = choose_body(d, w);
    CUresult result = CUDA_SUCCESS;

    while (body && !result) {
        result = graph_run(d, c, body);
        body = w->type == CU_GRAPH_COND_TYPE_WHILE ? choose_body(d, w) : NULL;
    }
    return result;
}

static void describe_condition(const struct driver *d, const struct operation *op,
                               struct buf *out)
{
    static const char *const names[] = { "if", "while", "switch" };

    (void)d;
    buf_printf(out, "%s, %u bodies\nhandle: 0x%llx", names[op->condition.type],
               op->condition.n_bodies, op->condition.handle);
}

const struct operation_ops operation_condition = {
    .name = "CONDITIONAL",
    .shape = "diamond",
    .check = check_condition,
    .adopt = adopt_condition,
    .release = release_condition,
    .execute = run_condition,
    .describe = describe_condition,
};
