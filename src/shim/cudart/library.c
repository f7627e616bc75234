/* library.c - libraries: code that the program loads by itself, and its kernels. Their
 * handles are the driver's, and so are the numbers of all options.
 */
#include "shim/cudart/api_library.h"
#include "shim/cudart/runtime.h"

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                CUjit_option *options, void **values, unsigned n,
                                CUlibraryOption *own_options, void **own_values,
                                unsigned n_own)
{
    RUNTIME(cuLibraryLoadData(library, code, options, values, n, own_options,
                              own_values, n_own));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    CUjit_option *options, void **values, unsigned n,
                                    CUlibraryOption *own_options, void **own_values,
                                    unsigned n_own)
{
    RUNTIME(cuLibraryLoadFromFile(library, path, options, values, n, own_options,
                                  own_values, n_own));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    RUNTIME(cuLibraryUnload(library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                 const char *name)
{
    RUNTIME(cuLibraryGetKernel(kernel, library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    RUNTIME(cuLibraryGetKernelCount(count, library));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned n,
                                        cudaLibrary_t library)
{
    RUNTIME(cuLibraryEnumerateKernels(kernels, n, library));
}

cudaError_t cudaLibraryGetGlobal(void **at, size_t *bytes, cudaLibrary_t library,
                                 const char *name)
{
    CUdeviceptr address = 0;
    CUresult result = runtime_begin();

    if (!result)
        result = cuLibraryGetGlobal(at ? &address : NULL, bytes, library, name);
    if (at && !result)
        *at = (void *)(uintptr_t)address;
    return runtime_end(result);
}
