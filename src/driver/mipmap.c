/* mipmap.c - mipmapped arrays: an array and its halves, down to a texel if asked for. All
 * levels are one allocation; a level is an array that belongs to the mipmap.
 */
#include <stdlib.h>

#include "driver/internal.h"
#include "frontend/sass/exec/texmip.h"

/* As many levels as there are from the largest side down to 1. */
static unsigned most_levels(const struct texture_image *m)
{
    uint32_t side = m->width > m->height ? m->width : m->height;
    unsigned n = 1;

    if (m->shape == TEXTURE_3D && m->depth > side)
        side = m->depth;
    while (side >> n)
        n++;
    return n;
}

static CUresult fill_mipmap(struct driver *d, struct context *c, struct mipmap *m,
                            unsigned levels)
{
    CUresult result = array_fill_image(d, &m->base);
    unsigned most;

    if (result)
        return result;
    most = most_levels(&m->base.image);
    if (most > TEXMIP_LEVELS)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "a mipmap of more than %d levels",
                         TEXMIP_LEVELS);
    levels = levels < 1 ? 1 : levels > most ? most : levels;
    m->base.image.n_levels = (uint8_t)levels;
    return memory_alloc(d, c, MEMORY_DEVICE, texmip_bytes(&m->base.image),
                        &m->base.image.addr);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap,
                                const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                unsigned int levels)
{
    struct driver *d;
    struct context *c;
    struct mipmap *m;
    CUresult result = call_begin(&d, &c, "cuMipmappedArrayCreate");

    if (result)
        return result;
    if (!mipmap || !desc)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no description, or no place for the array");
    m = calloc(1, sizeof *m);
    if (!m)
        return call_memory(d, "a mipmapped array");
    m->base.desc = *desc;
    m->base.context = c;
    result = fill_mipmap(d, c, m, levels);
    if (result) {
        free(m);
        return result;
    }
    m->handle = handle_add(&d->handles, HANDLE_MIPMAP, m);
    if (!m->handle) {
        memory_release(d, m->base.image.addr);
        free(m);
        return call_memory(d, "the handle of an array");
    }
    *mipmap = m->handle;
    return CUDA_SUCCESS;
}

void mipmap_destroy(struct driver *d, struct mipmap *m)
{
    for (unsigned i = 0; i < MIPMAP_LEVELS; i++) {
        if (!m->levels[i])
            continue;
        handle_drop(&d->handles, m->levels[i]->handle);
        free(m->levels[i]);
    }
    memory_release(d, m->base.image.addr);
    handle_drop(&d->handles, m->handle);
    free(m);
}

static struct array *make_level(struct driver *d, struct mipmap *m, unsigned level)
{
    struct array *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    *a = m->base;
    a->mipmap = m;
    a->image = texmip_level(&m->base.image, level);
    a->desc.Width = a->image.width;
    if (a->desc.Height)
        a->desc.Height = a->image.height;
    if (a->desc.Depth)
        a->desc.Depth = a->image.depth;
    a->handle = handle_add(&d->handles, HANDLE_ARRAY, a);
    if (a->handle)
        return a;
    free(a);
    return NULL;
}

_Static_assert((int)MIPMAP_LEVELS == TEXMIP_LEVELS, "each level has its array");

CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmap,
                                  unsigned int level)
{
    struct driver *d;
    CUresult result;
    struct mipmap *m = call_begin_on(&d, "cuMipmappedArrayGetLevel", HANDLE_MIPMAP,
                                     "mipmapped array", mipmap, &result);

    if (result || (result = call_check_place(d, array)))
        return result;
    if (level >= m->base.image.n_levels)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "level %u of %u", level,
                         m->base.image.n_levels);
    if (!m->levels[level])
        m->levels[level] = make_level(d, m, level);
    if (!m->levels[level])
        return call_memory(d, "a level of a mipmapped array");
    *array = m->levels[level]->handle;
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
    struct driver *d;
    CUresult result;
    struct mipmap *m = call_begin_on(&d, "cuMipmappedArrayDestroy", HANDLE_MIPMAP,
                                     "mipmapped array", mipmap, &result);

    if (!result)
        mipmap_destroy(d, m);
    return result;
}
