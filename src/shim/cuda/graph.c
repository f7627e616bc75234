/* graph.c - graphs and captures as libcuda.so.1 offers them: the driver's calls, and the
 * forms that CUDA 11 and 12 gave some of them.
 */
#include <string.h>

#include "shim/cuda/process.h"

#define CALL(name, parameters, arguments)     \
    CUresult shim_##name parameters;          \
    CUresult shim_##name parameters           \
    {                                         \
        process_enter();                      \
        return process_leave(name arguments); \
    }
#define NEWER(name, call, parameters, arguments) \
    CUresult shim_##name parameters;             \
    CUresult shim_##name parameters              \
    {                                            \
        process_enter();                         \
        return process_leave(call arguments);    \
    }
#define ALIAS(name, call) \
    extern __typeof__(shim_##call) shim_##name __attribute__((alias("shim_" #call)));
#include "shim/cuda/graph_calls.def"
#undef NEWER

/* Edges were without data. */
CALL(cuGraphGetEdges, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n),
     (graph, from, to, NULL, n))
CALL(cuGraphNodeGetDependencies, (CUgraphNode node, CUgraphNode *from, size_t *n),
     (node, from, NULL, n))
CALL(cuGraphNodeGetDependentNodes, (CUgraphNode node, CUgraphNode *to, size_t *n),
     (node, to, NULL, n))
CALL(cuGraphAddDependencies,
     (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n),
     (graph, from, to, NULL, n))
CALL(cuGraphRemoveDependencies,
     (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n),
     (graph, from, to, NULL, n))
CALL(cuGraphAddNode,
     (CUgraphNode * node, CUgraph graph, const CUgraphNode *from, size_t n,
      CUgraphNodeParams *params),
     (node, graph, from, NULL, n, params))
CALL(cuStreamUpdateCaptureDependencies,
     (CUstream stream, CUgraphNode *from, size_t n, unsigned int flags),
     (stream, from, NULL, n, flags))
CALL(cuStreamGetCaptureInfo,
     (CUstream stream, CUstreamCaptureStatus *status, uint64_t *id),
     (stream, status, id, NULL, NULL, NULL, NULL))
CALL(cuStreamBeginCapture, (CUstream stream), (stream, CU_STREAM_CAPTURE_MODE_GLOBAL))
ALIAS(cuStreamBeginCapture_ptsz, cuStreamBeginCapture)
ALIAS(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo)
ALIAS(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies)

#define NEWER(name, call, parameters, arguments) \
    CUresult shim_##name parameters;             \
    CUresult shim_##name parameters              \
    {                                            \
        process_enter();                         \
        return process_leave(call arguments);    \
    }
NEWER(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo,
      (CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
       const CUgraphNode **from, size_t *n),
      (stream, status, id, graph, from, NULL, n))
ALIAS(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2)

/* Parameters of kernels ended before the member kern. */
static CUDA_KERNEL_NODE_PARAMS kernel_of_11(const void *params)
{
    CUDA_KERNEL_NODE_PARAMS k = { 0 };

    memcpy(&k, params, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
    return k;
}

CUresult shim_cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const void *params);
CUresult shim_cuGraphKernelNodeGetParams(CUgraphNode node, void *params);
CUresult shim_cuGraphKernelNodeSetParams(CUgraphNode node, const void *params);
CUresult shim_cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const void *params);
CUresult shim_cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *bad,
                                 char *text, size_t size);
CUresult shim_cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *bad,
                                CUgraphExecUpdateResult *why);

CUresult shim_cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const void *params)
{
    CUDA_KERNEL_NODE_PARAMS k;

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    k = kernel_of_11(params);
    return shim_cuGraphAddKernelNode_v2(node, graph, from, n, &k);
}

CUresult shim_cuGraphKernelNodeGetParams(CUgraphNode node, void *params)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUresult result = shim_cuGraphKernelNodeGetParams_v2(node, &k);

    if (!result && params)
        memcpy(params, &k, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
    return result;
}

CUresult shim_cuGraphKernelNodeSetParams(CUgraphNode node, const void *params)
{
    CUDA_KERNEL_NODE_PARAMS k;

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    k = kernel_of_11(params);
    return shim_cuGraphKernelNodeSetParams_v2(node, &k);
}

CUresult shim_cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const void *params)
{
    CUDA_KERNEL_NODE_PARAMS k;

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    k = kernel_of_11(params);
    return shim_cuGraphExecKernelNodeSetParams_v2(exec, node, &k);
}

/* With a node and a text for what went wrong. */
CUresult shim_cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *bad,
                                 char *text, size_t size)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = { 0 };
    CUresult result = shim_cuGraphInstantiateWithParams(exec, graph, &params);

    if (bad)
        *bad = params.hErrNode_out;
    if (text && size)
        text[0] = 0;
    return result;
}
ALIAS(cuGraphInstantiate_v2, cuGraphInstantiate)

CUresult shim_cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *bad,
                                CUgraphExecUpdateResult *why)
{
    CUgraphExecUpdateResultInfo info = { 0 };
    CUresult result = shim_cuGraphExecUpdate_v2(exec, graph, &info);

    if (bad)
        *bad = info.errorNode;
    if (why)
        *why = info.result;
    return result;
}
