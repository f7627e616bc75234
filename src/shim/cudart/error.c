/* error.c - a thread's last error, and the names and words of errors. */
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) { name, #name, text },
#include "shim/cudart/errors.def"
#undef ERROR
};

/* A kernel's failure stays; other errors are forgotten once they were asked for. */
static cudaError_t last_error(bool is_taken)
{
    struct thread *t = runtime_thread();
    cudaError_t last;
    CUcontext current = NULL;

    runtime_lock();
    last = t->last;
    if (!cuCtxGetCurrent(&current) && current) {
        cudaError_t sticky = runtime_error(cuCtxSynchronize());

        last = sticky ? sticky : last;
    }
    if (is_taken)
        t->last = cudaSuccess;
    runtime_unlock();
    return last;
}

cudaError_t cudaGetLastError(void)
{
    return last_error(true);
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error(false);
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == error)
            return errors[i].name;
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == error)
            return errors[i].text;
    }
    return "unrecognized error code";
}
