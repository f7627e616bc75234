/* copy.c - copies of bytes; see copy3d.c for rows and arrays. A device range
 * must lie in one allocation; a host range is not checked. A range given as "unified"
 * is a device range if it lies in the device's address space.
 */
#include "driver/internal.h"

/* The bytes of a device range, NULL with the result set if it is not allocated. */
static void *device_range(struct driver *d, const char *what, uint64_t addr,
                          uint64_t bytes, CUresult *result)
{
    if (!space_has(&d->space, addr, bytes)) {
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "%s: %llu bytes at 0x%llx are not in one allocation", what,
                            (unsigned long long)bytes, (unsigned long long)addr);
        return NULL;
    }
    return d->space.bytes + (addr - d->space.base);
}

static bool is_device(const struct driver *d, uint64_t addr)
{
    return addr >= d->space.base && addr < space_end(&d->space);
}

struct place place_host(const void *p)
{
    return (struct place){ SIDE_HOST, (uint64_t)(uintptr_t)p };
}

void *place_bytes(struct driver *d, const char *what, struct place p, uint64_t bytes,
                  CUresult *result)
{
    if (p.side == SIDE_DEVICE || (p.side == SIDE_EITHER && is_device(d, p.addr)))
        return device_range(d, what, p.addr, bytes, result);
    if (!p.addr)
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "%s: NULL", what);
    return (void *)(uintptr_t)p.addr;
}

static CUmemorytype type_of_side(enum side side)
{
    static const CUmemorytype types[] = { [SIDE_HOST] = CU_MEMORYTYPE_HOST,
                                          [SIDE_DEVICE] = CU_MEMORYTYPE_DEVICE,
                                          [SIDE_EITHER] = CU_MEMORYTYPE_UNIFIED };

    return types[side];
}

static CUresult copy_bytes(const char *call, struct place to, struct place from,
                           uint64_t bytes, CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct operation op = {
        .type = CU_GRAPH_NODE_TYPE_MEMCPY,
        .copy = { .dstMemoryType = type_of_side(to.side),
                  .dstHost = (void *)(uintptr_t)to.addr,
                  .dstDevice = to.addr,
                  .srcMemoryType = type_of_side(from.side),
                  .srcHost = (const void *)(uintptr_t)from.addr,
                  .srcDevice = from.addr,
                  .WidthInBytes = bytes,
                  .Height = 1,
                  .Depth = 1 },
    };
    CUresult result = call_begin(&d, &c, call);

    return result ? result : operation_submit(d, c, stream, &op);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpy", (struct place){ SIDE_EITHER, to },
                      (struct place){ SIDE_EITHER, from }, bytes, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_bytes("cuMemcpyAsync", (struct place){ SIDE_EITHER, to },
                      (struct place){ SIDE_EITHER, from }, bytes, stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy_bytes("cuMemcpyHtoD", (struct place){ SIDE_DEVICE, to },
                      place_host(from), bytes, NULL);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                           CUstream stream)
{
    return copy_bytes("cuMemcpyHtoDAsync", (struct place){ SIDE_DEVICE, to },
                      place_host(from), bytes, stream);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpyDtoH", place_host(to),
                      (struct place){ SIDE_DEVICE, from }, bytes, NULL);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_bytes("cuMemcpyDtoHAsync", place_host(to),
                      (struct place){ SIDE_DEVICE, from }, bytes, stream);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpyDtoD", (struct place){ SIDE_DEVICE, to },
                      (struct place){ SIDE_DEVICE, from }, bytes, NULL);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream)
{
    return copy_bytes("cuMemcpyDtoDAsync", (struct place){ SIDE_DEVICE, to },
                      (struct place){ SIDE_DEVICE, from }, bytes, stream);
}
