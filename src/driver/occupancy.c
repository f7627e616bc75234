/* occupancy.c - how many blocks of a kernel an SM holds, and related queries. */
#include "driver/internal.h"

/* Blocks of the largest cluster: on all GPUs that have clusters, and on an H200. */
enum { PORTABLE_CLUSTER = 8, LARGE_CLUSTER = 16 };

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

/* Blocks of a cluster, by the launch or as compiled; 0 if there are no clusters. */
static uint64_t cluster_blocks(const struct function *f, const CUlaunchConfig *config)
{
    const uint32_t *compiled = f->kernel->info->cluster;
    uint64_t blocks = (uint64_t)compiled[0] * compiled[1] * compiled[2];

    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *a = &config->attrs[i];

        if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            blocks = (uint64_t)a->value.clusterDim.x * a->value.clusterDim.y *
                     a->value.clusterDim.z;
    }
    return blocks;
}

/* The common beginning of questions about clusters. */
static CUresult cluster_begin(struct driver **d, struct function **f, const char *call,
                              CUfunction fn, const void *out,
                              const CUlaunchConfig *config)
{
    CUresult result = function_begin(d, f, call, fn);

    if (result)
        return result;
    if (!out || !config || (config->numAttrs && !config->attrs))
        return call_fail(*d, CUDA_ERROR_INVALID_VALUE,
                         "no configuration, or no place for the answer");
    if ((*d)->device->sm < 90)
        return call_fail(*d, CUDA_ERROR_INVALID_CLUSTER_SIZE, "sm_%u has no clusters",
                         (*d)->device->sm);
    if (!(*f)->has_large_clusters && cluster_blocks(*f, config) > PORTABLE_CLUSTER)
        return call_fail(*d, CUDA_ERROR_INVALID_CLUSTER_SIZE,
                         "clusters of more than %d blocks are not allowed for this "
                         "function",
                         PORTABLE_CLUSTER);
    return CUDA_SUCCESS;
}

static uint32_t blocks_of_config(const struct driver *d, const struct function *f,
                                 const CUlaunchConfig *config)
{
    uint32_t threads = config->blockDimX * config->blockDimY * config->blockDimZ;

    return blocks_of(d, f, threads, config->sharedMemBytes);
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction fn,
                                      const CUlaunchConfig *config)
{
    struct driver *d;
    struct function *f;
    uint64_t cluster;
    CUresult result =
        cluster_begin(&d, &f, "cuOccupancyMaxActiveClusters", fn, clusters, config);

    if (result)
        return result;
    cluster = cluster_blocks(f, config);
    *clusters = 0;
    if (cluster && cluster <= LARGE_CLUSTER)
        *clusters = (int)device_clusters(d->n_sms, blocks_of_config(d, f, config),
                                         (uint32_t)cluster);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialClusterSize(int *blocks, CUfunction fn,
                                            const CUlaunchConfig *config)
{
    struct driver *d;
    struct function *f;
    CUresult result =
        cluster_begin(&d, &f, "cuOccupancyMaxPotentialClusterSize", fn, blocks, config);
    int most;

    if (result)
        return result;
    most = f->has_large_clusters ? LARGE_CLUSTER : PORTABLE_CLUSTER;
    while (most &&
           !device_clusters(d->n_sms, blocks_of_config(d, f, config), (uint32_t)most))
        most /= 2;
    *blocks = most;
    return CUDA_SUCCESS;
}
