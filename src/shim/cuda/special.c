/* special.c - calls of libcuda.so.1 that do not simply forward to the driver: editions
 * with other arguments, look-up by name, host functions.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "session/exec_vendor.h"
#include "shim/cuda/process.h"

enum { VERSION = 13000, FOUND = 0, NOT_FOUND = 1 };

CUresult shim_cuDriverGetVersion(int *version);
CUresult shim_cuCtxCreate_v3(CUcontext *ctx, void *affinity, int n, unsigned int flags,
                             CUdevice dev);
CUresult shim_cuCtxCreate_v4(CUcontext *ctx, const CUctxCreateParams *params,
                             unsigned int flags, CUdevice dev);
CUresult shim_cuGetProcAddress_v2(const char *name, void **at, int version,
                                  unsigned long long flags, int *status);
CUresult shim_cuGetProcAddress(const char *name, void **at, int version,
                               unsigned long long flags);
CUresult shim_cuGetExportTable(const void **table, const CUuuid *id);
CUresult shim_cuStreamAddCallback(CUstream stream,
                                  void (*f)(CUstream, CUresult, void *), void *data,
                                  unsigned int flags);

CUresult shim_cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = VERSION;
    return CUDA_SUCCESS;
}

/* Only plain contexts: without parameters, or with parameters that are all zero. */
CUresult shim_cuCtxCreate_v4(CUcontext *ctx, const CUctxCreateParams *params,
                             unsigned int flags, CUdevice dev)
{
    if (params && (params->execAffinityParams || params->numExecAffinityParams))
        return process_refuse("cuCtxCreate with execAffinityParams (part of a GPU)");
    if (params && params->cigParams)
        return process_refuse("cuCtxCreate with cigParams (sharing with graphics)");
    process_enter();
    return process_leave(cuCtxCreate(ctx, flags, dev));
}

CUresult shim_cuCtxCreate_v3(CUcontext *ctx, void *affinity, int n, unsigned int flags,
                             CUdevice dev)
{
    CUctxCreateParams params = { affinity, n, NULL };

    return shim_cuCtxCreate_v4(ctx, n ? &params : NULL, flags, dev);
}

/* The newest edition of a call that a program of that version knows. */
static const char *edition_of(const char *name, int version)
{
    static const struct {
        const char *name;
        int since;
        const char *edition;
    } editions[] = {
        { "cuCtxCreate", 12050, "cuCtxCreate_v4" },
        { "cuCtxCreate", 0, "cuCtxCreate_v2" },
        { "cuGetProcAddress", 12000, "cuGetProcAddress_v2" },
        { "cuStreamBeginCapture", 10010, "cuStreamBeginCapture_v2" },
        { "cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3" },
        { "cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2" },
        { "cuStreamUpdateCaptureDependencies", 12030,
          "cuStreamUpdateCaptureDependencies_v2" },
        { "cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags" },
        { "cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2" },
        { "cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2" },
        { "cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2" },
        { "cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams_v2" },
        { "cuGraphExecKernelNodeSetParams", 12000,
          "cuGraphExecKernelNodeSetParams_v2" },
        { "cuGraphGetEdges", 12030, "cuGraphGetEdges_v2" },
        { "cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2" },
        { "cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2" },
        { "cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2" },
        { "cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2" },
        { "cuGraphAddNode", 12030, "cuGraphAddNode_v2" },
    };

    for (size_t i = 0; i < sizeof editions / sizeof *editions; i++)
        if (!strcmp(name, editions[i].name) && version >= editions[i].since)
            return editions[i].edition;
    return name;
}

CUresult shim_cuGetProcAddress_v2(const char *name, void **at, int version,
                                  unsigned long long flags, int *status)
{
    Dl_info self;
    void *library;

    (void)flags; /* they choose among default streams */
    if (!name || !at)
        return CUDA_ERROR_INVALID_VALUE;
    *at = NULL;
    if (!dladdr((void *)(uintptr_t)shim_cuGetProcAddress_v2, &self) ||
        !(library = dlopen(self.dli_fname, RTLD_LAZY)))
        return CUDA_ERROR_NOT_FOUND;
    *at = dlsym(library, edition_of(name, version));
    dlclose(library);
    if (status)
        *status = *at ? FOUND : NOT_FOUND;
    return *at || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult shim_cuGetProcAddress(const char *name, void **at, int version,
                               unsigned long long flags)
{
    return shim_cuGetProcAddress_v2(name, at, version, flags, NULL);
}

/* What is not supported, judged by the file that asks for a private table: a library of
 * the vendor's, or the runtime inside a library of the program's. */
static const char *asker_of_table(const void *code)
{
    Dl_info info;
    const char *name = dladdr(code, &info) && info.dli_fname
                           ? exec_vendor_library(info.dli_fname)
                           : NULL;

    if (name)
        return name;
    return "cuGetExportTable (CUDA's runtime inside a shared library; if the library is "
           "yours, link it with -cudart shared)";
}

/* Compilers of the vendor's, which need no GPU: they ask, and do without. */
static bool is_compiler(const void *code)
{
    Dl_info info;

    return dladdr(code, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "libnvrtc") ||
            strstr(info.dli_fname, "libnvJitLink"));
}

/* Private tables of the vendor's driver, for the vendor's own libraries. */
CUresult shim_cuGetExportTable(const void **table, const CUuuid *id)
{
    (void)table;
    (void)id;
    if (is_compiler(__builtin_return_address(0)))
        return CUDA_ERROR_NOT_FOUND;
    return process_refuse(asker_of_table(__builtin_return_address(0)));
}

/* All earlier work is done, so it is called at once, without the lock, since it may
 * wait for another thread of the program. In a capture it is refused, as a wait is. */
CUresult shim_cuStreamAddCallback(CUstream stream,
                                  void (*f)(CUstream, CUresult, void *), void *data,
                                  unsigned int flags)
{
    CUresult result;

    if (!f || flags)
        return CUDA_ERROR_INVALID_VALUE;
    process_enter();
    result = process_leave(cuStreamQuery(stream));
    if (!result)
        f(stream, CUDA_SUCCESS, data);
    return result;
}
