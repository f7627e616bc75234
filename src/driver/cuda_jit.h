/* cuda_jit.h - types of the CUDA driver interface for PTX, linking and libraries. */
#ifndef LENO_DRIVER_CUDA_JIT_H
#define LENO_DRIVER_CUDA_JIT_H

#include "cuda_types.h"

typedef struct CUlinkState_st *CUlinkState;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;

typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7,
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,
    CU_JIT_TARGET = 9,
    CU_JIT_FALLBACK_STRATEGY = 10,
    CU_JIT_GENERATE_DEBUG_INFO = 11,
    CU_JIT_LOG_VERBOSE = 12,
    CU_JIT_GENERATE_LINE_INFO = 13,
    CU_JIT_CACHE_MODE = 14,
    CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
    CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
    CU_JIT_LTO = 20,
    CU_JIT_NUM_OPTIONS = 34
} CUjit_option;

typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_FATBINARY = 2,
    CU_JIT_INPUT_OBJECT = 3,
    CU_JIT_INPUT_LIBRARY = 4,
    CU_JIT_INPUT_NVVM = 5
} CUjitInputType;

typedef enum CUlibraryOption_enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
    CU_LIBRARY_BINARY_IS_PRESERVED = 1
} CUlibraryOption;

#ifdef __cplusplus
extern "C" {
#endif

/* Code linked while the program runs. */
CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values,
                      CUlinkState *link);
CUresult cuLinkAddData(CUlinkState link, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int n, CUjit_option *options,
                       void **values);
CUresult cuLinkAddFile(CUlinkState link, CUjitInputType type, const char *path,
                       unsigned int n, CUjit_option *options, void **values);
CUresult cuLinkComplete(CUlinkState link, void **cubin, size_t *size);
CUresult cuLinkDestroy(CUlinkState link);

/* Libraries: modules that do not belong to a context. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options,
                           void **values, unsigned int n, CUlibraryOption *own_options,
                           void **own_values, unsigned int n_own);
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                               CUjit_option *options, void **values, unsigned int n,
                               CUlibraryOption *own_options, void **own_values,
                               unsigned int n_own);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int n,
                                   CUlibrary library);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr *at, size_t *bytes, CUlibrary library,
                            const char *name);
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                              CUkernel kernel, CUdevice dev);
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                              CUkernel kernel, CUdevice dev);
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                              size_t *size);

#ifdef __cplusplus
}
#endif

#endif
