/* state.c - the state of a process and its threads between calls of the runtime.
 *
 * The interface has no argument for it, so this file holds state of its own: a lock,
 * the registry of what the program registered, and each thread's last error and
 * launches.
 */
#include <pthread.h>

#include "shim/cudart/registry.h"
#include "shim/cudart/runtime.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct registry registry;
static bool is_retained; /* the primary context is */
static _Thread_local struct thread thread;

void runtime_lock(void)
{
    pthread_mutex_lock(&lock);
}

void runtime_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

struct thread *runtime_thread(void)
{
    return &thread;
}

struct registry *runtime_registry(void)
{
    return &registry;
}

/* A context that the program made itself, through the driver, is used as it is. */
static CUresult make_ready(void)
{
    CUcontext current = NULL, primary;
    CUresult result = cuInit(0);

    if (!result)
        result = cuCtxGetCurrent(&current);
    if (result || current)
        return result;
    result = cuDevicePrimaryCtxRetain(&primary, 0);
    if (result)
        return result;
    if (is_retained)
        cuDevicePrimaryCtxRelease(0); /* once is enough */
    is_retained = true;
    return cuCtxSetCurrent(primary);
}

CUresult runtime_begin(void)
{
    runtime_lock();
    return make_ready();
}

cudaError_t runtime_error(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_NOT_INITIALIZED:
        return cudaErrorInitializationError;
    case CUDA_ERROR_NO_DEVICE:
        return cudaErrorNoDevice;
    default: /* the numbers are the same since CUDA 10.1 */
        return (cudaError_t)result;
    }
}

CUresult runtime_failure(void)
{
    unsigned flags;

    return cuCtxGetFlags(&flags);
}

cudaError_t runtime_end_error(cudaError_t error)
{
    runtime_unlock();
    if (error && error != cudaErrorNotReady)
        thread.last = error;
    return error;
}

cudaError_t runtime_end(CUresult result)
{
    return runtime_end_error(runtime_error(result));
}

CUresult runtime_reset(void)
{
    registry_forget(&registry);
    is_retained = false;
    return cuDevicePrimaryCtxReset(0);
}

/* From Leno's libcuda.so.1, which remembers for the end of the run; the runtime linked
 * into a test has none. */
__attribute__((weak)) void leno_refuse(const char *name);

cudaError_t runtime_refuse(const char *name)
{
    runtime_lock();
    if (leno_refuse)
        leno_refuse(name);
    return runtime_end_error(cudaErrorNotSupported);
}
