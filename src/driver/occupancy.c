/* occupancy.c - how many blocks of a kernel an SM holds, and related queries. */
#include "driver/internal.h"

static uint32_t blocks_of(const struct driver *d, const struct function *f,
                          uint32_t threads, size_t dynamic)
{
    uint32_t shared;

    if (dynamic > f->max_dynamic)
        return 0;
    shared = function_static_shared(d, f) + (uint32_t)dynamic;
    return device_blocks_per_sm(d->device, threads, f->kernel->n_regs, shared);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction fn,
                                                     int threads, size_t dynamic)
{
    struct driver *d;
    struct function *f;
    CUresult result =
        function_begin(&d, &f, "cuOccupancyMaxActiveBlocksPerMultiprocessor", fn);

    if (result)
        return result;
    if (!blocks || threads <= 0)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%d threads", threads);
    *blocks = (int)blocks_of(d, f, (uint32_t)threads, dynamic);
    return CUDA_SUCCESS;
}

/* The only flag concerns caching on architectures before sm_75. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f,
                                                              int threads,
                                                              size_t dynamic,
                                                              unsigned int flags)
{
    (void)flags;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, dynamic);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction fn,
                                                 int blocks, int threads)
{
    struct driver *d;
    struct function *f;
    uint32_t each, used;
    CUresult result =
        function_begin(&d, &f, "cuOccupancyAvailableDynamicSMemPerBlock", fn);

    if (result)
        return result;
    if (!bytes || blocks <= 0 || threads <= 0 ||
        (uint32_t)blocks > blocks_of(d, f, (uint32_t)threads, 0))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%d blocks of %d threads do not fit an SM", blocks, threads);
    each = d->device->shared_per_sm / (uint32_t)blocks / d->device->shared_unit *
           d->device->shared_unit;
    used = function_static_shared(d, f) + d->device->shared_reserved;
    *bytes = each > used ? each - used : 0;
    if (*bytes > f->max_dynamic)
        *bytes = f->max_dynamic;
    return CUDA_SUCCESS;
}

/* The smallest block size with which the most threads are resident. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction fn,
                                          CUoccupancyB2DSize size, size_t dynamic,
                                          int limit)
{
    struct driver *d;
    struct function *f;
    int most = 0;
    uint32_t best = 0;
    CUresult result =
        cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fn);

    if (result ||
        (result = function_begin(&d, &f, "cuOccupancyMaxPotentialBlockSize", fn)))
        return result;
    if (!grid || !block)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the answer");
    if (limit > 0 && limit < most)
        most = limit;
    *grid = *block = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        size_t shared = size ? size(threads) : dynamic;
        uint32_t blocks = blocks_of(d, f, (uint32_t)threads, shared);

        if (blocks * (uint32_t)threads <= best)
            continue;
        best = blocks * (uint32_t)threads;
        *block = threads;
        *grid = (int)(blocks * d->n_sms);
    }
    return CUDA_SUCCESS;
}
