/* api_share.h - the calls of share.c, a part of api.h. */
#ifndef LENO_SHIM_CUDART_API_SHARE_H
#define LENO_SHIM_CUDART_API_SHARE_H

#include "driver/cuda.h"
#include "shim/cudart/types.h"

struct cudaLaunchParams {
    void *func;
    dim3 grid, block;
    void **args;
    size_t shared;
    cudaStream_t stream;
};

cudaError_t cudaIpcGetMemHandle(CUipcMemHandle *handle, void *at);
cudaError_t cudaIpcOpenMemHandle(void **at, CUipcMemHandle handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *at);
cudaError_t cudaIpcGetEventHandle(CUipcEventHandle *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, CUipcEventHandle handle);
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               CUmemAllocationHandleType type,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 CUmemAllocationHandleType type,
                                                 unsigned int flags);
cudaError_t cudaMemPoolExportPointer(CUmemPoolPtrExportData *data, void *at);
cudaError_t cudaMemPoolImportPointer(void **at, cudaMemPool_t pool,
                                     CUmemPoolPtrExportData *data);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                   unsigned int n, unsigned int flags);

#endif
