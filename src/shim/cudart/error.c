/* error.c - a thread's last error, and the names and descriptions of errors. */
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

/* An error is cleared once it was queried. A kernel's failure stays, but the next call
 * reports it again, not this one, as on an H200. */
cudaError_t cudaGetLastError(void)
{
    struct thread *t = runtime_thread();
    cudaError_t last = t->last;

    t->last = cudaSuccess;
    return last;
}

cudaError_t cudaPeekAtLastError(void)
{
    return runtime_thread()->last;
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
