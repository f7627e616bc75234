/* share.c - memory and events of other processes, and launches on a list of devices. Handles
 * are the driver's.
 */
#include "shim/cudart/api.h"
#include "shim/cudart/launch.h"
#include "shim/cudart/runtime.h"

cudaError_t cudaIpcGetMemHandle(CUipcMemHandle *handle, void *at)
{
    RUNTIME(cuIpcGetMemHandle(handle, device_address(at)));
}

cudaError_t cudaIpcOpenMemHandle(void **at, CUipcMemHandle handle, unsigned int flags)
{
    CUdeviceptr address = 0;
    CUresult result = runtime_begin();

    if (!result)
        result = cuIpcOpenMemHandle(at ? &address : NULL, handle, flags);
    if (!result)
        *at = (void *)(uintptr_t)address;
    return runtime_end(result);
}

cudaError_t cudaIpcCloseMemHandle(void *at)
{
    RUNTIME(cuIpcCloseMemHandle(device_address(at)));
}

cudaError_t cudaIpcGetEventHandle(CUipcEventHandle *handle, cudaEvent_t event)
{
    RUNTIME(cuIpcGetEventHandle(handle, event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, CUipcEventHandle handle)
{
    RUNTIME(cuIpcOpenEventHandle(event, handle));
}

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               CUmemAllocationHandleType type,
                                               unsigned int flags)
{
    RUNTIME(cuMemPoolExportToShareableHandle(handle, pool, type, flags));
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 CUmemAllocationHandleType type,
                                                 unsigned int flags)
{
    RUNTIME(cuMemPoolImportFromShareableHandle(pool, handle, type, flags));
}

cudaError_t cudaMemPoolExportPointer(CUmemPoolPtrExportData *data, void *at)
{
    RUNTIME(cuMemPoolExportPointer(data, device_address(at)));
}

cudaError_t cudaMemPoolImportPointer(void **at, cudaMemPool_t pool,
                                     CUmemPoolPtrExportData *data)
{
    CUdeviceptr address = 0;
    CUresult result = runtime_begin();

    if (!result)
        result = cuMemPoolImportPointer(at ? &address : NULL, pool, data);
    if (!result)
        *at = (void *)(uintptr_t)address;
    return runtime_end(result);
}

/* Of CUDA 11 and 12. */
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                   unsigned int n, unsigned int flags)
{
    CUDA_LAUNCH_PARAMS l;
    CUresult result = runtime_begin();
    cudaError_t error;

    if (!result && (!list || !n))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result)
        return runtime_end(result);
    l = (CUDA_LAUNCH_PARAMS){ .gridDimX = list->grid.x,
                              .gridDimY = list->grid.y,
                              .gridDimZ = list->grid.z,
                              .blockDimX = list->block.x,
                              .blockDimY = list->block.y,
                              .blockDimZ = list->block.z,
                              .sharedMemBytes = (unsigned)list->shared,
                              .hStream = list->stream,
                              .kernelParams = list->args };
    error = runtime_function(list->func, &l.function);
    if (!error)
        error = launch_result(cuLaunchCooperativeKernelMultiDevice(&l, n, flags));
    return runtime_end_error(error);
}
