/* graph_node.c - nodes of every kind: added to graphs, asked for their parameters, given
 * others. The calls for one kind are the generic ones with the kind's part filled in.
 */
#include "driver/graph_node.h"

#include <stdlib.h>

#include "driver/launch.h"

static CUresult make_kernel(struct driver *d, const CUgraphNodeParams *p,
                            struct operation *op)
{
    const CUDA_KERNEL_NODE_PARAMS *k = &p->kernel;

    op->kernel = (struct kernel_work){
        .function = k->func,
        .grid = { k->gridDimX, k->gridDimY, k->gridDimZ },
        .block = { k->blockDimX, k->blockDimY, k->blockDimZ },
        .dynamic_shared = k->sharedMemBytes,
    };
    return launch_pack_params(d, &op->kernel, k->kernelParams, k->extra);
}

static CUresult make_copy(struct driver *d, const CUgraphNodeParams *p,
                          struct operation *op)
{
    (void)d;
    op->copy = p->memcpy.copyParams;
    return CUDA_SUCCESS;
}

static CUresult make_fill(struct driver *d, const CUgraphNodeParams *p,
                          struct operation *op)
{
    (void)d;
    op->fill = p->memset;
    return CUDA_SUCCESS;
}

static CUresult make_host(struct driver *d, const CUgraphNodeParams *p,
                          struct operation *op)
{
    (void)d;
    op->host = p->host;
    return CUDA_SUCCESS;
}

static CUresult make_child(struct driver *d, const CUgraphNodeParams *p,
                           struct operation *op)
{
    op->child = handle_find(&d->handles, HANDLE_GRAPH, p->graph.graph);
    if (!op->child)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%p is not a live graph",
                         (void *)p->graph.graph);
    if (p->graph.ownership)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "child graphs that are moved");
    if (graph_has_kind(op->child, CU_GRAPH_NODE_TYPE_MEM_ALLOC) ||
        graph_has_kind(op->child, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return call_decline(d, "a child graph with memory nodes");
    return CUDA_SUCCESS;
}

static CUresult make_empty(struct driver *d, const CUgraphNodeParams *p,
                           struct operation *op)
{
    (void)d;
    (void)p;
    (void)op;
    return CUDA_SUCCESS;
}

static CUresult make_event(struct driver *d, const CUgraphNodeParams *p,
                           struct operation *op)
{
    (void)d;
    op->event = p->eventRecord.event; /* that of eventWait is at the same place */
    return CUDA_SUCCESS;
}

static CUresult add_alloc(struct driver *d, struct graph *g,
                          const struct node_set *from, CUgraphNodeParams *p,
                          struct graph_node **out)
{
    return graph_add_alloc(d, g, from, &p->alloc, out);
}

static CUresult add_free(struct driver *d, struct graph *g, const struct node_set *from,
                         CUgraphNodeParams *p, struct graph_node **out)
{
    return graph_add_free(d, g, from, p->free.dptr, out);
}

/* The bodies are made with the node and handed to the program. */
static CUresult add_condition(struct driver *d, struct graph *g,
                              const struct node_set *from, CUgraphNodeParams *p,
                              struct graph_node **out)
{
    CUDA_CONDITIONAL_NODE_PARAMS *c = &p->conditional;
    struct operation op = {
        .type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
        .condition = { .handle = c->handle, .type = c->type, .n_bodies = c->size }
    };
    CUresult result = operation_check(d, &op);

    if (!result)
        result = graph_add_node(d, g, &op, from, out);
    if (!result)
        c->phGraph_out = (*out)->op.condition.handles;
    return result;
}

/* How parameters become a node: an operation, or a way of the kind's own. */
static const struct {
    CUresult (*make)(struct driver *d, const CUgraphNodeParams *p,
                     struct operation *op);
    CUresult (*add)(struct driver *d, struct graph *g, const struct node_set *from,
                    CUgraphNodeParams *p, struct graph_node **out);
} kinds[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = { .make = make_kernel },
    [CU_GRAPH_NODE_TYPE_MEMCPY] = { .make = make_copy },
    [CU_GRAPH_NODE_TYPE_MEMSET] = { .make = make_fill },
    [CU_GRAPH_NODE_TYPE_HOST] = { .make = make_host },
    [CU_GRAPH_NODE_TYPE_GRAPH] = { .make = make_child },
    [CU_GRAPH_NODE_TYPE_EMPTY] = { .make = make_empty },
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = { .make = make_event },
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = { .make = make_event },
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = { .add = add_alloc },
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = { .add = add_free },
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = { .add = add_condition },
};

/* Frees what make_kernel() packed. */
static void drop_made(struct operation *op)
{
    if (op->type == CU_GRAPH_NODE_TYPE_KERNEL)
        free(op->kernel.params);
}

static CUresult check_kind(struct driver *d, CUgraphNodeType type)
{
    if (operation_ops_of(type))
        return CUDA_SUCCESS;
    if (type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP ||
        type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL ||
        type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "nodes of external semaphores and of memory operations");
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "nodes of kind %d are not known",
                     (int)type);
}

static CUresult add_made(struct driver *d, struct graph *g, const struct node_set *from,
                         const CUgraphNodeParams *p, struct graph_node **out)
{
    struct operation op = { .type = p->type };
    CUresult result = kinds[p->type].make(d, p, &op);

    if (result)
        return result;
    result = operation_check(d, &op);
    if (!result)
        result = graph_add_node(d, g, &op, from, out);
    drop_made(&op);
    return result;
}

/* A node and the edges that lead to it. */
struct wanted {
    CUgraphNode *node;
    CUgraph graph;
    const CUgraphNode *from;
    size_t n;
    const CUgraphEdgeData *data;
};

static CUresult add_node(const char *call, struct wanted w, CUgraphNodeParams *p)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, call, w.graph, &result);
    struct node_set from = { (CUgraphNode *)(uintptr_t)w.from, (uint32_t)w.n, 0 };
    struct graph_node *n = NULL;

    if (!g || (result = call_check_place(d, w.node)) ||
        (result = call_check_place(d, p)) || (result = check_kind(d, p->type)))
        return result;
    if (w.n > UINT32_MAX)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%zu dependencies", w.n);
    result = kinds[p->type].add ? kinds[p->type].add(d, g, &from, p, &n)
                                : add_made(d, g, &from, p, &n);
    if (result)
        return result;
    for (size_t i = 0; w.data && i < w.n; i++)
        graph_find_edge(g, graph_node_of(d, g, w.from[i], &result), n)->data =
            w.data[i];
    *w.node = n->handle;
    return CUDA_SUCCESS;
}

CUresult graph_node_change(struct driver *d, struct graph_node *n,
                           const CUgraphNodeParams *p, bool is_exec)
{
    const struct operation_ops *ops = operation_ops_of(n->op.type);
    struct operation op = { .type = p->type }, copy;
    CUresult result;

    if (p->type != n->op.type || !kinds[p->type].make)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the node is of another kind, or its parameters are fixed");
    if ((result = kinds[p->type].make(d, p, &op)))
        return result;
    if (p->type == CU_GRAPH_NODE_TYPE_KERNEL) { /* attributes stay */
        op.kernel.attributes = n->op.kernel.attributes;
        op.kernel.n_attributes = n->op.kernel.n_attributes;
        op.kernel.is_cooperative = n->op.kernel.is_cooperative;
        for (int i = 0; i < 3; i++)
            op.kernel.cluster[i] = n->op.kernel.cluster[i];
    }
    result = operation_check(d, &op);
    if (!result && is_exec && !(ops->can_become && ops->can_become(d, &n->op, &op)))
        result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                           "an executable graph cannot change in this way");
    if (!result)
        result = operation_clone(d, &copy, &op);
    drop_made(&op);
    if (result)
        return result;
    operation_free(d, &n->op);
    n->op = copy;
    return CUDA_SUCCESS;
}

static CUresult set_node(const char *call, CUgraphNode node, const CUgraphNodeParams *p)
{
    struct driver *d;
    CUresult result;
    struct graph_node *n = graph_begin_node(&d, call, node, &result);

    if (!n || (result = call_check_place(d, p)) || (result = check_kind(d, p->type)))
        return result;
    return graph_node_change(d, n, p, false);
}

/* The node, if it is of that kind and there is a place for the answer. */
static const struct operation *get_node(const char *call, CUgraphNode node,
                                        CUgraphNodeType type, const void *place,
                                        CUresult *result)
{
    struct driver *d;
    struct graph_node *n = graph_begin_node(&d, call, node, result);

    if (!n || (*result = call_check_place(d, place)))
        return NULL;
    if (n->op.type == type)
        return &n->op;
    *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "the node is of another kind");
    return NULL;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                        const CUgraphEdgeData *data, size_t n,
                        CUgraphNodeParams *params)
{
    return add_node("cuGraphAddNode", (struct wanted){ node, graph, from, n, data },
                    params);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
    return set_node("cuGraphNodeSetParams", node, params);
}

/* The generic parameters of one kind; without any, those of no kind. */
#define PARAMS(kind, member, given)                              \
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_##kind }; \
    if (!(given))                                                \
        p.type = (CUgraphNodeType)-1;                            \
    else                                                         \
        p.member = *(given)

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                              size_t n, const CUDA_KERNEL_NODE_PARAMS *params)
{
    PARAMS(KERNEL, kernel, params);
    return add_node("cuGraphAddKernelNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS *params)
{
    PARAMS(KERNEL, kernel, params);
    return set_node("cuGraphKernelNodeSetParams", node, &p);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphKernelNodeGetParams", node,
                                          CU_GRAPH_NODE_TYPE_KERNEL, params, &result);
    const struct kernel_work *w;

    if (!op)
        return result;
    w = &op->kernel;
    *params = (CUDA_KERNEL_NODE_PARAMS){
        .func = w->function,
        .gridDimX = w->grid[0],
        .gridDimY = w->grid[1],
        .gridDimZ = w->grid[2],
        .blockDimX = w->block[0],
        .blockDimY = w->block[1],
        .blockDimZ = w->block[2],
        .sharedMemBytes = w->dynamic_shared,
        .kernelParams = w->places,
    };
    return CUDA_SUCCESS;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                              size_t n, const CUDA_MEMCPY3D *copy, CUcontext ctx)
{
    PARAMS(MEMCPY, memcpy.copyParams, copy);
    (void)ctx; /* all share the device's memory */
    return add_node("cuGraphAddMemcpyNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy)
{
    PARAMS(MEMCPY, memcpy.copyParams, copy);
    return set_node("cuGraphMemcpyNodeSetParams", node, &p);
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphMemcpyNodeGetParams", node,
                                          CU_GRAPH_NODE_TYPE_MEMCPY, copy, &result);

    if (op)
        *copy = op->copy;
    return result;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                              size_t n, const CUDA_MEMSET_NODE_PARAMS *fill,
                              CUcontext ctx)
{
    PARAMS(MEMSET, memset, fill);
    (void)ctx;
    return add_node("cuGraphAddMemsetNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                    const CUDA_MEMSET_NODE_PARAMS *fill)
{
    PARAMS(MEMSET, memset, fill);
    return set_node("cuGraphMemsetNodeSetParams", node, &p);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *fill)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphMemsetNodeGetParams", node,
                                          CU_GRAPH_NODE_TYPE_MEMSET, fill, &result);

    if (op)
        *fill = op->fill;
    return result;
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                            size_t n, const CUDA_HOST_NODE_PARAMS *host)
{
    PARAMS(HOST, host, host);
    return add_node("cuGraphAddHostNode", (struct wanted){ node, graph, from, n, NULL },
                    &p);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *host)
{
    PARAMS(HOST, host, host);
    return set_node("cuGraphHostNodeSetParams", node, &p);
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *host)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphHostNodeGetParams", node,
                                          CU_GRAPH_NODE_TYPE_HOST, host, &result);

    if (op)
        *host = op->host;
    return result;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                  const CUgraphNode *from, size_t n, CUgraph child)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = child };

    return add_node("cuGraphAddChildGraphNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphChildGraphNodeGetGraph", node,
                                          CU_GRAPH_NODE_TYPE_GRAPH, graph, &result);

    if (op)
        *graph = op->child->handle;
    return result;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                             size_t n)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EMPTY };

    return add_node("cuGraphAddEmptyNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n, CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                            .eventRecord.event = event };

    return add_node("cuGraphAddEventRecordNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                            .eventRecord.event = event };

    return set_node("cuGraphEventRecordNodeSetEvent", node, &p);
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    CUresult result;
    const struct operation *op =
        get_node("cuGraphEventRecordNodeGetEvent", node,
                 CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, &result);

    if (op)
        *event = op->event;
    return result;
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *from, size_t n, CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                            .eventWait.event = event };

    return add_node("cuGraphAddEventWaitNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                            .eventWait.event = event };

    return set_node("cuGraphEventWaitNodeSetEvent", node, &p);
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    CUresult result;
    const struct operation *op =
        get_node("cuGraphEventWaitNodeGetEvent", node, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                 event, &result);

    if (op)
        *event = op->event;
    return result;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *from, size_t n,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    PARAMS(MEM_ALLOC, alloc, params);
    CUresult result = add_node("cuGraphAddMemAllocNode",
                               (struct wanted){ node, graph, from, n, NULL }, &p);

    if (!result)
        params->dptr = p.alloc.dptr;
    return result;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUresult result;
    const struct operation *op =
        get_node("cuGraphMemAllocNodeGetParams", node, CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                 params, &result);

    if (op)
        *params = op->alloc.params;
    return result;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *from, size_t n, CUdeviceptr at)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free.dptr = at };

    return add_node("cuGraphAddMemFreeNode",
                    (struct wanted){ node, graph, from, n, NULL }, &p);
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *at)
{
    CUresult result;
    const struct operation *op = get_node("cuGraphMemFreeNodeGetParams", node,
                                          CU_GRAPH_NODE_TYPE_MEM_FREE, at, &result);

    if (op)
        *at = op->address;
    return result;
}
