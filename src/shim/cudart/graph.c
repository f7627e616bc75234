/* graph.c - graphs and captures: the driver's calls, in the form of each edition. */
#include "shim/cudart/api_graph.h"
#include "shim/cudart/launch.h"
#include "shim/cudart/runtime.h"

enum { WITH_FLAGS = 12, WITH_EDGE_DATA = 13 };

#define CALL(name, parameters, call) \
    cudaError_t name parameters;     \
    cudaError_t name parameters      \
    {                                \
        RUNTIME(call);               \
    }
#define UNLOCKED(name, parameters, call) \
    cudaError_t name parameters;         \
    cudaError_t name parameters          \
    {                                    \
        RUNTIME_UNLOCKED(call);          \
    }
#include "shim/cudart/graph_calls.def"
#undef CALL
#undef UNLOCKED

cudaError_t cudaGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                              void *data, size_t *n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphGetEdges_v2(graph, from, to, NULL, data);
    return cudaGraphGetEdges_v2(graph, from, to, data, n);
}

cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *from,
                                         void *data, size_t *n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphNodeGetDependencies_v2(node, from, NULL, data);
    return cudaGraphNodeGetDependencies_v2(node, from, data, n);
}

cudaError_t cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *to,
                                           void *data, size_t *n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphNodeGetDependentNodes_v2(node, to, NULL, data);
    return cudaGraphNodeGetDependentNodes_v2(node, to, data, n);
}

cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                     const CUgraphNode *to, uintptr_t data, size_t n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphAddDependencies_v2(graph, from, to, NULL, data);
    return cudaGraphAddDependencies_v2(graph, from, to, (const CUgraphEdgeData *)data,
                                       n);
}

cudaError_t cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                        const CUgraphNode *to, uintptr_t data, size_t n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, data);
    return cudaGraphRemoveDependencies_v2(graph, from, to,
                                          (const CUgraphEdgeData *)data, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, CUgraphNode *from,
                                                uintptr_t data, size_t n,
                                                unsigned flags)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaStreamUpdateCaptureDependencies_v2(stream, from, NULL, data,
                                                      (unsigned)n);
    return cudaStreamUpdateCaptureDependencies_v2(
        stream, from, (const CUgraphEdgeData *)data, n, flags);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, CUstreamCaptureStatus *status,
                                     uint64_t *id, CUgraph *graph,
                                     const CUgraphNode **from,
                                     const CUgraphEdgeData **data, size_t *n)
{
    if (cudart_edition < WITH_EDGE_DATA)
        return cudaStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, from, data, n);
}

/* CUDA 11 gave places for a node and a text there. */
cudaError_t cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph, uintptr_t flags)
{
    if (cudart_edition < WITH_FLAGS)
        return cudaGraphInstantiateWithFlags(exec, graph, 0);
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

/* CUDA 11 gave places for a node and a reason. */
static CUresult update_of_11(CUgraphExec exec, CUgraph graph, CUgraphNode *bad,
                             CUgraphExecUpdateResult *why)
{
    CUgraphExecUpdateResultInfo result = { 0 };
    CUresult error = cuGraphExecUpdate(exec, graph, &result);

    if (bad)
        *bad = result.errorNode;
    if (why)
        *why = result.result;
    return error;
}

cudaError_t cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph, void *info,
                                CUgraphExecUpdateResult *why)
{
    RUNTIME(cudart_edition < WITH_FLAGS ? update_of_11(exec, graph, info, why)
                                        : cuGraphExecUpdate(exec, graph, info));
}

/* Up to CUDA 12 the first is the source. */
cudaError_t cudaGraphKernelNodeCopyAttributes(CUgraphNode first, CUgraphNode second)
{
    RUNTIME(cudart_edition < WITH_EDGE_DATA
                ? cuGraphKernelNodeCopyAttributes(second, first)
                : cuGraphKernelNodeCopyAttributes(first, second));
}

/* A kernel's failure is not the launch's: later calls report it. */
cudaError_t cudaGraphLaunch(CUgraphExec exec, cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (!result)
        result = runtime_failure();
    if (result)
        return runtime_end(result);
    runtime_unlock();
    result = cuGraphLaunch(exec, stream);
    runtime_lock();
    return runtime_end_error(launch_result(result));
}

VARIANT(cudaGraphLaunch_ptsz, cudaGraphLaunch)
VARIANT(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo)
VARIANT(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies)
VARIANT(cudaGraphInstantiate_v2, cudaGraphInstantiate)
