/* graph_calls.c - calls on graphs as a whole: made, cloned, taken apart, asked for their
 * nodes and edges.
 */
#include <stdlib.h>

#include "driver/capture.h"
#include "driver/graph.h"

/* CUDA calls a graph, node or executable graph that does not exist an invalid value. */
static void *begin_on(struct driver **d, const char *call, enum handle_kind kind,
                      const char *what, const void *handle, CUresult *result)
{
    void *object = call_begin_on(d, call, kind, what, handle, result);

    if (*result == CUDA_ERROR_INVALID_HANDLE)
        *result = call_fail(*d, CUDA_ERROR_INVALID_VALUE, "%p is not a live %s", handle,
                            what);
    return object;
}

struct graph *graph_begin(struct driver **d, const char *call, CUgraph graph,
                          CUresult *result)
{
    return begin_on(d, call, HANDLE_GRAPH, "graph", graph, result);
}

struct graph_node *graph_begin_node(struct driver **d, const char *call,
                                    CUgraphNode node, CUresult *result)
{
    return begin_on(d, call, HANDLE_NODE, "node", node, result);
}

struct graph_exec *graph_begin_exec(struct driver **d, const char *call,
                                    CUgraphExec exec, CUresult *result)
{
    return begin_on(d, call, HANDLE_GRAPH_EXEC, "executable graph", exec, result);
}

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
    struct driver *d;
    struct context *c;
    struct graph *g;
    CUresult result = call_begin(&d, &c, "cuGraphCreate");

    if (result || (result = call_check_place(d, graph)))
        return result;
    if (flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0", flags);
    result = graph_new(d, c, &g);
    if (!result)
        *graph = g->handle;
    return result;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphDestroy", graph, &result);

    if (!g)
        return result;
    if (g->is_part || capture_uses_graph(d, g))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the graph belongs to a node or to a capture");
    graph_free(d, g);
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphClone", graph, &result), *copy;

    if (!g || (result = call_check_place(d, clone)))
        return result;
    if (graph_has_kind(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC) ||
        graph_has_kind(g, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return call_decline(d, "CUDA does not clone graphs with memory nodes");
    result = graph_clone(d, g, &copy);
    if (!result)
        *clone = copy->handle;
    return result;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphNodeFindInClone", clone, &result);
    struct graph_node *n;

    if (!g || (result = call_check_place(d, node)))
        return result;
    n = graph_find_clone(g, original);
    if (!original || !n)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the graph has no clone of node %p", (void *)original);
    *node = n->handle;
    return CUDA_SUCCESS;
}

/* A graph that allocates cannot be taken apart. */
static CUresult check_loose(struct driver *d, const struct graph *g)
{
    if (!graph_has_kind(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC) &&
        !graph_has_kind(g, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return CUDA_SUCCESS;
    return call_decline(d, "CUDA removes nothing from graphs with memory nodes");
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    struct driver *d;
    CUresult result;
    struct graph_node *n = graph_begin_node(&d, "cuGraphDestroyNode", node, &result);

    if (!n || (result = check_loose(d, n->graph)))
        return result;
    graph_remove_node(d, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    struct driver *d;
    CUresult result;
    struct graph_node *n = graph_begin_node(&d, "cuGraphNodeGetType", node, &result);

    if (!n || (result = call_check_place(d, type)))
        return result;
    *type = n->op.type;
    return CUDA_SUCCESS;
}

/* An answer that is a list: counted, and written as far as there is room. */
struct answer {
    CUgraphNode *nodes, *others; /* either may be NULL: not wanted */
    CUgraphEdgeData *data;
    size_t room, n;
};

static void answer_add(struct answer *a, CUgraphNode node, CUgraphNode other,
                       const CUgraphEdgeData *data)
{
    if (a->n < a->room) {
        if (a->nodes)
            a->nodes[a->n] = node;
        if (a->others)
            a->others[a->n] = other;
        if (a->data && data)
            a->data[a->n] = *data;
    }
    a->n++;
}

/* Who only asks for the number gets it. Room that is left is cleared. */
static void answer_end(struct answer *a, size_t *n)
{
    for (size_t i = a->n; i < a->room; i++) {
        if (a->nodes)
            a->nodes[i] = NULL;
        if (a->others)
            a->others[i] = NULL;
    }
    *n = (a->nodes || a->others) && a->n > a->room ? a->room : a->n;
}

static CUresult list_nodes(const char *call, CUgraph graph, CUgraphNode *nodes,
                           size_t *n, bool are_roots)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, call, graph, &result);
    struct answer a;

    if (!g || (result = call_check_place(d, n)))
        return result;
    a = (struct answer){ .nodes = nodes, .room = nodes ? *n : 0 };
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!are_roots || !g->nodes[i]->n_in)
            answer_add(&a, g->nodes[i]->handle, NULL, NULL);
    answer_end(&a, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    return list_nodes("cuGraphGetNodes", graph, nodes, n, false);
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    return list_nodes("cuGraphGetRootNodes", graph, nodes, n, true);
}

/* The edges of a graph that lead from or to a node; NULL: any. */
static void list_edges(const struct graph *g, const struct graph_node *from,
                       const struct graph_node *to, struct answer *a)
{
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct graph_edge *e = &g->edges[i];

        if ((!from || e->from == from) && (!to || e->to == to))
            answer_add(a, e->from->handle, e->to->handle, &e->data);
    }
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                         CUgraphEdgeData *data, size_t *n)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphGetEdges", graph, &result);
    struct answer a;

    if (!g || (result = call_check_place(d, n)))
        return result;
    if (!from != !to)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "a list for one end of the edges only");
    a = (struct answer){ from, to, data, from ? *n : 0, 0 };
    list_edges(g, NULL, NULL, &a);
    answer_end(&a, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *from,
                                    CUgraphEdgeData *data, size_t *n)
{
    struct driver *d;
    CUresult result;
    struct graph_node *of =
        graph_begin_node(&d, "cuGraphNodeGetDependencies", node, &result);
    struct answer a;

    if (!of || (result = call_check_place(d, n)))
        return result;
    a = (struct answer){ from, NULL, data, from ? *n : 0, 0 };
    list_edges(of->graph, NULL, of, &a);
    answer_end(&a, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *to,
                                      CUgraphEdgeData *data, size_t *n)
{
    struct driver *d;
    CUresult result;
    struct graph_node *of =
        graph_begin_node(&d, "cuGraphNodeGetDependentNodes", node, &result);
    struct answer a;

    if (!of || (result = call_check_place(d, n)))
        return result;
    a = (struct answer){ NULL, to, data, to ? *n : 0, 0 };
    list_edges(of->graph, of, NULL, &a);
    answer_end(&a, n);
    return CUDA_SUCCESS;
}

/* Adds edges one by one, or removes them. */
static CUresult change_edges(const char *call, CUgraph graph, const struct answer *a,
                             bool is_added)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, call, graph, &result);

    if (!g || (!is_added && a->n && (result = check_loose(d, g))))
        return result;
    if (a->n && (!a->nodes || !a->others))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no list of nodes");
    for (size_t i = 0; !result && i < a->n; i++) {
        struct graph_node *from = graph_node_of(d, g, a->nodes[i], &result);
        struct graph_node *to = graph_node_of(d, g, a->others[i], &result);
        struct graph_edge *e;

        if (result)
            return result;
        e = graph_find_edge(g, from, to);
        if (is_added)
            result = graph_add_edge(d, g, from, to, a->data ? &a->data[i] : NULL);
        else if (e)
            graph_remove_edge(g, e);
        else
            result =
                call_fail(d, CUDA_ERROR_INVALID_VALUE,
                          "node %u does not depend on node %u", to->index, from->index);
    }
    return result;
}

/* The lists are only read. */
static struct answer given_edges(const CUgraphNode *from, const CUgraphNode *to,
                                 const CUgraphEdgeData *data, size_t n)
{
    return (struct answer){ (CUgraphNode *)(uintptr_t)from,
                            (CUgraphNode *)(uintptr_t)to,
                            (CUgraphEdgeData *)(uintptr_t)data, n, n };
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                const CUgraphNode *to, const CUgraphEdgeData *data,
                                size_t n)
{
    struct answer a = given_edges(from, to, data, n);

    return change_edges("cuGraphAddDependencies", graph, &a, true);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to, const CUgraphEdgeData *data,
                                   size_t n)
{
    struct answer a = given_edges(from, to, data, n);

    return change_edges("cuGraphRemoveDependencies", graph, &a, false);
}
