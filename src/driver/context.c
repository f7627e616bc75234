/* context.c - contexts: owners of modules, memory, streams and events; a kernel's
 * failure stays with its context. All contexts share the device's address space.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/capture.h"
#include "driver/children.h"
#include "driver/graph.h"

/* Limits are those of an H200 by default. */
static CUresult context_new(struct driver *d, unsigned flags, struct context **out)
{
    struct context *c = calloc(1, sizeof *c);

    if (c)
        c->handle = handle_add(&d->handles, HANDLE_CONTEXT, c);
    if (!c || !c->handle) {
        free(c);
        return call_memory(d, "a context");
    }
    c->flags = flags;
    stream_init(&c->default_stream, c, 0, 0);
    stream_init(&c->thread_stream, c, 0, 0);
    c->limits[CU_LIMIT_STACK_SIZE] = 1024;
    c->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 8650752;
    c->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    c->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    c->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
    c->limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] =
        device_persisting_l2(d->device) * 3 / 10;
    c->limits[CU_LIMIT_SHMEM_SIZE] = d->device->shared_optin;
    *out = c;
    return CUDA_SUCCESS;
}

static void drop_from_stack(struct driver *d, const struct context *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->n_stack; i++) {
        if (d->stack[i] != c)
            d->stack[n++] = d->stack[i];
    }
    d->n_stack = n;
}

void context_destroy(struct driver *d, struct context *c)
{
    struct module *m;
    struct driver_stream *s;
    struct driver_event *e;
    struct array *a;
    struct mipmap *mip;
    uint32_t at = 0;

    graph_free_context(d, c);
    while ((m = handle_next(&d->handles, HANDLE_MODULE, &at))) {
        if (m->context == c)
            module_destroy(d, m);
    }
    for (at = 0; (s = handle_next(&d->handles, HANDLE_STREAM, &at));) {
        if (s->context == c)
            stream_free(d, s);
    }
    for (at = 0; (e = handle_next(&d->handles, HANDLE_EVENT, &at));) {
        if (e->context == c)
            event_free(d, e);
    }
    for (at = 0; (mip = handle_next(&d->handles, HANDLE_MIPMAP, &at));) {
        if (mip->base.context == c)
            mipmap_destroy(d, mip);
    }
    for (at = 0; (a = handle_next(&d->handles, HANDLE_ARRAY, &at));) {
        if (a->context == c)
            array_destroy(d, a);
    }
    texture_free_context(d, c);
    if (c->heap.addr)
        space_release(&d->space, c->heap.addr, NULL);
    sass_kept_free(&c->kept);
    children_drop(d, c);
    memory_free_context(d, c);
    drop_from_stack(d, c);
    if (d->primary == c) {
        d->primary = NULL;
        d->primary_refs = 0;
    }
    handle_drop(&d->handles, c->handle);
    free(c);
}

static CUresult check_flags(struct driver *d, unsigned flags)
{
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x are not known",
                         flags);
    return CUDA_SUCCESS;
}

static CUresult context_push(struct driver *d, struct context *c)
{
    if (d->n_stack == CONTEXT_STACK)
        return call_fail(d, CUDA_ERROR_OUT_OF_MEMORY, "%d contexts are pushed already",
                         CONTEXT_STACK);
    d->stack[d->n_stack++] = c;
    return CUDA_SUCCESS;
}

/* The context of a handle; NULL with the result set when there is none. */
static struct context *context_find(struct driver *d, CUcontext handle,
                                    CUresult *result)
{
    struct context *c = handle_find(&d->handles, HANDLE_CONTEXT, handle);

    *result = c ? CUDA_SUCCESS
                : call_fail(d, CUDA_ERROR_INVALID_CONTEXT, "%p is not a live context",
                            (void *)handle);
    return c;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDevicePrimaryCtxRetain");

    if (result || (result = call_check_device(d, dev)))
        return result;
    if (!ctx)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the context");
    if (!d->primary) {
        result = context_new(d, d->primary_flags, &d->primary);
        if (result)
            return result;
        d->primary->is_primary = true;
    }
    d->primary_refs++;
    *ctx = d->primary->handle;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDevicePrimaryCtxRelease");

    if (result || (result = call_check_device(d, dev)))
        return result;
    if (!d->primary)
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT,
                         "the primary context is not retained");
    if (!--d->primary_refs)
        context_destroy(d, d->primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDevicePrimaryCtxReset");

    if (result || (result = call_check_device(d, dev)))
        return result;
    if (d->primary)
        context_destroy(d, d->primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDevicePrimaryCtxSetFlags");

    if (result || (result = call_check_device(d, dev)) ||
        (result = check_flags(d, flags)))
        return result;
    d->primary_flags = flags;
    if (d->primary)
        d->primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDevicePrimaryCtxGetState");

    if (result || (result = call_check_device(d, dev)))
        return result;
    if (!flags || !active)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the answer");
    *flags = d->primary_flags;
    *active = d->primary != NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *ctx, unsigned int flags, CUdevice dev)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin_bare(&d, "cuCtxCreate");

    if (result || (result = call_check_device(d, dev)) ||
        (result = check_flags(d, flags)))
        return result;
    if (!ctx)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the context");
    result = context_new(d, flags, &c);
    if (result)
        return result;
    result = context_push(d, c);
    if (result) {
        context_destroy(d, c);
        return result;
    }
    *ctx = c->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin_bare(&d, "cuCtxDestroy");

    if (result || !(c = context_find(d, ctx, &result)))
        return result;
    if (c->is_primary)
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT,
                         "the primary context is released, not destroyed");
    context_destroy(d, c);
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin_bare(&d, "cuCtxPushCurrent");

    if (result || !(c = context_find(d, ctx, &result)))
        return result;
    return context_push(d, c);
}

CUresult cuCtxPopCurrent(CUcontext *ctx)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin_bare(&d, "cuCtxPopCurrent");

    if (result)
        return result;
    if (!d->n_stack || !d->stack[d->n_stack - 1])
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    c = d->stack[--d->n_stack];
    if (ctx)
        *ctx = c->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    struct driver *d;
    struct context *c = NULL;
    CUresult result = call_begin_bare(&d, "cuCtxSetCurrent");

    if (result || (ctx && !(c = context_find(d, ctx, &result))))
        return result;
    if (d->n_stack)
        d->n_stack--;
    return c ? context_push(d, c) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *ctx)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuCtxGetCurrent");

    if (result)
        return result;
    if (!ctx)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the context");
    *ctx = NULL;
    if (d->n_stack && d->stack[d->n_stack - 1])
        *ctx = d->stack[d->n_stack - 1]->handle;
    return CUDA_SUCCESS;
}

/* The common beginning of questions about the current context. */
static CUresult context_begin(struct driver **d, struct context **c, const char *call,
                              const void *out)
{
    CUresult result = call_begin(d, c, call);

    if (result || (result = call_check_place(*d, out)))
        return result;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *dev)
{
    struct driver *d;
    struct context *c;
    CUresult result = context_begin(&d, &c, "cuCtxGetDevice", dev);

    if (!result)
        *dev = 0;
    return result;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    struct driver *d;
    struct context *c;
    CUresult result = context_begin(&d, &c, "cuCtxGetFlags", flags);

    if (!result)
        *flags = c->flags;
    return result;
}

/* A context's number is its handle's. */
CUresult cuCtxGetId(CUcontext ctx, unsigned long long *number)
{
    struct driver *d;
    struct context *c;
    CUresult result = context_begin(&d, &c, "cuCtxGetId", number);

    if (result || (ctx && !context_find(d, ctx, &result)))
        return result;
    *number = (unsigned long long)(uintptr_t)(ctx ? ctx : c->handle);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuCtxGetApiVersion");

    if (result || (ctx && !context_find(d, ctx, &result)))
        return result;
    if (!version)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the answer");
    *version = 3020; /* the edition of contexts since CUDA 3.2 */
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuCtxSynchronize");

    return result ? result : capture_check_wait_all(d, c);
}

/* Refuses limits that an H200 refuses, with its results. */
static CUresult check_limit(struct driver *d, CUlimit limit)
{
    if ((unsigned)limit >= N_LIMITS)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "limit %d is not known",
                         (int)limit);
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH ||
        limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED ||
        (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE && d->device->sm < 80))
        return call_fail(d, CUDA_ERROR_UNSUPPORTED_LIMIT, "the device has no limit %d",
                         (int)limit);
    return CUDA_SUCCESS;
}

/* The greatest value that a limit can be set to. */
static uint64_t most_of_limit(const struct driver *d, CUlimit limit)
{
    switch (limit) {
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        return 128;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        return device_persisting_l2(d->device);
    default:
        return d->space.whole;
    }
}

/* Persisting L2 is set aside in sixteenths of the cache. */
static uint64_t round_limit(const struct driver *d, CUlimit limit, uint64_t value)
{
    uint64_t unit = d->device->l2_bytes / 16;

    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
        return value;
    return (value + unit - 1) / unit * unit;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuCtxSetLimit");

    if (result || (result = check_limit(d, limit)))
        return result;
    if (limit == CU_LIMIT_SHMEM_SIZE || limit == CU_LIMIT_CIG_ENABLED)
        return call_fail(d, CUDA_ERROR_NOT_PERMITTED, "limit %d can only be read",
                         (int)limit);
    if (value > most_of_limit(d, limit))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%zu: expected at most %llu",
                         value, (unsigned long long)most_of_limit(d, limit));
    c->limits[limit] = round_limit(d, limit, value);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    struct driver *d;
    struct context *c;
    CUresult result = context_begin(&d, &c, "cuCtxGetLimit", value);

    if (result || (result = check_limit(d, limit)))
        return result;
    *value = c->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuCtxGetStreamPriorityRange");

    if (!result && least)
        *least = 0;
    if (!result && greatest)
        *greatest = -5;
    return result;
}

/* A preference that hardware may ignore; it is ignored here. */
CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuCtxSetCacheConfig");

    if (result)
        return result;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "preference %d", (int)config);
    return CUDA_SUCCESS;
}
