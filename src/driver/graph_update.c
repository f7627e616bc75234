/* graph_update.c - executable graphs that take over all parameters of another graph. The
 * graphs must have the same nodes and edges, in the order of creation; nothing changes
 * before all of it was compared.
 */
#include "driver/graph.h"
#include "driver/graph_node.h"

/* The first node of graph g whose edges differ from those of its counterpart, else NULL. */
static const struct graph_node *find_other_edges(const struct graph *old,
                                                 const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_edges; i++) {
        const struct graph_edge *e = &g->edges[i];

        if (!graph_find_edge(old, old->nodes[e->from->index], old->nodes[e->to->index]))
            return e->to;
    }
    return NULL;
}

static CUgraphExecUpdateResult fail_at(CUgraphExecUpdateResultInfo *info,
                                       const struct graph_node *n,
                                       CUgraphExecUpdateResult why)
{
    info->errorNode = n ? n->handle : NULL;
    info->result = why;
    return why;
}

static CUgraphExecUpdateResult compare_graphs(const struct driver *d,
                                              const struct graph *old,
                                              const struct graph *g,
                                              CUgraphExecUpdateResultInfo *info);

static CUgraphExecUpdateResult compare_nodes(const struct driver *d,
                                             const struct graph_node *old,
                                             const struct graph_node *n,
                                             CUgraphExecUpdateResultInfo *info)
{
    const struct operation_ops *ops = operation_ops_of(n->op.type);
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    uint32_t n_old, n_new;
    struct graph **were, **are;

    if (old->op.type != n->op.type)
        return fail_at(info, n, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    were = graph_parts(&old->op, &n_old);
    are = graph_parts(&n->op, &n_new);
    if (n_old != n_new)
        return fail_at(info, n, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    for (uint32_t i = 0; !result && i < n_new; i++)
        result = compare_graphs(d, were[i], are[i], info);
    if (n_new)
        return result;
    if (!ops->can_become)
        return fail_at(info, n, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED);
    if (!ops->can_become(d, &old->op, &n->op))
        return fail_at(info, n, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUgraphExecUpdateResult compare_graphs(const struct driver *d,
                                              const struct graph *old,
                                              const struct graph *g,
                                              CUgraphExecUpdateResultInfo *info)
{
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    const struct graph_node *other;

    if (old->n_nodes != g->n_nodes || old->n_edges != g->n_edges)
        return fail_at(info, NULL, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    other = find_other_edges(old, g);
    if (other)
        return fail_at(info, other, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    for (uint32_t i = 0; !result && i < g->n_nodes; i++)
        result = compare_nodes(d, old->nodes[i], g->nodes[i], info);
    return result;
}

/* Of graphs that were compared. A part keeps its nodes, which the program may know. */
static CUresult take_over(struct driver *d, struct graph *to, const struct graph *g)
{
    CUresult result = CUDA_SUCCESS;

    for (uint32_t i = 0; !result && i < g->n_nodes; i++) {
        uint32_t n;
        struct graph **parts = graph_parts(&g->nodes[i]->op, &n);
        struct graph **own = graph_parts(&to->nodes[i]->op, &n);
        struct operation copy;

        for (uint32_t k = 0; !result && k < n; k++)
            result = take_over(d, own[k], parts[k]);
        if (result || n)
            continue;
        result = operation_clone(d, &copy, &g->nodes[i]->op);
        if (result)
            return result;
        operation_free(d, &to->nodes[i]->op);
        to->nodes[i]->op = copy;
    }
    return result;
}

static CUresult update_graph(struct driver *d, struct graph *to, const struct graph *g,
                             CUgraphExecUpdateResultInfo *info)
{
    CUresult result;

    *info = (CUgraphExecUpdateResultInfo){ CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL };
    if (compare_graphs(d, to, g, info))
        return call_fail(d, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
                         "the graphs have different nodes or edges, or parameters that "
                         "cannot change (reason %d)",
                         (int)info->result);
    result = take_over(d, to, g);
    if (result)
        info->result = CU_GRAPH_EXEC_UPDATE_ERROR;
    return result;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph,
                           CUgraphExecUpdateResultInfo *info)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphExecUpdate", exec, &result);
    struct graph *g = x ? graph_begin(&d, "cuGraphExecUpdate", graph, &result) : NULL;

    if (!g || (result = call_check_place(d, info)))
        return result;
    return update_graph(d, x->graph, g, info);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            CUgraph child)
{
    const char *call = "cuGraphExecChildGraphNodeSetParams";
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, call, exec, &result);
    struct graph *g = x ? graph_begin(&d, call, child, &result) : NULL;
    struct graph_node *n = g ? graph_exec_node(d, x, node, &result) : NULL;
    CUgraphExecUpdateResultInfo info;

    if (!n)
        return result;
    if (n->op.type != CU_GRAPH_NODE_TYPE_GRAPH)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "the node has no child graph");
    result = update_graph(d, n->op.child, g, &info);
    return result == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? CUDA_ERROR_INVALID_VALUE
                                                          : result;
}
