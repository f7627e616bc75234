/* copy.c - copies and fills of memory, and of symbols. Streams run in order, so the
 * asynchronous forms are the plain ones with a stream to check.
 */
#include "shim/cudart/copy.h"

#include "shim/cudart/api.h"

CUresult copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                    cudaStream_t stream)
{
    CUdeviceptr dst = device_address(to), src = device_address(from);

    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoDAsync(dst, from, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoHAsync(to, src, bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync(dst, src, bytes, stream);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return cuMemcpyAsync(dst, src, bytes, stream);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

bool copy_kind_is_good(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (!result && !copy_kind_is_good(kind))
        return runtime_end_error(cudaErrorInvalidMemcpyDirection);
    return runtime_end(result ? result : copy_bytes(to, from, bytes, kind, stream));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}

/* There is one device: a copy between peers is one within it. */
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes, cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (!result && (to_device || from_device))
        result = CUDA_ERROR_INVALID_DEVICE;
    if (!result)
        result = cuMemcpyAsync(device_address(to), device_address(from), bytes, stream);
    return runtime_end(result);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
    RUNTIME(cuMemsetD8Async(device_address(at), (unsigned char)value, bytes, stream));
}

cudaError_t cudaMemset(void *at, int value, size_t bytes)
{
    return cudaMemsetAsync(at, value, bytes, NULL);
}

cudaError_t cudaMemset2DAsync(void *at, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream)
{
    RUNTIME(cuMemsetD2D8Async(device_address(at), pitch, (unsigned char)value, width,
                              height, stream));
}

cudaError_t cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(at, pitch, value, width, height, NULL);
}

static CUresult fill_3d(struct cudaPitchedPtr p, int value, struct cudaExtent size,
                        cudaStream_t stream)
{
    size_t slice;

    if (__builtin_mul_overflow(p.pitch, p.ysize, &slice))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t z = 0; z < size.depth; z++) {
        CUresult result =
            cuMemsetD2D8Async(device_address(p.ptr) + z * slice, p.pitch,
                              (unsigned char)value, size.width, size.height, stream);

        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value,
                              struct cudaExtent size, cudaStream_t stream)
{
    RUNTIME(fill_3d(p, value, size, stream));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent size)
{
    return cudaMemset3DAsync(p, value, size, NULL);
}

cudaError_t copy_symbol_part(const void *symbol, size_t offset, size_t bytes, void **at)
{
    CUdeviceptr start = 0;
    size_t size = 0;
    cudaError_t error = runtime_symbol(symbol, &start, &size);

    if (error)
        return error;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    *at = (void *)(uintptr_t)(start + offset);
    return cudaSuccess;
}

/* A copy to or from a part of a variable. */
/* Copies of a batch, each with the attributes of the group that it is in. */
static CUresult copy_batch(void *const *to, const void *const *from,
                           const size_t *bytes, size_t n,
                           const struct cudaMemcpyAttributes *attributes,
                           const size_t *first, size_t n_attributes,
                           cudaStream_t stream)
{
    enum { LEAST_ORDER = 1, MOST_ORDER = 3 };

    if (!to || !from || !bytes || !n || !attributes || !first || !n_attributes ||
        n_attributes > n || first[0] || !stream)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n_attributes; i++) {
        if (attributes[i].srcAccessOrder < LEAST_ORDER ||
            attributes[i].srcAccessOrder > MOST_ORDER || first[i] >= n ||
            (i && first[i] <= first[i - 1]))
            return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < n; i++) {
        if (!bytes[i])
            return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < n; i++) {
        CUresult result =
            copy_bytes(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);

        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

/* Before CUDA 13 there was a place for the number of a copy that failed. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from,
                                 const size_t *bytes, size_t n,
                                 const struct cudaMemcpyAttributes *attributes,
                                 const size_t *first, size_t n_attributes, void *next,
                                 cudaStream_t stream)
{
    bool is_new = cudart_edition >= 13;

    if (!is_new && next)
        *(size_t *)next = SIZE_MAX;
    RUNTIME(copy_batch(to, from, bytes, n, attributes, first, n_attributes,
                       is_new ? (cudaStream_t)next : stream));
}

struct symbol_copy {
    const void *symbol;
    size_t offset, bytes;
    void *to;                      /* of a copy from the variable */
    const void *from;              /* of a copy to it */
    enum cudaMemcpyKind direction; /* cudaMemcpyHostToDevice: to it */
};

/* Kinds that contradict the direction are refused. */
static cudaError_t copy_symbol(const struct symbol_copy *c, enum cudaMemcpyKind kind,
                               cudaStream_t stream)
{
    bool is_to = c->direction == cudaMemcpyHostToDevice;
    cudaError_t error = runtime_error(runtime_begin());
    void *at;

    if (!error && kind != c->direction && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (!error)
        error = copy_symbol_part(c->symbol, c->offset, c->bytes, &at);
    if (!error)
        error = runtime_error(copy_bytes(is_to ? at : c->to, is_to ? c->from : at,
                                         c->bytes, kind, stream));
    return runtime_end_error(error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    struct symbol_copy c = {
        symbol, offset, bytes, NULL, from, cudaMemcpyHostToDevice
    };

    return copy_symbol(&c, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    struct symbol_copy c = { symbol, offset, bytes, to, NULL, cudaMemcpyDeviceToHost };

    return copy_symbol(&c, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL);
}

cudaError_t cudaGetSymbolAddress(void **at, const void *symbol)
{
    CUdeviceptr start = 0;
    cudaError_t error = runtime_error(runtime_begin());

    if (!error)
        error = at ? runtime_symbol(symbol, &start, NULL) : cudaErrorInvalidValue;
    if (!error)
        *at = (void *)(uintptr_t)start;
    return runtime_end_error(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUdeviceptr start;
    cudaError_t error = runtime_error(runtime_begin());

    if (!error)
        error = size ? runtime_symbol(symbol, &start, size) : cudaErrorInvalidValue;
    return runtime_end_error(error);
}

VARIANT(cudaMemcpyAsync_ptsz, cudaMemcpyAsync)
VARIANT(cudaMemcpyBatchAsync_ptsz, cudaMemcpyBatchAsync)
VARIANT(cudaMemcpy_ptds, cudaMemcpy)
VARIANT(cudaMemsetAsync_ptsz, cudaMemsetAsync)
VARIANT(cudaMemset_ptds, cudaMemset)
VARIANT(cudaMemset2DAsync_ptsz, cudaMemset2DAsync)
VARIANT(cudaMemset2D_ptds, cudaMemset2D)
VARIANT(cudaMemset3DAsync_ptsz, cudaMemset3DAsync)
VARIANT(cudaMemset3D_ptds, cudaMemset3D)
VARIANT(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync)
VARIANT(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol)
VARIANT(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync)
VARIANT(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol)
