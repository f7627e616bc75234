/* pool.c - memory pools and stream-ordered allocation. Streams are in order and always
 * idle, so a pool hands out plain allocations; what it keeps of its own are numbers. They
 * are an H200's: memory is reserved in pieces of 32 MiB, and what exceeds the threshold
 * is released, here when an allocation is freed, there at the next synchronization.
 */
#include <stdlib.h>
#include <unistd.h>

#include "driver/capture.h"
#include "driver/graph.h"
#include "driver/internal.h"

enum { RESERVE_UNIT = 32 << 20, EXPORTABLE = 9 };

static const CUmemPoolProps default_props = {
    .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
};

static struct pool *pool_new(struct driver *d, const CUmemPoolProps *props)
{
    struct pool *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->props = *props;
    p->handle = handle_add(&d->handles, HANDLE_POOL, p);
    for (int i = 0; i < POOL_REUSES; i++)
        p->reuse[i] = 1;
    if (p->handle)
        return p;
    free(p);
    return NULL;
}

static struct pool *default_pool(struct driver *d)
{
    if (!d->default_pool)
        d->default_pool = pool_new(d, &default_props);
    return d->default_pool;
}

static struct pool *current_pool(struct driver *d)
{
    return d->current_pool ? d->current_pool : default_pool(d);
}

static void pool_free(struct driver *d, struct pool *p)
{
    handle_drop(&d->handles, p->handle);
    if (p->is_foreign)
        close(p->file);
    free(p);
}

void pool_free_all(struct driver *d)
{
    struct pool *p;
    uint32_t at = 0;

    while ((p = handle_next(&d->handles, HANDLE_POOL, &at)))
        pool_free(d, p);
}

/* Bytes that the pool cannot do without. */
static uint64_t bytes_needed(const struct pool *p)
{
    return (p->used + RESERVE_UNIT - 1) / RESERVE_UNIT * RESERVE_UNIT;
}

/* Releases memory down to so many bytes, where it is not in use. */
static void trim_pool(struct pool *p, uint64_t keep)
{
    uint64_t least = bytes_needed(p);

    if (keep > least)
        least = keep - keep % RESERVE_UNIT;
    if (p->reserved > least)
        p->reserved = least;
}

void pool_note_free(struct driver *d, struct pool *p, uint64_t bytes)
{
    p->used -= bytes;
    p->n_live--;
    trim_pool(p, p->threshold);
    if (p->is_destroyed && !p->n_live)
        pool_free(d, p);
}

static void note_alloc(struct pool *p, uint64_t bytes)
{
    uint64_t needed;

    p->used += bytes;
    p->n_live++;
    needed = bytes_needed(p);
    if (p->reserved < needed)
        p->reserved = needed;
    if (p->used_high < p->used)
        p->used_high = p->used;
    if (p->reserved_high < p->reserved)
        p->reserved_high = p->reserved;
}

static struct pool *pool_find(struct driver *d, CUmemoryPool handle, CUresult *result)
{
    struct pool *p = handle_find(&d->handles, HANDLE_POOL, handle);

    if (p && !p->is_destroyed)
        return p;
    *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "%p is not a live memory pool",
                        (void *)handle);
    return NULL;
}

struct pool *pool_begin(struct driver **d, const char *call, CUmemoryPool handle,
                        CUresult *result)
{
    *result = call_begin_bare(d, call);
    return *result ? NULL : pool_find(*d, handle, result);
}

static CUresult give_pool(struct driver *d, struct pool *p, CUmemoryPool *to)
{
    if (!p)
        return call_memory(d, "a memory pool");
    *to = p->handle;
    return CUDA_SUCCESS;
}

CUresult pool_import(struct driver *d, int file, CUmemoryPool *pool)
{
    struct pool *p = pool_new(d, &default_props);

    if (!p) {
        close(file);
        return call_memory(d, "a memory pool");
    }
    p->is_foreign = true;
    p->file = file;
    return give_pool(d, p, pool);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDeviceGetDefaultMemPool");

    if (result || (result = call_check_place(d, pool)) ||
        (result = call_check_device(d, dev)))
        return result;
    return give_pool(d, default_pool(d), pool);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDeviceGetMemPool");

    if (result || (result = call_check_place(d, pool)) ||
        (result = call_check_device(d, dev)))
        return result;
    return give_pool(d, current_pool(d), pool);
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuDeviceSetMemPool", pool, &result);

    if (!p)
        return result;
    if (dev)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "the pool is not of device %d",
                         dev);
    d->current_pool = p;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuMemPoolCreate");

    if (result)
        return result;
    if (!pool || !props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        (unsigned)props->handleTypes & ~(unsigned)EXPORTABLE)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no description of pinned memory, or no place for the pool");
    if (props->location.type >= CU_MEM_LOCATION_TYPE_HOST &&
        props->location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "a pool of host memory");
    if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE || props->location.id)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "location %d of type %d",
                         props->location.id, (int)props->location.type);
    return give_pool(d, pool_new(d, props), pool);
}

/* What is allocated from it stays until it is freed. */
CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolDestroy", pool, &result);

    if (!p)
        return result;
    if (p == d->default_pool)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "it is the default pool");
    if (p == d->current_pool)
        d->current_pool = NULL;
    if (p->n_live)
        p->is_destroyed = true;
    else
        pool_free(d, p);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolTrimTo", pool, &result);

    if (p)
        trim_pool(p, keep);
    return result;
}

/* A number of the pool; NULL if there is none with that name. */
static uint64_t *number_of(struct pool *p, CUmemPool_attribute attribute)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        return &p->threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        return &p->reserved;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return &p->reserved_high;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        return &p->used;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return &p->used_high;
    default:
        return NULL;
    }
}

static bool is_reuse(CUmemPool_attribute attribute)
{
    return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
           attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

/* A high-water mark can only be reset. */
static bool set_number(struct pool *p, CUmemPool_attribute attribute, uint64_t value)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        p->threshold = value;
        return true;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        p->reserved_high = p->reserved;
        return !value;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        p->used_high = p->used;
        return !value;
    default:
        return false;
    }
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolSetAttribute", pool, &result);

    if (!p)
        return result;
    if (value && is_reuse(attribute)) {
        p->reuse[attribute - 1] = *(int *)value != 0;
        return CUDA_SUCCESS;
    }
    if (!value || !set_number(p, attribute, *(uint64_t *)value))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d cannot be set to that", (int)attribute);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolGetAttribute", pool, &result);
    const uint64_t *number;

    if (!p || (result = call_check_place(d, value)))
        return result;
    number = number_of(p, attribute);
    if (is_reuse(attribute))
        *(int *)value = p->reuse[attribute - 1];
    else if (number)
        *(uint64_t *)value = *number;
    else
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                         (int)attribute);
    return CUDA_SUCCESS;
}

/* The device can always access its own pools, and there is no other device. */
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t n)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolSetAccess", pool, &result);

    if (!p)
        return result;
    if (n && !access)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no description");
    for (size_t i = 0; i < n; i++) {
        const CUmemAccessDesc *a = &access[i];

        if (a->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            a->flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                             "access of the host, or access to read only");
        if (a->location.id || a->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return call_fail(d, CUDA_ERROR_INVALID_DEVICE,
                             "device %d: only the pool's own exists, which has access",
                             a->location.id);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                            CUmemLocation *location)
{
    struct driver *d;
    CUresult result;
    struct pool *p = pool_begin(&d, "cuMemPoolGetAccess", pool, &result);

    if (!p)
        return result;
    if (!flags || !location ||
        (location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no such location, or no place for the answer");
    *flags = location->type == CU_MEM_LOCATION_TYPE_DEVICE
                 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                 : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

/* A limit is rounded up as what is reserved. */
static bool has_room(const struct pool *p, uint64_t bytes)
{
    uint64_t most = p->props.maxSize;

    if (!most)
        return true;
    most = (most + RESERVE_UNIT - 1) / RESERVE_UNIT * RESERVE_UNIT;
    return bytes <= most && p->used <= most - bytes;
}

static CUresult alloc_from(struct driver *d, struct context *c, struct pool *p,
                           size_t bytes, CUdeviceptr *at)
{
    uint64_t addr = 0;
    CUresult result = CUDA_SUCCESS;

    if (!at)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the address");
    if (p->is_foreign)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "the pool is another process's");
    if (!has_room(p, bytes))
        return call_fail(d, CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes: the pool is full",
                         bytes);
    if (bytes)
        result = memory_alloc(d, c, MEMORY_DEVICE, bytes, &addr);
    *at = result ? 0 : addr;
    if (result || !bytes)
        return result;
    memory_find(d, addr)->pool = p;
    note_alloc(p, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *at, size_t bytes, CUmemoryPool pool,
                                 CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct pool *p;
    CUresult result = call_begin(&d, &c, "cuMemAllocFromPoolAsync");

    if (result || (result = call_check_stream(d, stream)))
        return result;
    if (capture_is_on(d, c, stream))
        return capture_alloc(d, c, stream, at, bytes);
    p = pool_find(d, pool, &result);
    return p ? alloc_from(d, c, p, bytes, at) : result;
}

CUresult cuMemAllocAsync(CUdeviceptr *at, size_t bytes, CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct pool *p;
    CUresult result = call_begin(&d, &c, "cuMemAllocAsync");

    if (result || (result = call_check_stream(d, stream)))
        return result;
    if (capture_is_on(d, c, stream))
        return capture_alloc(d, c, stream, at, bytes);
    p = current_pool(d);
    return p ? alloc_from(d, c, p, bytes, at) : call_memory(d, "a memory pool");
}

CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuMemFreeAsync");

    if (result || (result = call_check_stream(d, stream)) || !at)
        return result;
    if (capture_is_on(d, c, stream))
        return capture_free(d, c, stream, at);
    if (graph_release_memory(d, at, &result))
        return result;
    return memory_free_device(d, at);
}
