/* peer.c - contexts as peers, and copies between them. There is one device, which is no
 * peer of its own, and all contexts share its address space: a copy between them is one
 * within.
 */
#include <string.h>

#include "driver/internal.h"

/* A context other than the current one, for peer access. */
static CUresult check_peer(const char *call, CUcontext peer, struct driver **d)
{
    struct context *c, *other;
    CUresult result = call_begin(d, &c, call);

    if (result)
        return result;
    other = handle_find(&(*d)->handles, HANDLE_CONTEXT, peer);
    if (!other || other == c)
        return call_fail(*d, CUDA_ERROR_INVALID_CONTEXT,
                         "%p is not a live context besides the current one",
                         (void *)peer);
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    struct driver *d;
    CUresult result = check_peer("cuCtxEnablePeerAccess", peer, &d);

    if (result)
        return result;
    if (flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x", flags);
    return call_fail(d, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                     "both contexts are of the same device");
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    struct driver *d;
    CUresult result = check_peer("cuCtxDisablePeerAccess", peer, &d);

    if (result)
        return result;
    return call_fail(d, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
                     "both contexts are of the same device");
}

static CUresult check_contexts(const char *call, CUcontext to, CUcontext from)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, call);

    if (result)
        return result;
    if (!handle_find(&d->handles, HANDLE_CONTEXT, to) ||
        !handle_find(&d->handles, HANDLE_CONTEXT, from))
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT,
                         "%p or %p is not a live context", (void *)to, (void *)from);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream)
{
    CUresult result = check_contexts("cuMemcpyPeerAsync", to_context, from_context);

    return result ? result : cuMemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes)
{
    return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, NULL);
}

_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D) &&
                   offsetof(CUDA_MEMCPY3D_PEER, dstPitch) ==
                       offsetof(CUDA_MEMCPY3D, dstPitch),
               "but for the contexts the descriptions are the same");

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    CUDA_MEMCPY3D plain;
    CUresult result;

    if (!copy)
        return cuMemcpy3DAsync(NULL, stream);
    result = check_contexts("cuMemcpy3DPeerAsync", copy->dstContext, copy->srcContext);
    if (result)
        return result;
    memcpy(&plain, copy, sizeof plain);
    plain.reserved0 = plain.reserved1 = NULL;
    return cuMemcpy3DAsync(&plain, stream);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy)
{
    return cuMemcpy3DPeerAsync(copy, NULL);
}

/* There is one device, so the list has one launch, in a stream of its own. */
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned int n,
                                              unsigned int flags)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuLaunchCooperativeKernelMultiDevice");

    if (result)
        return result;
    if (!list || n != 1 || flags & ~3u)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%u launches, flags 0x%x: expected one", n, flags);
    if (!list->hStream)
        return call_fail(d, CUDA_ERROR_INVALID_HANDLE, "the default stream");
    return cuLaunchCooperativeKernel(list->function, list->gridDimX, list->gridDimY,
                                     list->gridDimZ, list->blockDimX, list->blockDimY,
                                     list->blockDimZ, list->sharedMemBytes,
                                     list->hStream, list->kernelParams);
}
