/* pool.c - memory pools. Descriptions have the driver's layout and numbers. */
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

/* The address that a call of the driver's allocated goes to the program. */
static cudaError_t end_alloc(CUresult result, void **at, CUdeviceptr address)
{
    if (at)
        *at = (void *)(uintptr_t)(result ? 0 : address);
    return runtime_end(result);
}

cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    CUresult result = runtime_begin();

    if (!result)
        result = cuMemAllocAsync(at ? &address : NULL, bytes, stream);
    return end_alloc(result, at, address);
}

cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    CUdeviceptr address = 0;
    CUresult result = runtime_begin();

    if (!result)
        result = cuMemAllocFromPoolAsync(at ? &address : NULL, bytes, pool, stream);
    return end_alloc(result, at, address);
}

cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    RUNTIME(cuMemFreeAsync(device_address(at), stream));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    RUNTIME(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    RUNTIME(cuDeviceGetMemPool(pool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    RUNTIME(cuDeviceSetMemPool(device, pool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const CUmemPoolProps *props)
{
    RUNTIME(cuMemPoolCreate(pool, props));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    RUNTIME(cuMemPoolDestroy(pool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    RUNTIME(cuMemPoolTrimTo(pool, keep));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, CUmemPool_attribute attribute,
                                    void *value)
{
    RUNTIME(cuMemPoolSetAttribute(pool, attribute, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, CUmemPool_attribute attribute,
                                    void *value)
{
    RUNTIME(cuMemPoolGetAttribute(pool, attribute, value));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const CUmemAccessDesc *access,
                                 size_t n)
{
    RUNTIME(cuMemPoolSetAccess(pool, access, n));
}

cudaError_t cudaMemPoolGetAccess(CUmemAccess_flags *flags, cudaMemPool_t pool,
                                 CUmemLocation *location)
{
    RUNTIME(cuMemPoolGetAccess(flags, pool, location));
}

VARIANT(cudaMallocAsync_ptsz, cudaMallocAsync)
VARIANT(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync)
VARIANT(cudaFreeAsync_ptsz, cudaFreeAsync)
