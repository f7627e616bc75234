/* device.c - the device: selection, properties, limits, reset. Peers are refused: there
 * is one device.
 */
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

enum { DRIVER_VERSION = 13000 };

/* A device that exists, or the error for one that does not. */
static CUresult check_device(int device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

static CUresult give_int(int *to, int value)
{
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    *to = value;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    RUNTIME(cuDeviceGetCount(count));
}

cudaError_t cudaGetDevice(int *device)
{
    RUNTIME(give_int(device, 0));
}

cudaError_t cudaSetDevice(int device)
{
    RUNTIME(check_device(device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags, (void)flags;
    return cudaSetDevice(device);
}

/* With one device, it is always the best match. */
cudaError_t cudaChooseDevice(int *device, const void *properties)
{
    RUNTIME(properties ? give_int(device, 0) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    CUresult result = runtime_begin();

    if (n && !devices)
        result = CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; !result && i < n; i++)
        result = check_device(devices[i]);
    return runtime_end(result);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    RUNTIME(cuDevicePrimaryCtxSetFlags(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    int active;

    RUNTIME(cuDevicePrimaryCtxGetState(0, flags, &active));
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    RUNTIME(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaDeviceSynchronize(void)
{
    RUNTIME(cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void)
{
    RUNTIME(runtime_reset());
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    RUNTIME(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
    RUNTIME(cuCtxGetLimit(value, (CUlimit)limit));
}

/* The split of L1 and shared memory is a parameter of the machine, not of the
 * program. */
cudaError_t cudaDeviceSetCacheConfig(int config)
{
    RUNTIME(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    RUNTIME(give_int(config, CU_FUNC_CACHE_PREFER_NONE));
}

/* Banks of shared memory have one width since sm_50. */
cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    RUNTIME((unsigned)config <= 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    enum { FOUR_BYTES = 1 };

    RUNTIME(give_int(config, FOUR_BYTES));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    RUNTIME(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaDeviceGetPCIBusId(char *name, int size, int device)
{
    RUNTIME(cuDeviceGetPCIBusId(name, size, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *name)
{
    RUNTIME(cuDeviceGetByPCIBusId(device, name));
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    RUNTIME(cuDeviceCanAccessPeer(can, device, peer));
}

/* The one device is no peer of its own; results are an H200's. */
static CUresult refuse_peer(int peer, unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    return peer ? CUDA_ERROR_INVALID_DEVICE : (CUresult)cudaErrorPeerAccessUnsupported;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    RUNTIME(refuse_peer(peer, flags));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to)
{
    (void)attribute, (void)from, (void)to;
    RUNTIME(value ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    RUNTIME(check_device(peer) ? CUDA_ERROR_INVALID_DEVICE
                               : (CUresult)cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    RUNTIME(CUDA_SUCCESS);
}

cudaError_t cudaProfilerStart(void)
{
    RUNTIME(cuProfilerStart());
}

cudaError_t cudaProfilerStop(void)
{
    RUNTIME(cuProfilerStop());
}

/* The driver's edition is never older than the runtime's. */
cudaError_t cudaDriverGetVersion(int *version)
{
    runtime_lock();
    return runtime_end(give_int(version, DRIVER_VERSION));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    static const int versions[] = { [11] = 11080, [12] = 12080, [13] = 13000 };

    runtime_lock();
    return runtime_end(give_int(version, versions[cudart_edition]));
}

VARIANT(cudaThreadSynchronize, cudaDeviceSynchronize)
VARIANT(cudaThreadExit, cudaDeviceReset)
VARIANT(cudaThreadSetLimit, cudaDeviceSetLimit)
VARIANT(cudaThreadGetLimit, cudaDeviceGetLimit)
VARIANT(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig)
VARIANT(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig)
