/* copy3d.c - copies of rows and slices, and everything with arrays. A memory range must
 * lie in one allocation, an array's part inside the array.
 */
#include <string.h>

#include "driver/internal.h"

/* One side of a copy: where it starts and how far rows and slices are apart. */
struct side_3d {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z; /* bytes, rows, slices */
    size_t pitch, height;
    uint64_t slice;
};

struct size_3d {
    size_t width, height, depth; /* bytes, rows, slices; none is 0 */
};

/* False if start + n is more than limit. */
static bool range_fits(uint64_t start, uint64_t n, uint64_t limit)
{
    return n <= limit && start <= limit - n;
}

static uint8_t *array_part(struct driver *d, const char *what, struct side_3d *s,
                           struct size_3d size, CUresult *result)
{
    struct array *a = handle_find(&d->handles, HANDLE_ARRAY, s->array);
    const struct texture_image *m;

    if (!a) {
        *result = call_bad_handle(d, "array", s->array);
        return NULL;
    }
    m = &a->image;
    if (!range_fits(s->x, size.width, (uint64_t)m->width * texture_texel_bytes(m)) ||
        !range_fits(s->y, size.height, m->height) ||
        !range_fits(s->z, size.depth, m->depth) || s->x % texture_texel_bytes(m) ||
        size.width % texture_texel_bytes(m)) {
        *result =
            call_fail(d, CUDA_ERROR_INVALID_VALUE,
                      "%s: %zu bytes x %zu x %zu at %zu, %zu, %zu are not whole "
                      "texels inside the array",
                      what, size.width, size.height, size.depth, s->x, s->y, s->z);
        return NULL;
    }
    s->pitch = m->pitch;
    s->slice = m->slice;
    return d->space.bytes +
           (texture_texel(m, 0, (uint32_t)s->y, (uint32_t)s->z) + s->x - d->space.base);
}

static struct place place_of(const struct side_3d *s)
{
    if (s->type == CU_MEMORYTYPE_HOST)
        return place_host(s->host);
    return (struct place){ s->type == CU_MEMORYTYPE_DEVICE ? SIDE_DEVICE : SIDE_EITHER,
                           s->device };
}

/* Bytes from the side's origin to the end of what is copied; false on overflow. */
static bool span_of(struct side_3d *s, struct size_3d size, uint64_t *skip,
                    uint64_t *span)
{
    uint64_t rows, slices;

    if (!s->pitch)
        s->pitch = size.width;
    if (!s->height)
        s->height = size.height;
    if (!range_fits(s->x, size.width, s->pitch) ||
        __builtin_mul_overflow(s->pitch, s->height, &s->slice) ||
        __builtin_add_overflow(s->y, size.height - 1, &rows) ||
        __builtin_add_overflow(s->z, size.depth - 1, &slices) ||
        __builtin_mul_overflow(rows, s->pitch, &rows) ||
        __builtin_mul_overflow(slices, s->slice, &slices) ||
        __builtin_add_overflow(rows, s->x + size.width, &rows) ||
        __builtin_add_overflow(rows, slices, span))
        return false;
    *skip = s->z * s->slice + s->y * s->pitch + s->x;
    return true;
}

/* The first byte of the side's part, after checking its whole span at once. */
static uint8_t *check_side(struct driver *d, const char *what, struct side_3d *s,
                           struct size_3d size, CUresult *result)
{
    struct place p;
    uint64_t skip, span;

    if (s->type == CU_MEMORYTYPE_ARRAY)
        return array_part(d, what, s, size, result);
    p = place_of(s);
    if (!span_of(s, size, &skip, &span)) {
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "%s: %zu bytes from %zu on in rows of %zu", what,
                            size.width, s->x, s->pitch);
        return NULL;
    }
    p.addr += skip;
    return place_bytes(d, what, p, span - skip, result);
}

static CUresult copy_box(struct driver *d, struct side_3d to, struct side_3d from,
                         struct size_3d size)
{
    CUresult result = CUDA_SUCCESS;
    uint8_t *dst, *src;

    if (to.type < CU_MEMORYTYPE_HOST || to.type > CU_MEMORYTYPE_UNIFIED ||
        from.type < CU_MEMORYTYPE_HOST || from.type > CU_MEMORYTYPE_UNIFIED)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "memory types %d and %d",
                         (int)to.type, (int)from.type);
    if (!size.width || !size.height || !size.depth)
        return CUDA_SUCCESS;
    dst = check_side(d, "destination", &to, size, &result);
    src = result ? NULL : check_side(d, "source", &from, size, &result);
    if (result)
        return result;
    for (size_t z = 0; z < size.depth; z++)
        for (size_t y = 0; y < size.height; y++)
            memmove(dst + z * to.slice + y * to.pitch,
                    src + z * from.slice + y * from.pitch, size.width);
    return CUDA_SUCCESS;
}

/* The members of a side (dst or src) that descriptions in two and in three dimensions
 * share. */
#define SIDE(m, side)                                                                 \
    .type = (m)->side##MemoryType, .host = (m)->side##Host,                           \
    .device = (m)->side##Device, .array = (m)->side##Array, .x = (m)->side##XInBytes, \
    .y = (m)->side##Y, .pitch = (m)->side##Pitch

/* The common beginning of copies that m describes. */
static CUresult copy_begin(struct driver **d, const char *call, CUstream stream,
                           const void *m)
{
    struct context *c;
    CUresult result = call_begin(d, &c, call);

    if (result || (result = call_check_stream(*d, stream)))
        return result;
    return m ? CUDA_SUCCESS
             : call_fail(*d, CUDA_ERROR_INVALID_VALUE, "no description of the copy");
}

static CUresult copy_2d(const char *call, const CUDA_MEMCPY2D *m, CUstream stream)
{
    struct driver *d;
    CUresult result = copy_begin(&d, call, stream, m);

    if (result)
        return result;
    return copy_box(d, (struct side_3d){ SIDE(m, dst) },
                    (struct side_3d){ SIDE(m, src) },
                    (struct size_3d){ m->WidthInBytes, m->Height, 1 });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *m)
{
    return copy_2d("cuMemcpy2D", m, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *m)
{
    return copy_2d("cuMemcpy2DUnaligned", m, NULL);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *m, CUstream stream)
{
    return copy_2d("cuMemcpy2DAsync", m, stream);
}

static CUresult copy_3d(const char *call, const CUDA_MEMCPY3D *m, CUstream stream)
{
    struct driver *d;
    CUresult result = copy_begin(&d, call, stream, m);

    if (result)
        return result;
    if (m->srcLOD || m->dstLOD)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "a mipmap level: expected 0");
    return copy_box(
        d, (struct side_3d){ SIDE(m, dst), .z = m->dstZ, .height = m->dstHeight },
        (struct side_3d){ SIDE(m, src), .z = m->srcZ, .height = m->srcHeight },
        (struct size_3d){ m->WidthInBytes, m->Height, m->Depth });
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *m)
{
    return copy_3d("cuMemcpy3D", m, NULL);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *m, CUstream stream)
{
    return copy_3d("cuMemcpy3DAsync", m, stream);
}

/* Bytes from an offset on in a one-dimensional array, to or from memory. */
static CUresult copy_line(const char *call, CUarray array, size_t offset,
                          struct side_3d memory, bool to_array, size_t bytes)
{
    struct driver *d;
    struct context *c;
    struct array *a;
    struct side_3d line = { .type = CU_MEMORYTYPE_ARRAY, .array = array, .x = offset };
    struct size_3d size = { bytes, 1, 1 };
    CUresult result = call_begin(&d, &c, call);

    if (result)
        return result;
    a = handle_find(&d->handles, HANDLE_ARRAY, array);
    if (!a)
        return call_bad_handle(d, "array", array);
    if (a->image.height > 1 || a->image.depth > 1)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the array has more than one row; cuMemcpy2D copies those");
    return to_array ? copy_box(d, line, memory, size) : copy_box(d, memory, line, size);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes)
{
    struct side_3d memory = { .type = CU_MEMORYTYPE_HOST, .host = from };

    return copy_line("cuMemcpyHtoA", to, offset, memory, true, bytes);
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes)
{
    struct side_3d memory = { .type = CU_MEMORYTYPE_HOST, .host = to };

    return copy_line("cuMemcpyAtoH", from, offset, memory, false, bytes);
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    struct side_3d memory = { .type = CU_MEMORYTYPE_DEVICE, .device = from };

    return copy_line("cuMemcpyDtoA", to, offset, memory, true, bytes);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    struct side_3d memory = { .type = CU_MEMORYTYPE_DEVICE, .device = to };

    return copy_line("cuMemcpyAtoD", from, offset, memory, false, bytes);
}
