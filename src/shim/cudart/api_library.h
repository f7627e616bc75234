/* api_library.h - the calls of library.c, a part of api.h. */
#ifndef LENO_SHIM_CUDART_API_LIBRARY_H
#define LENO_SHIM_CUDART_API_LIBRARY_H

#include "driver/cuda.h"
#include "shim/cudart/types.h"

typedef CUlibrary cudaLibrary_t;

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                CUjit_option *options, void **values, unsigned n,
                                CUlibraryOption *own_options, void **own_values,
                                unsigned n_own);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    CUjit_option *options, void **values, unsigned n,
                                    CUlibraryOption *own_options, void **own_values,
                                    unsigned n_own);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                 const char *name);
cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned n,
                                        cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void **at, size_t *bytes, cudaLibrary_t library,
                                 const char *name);

#endif
