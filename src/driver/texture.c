/* texture.c - texture and surface objects: resource and sampler checked together and
 * put into the table that kernels look their handles up in.
 *
 * Not offered: views, sRGB, anisotropy, filtering across a cube's edges, and
 * texture references, which CUDA 12 no longer has.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"
#include "frontend/sass/exec/texmip.h"

enum { BASE_ALIGN = 512, PITCH_ALIGN = 32, MAX_ELEMENTS = 1 << 28 };

static CUresult linear_image(struct driver *d, const CUDA_RESOURCE_DESC *r,
                             struct texture_image *m)
{
    size_t texel, n;

    if (!array_format(r->res.linear.format, r->res.linear.numChannels, m))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%u channels of format 0x%x",
                         r->res.linear.numChannels, (unsigned)r->res.linear.format);
    texel = texture_texel_bytes(m);
    n = r->res.linear.sizeInBytes / texel;
    if (!n || n > MAX_ELEMENTS || r->res.linear.devPtr % BASE_ALIGN ||
        !space_has(&d->space, r->res.linear.devPtr, n * texel))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx: expected memory of one allocation, "
                         "aligned to %d, of 1 to %d elements",
                         r->res.linear.sizeInBytes, r->res.linear.devPtr, BASE_ALIGN,
                         MAX_ELEMENTS);
    m->shape = TEXTURE_BUFFER;
    m->addr = r->res.linear.devPtr;
    m->width = (uint32_t)n;
    m->height = m->depth = 1;
    return CUDA_SUCCESS;
}

static CUresult pitch_image(struct driver *d, const CUDA_RESOURCE_DESC *r,
                            struct texture_image *m)
{
    size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;
    size_t pitch = r->res.pitch2D.pitchInBytes, row;

    if (!array_format(r->res.pitch2D.format, r->res.pitch2D.numChannels, m))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%u channels of format 0x%x",
                         r->res.pitch2D.numChannels, (unsigned)r->res.pitch2D.format);
    if (!width || width > MAX_ELEMENTS || !height || height > MAX_ELEMENTS ||
        pitch > (size_t)MAX_ELEMENTS * 16)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%zu x %zu texels, pitch %zu",
                         width, height, pitch);
    row = width * texture_texel_bytes(m);
    if (pitch < row || pitch % PITCH_ALIGN || r->res.pitch2D.devPtr % BASE_ALIGN ||
        !space_has(&d->space, r->res.pitch2D.devPtr, (height - 1) * pitch + row))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu rows of %zu bytes, pitch %zu, at 0x%llx: expected memory "
                         "of one allocation, aligned to %d, the pitch to %d",
                         height, row, pitch, r->res.pitch2D.devPtr, BASE_ALIGN,
                         PITCH_ALIGN);
    m->shape = TEXTURE_2D;
    m->addr = r->res.pitch2D.devPtr;
    m->pitch = pitch;
    m->width = (uint32_t)width;
    m->height = (uint32_t)height;
    m->depth = 1;
    return CUDA_SUCCESS;
}

static CUresult array_image(struct driver *d, const CUDA_RESOURCE_DESC *r,
                            bool is_surface, struct texture_image *m)
{
    struct array *a = handle_find(&d->handles, HANDLE_ARRAY, r->res.array.hArray);

    if (!a)
        return call_bad_handle(d, "array", r->res.array.hArray);
    if (is_surface && !(a->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the array was made without CUDA_ARRAY3D_SURFACE_LDST");
    *m = a->image;
    return CUDA_SUCCESS;
}

static CUresult mipmap_image(struct driver *d, const CUDA_RESOURCE_DESC *r,
                             struct texture_image *m)
{
    struct mipmap *a =
        handle_find(&d->handles, HANDLE_MIPMAP, r->res.mipmap.hMipmappedArray);

    if (!a)
        return call_bad_handle(d, "mipmapped array", r->res.mipmap.hMipmappedArray);
    *m = a->base.image;
    return CUDA_SUCCESS;
}

static CUresult image_of(struct driver *d, const CUDA_RESOURCE_DESC *r, bool is_surface,
                         struct texture_image *m)
{
    if (r->flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x of a resource",
                         r->flags);
    if (is_surface && r->resType != CU_RESOURCE_TYPE_ARRAY)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "a surface needs an array");
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        return array_image(d, r, is_surface, m);
    case CU_RESOURCE_TYPE_LINEAR:
        return linear_image(d, r, m);
    case CU_RESOURCE_TYPE_PITCH2D:
        return pitch_image(d, r, m);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return mipmap_image(d, r, m);
    }
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "resource type %d", (int)r->resType);
}

static CUresult check_sampler(struct driver *d, const CUDA_TEXTURE_DESC *s)
{
    const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES |
                           CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;

    if (s->flags & ~known)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "flags 0x%x of a texture are not offered", s->flags);
    if (s->maxAnisotropy > 1)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "anisotropy is not offered");
    if ((unsigned)s->filterMode > CU_TR_FILTER_MODE_LINEAR ||
        (unsigned)s->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "filter mode %d, %d",
                         (int)s->filterMode, (int)s->mipmapFilterMode);
    for (int i = 0; i < 3; i++) {
        if ((unsigned)s->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "address mode %d",
                             (int)s->addressMode[i]);
    }
    return CUDA_SUCCESS;
}

/* A lookup between two levels blends them, so there must be fractions to blend. */
static CUresult fill_mipmap_sampler(struct driver *d, const CUDA_TEXTURE_DESC *s,
                                    struct texture *t)
{
    if (t->image.n_levels > 1 && !t->has_unit_coords)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "a mipmap without normalized coordinates");
    t->is_mip_linear = s->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    if (t->image.n_levels > 1 && t->is_mip_linear && !t->reads_unit &&
        t->image.type != TEXTURE_FLOAT)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "a linear filter on texels that are read as integers");
    t->mip_bias = texmip_fixed(s->mipmapLevelBias);
    t->mip_least = texmip_fixed(s->minMipmapLevelClamp);
    t->mip_most = texmip_fixed(s->maxMipmapLevelClamp);
    return CUDA_SUCCESS;
}

static CUresult fill_sampler(struct driver *d, const CUDA_TEXTURE_DESC *s,
                             struct texture *t)
{
    const struct texture_image *m = &t->image;
    CUresult result = check_sampler(d, s);

    if (result)
        return result;
    t->has_unit_coords = s->flags & CU_TRSF_NORMALIZED_COORDINATES;
    t->reads_unit = !(s->flags & CU_TRSF_READ_AS_INTEGER) && m->type != TEXTURE_FLOAT &&
                    m->channel_bytes < 4;
    /* A buffer is fetched by element number: no filter, no address mode. */
    if (m->shape == TEXTURE_BUFFER)
        return CUDA_SUCCESS;
    t->is_linear = s->filterMode == CU_TR_FILTER_MODE_LINEAR;
    if (t->is_linear && !t->reads_unit && m->type != TEXTURE_FLOAT)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "a linear filter on texels that are read as integers");
    for (int i = 0; i < 3; i++)
        t->address[i] = (uint8_t)s->addressMode[i];
    memcpy(t->border, s->borderColor, sizeof t->border);
    return fill_mipmap_sampler(d, s, t);
}

/* A free place in the table, 0 if there is none. */
static uint32_t free_place(struct driver *d)
{
    uint32_t i = 1, cap = d->cap_textures ? 2 * d->cap_textures : 16;
    struct texture_object *objects;
    struct texture *textures;

    while (i < d->n_textures && d->textures[i].image.shape != TEXTURE_NONE)
        i++;
    if (i < d->cap_textures)
        return i;
    if (cap > 1u << TEXTURE_INDEX_BITS)
        return 0;
    textures = realloc(d->textures, cap * sizeof *textures);
    if (textures)
        d->textures = textures;
    objects = realloc(d->texture_objects, cap * sizeof *objects);
    if (objects)
        d->texture_objects = objects;
    if (!textures || !objects)
        return 0;
    if (!d->cap_textures)
        textures[0] = (struct texture){ .is_surface = false };
    d->cap_textures = cap;
    return i;
}

static CUresult add_object(struct driver *d, const struct texture *t,
                           const struct texture_object *o, unsigned long long *handle)
{
    uint32_t i = free_place(d);
    struct texture_table table;

    if (!i && 2 * d->cap_textures > 1u << TEXTURE_INDEX_BITS)
        return call_fail(d, CUDA_ERROR_OUT_OF_MEMORY, "too many texture objects");
    if (!i)
        return call_memory(d, "a texture object");
    d->textures[i] = *t;
    d->texture_objects[i] = *o;
    if (i >= d->n_textures)
        d->n_textures = i + 1;
    table = (struct texture_table){ d->textures, d->n_textures };
    *handle = texture_handle(&table, i);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct driver *d;
    struct context *c;
    struct texture t = { .is_surface = false };
    CUresult result = call_begin(&d, &c, "cuTexObjectCreate");

    if (result)
        return result;
    if (!object || !resource || !texture)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no description, or no place for the object");
    if (view)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "views are not offered");
    result = image_of(d, resource, false, &t.image);
    if (!result)
        result = fill_sampler(d, texture, &t);
    if (result)
        return result;
    return add_object(d, &t, &(struct texture_object){ c, *resource, *texture },
                      object);
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    struct driver *d;
    struct context *c;
    struct texture t = { .is_surface = true };
    CUresult result = call_begin(&d, &c, "cuSurfObjectCreate");

    if (result)
        return result;
    if (!object || !resource)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no description, or no place for the object");
    result = image_of(d, resource, true, &t.image);
    if (result)
        return result;
    return add_object(
        d, &t, &(struct texture_object){ .context = c, .resource = *resource }, object);
}

/* The place of a handle; 0 with the result set when there is none. */
static uint32_t find_texture(struct driver *d, unsigned long long handle,
                             bool is_surface, CUresult *result)
{
    struct texture_table table = { d->textures, d->n_textures };
    const struct texture *t = NULL;

    if (handle <= UINT32_MAX)
        t = texture_find(&table, (uint32_t)handle, is_surface);
    if (t)
        return (uint32_t)(t - d->textures);
    *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is not a live %s object",
                        handle, is_surface ? "surface" : "texture");
    return 0;
}

static CUresult destroy_object(const char *call, unsigned long long handle,
                               bool is_surface)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, call);
    uint32_t i;

    if (result)
        return result;
    i = find_texture(d, handle, is_surface, &result);
    if (i)
        d->textures[i].image.shape = TEXTURE_NONE;
    return result;
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    return destroy_object("cuTexObjectDestroy", object, false);
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    return destroy_object("cuSurfObjectDestroy", object, true);
}

/* Copies a member of the object to out. */
static CUresult query_object(const char *call, unsigned long long handle,
                             bool is_surface, void *out, size_t offset, size_t size)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, call);
    uint32_t i;

    if (result || (result = call_check_place(d, out)))
        return result;
    i = find_texture(d, handle, is_surface, &result);
    if (i)
        memcpy(out, (const char *)&d->texture_objects[i] + offset, size);
    return result;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object)
{
    return query_object("cuTexObjectGetResourceDesc", object, false, resource,
                        offsetof(struct texture_object, resource), sizeof *resource);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object)
{
    return query_object("cuTexObjectGetTextureDesc", object, false, texture,
                        offsetof(struct texture_object, texture), sizeof *texture);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object)
{
    return query_object("cuSurfObjectGetResourceDesc", object, true, resource,
                        offsetof(struct texture_object, resource), sizeof *resource);
}

void texture_free_context(struct driver *d, const struct context *c)
{
    for (uint32_t i = 1; i < d->n_textures; i++) {
        if (d->textures[i].image.shape != TEXTURE_NONE &&
            d->texture_objects[i].context == c)
            d->textures[i].image.shape = TEXTURE_NONE;
    }
}
