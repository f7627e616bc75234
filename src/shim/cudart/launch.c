/* launch.c - launches, and host functions in stream order.
 *
 * As on a GPU a failing kernel does not make its launch fail: the launch succeeds, and
 * later calls report the kernel's failure.
 */
#include "shim/cudart/launch.h"

#include "shim/cudart/api.h"

/* For an impossible shape the driver returns "invalid value"; the runtime has an error
 * of its own. */
static bool is_shape(const struct launch_shape *s)
{
    return s->grid.x && s->grid.x <= 0x7fffffff && s->grid.y && s->grid.y <= 65535 &&
           s->grid.z && s->grid.z <= 65535 && s->block.x && s->block.x <= 1024 &&
           s->block.y && s->block.y <= 1024 && s->block.z && s->block.z <= 64 &&
           s->block.x * s->block.y * s->block.z <= 1024;
}

/* In a capture an impossible shape is the driver's to refuse. */
static bool is_captured(cudaStream_t stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

    return stream && !cuStreamIsCapturing(stream, &status) &&
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* CUDA 13 reports an unknown kernel as an invalid handle. */
static cudaError_t find_function(const void *func, CUfunction *f)
{
    cudaError_t error = runtime_function(func, f);

    if (cudart_edition >= 13 && error == cudaErrorInvalidDeviceFunction &&
        !runtime_entry(func))
        return cudaErrorInvalidResourceHandle;
    return error;
}

cudaError_t launch_result(CUresult result)
{
    if (result && runtime_failure() == result)
        return cudaSuccess;
    return runtime_error(result);
}

static cudaError_t launch_function(const void *func, const struct launch_shape *s,
                                   void **args, bool is_cooperative)
{
    CUfunction f;
    cudaError_t error = find_function(func, &f);
    CUresult result;

    if (error)
        return error;
    if (!is_shape(s) && !is_captured(s->stream))
        return cudaErrorInvalidConfiguration;
    if (s->shared > UINT32_MAX)
        return cudaErrorInvalidValue;
    if (is_cooperative)
        result = cuLaunchCooperativeKernel(f, s->grid.x, s->grid.y, s->grid.z,
                                           s->block.x, s->block.y, s->block.z,
                                           (unsigned)s->shared, s->stream, args);
    else
        result =
            cuLaunchKernel(f, s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y,
                           s->block.z, (unsigned)s->shared, s->stream, args, NULL);
    return launch_result(result);
}

cudaError_t launch_kernel(const void *func, const struct launch_shape *s, void **args,
                          bool is_cooperative)
{
    CUresult result = runtime_begin();

    if (!result)
        result = runtime_failure(); /* an earlier kernel's */
    if (result)
        return runtime_end(result);
    return runtime_end_error(launch_function(func, s, args, is_cooperative));
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream)
{
    struct launch_shape s = { grid, block, shared, stream };

    return launch_kernel(func, &s, args, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block,
                                        void **args, size_t shared, cudaStream_t stream)
{
    struct launch_shape s = { grid, block, shared, stream };

    return launch_kernel(func, &s, args, true);
}

static cudaError_t launch_ex(const struct cudaLaunchConfig *c, const void *func,
                             void **args)
{
    struct launch_shape s = { c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream };
    CUlaunchConfig config = { .gridDimX = s.grid.x,
                              .gridDimY = s.grid.y,
                              .gridDimZ = s.grid.z,
                              .blockDimX = s.block.x,
                              .blockDimY = s.block.y,
                              .blockDimZ = s.block.z,
                              .sharedMemBytes = (unsigned)s.shared,
                              .hStream = s.stream,
                              .attrs = c->attrs,
                              .numAttrs = c->numAttrs };
    CUfunction f;
    cudaError_t error = find_function(func, &f);

    if (error)
        return error;
    if (!is_shape(&s) && !is_captured(s.stream))
        return cudaErrorInvalidConfiguration;
    if (s.shared > UINT32_MAX)
        return cudaErrorInvalidValue;
    return launch_result(cuLaunchKernelEx(&config, f, args, NULL));
}

cudaError_t cudaLaunchKernelExC(const struct cudaLaunchConfig *config, const void *func,
                                void **args)
{
    CUresult result = runtime_begin();

    if (!result)
        result = runtime_failure();
    if (result)
        return runtime_end(result);
    return runtime_end_error(config ? launch_ex(config, func, args)
                                    : cudaErrorInvalidValue);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*f)(void *), void *data)
{
    RUNTIME_UNLOCKED(cuLaunchHostFunc(stream, f, data));
}

/* All earlier work is done, so the function is called at once, without the lock, since
 * it may wait for another thread of the program. In a capture it is refused, as a wait
 * is. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  void (*f)(cudaStream_t, cudaError_t, void *),
                                  void *data, unsigned flags)
{
    CUresult result = runtime_begin();
    cudaError_t error;

    if (!result)
        result = f && !flags ? cuStreamQuery(stream) : CUDA_ERROR_INVALID_VALUE;
    error = runtime_end(result);
    if (!error)
        f(stream, cudaSuccess, data);
    return error;
}

VARIANT(cudaLaunchKernel_ptsz, cudaLaunchKernel)
VARIANT(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel)
VARIANT(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC)
VARIANT(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc)
VARIANT(cudaStreamAddCallback_ptsz, cudaStreamAddCallback)
