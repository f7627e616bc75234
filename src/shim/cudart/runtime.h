/* runtime.h - the state of the CUDA runtime, libcudart: what the program registered,
 * its primary context, each thread's last error. Works through the driver's calls
 * alone.
 *
 * A call is RUNTIME(expression): the lock is taken, the device made ready, the
 * expression, a CUresult, computed, its error kept for cudaGetLastError, the lock
 * released.
 */
#ifndef LENO_SHIM_CUDART_RUNTIME_H
#define LENO_SHIM_CUDART_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/cuda.h"
#include "shim/cudart/types.h"

/* 11, 12 or 13: the edition of the library that this is. */
extern const int cudart_edition;

/* A fat binary of the program. */
struct image {
    const void *fatbin;
    CUmodule module; /* NULL until something of it is used */
    bool is_closed;  /* unregistered */
};

/* A kernel of the program: its address on the host, its name on the device. */
struct entry {
    struct image *image;
    const void *host;
    const char *name;
    CUfunction function; /* NULL until it is used */
};

/* A variable of the device and what stands for it on the host. */
struct variable {
    struct image *image;
    const void *host;
    const char *name;
    size_t size;
    void **managed; /* the host's pointer to it; NULL: not managed */
};

/* Launches between <<<>>> and the stub. */
struct launch_shape {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
enum { MAX_SHAPES = 16 };

/* The state of a thread. */
struct thread {
    cudaError_t last;
    struct launch_shape shapes[MAX_SHAPES];
    unsigned n_shapes;
};
struct thread *runtime_thread(void);

void runtime_lock(void);
void runtime_unlock(void);

/* Takes the lock and makes the primary context current if none is. */
CUresult runtime_begin(void);
/* Releases the lock and keeps the error. */
cudaError_t runtime_end(CUresult result);
/* The same for calls with errors of the runtime's own. */
cudaError_t runtime_end_error(cudaError_t error);
cudaError_t runtime_error(CUresult result);
/* The failure of a kernel that stays with the context. */
CUresult runtime_failure(void);

#define RUNTIME(expression)                                   \
    do {                                                      \
        CUresult result_ = runtime_begin();                   \
        return runtime_end(result_ ? result_ : (expression)); \
    } while (0)

/* The same for calls that may call functions of the program: without the lock, since
 * those may wait for another thread. */
#define RUNTIME_UNLOCKED(expression)        \
    do {                                    \
        CUresult result_ = runtime_begin(); \
        runtime_unlock();                   \
        if (!result_)                       \
            result_ = (expression);         \
        runtime_lock();                     \
        return runtime_end(result_);        \
    } while (0)

/* Another of the linker's names for a call of the same file: its form for programs whose
 * default stream is the thread's own, or an earlier or later edition's. */
#define VARIANT(name, call) extern __typeof__(call) name __attribute__((alias(#call)));

/* Drops the context with its modules and functions; the next call makes another. */
CUresult runtime_reset(void);

/* The object registered under that address; NULL if there is none. The caller holds the
 * lock. */
struct entry *runtime_entry(const void *host);
struct variable *runtime_variable(const void *host);
/* The address on the host of a kernel; the function itself if it has none. */
const void *runtime_host_of(CUfunction f);

/* Loaded when needed. cudaErrorInvalidDeviceFunction, cudaErrorInvalidSymbol: unknown. */
cudaError_t runtime_function(const void *host, CUfunction *f);
cudaError_t runtime_symbol(const void *host, CUdeviceptr *at, size_t *size);

/* Says on stderr, once per name, that a call is not offered; returns
 * cudaErrorNotSupported. */
cudaError_t runtime_refuse(const char *name);

static inline CUdeviceptr device_address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

#endif
