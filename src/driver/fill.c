/* fill.c - fills of device memory. A range must lie in one allocation. */
#include <string.h>

#include "base/buf.h"
#include "driver/internal.h"

static void fill_row(uint8_t *to, const CUDA_MEMSET_NODE_PARAMS *f)
{
    uint16_t half = (uint16_t)f->value;

    if (f->elementSize == 1) {
        memset(to, (int)(f->value & 0xff), f->width);
        return;
    }
    for (size_t i = 0; i < f->width; i++) {
        if (f->elementSize == 2)
            memcpy(to + 2 * i, &half, 2);
        else
            memcpy(to + 4 * i, &f->value, 4);
    }
}

/* The bytes of a fill that is not empty, NULL with the result set if it is not valid. */
static uint8_t *fill_range(struct driver *d, const CUDA_MEMSET_NODE_PARAMS *f,
                           CUresult *result)
{
    uint64_t row, span;
    size_t pitch = f->height > 1 ? f->pitch : 0;

    if ((f->elementSize != 1 && f->elementSize != 2 && f->elementSize != 4) ||
        __builtin_mul_overflow(f->width, f->elementSize, &row) ||
        (f->height > 1 && pitch < row) || f->dst % f->elementSize ||
        pitch % f->elementSize || __builtin_mul_overflow(f->height - 1, pitch, &span) ||
        __builtin_add_overflow(span, row, &span)) {
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "%zu x %zu elements of %u bytes at 0x%llx, pitch %zu",
                            f->width, f->height, f->elementSize, f->dst, f->pitch);
        return NULL;
    }
    return place_bytes(d, "destination", (struct place){ SIDE_DEVICE, f->dst }, span,
                       result);
}

static CUresult check_fill(struct driver *d, const struct operation *op)
{
    CUresult result = CUDA_SUCCESS;

    if (op->fill.width && op->fill.height)
        fill_range(d, &op->fill, &result);
    return result;
}

static CUresult run_fill(struct driver *d, struct context *c,
                         const struct operation *op)
{
    const CUDA_MEMSET_NODE_PARAMS *f = &op->fill;
    CUresult result = CUDA_SUCCESS;
    uint8_t *to;

    (void)c;
    if (!f->width || !f->height)
        return CUDA_SUCCESS;
    to = fill_range(d, f, &result);
    for (size_t y = 0; to && y < f->height; y++) {
        fill_row(to + y * f->pitch, f);
        memory_note_write(d, to + y * f->pitch, f->width * f->elementSize);
    }
    return result;
}

/* An executable graph is made for one dimension or two. */
static bool fill_can_become(const struct driver *d, const struct operation *from,
                            const struct operation *to)
{
    (void)d;
    return (from->fill.height > 1) == (to->fill.height > 1);
}

static void describe_fill(const struct driver *d, const struct operation *op,
                          struct buf *out)
{
    const CUDA_MEMSET_NODE_PARAMS *f = &op->fill;

    (void)d;
    buf_printf(out, "(%u,%zu)\n0x%llx, elements of %u, %zu rows", f->value,
               f->width * f->elementSize, f->dst, f->elementSize, f->height);
}

const struct operation_ops operation_fill = {
    .name = "MEMSET",
    .shape = "invtrapezium",
    .can_disable = true,
    .check = check_fill,
    .execute = run_fill,
    .can_become = fill_can_become,
    .describe = describe_fill,
};

/* Rows of width elements, a pitch apart. */
static CUresult fill_bytes(const char *call, CUDA_MEMSET_NODE_PARAMS f, CUstream stream)
{
    struct driver *d;
    struct context *c;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_MEMSET, .fill = f };
    CUresult result = call_begin(&d, &c, call);

    return result ? result : operation_submit(d, c, stream, &op);
}

/* The calls for elements of one size. */
#define FILLS(bits, type)                                                              \
    CUresult cuMemsetD##bits##Async(CUdeviceptr at, type value, size_t n,              \
                                    CUstream stream)                                   \
    {                                                                                  \
        return fill_bytes("cuMemsetD" #bits "Async",                                   \
                          (CUDA_MEMSET_NODE_PARAMS){ at, 0, value, (bits) / 8, n, 1 }, \
                          stream);                                                     \
    }                                                                                  \
    CUresult cuMemsetD##bits(CUdeviceptr at, type value, size_t n)                     \
    {                                                                                  \
        return fill_bytes("cuMemsetD" #bits,                                           \
                          (CUDA_MEMSET_NODE_PARAMS){ at, 0, value, (bits) / 8, n, 1 }, \
                          NULL);                                                       \
    }                                                                                  \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr at, size_t pitch, type value,        \
                                      size_t width, size_t height, CUstream stream)    \
    {                                                                                  \
        return fill_bytes(                                                             \
            "cuMemsetD2D" #bits "Async",                                               \
            (CUDA_MEMSET_NODE_PARAMS){ at, pitch, value, (bits) / 8, width, height },  \
            stream);                                                                   \
    }                                                                                  \
    CUresult cuMemsetD2D##bits(CUdeviceptr at, size_t pitch, type value, size_t width, \
                               size_t height)                                          \
    {                                                                                  \
        return fill_bytes(                                                             \
            "cuMemsetD2D" #bits,                                                       \
            (CUDA_MEMSET_NODE_PARAMS){ at, pitch, value, (bits) / 8, width, height },  \
            NULL);                                                                     \
    }

FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned int)
