/* graph_node.c - nodes whose parameters the runtime describes in its own way: kernels by
 * their address on the host, copies by a direction, symbols.
 */
#include <string.h>

#include "shim/cudart/api_graph.h"
#include "shim/cudart/copy.h"
#include "shim/cudart/runtime.h"

/* Where parameters go: into a new node of a graph, a node, or an executable graph. */
struct target {
    CUgraphNode *added;
    CUgraph graph;
    const CUgraphNode *from;
    size_t n;
    const CUgraphEdgeData *data;
    CUgraphNode node;
    CUgraphExec exec;
};

static CUresult apply_params(const struct target *t, CUgraphNodeParams *p)
{
    if (t->exec)
        return cuGraphExecNodeSetParams(t->exec, t->node, p);
    if (t->graph || t->added)
        return cuGraphAddNode(t->added, t->graph, t->from, t->data, t->n, p);
    return cuGraphNodeSetParams(t->node, p);
}

static cudaError_t describe_kernel(const struct cudaKernelNodeParams *k,
                                   CUgraphNodeParams *p)
{
    CUfunction f;
    cudaError_t error = runtime_function(k->func, &f);

    if (error)
        return error;
    p->type = CU_GRAPH_NODE_TYPE_KERNEL;
    p->kernel = (CUDA_KERNEL_NODE_PARAMS){ .func = f,
                                           .gridDimX = k->gridDim.x,
                                           .gridDimY = k->gridDim.y,
                                           .gridDimZ = k->gridDim.z,
                                           .blockDimX = k->blockDim.x,
                                           .blockDimY = k->blockDim.y,
                                           .blockDimZ = k->blockDim.z,
                                           .sharedMemBytes = k->sharedMemBytes,
                                           .kernelParams = k->kernelParams,
                                           .extra = k->extra };
    return cudaSuccess;
}

static cudaError_t put_kernel(struct target t, const struct cudaKernelNodeParams *k)
{
    CUgraphNodeParams p = { 0 };
    cudaError_t error = runtime_error(runtime_begin());

    if (!error)
        error = k ? describe_kernel(k, &p) : cudaErrorInvalidValue;
    if (!error)
        error = runtime_error(apply_params(&t, &p));
    return runtime_end_error(error);
}

cudaError_t cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const struct cudaKernelNodeParams *params)
{
    return put_kernel((struct target){ node, graph, from, n, NULL, NULL, NULL },
                      params);
}

cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node,
                                         const struct cudaKernelNodeParams *params)
{
    return put_kernel((struct target){ .node = node }, params);
}

cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const struct cudaKernelNodeParams *params)
{
    return put_kernel((struct target){ .node = node, .exec = exec }, params);
}

static CUresult get_kernel(CUgraphNode node, struct cudaKernelNodeParams *to)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUresult result = cuGraphKernelNodeGetParams(node, &k);

    if (result)
        return result;
    *to = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)runtime_host_of(k.func),
        .gridDim = { k.gridDimX, k.gridDimY, k.gridDimZ },
        .blockDim = { k.blockDimX, k.blockDimY, k.blockDimZ },
        .sharedMemBytes = k.sharedMemBytes,
        .kernelParams = k.kernelParams,
        .extra = k.extra,
    };
    return CUDA_SUCCESS;
}

cudaError_t cudaGraphKernelNodeGetParams(CUgraphNode node,
                                         struct cudaKernelNodeParams *params)
{
    RUNTIME(params ? get_kernel(node, params) : CUDA_ERROR_INVALID_VALUE);
}

static cudaError_t describe_copy(const struct cudaMemcpy3DParms *c,
                                 CUgraphNodeParams *p)
{
    if (!copy_kind_is_good(c->kind))
        return cudaErrorInvalidMemcpyDirection;
    p->type = CU_GRAPH_NODE_TYPE_MEMCPY;
    return runtime_error(copy_describe(c, &p->memcpy.copyParams));
}

static cudaError_t put_copy(struct target t, const struct cudaMemcpy3DParms *c)
{
    CUgraphNodeParams p = { 0 };
    cudaError_t error = runtime_error(runtime_begin());

    if (!error)
        error = c ? describe_copy(c, &p) : cudaErrorInvalidValue;
    if (!error)
        error = runtime_error(apply_params(&t, &p));
    return runtime_end_error(error);
}

cudaError_t cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const struct cudaMemcpy3DParms *params)
{
    return put_copy((struct target){ node, graph, from, n, NULL, NULL, NULL }, params);
}

cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node,
                                         const struct cudaMemcpy3DParms *params)
{
    return put_copy((struct target){ .node = node }, params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const struct cudaMemcpy3DParms *params)
{
    return put_copy((struct target){ .node = node, .exec = exec }, params);
}

static CUresult get_copy(CUgraphNode node, struct cudaMemcpy3DParms *to)
{
    CUDA_MEMCPY3D c;
    CUresult result = cuGraphMemcpyNodeGetParams(node, &c);

    if (!result)
        *to = copy_described(&c);
    return result;
}

cudaError_t cudaGraphMemcpyNodeGetParams(CUgraphNode node,
                                         struct cudaMemcpy3DParms *params)
{
    RUNTIME(params ? get_copy(node, params) : CUDA_ERROR_INVALID_VALUE);
}

/* Bytes in one dimension. */
struct line {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static cudaError_t put_line(struct target t, struct line l)
{
    CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
    CUresult result = runtime_begin();

    if (result)
        return runtime_end(result);
    if (!copy_kind_is_good(l.kind))
        return runtime_end_error(cudaErrorInvalidMemcpyDirection);
    p.memcpy.copyParams = (CUDA_MEMCPY3D){ .dstMemoryType = copy_side_of(l.kind, false),
                                           .dstHost = l.to,
                                           .dstDevice = device_address(l.to),
                                           .srcMemoryType = copy_side_of(l.kind, true),
                                           .srcHost = l.from,
                                           .srcDevice = device_address(l.from),
                                           .WidthInBytes = l.bytes,
                                           .Height = 1,
                                           .Depth = 1 };
    return runtime_end(apply_params(&t, &p));
}

cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph,
                                     const CUgraphNode *from, size_t n, void *to,
                                     const void *source, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    return put_line((struct target){ node, graph, from, n, NULL, NULL, NULL },
                    (struct line){ to, source, bytes, kind });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to,
                                           const void *source, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
    return put_line((struct target){ .node = node },
                    (struct line){ to, source, bytes, kind });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec exec, CUgraphNode node,
                                               void *to, const void *source,
                                               size_t bytes, enum cudaMemcpyKind kind)
{
    return put_line((struct target){ .node = node, .exec = exec },
                    (struct line){ to, source, bytes, kind });
}

/* A line to or from a part of a variable: the side that is NULL. */
static cudaError_t put_symbol(struct target t, struct line l, const void *symbol,
                              size_t offset)
{
    bool is_to = !l.to;
    cudaError_t error = runtime_error(runtime_begin());
    void *at = NULL;

    if (!error && l.kind != (is_to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) &&
        l.kind != cudaMemcpyDeviceToDevice && l.kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (!error)
        error = copy_symbol_part(symbol, offset, l.bytes, &at);
    runtime_end_error(error);
    if (error)
        return error;
    if (is_to)
        l.to = at;
    else
        l.from = at;
    return put_line(t, l);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *from, size_t n,
                                           const void *symbol, const void *source,
                                           size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ node, graph, from, n, NULL, NULL, NULL },
                      (struct line){ NULL, source, bytes, kind }, symbol, offset);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol,
                                                 const void *source, size_t bytes,
                                                 size_t offset,
                                                 enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ .node = node },
                      (struct line){ NULL, source, bytes, kind }, symbol, offset);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec exec, CUgraphNode node,
                                                     const void *symbol,
                                                     const void *source, size_t bytes,
                                                     size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ .node = node, .exec = exec },
                      (struct line){ NULL, source, bytes, kind }, symbol, offset);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph,
                                             const CUgraphNode *from, size_t n,
                                             void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ node, graph, from, n, NULL, NULL, NULL },
                      (struct line){ to, NULL, bytes, kind }, symbol, offset);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to,
                                                   const void *symbol, size_t bytes,
                                                   size_t offset,
                                                   enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ .node = node },
                      (struct line){ to, NULL, bytes, kind }, symbol, offset);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec exec,
                                                       CUgraphNode node, void *to,
                                                       const void *symbol, size_t bytes,
                                                       size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    return put_symbol((struct target){ .node = node, .exec = exec },
                      (struct line){ to, NULL, bytes, kind }, symbol, offset);
}

/* Generic parameters: the driver's, but for kernels and copies. */
static cudaError_t put_params(struct target t, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams p;
    cudaError_t error = runtime_error(runtime_begin());

    _Static_assert(sizeof p == sizeof *given, "the same room for all kinds");
    if (!error && !given)
        error = cudaErrorInvalidValue;
    if (error)
        return runtime_end_error(error);
    memcpy(&p, given, sizeof p);
    if (given->type == CU_GRAPH_NODE_TYPE_KERNEL)
        error = describe_kernel(&given->kernel, &p);
    if (given->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        error = describe_copy(&given->memcpy.copyParams, &p);
    if (!error)
        error = runtime_error(apply_params(&t, &p));
    if (!error && given->type != CU_GRAPH_NODE_TYPE_KERNEL &&
        given->type != CU_GRAPH_NODE_TYPE_MEMCPY)
        memcpy(given, &p, sizeof p); /* with addresses and graphs that were made */
    return runtime_end_error(error);
}

cudaError_t cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *from, const CUgraphEdgeData *data,
                                size_t n, struct cudaGraphNodeParams *params)
{
    return put_params((struct target){ node, graph, from, n, data, NULL, NULL },
                      params);
}

/* Before CUDA 13 edges had no data, and the later arguments are one place earlier. */
cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                             uintptr_t data, uintptr_t n,
                             struct cudaGraphNodeParams *params)
{
    enum { WITH_EDGE_DATA = 13 };

    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphAddNode_v2(node, graph, from, NULL, data,
                                   (struct cudaGraphNodeParams *)n);
    return cudaGraphAddNode_v2(node, graph, from, (const CUgraphEdgeData *)data, n,
                               params);
}

cudaError_t cudaGraphNodeSetParams(CUgraphNode node, struct cudaGraphNodeParams *params)
{
    return put_params((struct target){ .node = node }, params);
}

cudaError_t cudaGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       struct cudaGraphNodeParams *params)
{
    return put_params((struct target){ .node = node, .exec = exec }, params);
}
