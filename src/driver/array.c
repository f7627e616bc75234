/* array.c - CUDA arrays: images in device memory, of one to three dimensions, in layers
 * or as the faces of cubes. They lie in rows and slices like any other memory; a
 * program cannot tell, since it has no address of theirs.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"

enum { ROW_ALIGN = 64, MAX_WIDTH = 131072, MAX_HEIGHT = 131072, MAX_DEPTH = 16384 };

bool array_format(CUarray_format format, unsigned n_channels, struct texture_image *m)
{
    static const struct {
        uint8_t format, type, bytes;
    } formats[] = {
        { CU_AD_FORMAT_UNSIGNED_INT8, TEXTURE_UNSIGNED, 1 },
        { CU_AD_FORMAT_UNSIGNED_INT16, TEXTURE_UNSIGNED, 2 },
        { CU_AD_FORMAT_UNSIGNED_INT32, TEXTURE_UNSIGNED, 4 },
        { CU_AD_FORMAT_SIGNED_INT8, TEXTURE_SIGNED, 1 },
        { CU_AD_FORMAT_SIGNED_INT16, TEXTURE_SIGNED, 2 },
        { CU_AD_FORMAT_SIGNED_INT32, TEXTURE_SIGNED, 4 },
        { CU_AD_FORMAT_HALF, TEXTURE_FLOAT, 2 },
        { CU_AD_FORMAT_FLOAT, TEXTURE_FLOAT, 4 },
    };

    if (n_channels != 1 && n_channels != 2 && n_channels != 4)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if ((unsigned)format != formats[i].format)
            continue;
        m->type = formats[i].type;
        m->channel_bytes = formats[i].bytes;
        m->n_channels = (uint8_t)n_channels;
        return true;
    }
    return false;
}

/* The shape that sizes and flags describe together; TEXTURE_NONE for none. */
static enum texture_shape shape_of(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    bool is_layered = d->Flags & CUDA_ARRAY3D_LAYERED;

    if (!d->Width)
        return TEXTURE_NONE;
    if (d->Flags & CUDA_ARRAY3D_CUBEMAP) {
        if (d->Width != d->Height || !d->Depth || d->Depth % 6 ||
            (!is_layered && d->Depth != 6))
            return TEXTURE_NONE;
        return is_layered ? TEXTURE_CUBE_ARRAY : TEXTURE_CUBE;
    }
    if (is_layered && !d->Depth)
        return TEXTURE_NONE;
    if (is_layered)
        return d->Height ? TEXTURE_2D_ARRAY : TEXTURE_1D_ARRAY;
    if (d->Depth)
        return d->Height ? TEXTURE_3D : TEXTURE_NONE;
    return d->Height ? TEXTURE_2D : TEXTURE_1D;
}

CUresult array_fill_image(struct driver *d, struct array *a)
{
    const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                           CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    const CUDA_ARRAY3D_DESCRIPTOR *desc = &a->desc;
    struct texture_image *m = &a->image;

    if (desc->Flags & ~known)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "flags 0x%x of an array are not offered", desc->Flags);
    if (!array_format(desc->Format, desc->NumChannels, m))
        return call_fail(
            d, CUDA_ERROR_INVALID_VALUE,
            "%u channels of format 0x%x: expected 1, 2 or 4 of an integer, "
            "half or float format",
            desc->NumChannels, (unsigned)desc->Format);
    m->shape = (uint8_t)shape_of(desc);
    if (m->shape == TEXTURE_NONE || desc->Width > MAX_WIDTH ||
        desc->Height > MAX_HEIGHT || desc->Depth > MAX_DEPTH)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu x %zu x %zu texels with flags 0x%x are no array",
                         desc->Width, desc->Height, desc->Depth, desc->Flags);
    m->width = (uint32_t)desc->Width;
    m->height = desc->Height ? (uint32_t)desc->Height : 1;
    m->depth = desc->Depth ? (uint32_t)desc->Depth : 1;
    m->pitch = m->width * (uint64_t)texture_texel_bytes(m);
    m->pitch = (m->pitch + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    m->slice = m->pitch * m->height;
    return CUDA_SUCCESS;
}

static CUresult array_create(const char *call, CUarray *out,
                             const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    struct driver *d;
    struct context *c;
    struct array *a;
    CUresult result = call_begin(&d, &c, call);

    if (result)
        return result;
    if (!out || !desc)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no description, or no place for the array");
    a = calloc(1, sizeof *a);
    if (!a)
        return call_memory(d, "an array");
    a->desc = *desc;
    a->context = c;
    result = array_fill_image(d, a);
    /* At most 2^17 x 2^17 x 2^14 texels of 16 bytes: the product does not overflow. */
    if (!result)
        result = memory_alloc(d, c, MEMORY_DEVICE, a->image.slice * a->image.depth,
                              &a->image.addr);
    if (result) {
        free(a);
        return result;
    }
    a->handle = handle_add(&d->handles, HANDLE_ARRAY, a);
    if (!a->handle) {
        memory_release(d, a->image.addr);
        free(a);
        return call_memory(d, "the handle of an array");
    }
    *out = a->handle;
    return CUDA_SUCCESS;
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    return array_create("cuArray3DCreate", array, desc);
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    CUDA_ARRAY3D_DESCRIPTOR full = { 0 };

    if (desc) {
        full.Width = desc->Width;
        full.Height = desc->Height;
        full.Format = desc->Format;
        full.NumChannels = desc->NumChannels;
    }
    return array_create("cuArrayCreate", array, desc ? &full : NULL);
}

void array_destroy(struct driver *d, struct array *a)
{
    memory_release(d, a->image.addr);
    handle_drop(&d->handles, a->handle);
    free(a);
}

CUresult cuArrayDestroy(CUarray array)
{
    struct driver *d;
    CUresult result;
    struct array *a =
        call_begin_on(&d, "cuArrayDestroy", HANDLE_ARRAY, "array", array, &result);

    /* A level stays until its mipmap goes. */
    if (!result && !a->mipmap)
        array_destroy(d, a);
    return result;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
    struct driver *d;
    CUresult result;
    struct array *a = call_begin_on(&d, "cuArrayGetDescriptor", HANDLE_ARRAY, "array",
                                    array, &result);

    if (result || (result = call_check_place(d, desc)))
        return result;
    desc->Width = a->desc.Width;
    desc->Height = a->desc.Height;
    desc->Format = a->desc.Format;
    desc->NumChannels = a->desc.NumChannels;
    return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
    struct driver *d;
    CUresult result;
    struct array *a = call_begin_on(&d, "cuArray3DGetDescriptor", HANDLE_ARRAY, "array",
                                    array, &result);

    if (result || (result = call_check_place(d, desc)))
        return result;
    *desc = a->desc;
    return CUDA_SUCCESS;
}
