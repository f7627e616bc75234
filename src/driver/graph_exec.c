/* graph_exec.c - executable graphs: made from graphs, launched, changed node by node. A
 * launch executes the nodes one after another, each after those that it depends on.
 */
#include <stdlib.h>

#include "driver/capture.h"
#include "driver/graph.h"
#include "driver/graph_node.h"

enum {
    KNOWN_FLAGS = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                  CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                  CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
};

/* Checks what a graph cannot be made executable with. */
static CUresult check_graph(struct driver *d, const struct graph *g, uint64_t flags)
{
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "graphs that kernels launch (DEVICE_LAUNCH)");
    if (flags & ~(uint64_t)KNOWN_FLAGS)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%llx are not known",
                         (unsigned long long)flags);
    if (handle_find(&d->handles, HANDLE_GRAPH_EXEC, g->exec))
        return call_decline(
            d, "a graph with memory nodes has one executable graph at most");
    return CUDA_SUCCESS;
}

static CUresult make_exec(struct driver *d, struct graph *g, uint64_t flags,
                          CUgraphExec *exec, struct graph_node **bad)
{
    struct graph_exec *x = calloc(1, sizeof *x);
    CUresult result;

    if (!x)
        return call_memory(d, "an executable graph");
    result = graph_clone(d, g, &x->graph);
    if (result) {
        free(x);
        return result;
    }
    x->graph->is_part = true;
    x->context = g->context;
    x->flags = flags;
    result = graph_order(d, x->graph, bad);
    if (!result && !(x->handle = handle_add(&d->handles, HANDLE_GRAPH_EXEC, x)))
        result = call_memory(d, "an executable graph");
    if (*bad) /* of the clone: the program knows the node it was cloned from */
        *bad = handle_find(&d->handles, HANDLE_NODE, (*bad)->origin);
    if (result) {
        graph_exec_free(d, x);
        return result;
    }
    if (graph_has_kind(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC))
        g->exec = x->handle;
    *exec = x->handle;
    return CUDA_SUCCESS;
}

void graph_exec_free(struct driver *d, struct graph_exec *x)
{
    if (x->handle)
        handle_drop(&d->handles, x->handle);
    x->is_destroyed = true;
    if (x->n_running)
        return;
    graph_free(d, x->graph);
    free(x);
}

static CUresult instantiate_graph(const char *call, CUgraphExec *exec, CUgraph graph,
                                  CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, call, graph, &result);
    struct graph_node *bad = NULL;

    if (!g || (result = call_check_place(d, exec)) ||
        (result = call_check_place(d, params)))
        return result;
    params->hErrNode_out = NULL;
    params->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    if ((params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) &&
        (result = call_check_stream(d, params->hUploadStream)))
        return result;
    if ((result = check_graph(d, g, params->flags)))
        return result;
    result = make_exec(d, g, params->flags, exec, &bad);
    if (!result)
        params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    if (!bad)
        return result;
    params->hErrNode_out = bad->handle;
    params->result_out = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    return result;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = { .flags = flags };

    return instantiate_graph("cuGraphInstantiate", exec, graph, &params);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    return instantiate_graph("cuGraphInstantiateWithParams", exec, graph, params);
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphExecGetFlags", exec, &result);

    if (!x || (result = call_check_place(d, flags)))
        return result;
    *flags = x->flags;
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphExecDestroy", exec, &result);

    if (x)
        graph_exec_free(d, x);
    return result;
}

/* There is nothing to prepare. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphUpload", exec, &result);

    return x ? call_check_stream(d, stream) : result;
}

/* As on an H200, a graph cannot be launched into a stream that is captured. */
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphLaunch", exec, &result);
    struct driver_stream *s;

    if (!x || (result = call_check_stream(d, stream)))
        return result;
    s = stream_of(d, x->context, stream);
    if ((result = capture_admit(d, s)))
        return result;
    if (s->capture)
        return capture_check_wait(d, s);
    result = graph_prepare_memory(
        d, x->graph, x->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    if (result)
        return result;
    graph_assign_conditions(d, x->graph);
    x->n_running++;
    result = graph_run(d, x->context, x->graph);
    x->n_running--;
    if (x->is_destroyed)
        graph_exec_free(d, x);
    return result;
}

struct graph_node *graph_exec_node(struct driver *d, const struct graph_exec *x,
                                   CUgraphNode node, CUresult *result)
{
    struct graph_node *n = node ? graph_find_clone(x->graph, node) : NULL;

    if (!n)
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "%p is not a node of the graph that this one was made from",
                            (void *)node);
    return n;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphNodeSetEnabled", exec, &result);
    struct graph_node *n = x ? graph_exec_node(d, x, node, &result) : NULL;

    if (!n)
        return result;
    if (!operation_ops_of(n->op.type)->can_disable)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "only kernels, copies and fills can be switched off");
    n->is_disabled = !enabled;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                               unsigned int *enabled)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, "cuGraphNodeGetEnabled", exec, &result);
    struct graph_node *n = x ? graph_exec_node(d, x, node, &result) : NULL;

    if (!n || (result = call_check_place(d, enabled)))
        return result;
    *enabled = !n->is_disabled;
    return CUDA_SUCCESS;
}

static CUresult set_exec_node(const char *call, CUgraphExec exec, CUgraphNode node,
                              const CUgraphNodeParams *p)
{
    struct driver *d;
    CUresult result;
    struct graph_exec *x = graph_begin_exec(&d, call, exec, &result);
    struct graph_node *n = x ? graph_exec_node(d, x, node, &result) : NULL;

    if (!n)
        return result;
    if (!p || !operation_ops_of(p->type))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no parameters of a known kind");
    return graph_node_change(d, n, p, true);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  CUgraphNodeParams *params)
{
    return set_exec_node("cuGraphExecNodeSetParams", exec, node, params);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };

    if (params)
        p.kernel = *params;
    return set_exec_node("cuGraphExecKernelNodeSetParams", exec, node,
                         params ? &p : NULL);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy, CUcontext ctx)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };

    (void)ctx;
    if (copy)
        p.memcpy.copyParams = *copy;
    return set_exec_node("cuGraphExecMemcpyNodeSetParams", exec, node,
                         copy ? &p : NULL);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *fill,
                                        CUcontext ctx)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMSET };

    (void)ctx;
    if (fill)
        p.memset = *fill;
    return set_exec_node("cuGraphExecMemsetNodeSetParams", exec, node,
                         fill ? &p : NULL);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *host)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_HOST };

    if (host)
        p.host = *host;
    return set_exec_node("cuGraphExecHostNodeSetParams", exec, node, host ? &p : NULL);
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                            CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                            .eventRecord = { event } };

    return set_exec_node("cuGraphExecEventRecordNodeSetEvent", exec, node, &p);
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                          CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                            .eventWait = { event } };

    return set_exec_node("cuGraphExecEventWaitNodeSetEvent", exec, node, &p);
}
