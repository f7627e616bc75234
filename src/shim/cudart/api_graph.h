/* api_graph.h - types of graphs that differ from the driver's, and the calls of graph.c,
 * whose arguments depend on the edition, and of graph_node.c. The others are in
 * graph_calls.def.
 */
#ifndef LENO_SHIM_CUDART_API_GRAPH_H
#define LENO_SHIM_CUDART_API_GRAPH_H

#include "driver/cuda.h"
#include "shim/cudart/types.h"

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim;
    dim3 blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};

struct cudaMemcpyNodeParams {
    int flags;
    int reserved[3];
    struct cudaMemcpy3DParms copyParams;
};

/* What it is for other kinds is as the driver has it. */
struct cudaGraphNodeParams {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParams kernel;
        struct cudaMemcpyNodeParams memcpy;
    };
    long long reserved2;
};

/* graph.c: in CUDA 13 edges have data, before it that argument is missing. */
cudaError_t cudaGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                              void *data, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *from,
                                         void *data, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *to,
                                           void *data, size_t *n);
cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                     const CUgraphNode *to, uintptr_t data, size_t n);
cudaError_t cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                        const CUgraphNode *to, uintptr_t data,
                                        size_t n);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, CUgraphNode *from,
                                                uintptr_t data, size_t n,
                                                unsigned flags);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, CUstreamCaptureStatus *status,
                                     uint64_t *id, CUgraph *graph,
                                     const CUgraphNode **from,
                                     const CUgraphEdgeData **data, size_t *n);
cudaError_t cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph, uintptr_t flags);
cudaError_t cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph, void *info,
                                CUgraphExecUpdateResult *why);
cudaError_t cudaGraphKernelNodeCopyAttributes(CUgraphNode first, CUgraphNode second);
cudaError_t cudaGraphLaunch(CUgraphExec exec, cudaStream_t stream);

/* graph_node.c */
cudaError_t cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeGetParams(CUgraphNode node,
                                         struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node,
                                         const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *from, size_t n,
                                   const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeGetParams(CUgraphNode node,
                                         struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node,
                                         const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph,
                                     const CUgraphNode *from, size_t n, void *to,
                                     const void *source, size_t bytes,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to,
                                           const void *source, size_t bytes,
                                           enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec exec, CUgraphNode node,
                                               void *to, const void *source,
                                               size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *from, size_t n,
                                           const void *symbol, const void *source,
                                           size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol,
                                                 const void *source, size_t bytes,
                                                 size_t offset,
                                                 enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec exec, CUgraphNode node,
                                                     const void *symbol,
                                                     const void *source, size_t bytes,
                                                     size_t offset,
                                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph,
                                             const CUgraphNode *from, size_t n,
                                             void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to,
                                                   const void *symbol, size_t bytes,
                                                   size_t offset,
                                                   enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec exec,
                                                       CUgraphNode node, void *to,
                                                       const void *symbol, size_t bytes,
                                                       size_t offset,
                                                       enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *from,
                             uintptr_t data, uintptr_t n,
                             struct cudaGraphNodeParams *params);
cudaError_t cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *from, const CUgraphEdgeData *data,
                                size_t n, struct cudaGraphNodeParams *params);
cudaError_t cudaGraphNodeSetParams(CUgraphNode node,
                                   struct cudaGraphNodeParams *params);
cudaError_t cudaGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                       struct cudaGraphNodeParams *params);

#endif
