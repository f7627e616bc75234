/* copy3d.c - copies of rows and slices, and everything with arrays. A memory range must
 * lie in one allocation, an array's part inside the array.
 */
#include <string.h>

#include "base/buf.h"
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

/* One side (dst or src) of a described copy. */
#define SIDE(m, side)                                                   \
    (struct side_3d)                                                    \
    {                                                                   \
        .type = (m)->side##MemoryType, .host = (m)->side##Host,         \
        .device = (m)->side##Device, .array = (m)->side##Array,         \
        .x = (m)->side##XInBytes, .y = (m)->side##Y, .z = (m)->side##Z, \
        .pitch = (m)->side##Pitch, .height = (m)->side##Height          \
    }

static bool is_memory_type(CUmemorytype type)
{
    return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED;
}

/* Where a copy's first bytes are, and how its rows follow; NULL bytes: there are none. */
struct box {
    struct side_3d to, from;
    uint8_t *dst, *src;
};

static CUresult find_box(struct driver *d, const CUDA_MEMCPY3D *m, struct box *b)
{
    struct size_3d size = { m->WidthInBytes, m->Height, m->Depth };
    CUresult result = CUDA_SUCCESS;

    *b = (struct box){ .to = SIDE(m, dst), .from = SIDE(m, src) };
    if (!is_memory_type(m->dstMemoryType) || !is_memory_type(m->srcMemoryType))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "memory types %d and %d",
                         (int)m->dstMemoryType, (int)m->srcMemoryType);
    if (m->srcLOD || m->dstLOD)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "a mipmap level: expected 0");
    if (!size.width || !size.height || !size.depth)
        return CUDA_SUCCESS;
    b->dst = check_side(d, "destination", &b->to, size, &result);
    b->src = result ? NULL : check_side(d, "source", &b->from, size, &result);
    return result;
}

static CUresult check_copy(struct driver *d, const struct operation *op)
{
    struct box b;

    return find_box(d, &op->copy, &b);
}

static CUresult run_copy(struct driver *d, struct context *c,
                         const struct operation *op)
{
    const CUDA_MEMCPY3D *m = &op->copy;
    struct box b;
    CUresult result = find_box(d, m, &b);

    (void)c;
    if (result || !b.dst)
        return result;
    for (size_t z = 0; z < m->Depth; z++)
        for (size_t y = 0; y < m->Height; y++) {
            uint8_t *row = b.dst + z * b.to.slice + y * b.to.pitch;

            memmove(row, b.src + z * b.from.slice + y * b.from.pitch, m->WidthInBytes);
            memory_note_write(d, row, m->WidthInBytes);
        }
    return CUDA_SUCCESS;
}

/* An executable graph is made for one pair of places; "unified" ones are looked up. */
static bool is_on_device(const struct driver *d, const struct side_3d *s)
{
    return s->type == CU_MEMORYTYPE_DEVICE || s->type == CU_MEMORYTYPE_ARRAY ||
           (s->type == CU_MEMORYTYPE_UNIFIED && s->device >= d->space.base &&
            s->device < space_end(&d->space));
}

static bool copy_can_become(const struct driver *d, const struct operation *from,
                            const struct operation *to)
{
    struct side_3d a = SIDE(&from->copy, dst), b = SIDE(&to->copy, dst);
    struct side_3d x = SIDE(&from->copy, src), y = SIDE(&to->copy, src);

    return is_on_device(d, &a) == is_on_device(d, &b) &&
           is_on_device(d, &x) == is_on_device(d, &y);
}

static void describe_copy(const struct driver *d, const struct operation *op,
                          struct buf *out)
{
    struct side_3d to = SIDE(&op->copy, dst), from = SIDE(&op->copy, src);

    buf_printf(out, "(%cto%c,%zu)\n0x%llx to 0x%llx, %zu rows, %zu slices",
               "HD"[is_on_device(d, &from)], "HD"[is_on_device(d, &to)],
               op -> copy.WidthInBytes, from.device, to.device, op->copy.Height,
               op->copy.Depth);
}

const struct operation_ops operation_copy = {
    .name = "MEMCPY",
    .shape = "trapezium",
    .can_disable = true,
    .check = check_copy,
    .execute = run_copy,
    .can_become = copy_can_become,
    .describe = describe_copy,
};

static CUresult copy_3d(const char *call, const CUDA_MEMCPY3D *m, CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)))
        return result;
    if (!m)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no description of the copy");
    op.copy = *m;
    return operation_submit(d, c, stream, &op);
}

/* In three dimensions: one slice. */
static CUresult copy_2d(const char *call, const CUDA_MEMCPY2D *m, CUstream stream)
{
#define SIDE_OF_2D(side)                                                  \
    .side##XInBytes = m->side##XInBytes, .side##Y = m->side##Y,           \
    .side##MemoryType = m->side##MemoryType, .side##Host = m->side##Host, \
    .side##Device = m->side##Device, .side##Array = m->side##Array,       \
    .side##Pitch = m->side##Pitch
    CUDA_MEMCPY3D box;

    if (!m)
        return copy_3d(call, NULL, stream);
    box = (CUDA_MEMCPY3D){ SIDE_OF_2D(src), SIDE_OF_2D(dst),
                           .WidthInBytes = m->WidthInBytes, .Height = m->Height,
                           .Depth = 1 };
#undef SIDE_OF_2D
    return copy_3d(call, &box, stream);
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

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *m)
{
    return copy_3d("cuMemcpy3D", m, NULL);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *m, CUstream stream)
{
    return copy_3d("cuMemcpy3DAsync", m, stream);
}

/* Bytes from an offset on in a one-dimensional array. */
static CUresult check_line(const char *call, CUarray array)
{
    struct driver *d;
    CUresult result;
    struct array *a = call_begin_on(&d, call, HANDLE_ARRAY, "array", array, &result);

    if (!a)
        return result;
    if (a->image.height > 1 || a->image.depth > 1)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the array has more than one row; cuMemcpy2D copies those");
    return CUDA_SUCCESS;
}

static CUresult copy_to_line(const char *call, CUarray to, size_t offset,
                             CUDA_MEMCPY3D m, size_t bytes, CUstream stream)
{
    CUresult result = check_line(call, to);

    m.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    m.dstArray = to;
    m.dstXInBytes = offset;
    m.WidthInBytes = bytes;
    m.Height = m.Depth = 1;
    return result ? result : copy_3d(call, &m, stream);
}

static CUresult copy_from_line(const char *call, CUarray from, size_t offset,
                               CUDA_MEMCPY3D m, size_t bytes, CUstream stream)
{
    CUresult result = check_line(call, from);

    m.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    m.srcArray = from;
    m.srcXInBytes = offset;
    m.WidthInBytes = bytes;
    m.Height = m.Depth = 1;
    return result ? result : copy_3d(call, &m, stream);
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t bytes,
                           CUstream stream)
{
    CUDA_MEMCPY3D m = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from };

    return copy_to_line("cuMemcpyHtoAAsync", to, offset, m, bytes, stream);
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes)
{
    return cuMemcpyHtoAAsync(to, offset, from, bytes, NULL);
}

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t bytes,
                           CUstream stream)
{
    CUDA_MEMCPY3D m = { .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = to };

    return copy_from_line("cuMemcpyAtoHAsync", from, offset, m, bytes, stream);
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes)
{
    return cuMemcpyAtoHAsync(to, from, offset, bytes, NULL);
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    CUDA_MEMCPY3D m = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = from };

    return copy_to_line("cuMemcpyDtoA", to, offset, m, bytes, NULL);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    CUDA_MEMCPY3D m = { .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = to };

    return copy_from_line("cuMemcpyAtoD", from, offset, m, bytes, NULL);
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                      size_t bytes)
{
    CUDA_MEMCPY3D m = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                        .srcArray = from,
                        .srcXInBytes = from_offset };
    CUresult result = check_line("cuMemcpyAtoA", from);

    return result ? result
                  : copy_to_line("cuMemcpyAtoA", to, to_offset, m, bytes, NULL);
}
