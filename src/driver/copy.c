/* copy.c - copies of bytes, and fills; see copy3d.c for rows and arrays. A device range
 * must lie in one allocation; a host range is not checked. A range given as "unified"
 * is a device range if it lies in the device's address space.
 */
#include <string.h>

#include "driver/internal.h"

/* The bytes of a device range, NULL with the result set if it is not allocated. */
static void *device_range(struct driver *d, const char *what, uint64_t addr,
                          uint64_t bytes, CUresult *result)
{
    if (!space_has(&d->space, addr, bytes)) {
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "%s: %llu bytes at 0x%llx are not in one allocation", what,
                            (unsigned long long)bytes, (unsigned long long)addr);
        return NULL;
    }
    return d->space.bytes + (addr - d->space.base);
}

static bool is_device(const struct driver *d, uint64_t addr)
{
    return addr >= d->space.base && addr < space_end(&d->space);
}

struct place place_host(const void *p)
{
    return (struct place){ SIDE_HOST, (uint64_t)(uintptr_t)p };
}

void *place_bytes(struct driver *d, const char *what, struct place p, uint64_t bytes,
                  CUresult *result)
{
    if (p.side == SIDE_DEVICE || (p.side == SIDE_EITHER && is_device(d, p.addr)))
        return device_range(d, what, p.addr, bytes, result);
    if (!p.addr)
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE, "%s: NULL", what);
    return (void *)(uintptr_t)p.addr;
}

static CUresult copy_bytes(const char *call, struct place to, struct place from,
                           uint64_t bytes, CUstream stream)
{
    struct driver *d;
    struct context *c;
    void *dst, *src;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)) || !bytes)
        return result;
    dst = place_bytes(d, "destination", to, bytes, &result);
    src = place_bytes(d, "source", from, bytes, &result);
    if (!result)
        memmove(dst, src, bytes);
    return result;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpy", (struct place){ SIDE_EITHER, to },
                      (struct place){ SIDE_EITHER, from }, bytes, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_bytes("cuMemcpyAsync", (struct place){ SIDE_EITHER, to },
                      (struct place){ SIDE_EITHER, from }, bytes, stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy_bytes("cuMemcpyHtoD", (struct place){ SIDE_DEVICE, to },
                      place_host(from), bytes, NULL);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                           CUstream stream)
{
    return copy_bytes("cuMemcpyHtoDAsync", (struct place){ SIDE_DEVICE, to },
                      place_host(from), bytes, stream);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpyDtoH", place_host(to),
                      (struct place){ SIDE_DEVICE, from }, bytes, NULL);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_bytes("cuMemcpyDtoHAsync", place_host(to),
                      (struct place){ SIDE_DEVICE, from }, bytes, stream);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy_bytes("cuMemcpyDtoD", (struct place){ SIDE_DEVICE, to },
                      (struct place){ SIDE_DEVICE, from }, bytes, NULL);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream)
{
    return copy_bytes("cuMemcpyDtoDAsync", (struct place){ SIDE_DEVICE, to },
                      (struct place){ SIDE_DEVICE, from }, bytes, stream);
}

/* All contexts share the device's address space, so a copy between them is one within. */
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuMemcpyPeerAsync");

    if (result)
        return result;
    if (!handle_find(&d->handles, HANDLE_CONTEXT, to_context) ||
        !handle_find(&d->handles, HANDLE_CONTEXT, from_context))
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT,
                         "%p or %p is not a live context", (void *)to_context,
                         (void *)from_context);
    return copy_bytes("cuMemcpyPeerAsync", (struct place){ SIDE_DEVICE, to },
                      (struct place){ SIDE_DEVICE, from }, bytes, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes)
{
    return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, NULL);
}

/* The extent of a fill: rows of width elements, a pitch apart. */
struct fill {
    CUdeviceptr at;
    uint32_t value;
    uint32_t element; /* bytes: 1, 2, 4 */
    size_t width, height, pitch;
};

static void fill_row(uint8_t *to, const struct fill *f)
{
    uint16_t half = (uint16_t)f->value;

    if (f->element == 1) {
        memset(to, (int)(f->value & 0xff), f->width);
        return;
    }
    for (size_t i = 0; i < f->width; i++) {
        if (f->element == 2)
            memcpy(to + 2 * i, &half, 2);
        else
            memcpy(to + 4 * i, &f->value, 4);
    }
}

static CUresult fill_bytes(const char *call, struct fill f, CUstream stream)
{
    struct driver *d;
    struct context *c;
    uint64_t row, span;
    uint8_t *to;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)) || !f.width || !f.height)
        return result;
    if (__builtin_mul_overflow(f.width, f.element, &row) ||
        (f.height > 1 && f.pitch < row) || f.at % f.element || f.pitch % f.element ||
        __builtin_mul_overflow(f.height - 1, f.pitch, &span) ||
        __builtin_add_overflow(span, row, &span))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu x %zu elements of %u bytes at 0x%llx, pitch %zu", f.width,
                         f.height, f.element, f.at, f.pitch);
    to = device_range(d, "destination", f.at, span, &result);
    if (!to)
        return result;
    for (size_t y = 0; y < f.height; y++)
        fill_row(to + y * f.pitch, &f);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, size_t n)
{
    return fill_bytes("cuMemsetD8", (struct fill){ at, value, 1, n, 1, 0 }, NULL);
}

CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, size_t n)
{
    return fill_bytes("cuMemsetD16", (struct fill){ at, value, 2, n, 1, 0 }, NULL);
}

CUresult cuMemsetD32(CUdeviceptr at, unsigned int value, size_t n)
{
    return fill_bytes("cuMemsetD32", (struct fill){ at, value, 4, n, 1, 0 }, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t n, CUstream stream)
{
    return fill_bytes("cuMemsetD8Async", (struct fill){ at, value, 1, n, 1, 0 },
                      stream);
}

CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t n,
                          CUstream stream)
{
    return fill_bytes("cuMemsetD16Async", (struct fill){ at, value, 2, n, 1, 0 },
                      stream);
}

CUresult cuMemsetD32Async(CUdeviceptr at, unsigned int value, size_t n, CUstream stream)
{
    return fill_bytes("cuMemsetD32Async", (struct fill){ at, value, 4, n, 1, 0 },
                      stream);
}

CUresult cuMemsetD2D8(CUdeviceptr at, size_t pitch, unsigned char value, size_t width,
                      size_t height)
{
    return fill_bytes("cuMemsetD2D8",
                      (struct fill){ at, value, 1, width, height, pitch }, NULL);
}

CUresult cuMemsetD2D16(CUdeviceptr at, size_t pitch, unsigned short value, size_t width,
                       size_t height)
{
    return fill_bytes("cuMemsetD2D16",
                      (struct fill){ at, value, 2, width, height, pitch }, NULL);
}

CUresult cuMemsetD2D32(CUdeviceptr at, size_t pitch, unsigned int value, size_t width,
                       size_t height)
{
    return fill_bytes("cuMemsetD2D32",
                      (struct fill){ at, value, 4, width, height, pitch }, NULL);
}
