/* graph.c - graphs as data: nodes, edges, clones, and the order of execution. */
#include "driver/graph.h"

#include <stdlib.h>
#include <string.h>

#include "driver/capture.h"

CUresult graph_new(struct driver *d, struct context *c, struct graph **out)
{
    struct graph *g = calloc(1, sizeof *g);

    if (g)
        g->handle = handle_add(&d->handles, HANDLE_GRAPH, g);
    if (!g || !g->handle) {
        free(g);
        return call_memory(d, "a graph");
    }
    g->context = c;
    *out = g;
    return CUDA_SUCCESS;
}

static void free_node(struct driver *d, struct graph_node *n)
{
    operation_free(d, &n->op);
    handle_drop(&d->handles, n->handle);
    free(n);
}

void graph_free(struct driver *d, struct graph *g)
{
    if (!g)
        return;
    handle_drop(&d->handles, g->handle);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        free_node(d, g->nodes[i]);
    graph_drop_conditions(d, g);
    graph_drop_objects(d, g);
    free(g->nodes);
    free(g->edges);
    free(g->order);
    free(g);
}

struct graph **graph_parts(const struct operation *op, uint32_t *n)
{
    *n = 0;
    if (op->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        *n = op->condition.n_bodies;
        return op->condition.bodies;
    }
    if (op->type != CU_GRAPH_NODE_TYPE_GRAPH)
        return NULL;
    *n = 1;
    return (struct graph **)(uintptr_t)&op->child;
}

bool graph_has_kind(const struct graph *g, CUgraphNodeType type)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t n;
        struct graph **parts = graph_parts(&g->nodes[i]->op, &n);

        if (g->nodes[i]->op.type == type)
            return true;
        for (uint32_t k = 0; k < n; k++)
            if (graph_has_kind(parts[k], type))
                return true;
    }
    return false;
}

/* A node without edges, whose operation is a clone. */
static CUresult append_node(struct driver *d, struct graph *g,
                            const struct operation *op, struct graph_node **out)
{
    struct graph_node *n;
    CUresult result;

    if (g->n_nodes == g->cap_nodes) {
        uint32_t cap = g->cap_nodes ? 2 * g->cap_nodes : 8;
        struct graph_node **nodes =
            realloc(g->nodes, cap * sizeof(struct graph_node *));

        if (!nodes)
            return call_memory(d, "the nodes of a graph");
        g->nodes = nodes;
        g->cap_nodes = cap;
    }
    n = calloc(1, sizeof *n);
    if (n)
        n->handle = handle_add(&d->handles, HANDLE_NODE, n);
    if (!n || !n->handle) {
        free(n);
        return call_memory(d, "a node");
    }
    result = operation_clone(d, &n->op, op);
    if (result) {
        handle_drop(&d->handles, n->handle);
        free(n);
        return result;
    }
    n->graph = g;
    n->index = g->n_nodes;
    g->nodes[g->n_nodes++] = n;
    *out = n;
    return CUDA_SUCCESS;
}

struct graph_edge *graph_find_edge(const struct graph *g, const struct graph_node *from,
                                   const struct graph_node *to)
{
    for (uint32_t i = g->n_edges; to->n_in && i-- > 0;)
        if (g->edges[i].from == from && g->edges[i].to == to)
            return &g->edges[i];
    return NULL;
}

static CUresult append_edge(struct driver *d, struct graph *g, struct graph_edge edge)
{
    if (g->n_edges == g->cap_edges) {
        uint32_t cap = g->cap_edges ? 2 * g->cap_edges : 8;
        struct graph_edge *edges = realloc(g->edges, cap * sizeof *edges);

        if (!edges)
            return call_memory(d, "the edges of a graph");
        g->edges = edges;
        g->cap_edges = cap;
    }
    g->edges[g->n_edges++] = edge;
    edge.to->n_in++;
    return CUDA_SUCCESS;
}

CUresult graph_add_edge(struct driver *d, struct graph *g, struct graph_node *from,
                        struct graph_node *to, const CUgraphEdgeData *data)
{
    if (from == to || graph_find_edge(g, from, to))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "node %u cannot depend on node %u: it is the same, or does so "
                         "already",
                         to->index, from->index);
    return append_edge(
        d, g, (struct graph_edge){ from, to, data ? *data : (CUgraphEdgeData){ 0 } });
}

void graph_remove_edge(struct graph *g, struct graph_edge *e)
{
    size_t i = (size_t)(e - g->edges);

    e->to->n_in--;
    memmove(e, e + 1, (g->n_edges - i - 1) * sizeof *e);
    g->n_edges--;
}

void graph_remove_node(struct driver *d, struct graph_node *n)
{
    struct graph *g = n->graph;

    for (uint32_t i = g->n_edges; i-- > 0;)
        if (g->edges[i].from == n || g->edges[i].to == n)
            graph_remove_edge(g, &g->edges[i]);
    g->n_nodes--;
    memmove(&g->nodes[n->index], &g->nodes[n->index + 1],
            (g->n_nodes - n->index) * sizeof(struct graph_node *));
    for (uint32_t i = n->index; i < g->n_nodes; i++)
        g->nodes[i]->index = i;
    free_node(d, n);
}

struct graph_node *graph_node_of(struct driver *d, const struct graph *g,
                                 CUgraphNode handle, CUresult *result)
{
    struct graph_node *n = handle_find(&d->handles, HANDLE_NODE, handle);

    if (n && (!g || n->graph == g))
        return n;
    *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "%p is not a node of the graph",
                        (void *)handle);
    return NULL;
}

CUresult graph_add_node(struct driver *d, struct graph *g, const struct operation *op,
                        const struct node_set *from, struct graph_node **out)
{
    struct graph_node *n;
    CUresult result = CUDA_SUCCESS;

    if (from->n && !from->list)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no list of dependencies");
    for (uint32_t i = 0; i < from->n; i++)
        if (!graph_node_of(d, g, from->list[i], &result))
            return result;
    result = append_node(d, g, op, &n);
    if (result)
        return result;
    for (uint32_t i = 0; !result && i < from->n; i++)
        result = graph_add_edge(
            d, g, handle_find(&d->handles, HANDLE_NODE, from->list[i]), n, NULL);
    if (result)
        graph_remove_node(d, n);
    else
        *out = n;
    return result;
}

static CUresult clone_into(struct driver *d, struct graph *to, const struct graph *g)
{
    CUresult result = graph_share_conditions(d, to, g);

    if (!result)
        result = graph_share_objects(d, to, g);
    for (uint32_t i = 0; !result && i < g->n_nodes; i++) {
        struct graph_node *n;

        result = append_node(d, to, &g->nodes[i]->op, &n);
        if (!result)
            n->origin = g->nodes[i]->handle;
    }
    for (uint32_t i = 0; !result && i < g->n_edges; i++) {
        const struct graph_edge *e = &g->edges[i];

        result = append_edge(d, to,
                             (struct graph_edge){ to->nodes[e->from->index],
                                                  to->nodes[e->to->index], e->data });
    }
    return result;
}

CUresult graph_clone(struct driver *d, const struct graph *g, struct graph **out)
{
    CUresult result = graph_new(d, g->context, out);

    if (result)
        return result;
    (*out)->origin = g->handle;
    result = clone_into(d, *out, g);
    if (result)
        graph_free(d, *out);
    return result;
}

struct graph_node *graph_find_clone(const struct graph *g, CUgraphNode origin)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t n;
        struct graph **parts = graph_parts(&g->nodes[i]->op, &n);

        if (g->nodes[i]->origin == origin)
            return g->nodes[i];
        for (uint32_t k = 0; k < n; k++) {
            struct graph_node *found = graph_find_clone(parts[k], origin);

            if (found)
                return found;
        }
    }
    return NULL;
}

/* Edges by the node that they leave: those of node i are list[first[i]] up to
 * list[first[i + 1]]. left: the edges that lead to each node. */
struct adjacency {
    uint32_t *first, *list, *left;
};

static bool make_adjacency(const struct graph *g, struct adjacency *a)
{
    a->first = calloc(g->n_nodes + 2, sizeof *a->first);
    a->list = calloc(g->n_edges + 1, sizeof *a->list);
    a->left = calloc(g->n_nodes + 1, sizeof *a->left);
    if (!a->first || !a->list || !a->left)
        return false;
    for (uint32_t i = 0; i < g->n_edges; i++) {
        a->first[g->edges[i].from->index + 2]++;
        a->left[g->edges[i].to->index]++;
    }
    for (uint32_t i = 2; i < g->n_nodes + 2; i++)
        a->first[i] += a->first[i - 1];
    for (uint32_t i = 0; i < g->n_edges; i++)
        a->list[a->first[g->edges[i].from->index + 1]++] = g->edges[i].to->index;
    return true;
}

/* First the roots, in order of creation, then what becomes ready, in that order. Returns
 * how many nodes have a place; the others are on cycles or behind them. */
static uint32_t order_nodes(const struct graph *g, struct adjacency *a, uint32_t *order)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!a->left[i])
            order[n++] = i;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t k = a->first[order[at]]; k < a->first[order[at] + 1]; k++)
            if (!--a->left[a->list[k]])
                order[n++] = a->list[k];
    return n;
}

static CUresult order_one(struct driver *d, struct graph *g, struct graph_node **bad)
{
    struct adjacency a = { 0 };
    CUresult result = CUDA_SUCCESS;

    free(g->order);
    g->order = malloc((g->n_nodes + 1) * sizeof *g->order);
    if (!g->order || !make_adjacency(g, &a))
        result = call_memory(d, "the order of a graph");
    else if (order_nodes(g, &a, g->order) < g->n_nodes)
        result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "the graph has a cycle");
    for (uint32_t i = 0; result && a.left && i < g->n_nodes && !*bad; i++)
        if (a.left[i])
            *bad = g->nodes[i];
    free(a.first);
    free(a.list);
    free(a.left);
    return result;
}

CUresult graph_order(struct driver *d, struct graph *g, struct graph_node **bad)
{
    CUresult result = order_one(d, g, bad);

    for (uint32_t i = 0; !result && i < g->n_nodes; i++) {
        uint32_t n;
        struct graph **parts = graph_parts(&g->nodes[i]->op, &n);

        for (uint32_t k = 0; !result && k < n; k++)
            result = graph_order(d, parts[k], bad);
    }
    return result;
}

CUresult graph_run(struct driver *d, struct context *c, const struct graph *g)
{
    CUresult result = CUDA_SUCCESS;

    for (uint32_t i = 0; !result && i < g->n_nodes; i++) {
        const struct graph_node *n = g->nodes[g->order[i]];

        if (!n->is_disabled)
            result = operation_execute(d, c, &n->op);
    }
    return result;
}

void graph_free_context(struct driver *d, struct context *c)
{
    struct graph_exec *x;
    struct user_object *o;
    struct graph *g;
    uint32_t at = 0;

    capture_drop_context(d, c);
    while ((x = handle_next(&d->handles, HANDLE_GRAPH_EXEC, &at)))
        if (x->context == c)
            graph_exec_free(d, x);
    for (at = 0; (g = handle_next(&d->handles, HANDLE_GRAPH, &at));)
        if (g->context == c && !g->is_part)
            graph_free(d, g);
    for (at = 0; (o = handle_next(&d->handles, HANDLE_USER_OBJECT, &at));)
        if (o->context == c) {
            handle_drop(&d->handles, o->handle);
            free(o);
        }
    graph_free_memory(d, c);
}

static CUresult adopt_child(struct driver *d, struct operation *op)
{
    const struct graph *given = op->child;
    CUresult result;

    op->child = NULL;
    result = graph_clone(d, given, &op->child);
    if (result)
        op->child = NULL;
    else
        op->child->is_part = true;
    return result;
}

static void release_child(struct driver *d, struct operation *op)
{
    graph_free(d, op->child);
}

static CUresult run_child(struct driver *d, struct context *c,
                          const struct operation *op)
{
    return graph_run(d, c, op->child);
}

const struct operation_ops operation_child = {
    .name = "GRAPH",
    .shape = "rectangle",
    .adopt = adopt_child,
    .release = release_child,
    .execute = run_child,
};
