/* memory.c - allocation, and queries about pointers. */
#include <string.h>

#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

enum { ELEMENT = 4, HOST_FLAGS = 7, ATTACH_GLOBAL = 1 };

/* Zero bytes are no error here: the result is a null pointer. */
static CUresult allocate_device(void **at, size_t bytes)
{
    CUdeviceptr address = 0;
    CUresult result;

    if (!at)
        return CUDA_ERROR_INVALID_VALUE;
    result = bytes ? cuMemAlloc(&address, bytes) : CUDA_SUCCESS;
    *at = (void *)(uintptr_t)address;
    return result;
}

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    RUNTIME(allocate_device(at, bytes));
}

static CUresult allocate_managed(void **at, size_t bytes, unsigned flags)
{
    CUdeviceptr address = 0;
    CUresult result;

    if (!at)
        return CUDA_ERROR_INVALID_VALUE;
    result = bytes ? cuMemAllocManaged(&address, bytes, flags) : CUDA_SUCCESS;
    *at = (void *)(uintptr_t)address;
    return result;
}

cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags)
{
    RUNTIME(allocate_managed(at, bytes, flags ? flags : ATTACH_GLOBAL));
}

static CUresult allocate_rows(struct cudaPitchedPtr *p, struct cudaExtent size)
{
    CUdeviceptr address = 0;
    size_t rows;
    CUresult result;

    *p = (struct cudaPitchedPtr){ NULL, 0, size.width, size.height };
    if (!size.width || !size.height || !size.depth)
        return CUDA_SUCCESS;
    if (__builtin_mul_overflow(size.height, size.depth, &rows))
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = cuMemAllocPitch(&address, &p->pitch, size.width, rows, ELEMENT);
    p->ptr = (void *)(uintptr_t)address;
    return result;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent size)
{
    RUNTIME(p ? allocate_rows(p, size) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height)
{
    struct cudaPitchedPtr p = { 0 };
    CUresult result = runtime_begin();

    if (!result && (!at || !pitch))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result)
        result = allocate_rows(&p, (struct cudaExtent){ width, height, 1 });
    if (!result) {
        *at = p.ptr;
        *pitch = p.pitch;
    }
    return runtime_end(result);
}

cudaError_t cudaFree(void *at)
{
    RUNTIME(cuMemFree(device_address(at)));
}

cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags)
{
    RUNTIME(at ? cuMemHostAlloc(at, bytes, flags & HOST_FLAGS)
               : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMallocHost(void **at, size_t bytes)
{
    return cudaHostAlloc(at, bytes, 0);
}

cudaError_t cudaFreeHost(void *at)
{
    RUNTIME(cuMemFreeHost(at));
}

cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags)
{
    RUNTIME(cuMemHostRegister(at, bytes, flags));
}

cudaError_t cudaHostUnregister(void *at)
{
    RUNTIME(cuMemHostUnregister(at));
}

static CUresult host_device_pointer(void **device, void *host, unsigned flags)
{
    CUdeviceptr at = 0;
    CUresult result = cuMemHostGetDevicePointer(&at, host, flags);

    *device = (void *)(uintptr_t)at;
    return result;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    RUNTIME(device ? host_device_pointer(device, host, flags)
                   : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    RUNTIME(cuMemGetInfo(free_bytes, total));
}

/* Where managed memory is to be, as CUDA 13 and the second editions of CUDA 12 pass it;
 * before, as the number of a device, -1 for the host. */
static CUresult check_location(CUmemLocation where)
{
    if (where.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return where.id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
    if (where.type >= CU_MEM_LOCATION_TYPE_HOST &&
        where.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_VALUE;
}

static CUmemLocation location_of(int device)
{
    enum { ON_HOST = -1 };

    if (device == ON_HOST)
        return (CUmemLocation){ CU_MEM_LOCATION_TYPE_HOST, 0 };
    return (CUmemLocation){ CU_MEM_LOCATION_TYPE_DEVICE, device };
}

static CUresult prefetch(const void *at, size_t bytes, CUmemLocation where,
                         unsigned flags, cudaStream_t stream)
{
    CUresult result = flags ? CUDA_ERROR_INVALID_VALUE : check_location(where);

    return result ? result : cuMemPrefetchAsync(device_address(at), bytes, 0, stream);
}

static CUresult advise(const void *at, size_t bytes, int advice, CUmemLocation where)
{
    enum { FIRST = 1, PREFERRED = 3, ACCESSED = 5, LAST = 6 };

    if (advice < FIRST || advice > LAST ||
        ((advice == PREFERRED || advice == ACCESSED) && check_location(where)))
        return CUDA_ERROR_INVALID_VALUE;
    return cuMemAdvise(device_address(at), bytes, advice, 0);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t bytes, CUmemLocation where,
                                    unsigned flags, cudaStream_t stream)
{
    RUNTIME(prefetch(at, bytes, where, flags, stream));
}

cudaError_t cudaMemAdvise_v2(const void *at, size_t bytes, int advice,
                             CUmemLocation where)
{
    RUNTIME(advise(at, bytes, advice, where));
}

/* A location comes in one register, and so does a device; what follows it moves. */
cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, CUmemLocation where,
                                 uintptr_t next, cudaStream_t stream)
{
    if (cudart_edition >= 13)
        return cudaMemPrefetchAsync_v2(at, bytes, where, (unsigned)next, stream);
    RUNTIME(prefetch(at, bytes, location_of((int)where.type), 0, (cudaStream_t)next));
}

cudaError_t cudaMemAdvise(const void *at, size_t bytes, int advice, CUmemLocation where)
{
    if (cudart_edition >= 13)
        return cudaMemAdvise_v2(at, bytes, advice, where);
    RUNTIME(advise(at, bytes, advice, location_of((int)where.type)));
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *at)
{
    RUNTIME(cuMemHostGetFlags(flags, at));
}

/* Attaching managed memory to a stream has no effect, since all work is in order. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t length,
                                     unsigned flags)
{
    unsigned is_blocking;

    (void)at, (void)length, (void)flags;
    RUNTIME(cuStreamGetFlags(stream, &is_blocking));
}

static CUresult ask_pointer(struct cudaPointerAttributes *a, const void *p)
{
    CUdeviceptr at = device_address(p);
    unsigned type = 0, is_managed = 0;

    *a = (struct cudaPointerAttributes){ .device = -2,
                                         .hostPointer = (void *)(uintptr_t)p };
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at))
        return CUDA_SUCCESS; /* not the device's: unregistered */
    cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at);
    a->type = is_managed                   ? cudaMemoryTypeManaged
              : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                           : cudaMemoryTypeDevice;
    a->device = 0;
    a->devicePointer = (void *)(uintptr_t)p;
    if (a->type == cudaMemoryTypeDevice)
        a->hostPointer = NULL;
    return CUDA_SUCCESS;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    enum { RESERVED = 64 };

    if (a && cudart_edition >= 13)
        memset(a + 1, 0, RESERVED);
    RUNTIME(a ? ask_pointer(a, p) : CUDA_ERROR_INVALID_VALUE);
}

VARIANT(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync)
VARIANT(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2)
VARIANT(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync)
