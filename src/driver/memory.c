/* memory.c - allocations: device, page-locked host and managed memory.
 *
 * All three are pieces of the device's address space. Where a device address is also
 * the host's (the usual case) a program may use it on either side; where it is not,
 * managed memory is refused and host memory has a device address of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/capture.h"
#include "driver/graph.h"
#include "driver/internal.h"

enum { ALIGN = 512, PITCH = 512 };

/* Index of the first allocation at or after addr. */
static size_t first_allocation_from(const struct driver *d, uint64_t addr)
{
    size_t lo = 0, hi = d->n_allocations;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (d->allocations[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

struct allocation *memory_find(struct driver *d, uint64_t addr)
{
    uint64_t start, size;
    size_t i;

    if (!space_find(&d->space, addr, &start, &size))
        return NULL;
    i = first_allocation_from(d, start);
    if (i == d->n_allocations || d->allocations[i].addr != start)
        return NULL; /* a module's globals */
    return &d->allocations[i];
}

bool memory_range(const struct driver *d, uint64_t addr, uint64_t *start,
                  uint64_t *size)
{
    const struct mapping *m = mapping_find(d, addr);

    if (!m)
        return space_find(&d->space, addr, start, size);
    *start = m->addr;
    *size = m->bytes;
    return true;
}

static bool grow_list(struct driver *d)
{
    size_t cap = d->cap_allocations ? 2 * d->cap_allocations : 64;
    struct allocation *a;

    if (d->n_allocations < d->cap_allocations)
        return true;
    a = realloc(d->allocations, cap * sizeof *a);
    if (!a)
        return false;
    d->allocations = a;
    d->cap_allocations = cap;
    return true;
}

CUresult memory_alloc(struct driver *d, struct context *c, enum memory_kind kind,
                      uint64_t bytes, uint64_t *addr)
{
    struct err err;
    size_t i;

    if (!bytes)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0 bytes");
    if (!grow_list(d))
        return call_memory(d, "the list of allocations");
    if (space_alloc(&d->space, bytes, ALIGN, addr, &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    i = first_allocation_from(d, *addr);
    memmove(d->allocations + i + 1, d->allocations + i,
            (d->n_allocations - i) * sizeof *d->allocations);
    d->allocations[i] =
        (struct allocation){ .addr = *addr, .context = c, .kind = kind };
    d->n_allocations++;
    if (d->space.shadow)
        shadow_add(d->space.shadow, kind == MEMORY_DEVICE ? SHADOW_DEVICE : SHADOW_HOST,
                   *addr, bytes);
    return CUDA_SUCCESS;
}

static void release_allocation(struct driver *d, struct allocation *a)
{
    size_t i = (size_t)(a - d->allocations);
    uint64_t start, size = 0;

    space_find(&d->space, a->addr, &start, &size);
    if (a->pool)
        pool_note_free(d, a->pool, size);
    space_release(&d->space, a->addr, NULL);
    if (d->space.shadow)
        shadow_release(d->space.shadow, a->addr);
    memmove(a, a + 1, (d->n_allocations - i - 1) * sizeof *a);
    d->n_allocations--;
}

void memory_release(struct driver *d, uint64_t addr)
{
    release_allocation(d, memory_find(d, addr));
}

void memory_free_context(struct driver *d, const struct context *c)
{
    for (size_t i = d->n_allocations; i-- > 0;) {
        if (d->allocations[i].context == c)
            release_allocation(d, &d->allocations[i]);
    }
}

void memory_note_write(struct driver *d, const void *at, uint64_t bytes)
{
    uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)d->space.bytes);

    if (d->space.shadow && offset < d->space.size)
        shadow_write(d->space.shadow, d->space.base + offset, bytes);
}

static void *host_pointer(const struct driver *d, uint64_t addr)
{
    return d->space.bytes + (addr - d->space.base);
}

/* The device address of a host pointer; outside of the space for any other. */
static uint64_t device_address(const struct driver *d, const void *host)
{
    return (uint64_t)(uintptr_t)host - (uint64_t)(uintptr_t)d->space.bytes +
           d->space.base;
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuMemGetInfo");

    if (result)
        return result;
    if (!free_bytes || !total)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the answer");
    *free_bytes = d->space.whole - d->space.used;
    *total = d->space.whole;
    return CUDA_SUCCESS;
}

static CUresult alloc_memory(const char *call, enum memory_kind kind, CUdeviceptr *at,
                             size_t bytes, bool flags_are_good)
{
    struct driver *d;
    struct context *c;
    uint64_t addr = 0;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = capture_check_unsafe(d)))
        return result;
    if (!at || !flags_are_good)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no place for the address, or flags that are not known");
    if (kind == MEMORY_MANAGED && !d->is_identity)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "host and device could not be given the same addresses");
    result = memory_alloc(d, c, kind, bytes, &addr);
    *at = result ? 0 : addr;
    return result;
}

CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes)
{
    return alloc_memory("cuMemAlloc", MEMORY_DEVICE, at, bytes, true);
}

CUresult cuMemAllocPitch(CUdeviceptr *at, size_t *pitch, size_t width, size_t height,
                         unsigned int element)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuMemAllocPitch");
    size_t row;

    if (result)
        return result;
    if (!pitch || !width || !height || width > d->space.whole ||
        (element != 4 && element != 8 && element != 16))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu x %zu bytes in elements of %u: expected 4, 8 or 16",
                         width, height, element);
    row = (width + PITCH - 1) / PITCH * PITCH;
    if (height > d->space.whole / row)
        return call_fail(d, CUDA_ERROR_OUT_OF_MEMORY, "%zu rows of %zu bytes", height,
                         row);
    *pitch = row;
    return alloc_memory("cuMemAllocPitch", MEMORY_DEVICE, at, row * height, true);
}

CUresult cuMemAllocManaged(CUdeviceptr *at, size_t bytes, unsigned int flags)
{
    bool good = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST;

    return alloc_memory("cuMemAllocManaged", MEMORY_MANAGED, at, bytes, good);
}

static CUresult free_at(struct driver *d, uint64_t addr, bool is_host)
{
    struct allocation *a = memory_find(d, addr);

    if (!a || a->addr != addr || (a->kind == MEMORY_HOST) != is_host)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "0x%llx is not the start of an allocation of this kind",
                         (unsigned long long)addr);
    release_allocation(d, a);
    return CUDA_SUCCESS;
}

CUresult memory_free_device(struct driver *d, uint64_t addr)
{
    if (share_close(d, addr)) /* of another process's pool */
        return CUDA_SUCCESS;
    return free_at(d, addr, false);
}

CUresult cuMemFree(CUdeviceptr at)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuMemFree");

    if (result || (result = capture_check_unsafe(d)) || !at ||
        graph_release_memory(d, at, &result))
        return result;
    return memory_free_device(d, at);
}

CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned int flags)
{
    const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
                           CU_MEMHOSTALLOC_WRITECOMBINED;
    CUdeviceptr addr = 0;
    CUresult result;

    if (at && !bytes) { /* nothing, and no error, as with an H200's driver */
        *at = NULL;
        return CUDA_SUCCESS;
    }
    result = alloc_memory("cuMemHostAlloc", MEMORY_HOST, at ? &addr : NULL, bytes,
                          !(flags & ~known));
    if (at)
        *at = result ? NULL : host_pointer(driver_current(), addr);
    if (!result)
        memory_find(driver_current(), addr)->flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return result;
}

/* Of page-locked memory that was allocated; all of it is mapped. */
CUresult cuMemHostGetFlags(unsigned int *flags, void *at)
{
    struct driver *d;
    struct context *c;
    struct allocation *a;
    CUresult result = call_begin(&d, &c, "cuMemHostGetFlags");

    if (result || (result = call_check_place(d, flags)))
        return result;
    if (space_lent_at(&d->space, (uint64_t)(uintptr_t)at))
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "flags of registered memory");
    a = memory_find(d, device_address(d, at));
    if (!a || a->kind != MEMORY_HOST)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%p is not in page-locked memory",
                         at);
    *flags = a->flags;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **at, size_t bytes)
{
    return cuMemHostAlloc(at, bytes, 0);
}

CUresult cuMemFreeHost(void *at)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuMemFreeHost");

    if (result || (result = capture_check_unsafe(d)) || !at)
        return result;
    return free_at(d, device_address(d, at), true);
}

/* Registers memory of the program, which kernels may access from now on at its host
 * address. */
CUresult cuMemHostRegister(void *at, size_t bytes, unsigned int flags)
{
    const unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                           CU_MEMHOSTREGISTER_READ_ONLY;
    struct driver *d;
    struct context *c;
    struct err err;
    CUresult result = call_begin(&d, &c, "cuMemHostRegister");

    if (result)
        return result;
    if (!at || !bytes || flags & ~known)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%zu bytes at %p, flags 0x%x",
                         bytes, at, flags);
    if (space_lend(&d->space, (uint64_t)(uintptr_t)at, bytes, &err))
        return call_fail(d, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "%s", err.text);
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *at)
{
    struct driver *d;
    struct context *c;
    struct err err;
    CUresult result = call_begin(&d, &c, "cuMemHostUnregister");

    if (result)
        return result;
    if (space_take_back(&d->space, (uint64_t)(uintptr_t)at, &err))
        return call_fail(d, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "%s", err.text);
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    struct driver *d;
    struct context *c;
    struct allocation *a;
    CUresult result = call_begin(&d, &c, "cuMemHostGetDevicePointer");

    if (result)
        return result;
    if (device && !flags && space_lent_at(&d->space, (uint64_t)(uintptr_t)host)) {
        *device = (uint64_t)(uintptr_t)host;
        return CUDA_SUCCESS;
    }
    a = memory_find(d, device_address(d, host));
    if (!device || flags || !a || a->kind == MEMORY_DEVICE)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%p is not in memory allocated for the host", host);
    *device = device_address(d, host);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr at)
{
    struct driver *d;
    struct context *c;
    uint64_t first, size;
    CUresult result = call_begin(&d, &c, "cuMemGetAddressRange");

    if (result)
        return result;
    if (!memory_range(d, at, &first, &size))
        return call_fail(d, CUDA_ERROR_NOT_FOUND, "0x%llx is not in an allocation", at);
    if (start)
        *start = first;
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

/* Answers a query about memory that the program registered. */
static CUresult query_registered(struct driver *d, void *value,
                                 CUpointer_attribute attribute, CUdeviceptr at)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = CU_MEMORYTYPE_HOST;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(CUdeviceptr *)value = at;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(unsigned *)value = 0;
        return CUDA_SUCCESS;
    default:
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d of registered memory is not known",
                         (int)attribute);
    }
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                               CUdeviceptr at)
{
    struct driver *d;
    uint64_t start, size;
    struct allocation *a;
    CUresult result = call_begin_bare(&d, "cuPointerGetAttribute");

    if (result)
        return result;
    if (value && space_lent_at(&d->space, at))
        return query_registered(d, value, attribute, at);
    if (!value || !memory_range(d, at, &start, &size))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is not in an allocation",
                         at);
    a = memory_find(d, at); /* NULL for a module's variables: device memory */
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = a ? a->context->handle : NULL;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value =
            a && a->kind == MEMORY_HOST ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = at;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!a || a->kind == MEMORY_DEVICE)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is in device memory",
                             at);
        *(void **)value = host_pointer(d, at);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = a && a->kind == MEMORY_MANAGED;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)value = start;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)value = size;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)value = a && a->pool ? a->pool->handle : NULL;
        return CUDA_SUCCESS;
    }
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                     (int)attribute);
}

/* Bytes of an attribute's value. */
static size_t attribute_bytes(CUpointer_attribute attribute)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return sizeof(int);
    default:
        return sizeof(CUdeviceptr);
    }
}

/* Several at once. What does not apply to the memory, or to any memory of the host's, is
 * 0, which is no error. */
CUresult cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attributes,
                                void **values, CUdeviceptr at)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuPointerGetAttributes");

    if (result)
        return result;
    if (!attributes || !values)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no attributes");
    for (unsigned i = 0; i < n; i++) {
        if (!values[i])
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for attribute %d",
                             (int)attributes[i]);
        if (!cuPointerGetAttribute(values[i], attributes[i], at))
            continue;
        memset(values[i], 0, attribute_bytes(attributes[i]));
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)values[i] = CU_DEVICE_INVALID;
    }
    return CUDA_SUCCESS;
}
