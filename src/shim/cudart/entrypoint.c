/* entrypoint.c - driver calls by name, for programs that look them up at run time. */
#include <dlfcn.h>

#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

enum { FOUND = 0, NOT_FOUND = 1 };

/* The library that this one is linked with. */
static void *find_driver_symbol(const char *name)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    CUresult (*ask)(const char *, void **, int, unsigned long long, int *);
    void *at = NULL;

    if (!library)
        return NULL;
    *(void **)&ask = dlsym(library, "cuGetProcAddress_v2");
    if (ask && ask(name, &at, cudart_edition * 1000, 0, NULL))
        at = NULL;
    dlclose(library);
    return at;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **at,
                                             unsigned version, unsigned long long flags,
                                             int *status)
{
    CUresult result = runtime_begin();

    (void)version, (void)flags;
    if (!result && (!name || !at))
        result = CUDA_ERROR_INVALID_VALUE;
    if (!result) {
        *at = find_driver_symbol(name);
        if (status)
            *status = *at ? FOUND : NOT_FOUND;
        if (!*at && !status)
            result = CUDA_ERROR_NOT_FOUND;
    }
    return runtime_end(result);
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **at,
                                    unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPointByVersion(name, at, 0, flags, status);
}

VARIANT(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint)
VARIANT(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion)
