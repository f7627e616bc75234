/* advice.c - calls that on a GPU affect only time or profiling: where memory lies, what
 * a profiler records. Their arguments are checked; they do nothing else.
 */
#include "driver/internal.h"

/* Advice about a range that must be managed memory. */
static CUresult advise_range(const char *call, CUdeviceptr at, size_t bytes,
                             CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct allocation *a;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)))
        return result;
    a = memory_find(d, at);
    if (!bytes || !a || a->kind != MEMORY_MANAGED || !space_has(&d->space, at, bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not managed memory", bytes, at);
    return CUDA_SUCCESS;
}

/* The requested place, a device or a struct by value, has no effect. */
CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice to, CUstream stream)
{
    (void)to;
    return advise_range("cuMemPrefetchAsync", at, bytes, stream);
}

CUresult cuMemAdvise(CUdeviceptr at, size_t bytes, int advice, CUdevice device)
{
    (void)advice;
    (void)device;
    return advise_range("cuMemAdvise", at, bytes, NULL);
}

/* There is no profiler to start; a GPU without one attached does nothing either. */
CUresult cuProfilerStart(void)
{
    struct driver *d;

    return call_begin_bare(&d, "cuProfilerStart");
}

CUresult cuProfilerStop(void)
{
    struct driver *d;

    return call_begin_bare(&d, "cuProfilerStop");
}
