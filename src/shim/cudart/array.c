/* array.c - arrays, texture and surface objects, in the driver's terms.
 * Views of other formats are not offered; the driver says so.
 */
#include <string.h>

#include "shim/cudart/api.h"
#include "shim/cudart/copy.h"

/* Kind and bits of a channel, and the driver's name for it. */
static const struct {
    enum cudaChannelFormatKind kind;
    int bits;
    CUarray_format format;
} formats[] = {
    { cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8 },
    { cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16 },
    { cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32 },
    { cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8 },
    { cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16 },
    { cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32 },
    { cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF },
    { cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT },
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

bool format_of(const struct cudaChannelFormatDesc *d, CUarray_format *format,
               unsigned *n_channels)
{
    const int bits[] = { d->x, d->y, d->z, d->w };
    unsigned n = 0;

    while (n < 4 && bits[n])
        n++;
    for (unsigned i = 1; i < 4; i++) {
        if (bits[i] != (i < n ? d->x : 0))
            return false;
    }
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (formats[i].kind != d->f || formats[i].bits != d->x)
            continue;
        *format = formats[i].format;
        *n_channels = n;
        return true;
    }
    return false;
}

struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned n_channels)
{
    struct cudaChannelFormatDesc d = { .f = cudaChannelFormatKindNone };

    for (size_t i = 0; i < N_FORMATS; i++) {
        if (formats[i].format != format)
            continue;
        d.f = formats[i].kind;
        d.x = formats[i].bits;
        d.y = n_channels > 1 ? d.x : 0;
        d.z = n_channels > 2 ? d.x : 0;
        d.w = n_channels > 3 ? d.x : 0;
    }
    return d;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

static bool describe_array(const struct cudaChannelFormatDesc *desc,
                           struct cudaExtent size, unsigned flags,
                           CUDA_ARRAY3D_DESCRIPTOR *d)
{
    *d = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = size.width, .Height = size.height, .Depth = size.depth, .Flags = flags
    };
    return desc && format_of(desc, &d->Format, &d->NumChannels);
}

static CUresult make_array(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                           struct cudaExtent size, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d;

    if (!array || !describe_array(desc, size, flags, &d))
        return CUDA_ERROR_INVALID_VALUE;
    return cuArray3DCreate((CUarray *)array, &d);
}

static CUresult make_mipmap(cudaMipmappedArray_t *mipmap,
                            const struct cudaChannelFormatDesc *desc,
                            struct cudaExtent size, unsigned levels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d;

    if (!mipmap || !describe_array(desc, size, flags, &d))
        return CUDA_ERROR_INVALID_VALUE;
    return cuMipmappedArrayCreate((CUmipmappedArray *)mipmap, &d, levels);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent size, unsigned levels,
                                     unsigned flags)
{
    RUNTIME(make_mipmap(mipmap, desc, size, levels, flags));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array,
                                       const struct cudaMipmappedArray *mipmap,
                                       unsigned level)
{
    RUNTIME(cuMipmappedArrayGetLevel((CUarray *)array,
                                     (CUmipmappedArray)(uintptr_t)mipmap, level));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap)
{
    RUNTIME(mipmap ? cuMipmappedArrayDestroy((CUmipmappedArray)mipmap) : CUDA_SUCCESS);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent size, unsigned flags)
{
    RUNTIME(make_array(array, desc, size, flags));
}

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags)
{
    RUNTIME(make_array(array, desc, (struct cudaExtent){ width, height, 0 }, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    RUNTIME(array ? cuArrayDestroy((CUarray)array) : CUDA_SUCCESS);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *size, unsigned *flags,
                             cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d = { 0 };
    CUresult result = runtime_begin();

    if (!result)
        result = cuArray3DGetDescriptor(&d, (CUarray)array);
    if (!result && desc)
        *desc = channels_of(d.Format, d.NumChannels);
    if (!result && size)
        *size = (struct cudaExtent){ d.Width, d.Height, d.Depth };
    if (!result && flags)
        *flags = d.Flags;
    return runtime_end(result);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t array)
{
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

static CUresult resource_of(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *to)
{
    bool good = true;

    *to = (CUDA_RESOURCE_DESC){ .resType = (CUresourcetype)r->resType };
    switch (r->resType) {
    case cudaResourceTypeArray:
        to->res.array.hArray = (CUarray)r->res.array.array;
        break;
    case cudaResourceTypeMipmappedArray:
        to->res.mipmap.hMipmappedArray = (CUmipmappedArray)r->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        to->res.linear.devPtr = device_address(r->res.linear.devPtr);
        to->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        good = format_of(&r->res.linear.desc, &to->res.linear.format,
                         &to->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        to->res.pitch2D.devPtr = device_address(r->res.pitch2D.devPtr);
        to->res.pitch2D.width = r->res.pitch2D.width;
        to->res.pitch2D.height = r->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        good = format_of(&r->res.pitch2D.desc, &to->res.pitch2D.format,
                         &to->res.pitch2D.numChannels);
        break;
    }
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUDA_TEXTURE_DESC sampler_of(const struct cudaTextureDesc *t)
{
    CUDA_TEXTURE_DESC to = {
        .filterMode = (CUfilter_mode)t->filterMode,
        .maxAnisotropy = t->maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)t->mipmapFilterMode,
        .mipmapLevelBias = t->mipmapLevelBias,
        .minMipmapLevelClamp = t->minMipmapLevelClamp,
        .maxMipmapLevelClamp = t->maxMipmapLevelClamp,
    };

    for (int i = 0; i < 3; i++)
        to.addressMode[i] = (CUaddress_mode)t->addressMode[i];
    memcpy(to.borderColor, t->borderColor, sizeof to.borderColor);
    if (t->readMode == cudaReadModeElementType)
        to.flags |= CU_TRSF_READ_AS_INTEGER;
    if (t->normalizedCoords)
        to.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (t->sRGB)
        to.flags |= CU_TRSF_SRGB;
    if (t->disableTrilinearOptimization)
        to.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    return to;
}

static CUresult make_texture(cudaTextureObject_t *object,
                             const struct cudaResourceDesc *resource,
                             const struct cudaTextureDesc *texture, const void *view)
{
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC t;
    CUresult result;

    if (!object || !resource || !texture)
        return CUDA_ERROR_INVALID_VALUE;
    result = resource_of(resource, &r);
    t = sampler_of(texture);
    return result ? result : cuTexObjectCreate(object, &r, &t, view);
}

/* A view is laid out as the driver's. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const void *view)
{
    RUNTIME(make_texture(object, resource, texture, view));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    RUNTIME(cuTexObjectDestroy(object));
}

static CUresult make_surface(cudaSurfaceObject_t *object,
                             const struct cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC r;
    CUresult result;

    if (!object || !resource)
        return CUDA_ERROR_INVALID_VALUE;
    result = resource_of(resource, &r);
    return result ? result : cuSurfObjectCreate(object, &r);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource)
{
    RUNTIME(make_surface(object, resource));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    RUNTIME(cuSurfObjectDestroy(object));
}

VARIANT(cudaCreateTextureObject_v2, cudaCreateTextureObject)
