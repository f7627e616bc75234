/* function.c - queries about kernels: attributes, occupancy, names. */
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

/* The common beginning: the lock, and the driver's function. */
static cudaError_t begin_on_function(const void *func, CUfunction *f)
{
    cudaError_t error = runtime_error(runtime_begin());

    return error ? error : runtime_function(func, f);
}

#define FUNCTION(func, expression)                                             \
    do {                                                                       \
        CUfunction f;                                                          \
        cudaError_t error_ = begin_on_function(func, &f);                      \
        return runtime_end_error(error_ ? error_ : runtime_error(expression)); \
    } while (0)

static CUresult query_size(size_t *to, CUfunction_attribute attribute, CUfunction f)
{
    int value = 0;
    CUresult result = cuFuncGetAttribute(&value, attribute, f);

    *to = (size_t)value;
    return result;
}

static CUresult fill_attributes(struct cudaFuncAttributes *a, CUfunction f)
{
    const struct {
        int *to;
        CUfunction_attribute attribute;
    } rows[] = {
        { &a->maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK },
        { &a->numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS },
        { &a->ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION },
        { &a->binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION },
        { &a->cacheModeCA, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA },
        { &a->maxDynamicSharedSizeBytes,
          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES },
        { &a->preferredShmemCarveout,
          CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT },
        { &a->clusterDimMustBeSet, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET },
        { &a->requiredClusterWidth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH },
        { &a->requiredClusterHeight, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT },
        { &a->requiredClusterDepth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH },
    };
    enum { N_OF_11 = 7, N = sizeof rows / sizeof *rows };
    size_t n = cudart_edition < 12 ? N_OF_11 : N;
    CUresult result =
        query_size(&a->sharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);

    if (!result)
        result = query_size(&a->constSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f);
    if (!result)
        result = query_size(&a->localSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f);
    for (size_t i = 0; !result && i < n; i++)
        result = cuFuncGetAttribute(rows[i].to, rows[i].attribute, f);
    return result;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *func)
{
    FUNCTION(func, a ? fill_attributes(a, f) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaFuncSetAttribute(const void *func, int attribute, int value)
{
    FUNCTION(func, cuFuncSetAttribute(f, (CUfunction_attribute)attribute, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, int config)
{
    FUNCTION(func, cuFuncSetCacheConfig(f, (CUfunc_cache)config));
}

/* Banks of shared memory have one width since sm_50. */
cudaError_t cudaFuncSetSharedMemConfig(const void *func, int config)
{
    FUNCTION(func,
             f && (unsigned)config <= 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    FUNCTION(func, cuFuncGetName(name, f));
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset,
                                 size_t *size)
{
    FUNCTION(func, cuFuncGetParamInfo(f, index, offset, size));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute,
                                            int value, int device)
{
    if (device)
        return runtime_thread()->last = cudaErrorInvalidDevice;
    return cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    return __cudaGetKernel(kernel, func);
}

static CUresult give_function(cudaFunction_t *to, CUfunction f)
{
    *to = f;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *func)
{
    FUNCTION(func, function ? give_function(function, f) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int threads, size_t dynamic, unsigned flags)
{
    FUNCTION(func, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                       blocks, f, threads, dynamic, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int threads, size_t dynamic)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, threads,
                                                                  dynamic, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func,
                                                      int blocks, int threads)
{
    FUNCTION(func, cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads));
}

/* What the driver's occupancy calls read of a launch. */
static CUlaunchConfig driver_config_of(const struct cudaLaunchConfig *c)
{
    return (CUlaunchConfig){
        .blockDimX = c->blockDim.x,
        .blockDimY = c->blockDim.y,
        .blockDimZ = c->blockDim.z,
        .sharedMemBytes = c->dynamicSmemBytes < UINT32_MAX
                              ? (unsigned)c->dynamicSmemBytes
                              : UINT32_MAX,
        .attrs = c->attrs,
        .numAttrs = c->numAttrs,
    };
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                           const struct cudaLaunchConfig *config)
{
    CUlaunchConfig c = config ? driver_config_of(config) : (CUlaunchConfig){ 0 };

    FUNCTION(func, cuOccupancyMaxActiveClusters(clusters, f, config ? &c : NULL));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *func,
                                                 const struct cudaLaunchConfig *config)
{
    CUlaunchConfig c = config ? driver_config_of(config) : (CUlaunchConfig){ 0 };

    FUNCTION(func, cuOccupancyMaxPotentialClusterSize(blocks, f, config ? &c : NULL));
}
