/* texture.c - makes the textures and surfaces of a launch, fills them, takes them back.
 *
 * Three objects: t as the image says, t2 on the same image with coordinates from 0 to 1
 * that wrap, s a surface.
 */
#include <stdio.h>
#include <string.h>

#include "suite.h"

static CUarray_format texture_format(const struct suite_image *m)
{
    static const CUarray_format formats[] = {
        CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,
        CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
        CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT
    };
    return formats[m->format];
}

static CUresult texture_array(struct suite_texture *x)
{
    const struct suite_image *m = x->image;
    CUDA_ARRAY_DESCRIPTOR flat;
    CUDA_ARRAY3D_DESCRIPTOR d;
    memset(&flat, 0, sizeof flat);
    memset(&d, 0, sizeof d);
    d.Width = flat.Width = m->size[0];
    d.Height = flat.Height = m->size[1];
    d.Depth = m->size[2];
    d.Format = flat.Format = texture_format(m);
    d.NumChannels = flat.NumChannels = m->channels;
    if (m->kind == SUITE_IMAGE_CUBE || m->kind == SUITE_IMAGE_CUBEA)
        d.Flags |= CUDA_ARRAY3D_CUBEMAP;
    if (m->kind >= SUITE_IMAGE_1DA)
        d.Flags |= CUDA_ARRAY3D_LAYERED;
    if (m->flags & SUITE_IMAGE_SURF)
        d.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
    if (m->flags & SUITE_IMAGE_GATHER)
        d.Flags |= CUDA_ARRAY3D_TEXTURE_GATHER;
    if (m->kind <= SUITE_IMAGE_2D && !d.Flags)
        return cuArrayCreate(&x->array, &flat);
    return cuArray3DCreate(&x->array, &d);
}

/* The whole array, to or from packed host memory. */
static CUresult texture_copy(const struct suite_texture *x, void *host, int to_array)
{
    const struct suite_image *m = x->image;
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.WidthInBytes = m->size[0] * suite_image_texel(m);
    c.Height = m->size[1] ? m->size[1] : 1;
    c.Depth = m->size[2] ? m->size[2] : 1;
    if (to_array && m->kind == SUITE_IMAGE_1D)
        return cuMemcpyHtoA(x->array, 0, host, c.WidthInBytes);
    if (to_array) {
        c.srcMemoryType = CU_MEMORYTYPE_HOST;
        c.srcHost = host;
        c.srcPitch = c.WidthInBytes;
        c.srcHeight = c.Height;
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c.dstArray = x->array;
    } else {
        c.dstMemoryType = CU_MEMORYTYPE_HOST;
        c.dstHost = host;
        c.dstPitch = c.WidthInBytes;
        c.dstHeight = c.Height;
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        c.srcArray = x->array;
    }
    return cuMemcpy3D(&c);
}

static CUresult texture_pitch(struct suite_texture *x, CUDA_RESOURCE_DESC *r,
                              const void *data)
{
    const struct suite_image *m = x->image;
    size_t pitch = 0, row = m->size[0] * suite_image_texel(m);
    CUDA_MEMCPY2D c;
    CUresult result = cuMemAllocPitch(&x->memory, &pitch, row, m->size[1], 4);
    memset(&c, 0, sizeof c);
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = data;
    c.srcPitch = row;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = x->memory;
    c.dstPitch = pitch;
    c.WidthInBytes = row;
    c.Height = m->size[1];
    r->resType = CU_RESOURCE_TYPE_PITCH2D;
    r->res.pitch2D.devPtr = x->memory;
    r->res.pitch2D.format = texture_format(m);
    r->res.pitch2D.numChannels = m->channels;
    r->res.pitch2D.width = m->size[0];
    r->res.pitch2D.height = m->size[1];
    r->res.pitch2D.pitchInBytes = pitch;
    return result ? result : cuMemcpy2D(&c);
}

static CUresult texture_resource(struct suite_texture *x, CUDA_RESOURCE_DESC *r,
                                 void *data)
{
    const struct suite_image *m = x->image;
    CUresult result;
    memset(r, 0, sizeof *r);
    if (m->kind == SUITE_IMAGE_PITCH)
        return texture_pitch(x, r, data);
    if (m->kind == SUITE_IMAGE_LINEAR) {
        size_t bytes = suite_image_bytes(m);
        result = cuMemAlloc(&x->memory, bytes);
        r->resType = CU_RESOURCE_TYPE_LINEAR;
        r->res.linear.devPtr = x->memory;
        r->res.linear.format = texture_format(m);
        r->res.linear.numChannels = m->channels;
        r->res.linear.sizeInBytes = bytes;
        return result ? result : cuMemcpyHtoD(x->memory, data, bytes);
    }
    result = texture_array(x);
    r->resType = CU_RESOURCE_TYPE_ARRAY;
    r->res.array.hArray = x->array;
    return result ? result : texture_copy(x, data, 1);
}

static void texture_sampler(const struct suite_image *m, CUDA_TEXTURE_DESC *d)
{
    static const float color[4] = { 0.25f, -3.5f, 7.125f, 100.0f };
    CUaddress_mode mode = m->flags & SUITE_IMAGE_WRAP     ? CU_TR_ADDRESS_MODE_WRAP
                          : m->flags & SUITE_IMAGE_MIRROR ? CU_TR_ADDRESS_MODE_MIRROR
                          : m->flags & SUITE_IMAGE_BORDER ? CU_TR_ADDRESS_MODE_BORDER
                                                          : CU_TR_ADDRESS_MODE_CLAMP;
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 3; i++)
        d->addressMode[i] = mode;
    if (m->flags & SUITE_IMAGE_FILTER)
        d->filterMode = CU_TR_FILTER_MODE_LINEAR;
    if (m->flags & SUITE_IMAGE_UNIT)
        d->flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (m->flags & SUITE_IMAGE_INT)
        d->flags |= CU_TRSF_READ_AS_INTEGER;
    if (m->flags & SUITE_IMAGE_COLOR)
        memcpy(d->borderColor, color, sizeof color);
}

CUresult suite_texture_make(struct suite_texture *x, const struct suite_image *m,
                            void *data)
{
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC d;
    memset(x, 0, sizeof *x);
    x->image = m;
    CUresult result = texture_resource(x, &r, data);
    texture_sampler(m, &d);
    if (!result)
        result = cuTexObjectCreate(&x->t, &r, &d, NULL);
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = CU_TR_ADDRESS_MODE_WRAP;
    d.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (!result && m->flags & SUITE_IMAGE_TWO)
        result = cuSurfObjectCreate(&x->t2, &r);
    else if (!result && m->kind != SUITE_IMAGE_LINEAR)
        result = cuTexObjectCreate(&x->t2, &r, &d, NULL);
    if (!result && m->flags & SUITE_IMAGE_SURF)
        result = cuSurfObjectCreate(&x->s, &r);
    return result;
}

CUresult suite_texture_back(const struct suite_texture *x, void *out, size_t out_bytes)
{
    size_t bytes = suite_image_bytes(x->image);
    if (!(x->image->flags & SUITE_IMAGE_BACK))
        return CUDA_SUCCESS;
    if (bytes > out_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return texture_copy(x, (char *)out + (out_bytes - bytes), 0);
}

void suite_texture_free(struct suite_texture *x)
{
    if (x->t)
        cuTexObjectDestroy(x->t);
    if (x->t2 && x->image->flags & SUITE_IMAGE_TWO)
        cuSurfObjectDestroy(x->t2);
    else if (x->t2)
        cuTexObjectDestroy(x->t2);
    if (x->s)
        cuSurfObjectDestroy(x->s);
    if (x->array)
        cuArrayDestroy(x->array);
    if (x->memory)
        cuMemFree(x->memory);
}
