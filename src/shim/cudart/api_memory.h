/* api_memory.h - the calls of memory.c and pool.c, a part of api.h. */
#ifndef LENO_SHIM_CUDART_API_MEMORY_H
#define LENO_SHIM_CUDART_API_MEMORY_H

#include <stdint.h>

#include "driver/cuda.h"
#include "shim/cudart/types.h"

/* memory.c */
cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent size);
cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height);
cudaError_t cudaFree(void *at);
cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags);
cudaError_t cudaMallocHost(void **at, size_t bytes);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *at);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t bytes, CUmemLocation where,
                                    unsigned flags, cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, CUmemLocation where,
                                 uintptr_t next, cudaStream_t stream);
cudaError_t cudaMemAdvise_v2(const void *at, size_t bytes, int advice,
                             CUmemLocation where);
cudaError_t cudaMemAdvise(const void *at, size_t bytes, int advice,
                          CUmemLocation where);
cudaError_t cudaHostGetFlags(unsigned *flags, void *at);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t length,
                                     unsigned flags);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p);

/* pool.c */
cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaFreeAsync(void *at, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const CUmemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, CUmemPool_attribute attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, CUmemPool_attribute attribute,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const CUmemAccessDesc *access,
                                 size_t n);
cudaError_t cudaMemPoolGetAccess(CUmemAccess_flags *flags, cudaMemPool_t pool,
                                 CUmemLocation *location);

#endif
