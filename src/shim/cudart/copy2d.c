/* copy2d.c - copies of rows and slices, between memory and arrays in any direction. */
#include "shim/cudart/api.h"
#include "shim/cudart/copy.h"

/* One side of a copy: memory in rows, or an array from a place on. */
struct side {
    const void *memory;
    size_t pitch;
    cudaArray_const_t array;
    size_t x, y; /* bytes, rows */
};

CUmemorytype copy_side_of(enum cudaMemcpyKind kind, bool is_from)
{
    static const CUmemorytype types[][2] = {
        [cudaMemcpyHostToHost] = { CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST },
        [cudaMemcpyHostToDevice] = { CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST },
        [cudaMemcpyDeviceToHost] = { CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE },
        [cudaMemcpyDeviceToDevice] = { CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE },
        [cudaMemcpyDefault] = { CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED },
    };

    return types[kind][is_from];
}

static CUarray array_of(cudaArray_const_t array)
{
    return (CUarray)(uintptr_t)array;
}

static cudaError_t copy_rows(struct side to, struct side from, size_t width,
                             size_t height, enum cudaMemcpyKind kind,
                             cudaStream_t stream)
{
    CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };
    CUresult result = runtime_begin();

    if (result)
        return runtime_end(result);
    if (!copy_kind_is_good(kind))
        return runtime_end_error(cudaErrorInvalidMemcpyDirection);
    if (height > 1 &&
        ((!to.array && to.pitch < width) || (!from.array && from.pitch < width)))
        return runtime_end_error(cudaErrorInvalidPitchValue);
    c.dstMemoryType = to.array ? CU_MEMORYTYPE_ARRAY : copy_side_of(kind, false);
    c.dstHost = (void *)(uintptr_t)to.memory;
    c.dstDevice = device_address(to.memory);
    c.dstArray = array_of(to.array);
    c.dstPitch = to.pitch;
    c.dstXInBytes = to.x;
    c.dstY = to.y;
    c.srcMemoryType = from.array ? CU_MEMORYTYPE_ARRAY : copy_side_of(kind, true);
    c.srcHost = from.memory;
    c.srcDevice = device_address(from.memory);
    c.srcArray = array_of(from.array);
    c.srcPitch = from.pitch;
    c.srcXInBytes = from.x;
    c.srcY = from.y;
    return runtime_end(cuMemcpy2DAsync(&c, stream));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_rows((struct side){ .memory = to, .pitch = to_pitch },
                     (struct side){ .memory = from, .pitch = from_pitch }, width,
                     height, kind, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                     const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return copy_rows((struct side){ .array = to, .x = x, .y = y },
                     (struct side){ .memory = from, .pitch = pitch }, width, height,
                     kind, stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                       size_t x, size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_rows((struct side){ .memory = to, .pitch = pitch },
                     (struct side){ .array = from, .x = x, .y = y }, width, height,
                     kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from,
                                  size_t x, size_t y, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    return copy_rows((struct side){ .array = to, .x = to_x, .y = to_y },
                     (struct side){ .array = from, .x = from_x, .y = from_y }, width,
                     height, kind, NULL);
}

/* Bytes that run through an array's rows: the rest of a row, whole rows, a rest. */
static cudaError_t copy_run(struct side array, struct side memory, size_t bytes,
                            bool is_to_array, enum cudaMemcpyKind kind)
{
    CUDA_ARRAY_DESCRIPTOR d;
    struct cudaChannelFormatDesc f;
    CUresult result = runtime_begin();
    size_t row;

    if (!result)
        result = cuArrayGetDescriptor(&d, array_of(array.array));
    if (result)
        return runtime_end(result);
    runtime_unlock();
    f = channels_of(d.Format, d.NumChannels);
    row = d.Width * (size_t)(f.x + f.y + f.z + f.w) / 8;
    while (bytes) {
        size_t left = array.x < row ? row - array.x : 0;
        size_t width = bytes < left ? bytes : left;
        size_t height = !array.x && bytes >= row ? bytes / row : 1;
        cudaError_t error;

        if (!width)
            return cudaErrorInvalidValue;
        memory.pitch = row;
        error = is_to_array ? copy_rows(array, memory, width, height, kind, NULL)
                            : copy_rows(memory, array, width, height, kind, NULL);
        if (error)
            return error;
        bytes -= width * height;
        memory.memory = (const char *)memory.memory + width * height;
        array.x = 0;
        array.y += height;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                              size_t bytes, enum cudaMemcpyKind kind)
{
    return copy_run((struct side){ .array = to, .x = x, .y = y },
                    (struct side){ .memory = from }, bytes, true, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                size_t bytes, enum cudaMemcpyKind kind)
{
    return copy_run((struct side){ .array = from, .x = x, .y = y },
                    (struct side){ .memory = to }, bytes, false, kind);
}

/* Bytes of an element: of the array that is part of the copy, else 1. */
static CUresult element_of(const struct cudaMemcpy3DParms *p, size_t *bytes)
{
    cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
    CUDA_ARRAY3D_DESCRIPTOR d;
    struct cudaChannelFormatDesc f;
    CUresult result;

    *bytes = 1;
    if (!array)
        return CUDA_SUCCESS;
    result = cuArray3DGetDescriptor(&d, array_of(array));
    if (result)
        return result;
    f = channels_of(d.Format, d.NumChannels);
    *bytes = (size_t)(f.x + f.y + f.z + f.w) / 8;
    return CUDA_SUCCESS;
}

/* Positions in arrays count elements, in memory bytes; so does the width. */
CUresult copy_describe(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c)
{
    size_t element;
    CUresult result = element_of(p, &element);

    *c = (CUDA_MEMCPY3D){
        .srcMemoryType =
            p->srcArray ? CU_MEMORYTYPE_ARRAY : copy_side_of(p->kind, true),
        .srcHost = p->srcPtr.ptr,
        .srcDevice = device_address(p->srcPtr.ptr),
        .srcArray = array_of(p->srcArray),
        .srcPitch = p->srcPtr.pitch,
        .srcHeight = p->srcPtr.ysize,
        .srcXInBytes = p->srcPos.x * (p->srcArray ? element : 1),
        .srcY = p->srcPos.y,
        .srcZ = p->srcPos.z,
        .dstMemoryType =
            p->dstArray ? CU_MEMORYTYPE_ARRAY : copy_side_of(p->kind, false),
        .dstHost = p->dstPtr.ptr,
        .dstDevice = device_address(p->dstPtr.ptr),
        .dstArray = array_of(p->dstArray),
        .dstPitch = p->dstPtr.pitch,
        .dstHeight = p->dstPtr.ysize,
        .dstXInBytes = p->dstPos.x * (p->dstArray ? element : 1),
        .dstY = p->dstPos.y,
        .dstZ = p->dstPos.z,
        .WidthInBytes = p->extent.width * element,
        .Height = p->extent.height,
        .Depth = p->extent.depth,
    };

    if (result)
        return result;
    if (!p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr)
        return CUDA_ERROR_INVALID_VALUE; /* one of the two, on either side */
    return CUDA_SUCCESS;
}

static struct cudaPitchedPtr described_side(CUmemorytype type, const void *host,
                                            CUdeviceptr device, size_t pitch,
                                            size_t height)
{
    const void *p = type == CU_MEMORYTYPE_HOST ? host : (const void *)(uintptr_t)device;

    return (struct cudaPitchedPtr){ (void *)(uintptr_t)p, pitch, pitch, height };
}

/* Positions and widths in bytes, as of memory; arrays count elements. */
struct cudaMemcpy3DParms copy_described(const CUDA_MEMCPY3D *c)
{
    static const enum cudaMemcpyKind kinds[2][2] = {
        { cudaMemcpyHostToHost, cudaMemcpyHostToDevice },
        { cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice },
    };
    struct cudaMemcpy3DParms p = {
        .srcPos = { c->srcXInBytes, c->srcY, c->srcZ },
        .dstPos = { c->dstXInBytes, c->dstY, c->dstZ },
        .extent = { c->WidthInBytes, c->Height, c->Depth },
        .kind = kinds[c->srcMemoryType != CU_MEMORYTYPE_HOST]
                     [c->dstMemoryType != CU_MEMORYTYPE_HOST],
    };
    size_t element;

    if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY)
        p.srcArray = (cudaArray_t)(uintptr_t)c->srcArray;
    else
        p.srcPtr = described_side(c->srcMemoryType, c->srcHost, c->srcDevice,
                                  c->srcPitch, c->srcHeight);
    if (c->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        p.dstArray = (cudaArray_t)(uintptr_t)c->dstArray;
    else
        p.dstPtr = described_side(c->dstMemoryType, c->dstHost, c->dstDevice,
                                  c->dstPitch, c->dstHeight);
    if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED ||
        c->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        p.kind = cudaMemcpyDefault;
    if (element_of(&p, &element) || element <= 1)
        return p;
    p.extent.width /= element;
    p.srcPos.x /= p.srcArray ? element : 1;
    p.dstPos.x /= p.dstArray ? element : 1;
    return p;
}

static CUresult copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    CUDA_MEMCPY3D c;
    CUresult result = copy_describe(p, &c);

    return result ? result : cuMemcpy3DAsync(&c, stream);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (!result && p && !copy_kind_is_good(p->kind))
        return runtime_end_error(cudaErrorInvalidMemcpyDirection);
    if (!result)
        result = p ? copy_3d(p, stream) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return cudaMemcpy3DAsync(p, NULL);
}

/* There is one device: a copy between peers is one within it. */
static CUresult copy_3d_peer(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    struct cudaMemcpy3DParms plain = { .kind = cudaMemcpyDefault };

    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->srcDevice || p->dstDevice)
        return CUDA_ERROR_INVALID_DEVICE;
    plain.srcArray = p->srcArray;
    plain.srcPos = p->srcPos;
    plain.srcPtr = p->srcPtr;
    plain.dstArray = p->dstArray;
    plain.dstPos = p->dstPos;
    plain.dstPtr = p->dstPtr;
    plain.extent = p->extent;
    return copy_3d(&plain, stream);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                  cudaStream_t stream)
{
    RUNTIME(copy_3d_peer(p, stream));
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return cudaMemcpy3DPeerAsync(p, NULL);
}

/* In the old forms with a stream as last argument the stream has no effect. */
VARIANT(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync)
VARIANT(cudaMemcpy2D_ptds, cudaMemcpy2D)
VARIANT(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync)
VARIANT(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray)
VARIANT(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync)
VARIANT(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray)
VARIANT(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray)
VARIANT(cudaMemcpyToArray_ptds, cudaMemcpyToArray)
VARIANT(cudaMemcpyToArrayAsync, cudaMemcpyToArray)
VARIANT(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArray)
VARIANT(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray)
VARIANT(cudaMemcpyFromArrayAsync, cudaMemcpyFromArray)
VARIANT(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArray)
VARIANT(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync)
VARIANT(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync)
VARIANT(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer)
VARIANT(cudaMemcpy3D_ptds, cudaMemcpy3D)
