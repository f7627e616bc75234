/* workload.c - the rig that the workloads' hosts share.
 *
 * Knows the CUDA driver API and nothing of who implements it. All allocations of a
 * run hang on the rig, so a host that fails half-way leaks nothing.
 */
#include "workload.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rig rig_begin(struct workload_env *env)
{
    env->message[0] = '\0';
    return (struct rig){ .env = env };
}

int rig_end(struct rig *r)
{
    for (unsigned i = 0; i < r->n_texture; i++) {
        cuTexObjectDestroy(r->texture[i].object);
        if (r->texture[i].array)
            cuArrayDestroy(r->texture[i].array);
    }
    for (unsigned i = 0; i < r->n_device; i++)
        cuMemFree(r->device[i]);
    for (unsigned i = 0; i < r->n_host; i++)
        free(r->host[i]);
    r->n_device = r->n_host = r->n_texture = 0;
    return r->failed || r->wrong ? -1 : 0;
}

/* The first message stays: what follows is mostly its consequence. */
__attribute__((format(printf, 2, 0))) static void
set_message(struct rig *r, const char *format, va_list args)
{
    if (!r->failed && !r->wrong)
        vsnprintf(r->env->message, sizeof r->env->message, format, args);
}

void rig_fail(struct rig *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_message(r, format, args);
    va_end(args);
    r->failed = true;
}

__attribute__((format(printf, 2, 3))) static void mark_wrong(struct rig *r,
                                                             const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_message(r, format, args);
    va_end(args);
    r->wrong = true;
}

/* True if the call succeeded. */
static bool cu_ok(struct rig *r, CUresult result, const char *what, const char *name)
{
    const char *reason = NULL;

    if (result == CUDA_SUCCESS)
        return true;
    if (cuGetErrorName(result, &reason) != CUDA_SUCCESS || !reason)
        reason = "unknown error";
    rig_fail(r, "%s %s: %s (%d)", what, name, reason, (int)result);
    return false;
}

static void out_of_memory(struct rig *r, size_t bytes)
{
    r->env->is_out_of_memory = true;
    rig_fail(r, "out of memory for %zu bytes of the host", bytes);
}

void *rig_host(struct rig *r, size_t n, size_t size)
{
    void *p = NULL;

    if (r->failed)
        return NULL;
    if (r->n_host == RIG_MAX_HOST) {
        rig_fail(r, "more than %d buffers of the host", RIG_MAX_HOST);
        return NULL;
    }
    p = calloc(n ? n : 1, size);
    if (p)
        r->host[r->n_host++] = p;
    else
        out_of_memory(r, n * size);
    return p;
}

void rig_drop(struct rig *r, void *p)
{
    for (unsigned k = 0; k < r->n_host; k++)
        if (r->host[k] == p)
            r->host[k] = r->host[--r->n_host];
    free(p);
}

CUdeviceptr rig_alloc(struct rig *r, size_t bytes)
{
    CUdeviceptr at = 0;

    if (r->failed)
        return 0;
    if (r->n_device == RIG_MAX_DEVICE) {
        rig_fail(r, "more than %d device buffers", RIG_MAX_DEVICE);
        return 0;
    }
    if (!cu_ok(r, cuMemAlloc(&at, bytes), "cuMemAlloc", ""))
        return 0;
    r->device[r->n_device++] = at;
    return at;
}

CUdeviceptr rig_upload(struct rig *r, const void *bytes, size_t n)
{
    CUdeviceptr at = rig_alloc(r, n);

    rig_write(r, at, bytes, n);
    return at;
}

void rig_free(struct rig *r, CUdeviceptr at)
{
    for (unsigned k = 0; k < r->n_device; k++)
        if (r->device[k] == at) {
            r->device[k] = r->device[--r->n_device];
            cuMemFree(at);
        }
}

void rig_write(struct rig *r, CUdeviceptr at, const void *bytes, size_t n)
{
    if (!r->failed)
        cu_ok(r, cuMemcpyHtoD(at, bytes, n), "cuMemcpyHtoD", "");
}

void rig_fill(struct rig *r, CUdeviceptr at, uint32_t word, size_t n_words)
{
    if (!r->failed)
        cu_ok(r, cuMemsetD32(at, word, n_words), "cuMemsetD32", "");
}

void rig_download(struct rig *r, void *to, CUdeviceptr from, size_t n)
{
    if (!r->failed)
        cu_ok(r, cuMemcpyDtoH(to, from, n), "cuMemcpyDtoH", "");
}

CUdeviceptr rig_global(struct rig *r, const char *name, size_t bytes)
{
    CUdeviceptr at = 0;
    size_t n = 0;

    if (r->failed)
        return 0;
    if (!cu_ok(r, cuModuleGetGlobal(&at, &n, r->env->module, name), "variable", name))
        return 0;
    if (n != bytes)
        rig_fail(r, "variable %s: %zu bytes, expected %zu", name, n, bytes);
    return at;
}

static size_t channel_bytes(CUarray_format format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    default:
        return 4;
    }
}

static bool create_array(struct rig *r, struct rig_texture *t, CUarray_format format,
                         unsigned n_channels, unsigned width)
{
    CUDA_ARRAY_DESCRIPTOR desc = { width, t->rows, format, n_channels };

    return cu_ok(r, cuArrayCreate(&t->array, &desc), "cuArrayCreate", "");
}

static bool create_object(struct rig *r, struct rig_texture *t,
                          const CUDA_RESOURCE_DESC *from)
{
    CUDA_TEXTURE_DESC how = { .filterMode = CU_TR_FILTER_MODE_POINT };

    for (int i = 0; i < 3; i++)
        how.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    return cu_ok(r, cuTexObjectCreate(&t->object, from, &how, NULL),
                 "cuTexObjectCreate", "");
}

/* The array is destroyed if it cannot have a texture. */
static bool create_texture(struct rig *r, struct rig_texture *t)
{
    CUDA_RESOURCE_DESC from = { .resType = CU_RESOURCE_TYPE_ARRAY };

    from.res.array.hArray = t->array;
    if (create_object(r, t, &from))
        return true;
    cuArrayDestroy(t->array);
    return false;
}

/* Whether one more texture is possible; if not, the rig has failed. */
static bool has_texture_room(struct rig *r)
{
    if (!r->failed && r->n_texture == RIG_MAX_TEXTURE)
        rig_fail(r, "more than %d textures", RIG_MAX_TEXTURE);
    return !r->failed;
}

struct rig_texture rig_texture(struct rig *r, CUarray_format format,
                               unsigned n_channels, unsigned width, unsigned height)
{
    struct rig_texture t = {
        .row = width * n_channels * channel_bytes(format),
        .rows = height,
    };

    if (has_texture_room(r) && create_array(r, &t, format, n_channels, width) &&
        create_texture(r, &t))
        r->texture[r->n_texture++] = t;
    return t;
}

CUtexObject rig_texture_floats(struct rig *r, CUdeviceptr at, unsigned n_channels,
                               size_t n)
{
    struct rig_texture t = { 0 };
    CUDA_RESOURCE_DESC from = { .resType = CU_RESOURCE_TYPE_LINEAR };

    from.res.linear.devPtr = at;
    from.res.linear.format = CU_AD_FORMAT_FLOAT;
    from.res.linear.numChannels = n_channels;
    from.res.linear.sizeInBytes = n * sizeof(float);
    if (has_texture_room(r) && create_object(r, &t, &from))
        r->texture[r->n_texture++] = t;
    return t.object;
}

void rig_texture_copy(struct rig *r, const struct rig_texture *to, CUdeviceptr from)
{
    CUDA_MEMCPY2D copy = {
        .srcMemoryType = CU_MEMORYTYPE_DEVICE,
        .srcDevice = from,
        .srcPitch = to->row,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .dstArray = to->array,
        .WidthInBytes = to->row,
        .Height = to->rows,
    };

    if (!r->failed)
        cu_ok(r, cuMemcpy2D(&copy), "cuMemcpy2D", "");
}

static const struct {
    CUtensorMapDataType type;
    unsigned bytes;
} elements[] = {
    [RIG_F16] = { CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2 },
    [RIG_BF16] = { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2 },
    [RIG_TF32] = { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4 },
    [RIG_E4M3] = { CU_TENSOR_MAP_DATA_TYPE_UINT8, 1 },
};

unsigned rig_element_bytes(enum rig_element element)
{
    return elements[element].bytes;
}

void rig_tensor_map(struct rig *r, CUtensorMap *map, CUdeviceptr at,
                    const struct rig_matrix *m)
{
    unsigned bytes = rig_element_bytes(m->element);
    const cuuint64_t size[] = { m->cols, m->rows }, stride[] = { m->cols * bytes };
    const cuuint32_t box[] = { RIG_LINE / bytes, m->box_rows }, step[] = { 1, 1 };

    if (r->failed)
        return;
    cu_ok(r,
          cuTensorMapEncodeTiled(
              map, elements[m->element].type, 2, (void *)(uintptr_t)at, size, stride,
              box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
          "cuTensorMapEncodeTiled", "");
}

static unsigned extent(unsigned n)
{
    return n ? n : 1;
}

/* Arguments at their places in a block of parameters; its size. The code is a file like any
 * other, and what it says about its parameters must be what the host passes. */
static size_t pack_args(struct rig *r, CUfunction function, const char *kernel,
                        const struct rig_arg *args, unsigned char *block)
{
    size_t offset, size, end = 0;

    for (size_t n = 0; args[n].at; n++) {
        if (!cu_ok(r, cuFuncGetParamInfo(function, n, &offset, &size), "parameters of",
                   kernel))
            return 0;
        if (size != args[n].size || offset > RIG_MAX_ARGS - size) {
            rig_fail(r, "kernel %s: parameter %zu has %zu bytes at %zu, expected %zu",
                     kernel, n, size, offset, args[n].size);
            return 0;
        }
        memcpy(block + offset, args[n].at, size);
        end = offset + size;
    }
    return end;
}

/* More shared memory than kernels have without asking. */
static bool allow_shared(struct rig *r, CUfunction function, const struct launch *l)
{
    if (l->shared <= RIG_PLAIN_SHARED)
        return true;
    return cu_ok(r,
                 cuFuncSetAttribute(function,
                                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    (int)l->shared),
                 "shared memory of", l->kernel);
}

void rig_launch(struct rig *r, const struct launch *l, const struct rig_arg *args)
{
    unsigned char block[RIG_MAX_ARGS] = { 0 };
    size_t size;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block,
                      CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
    CUfunction function;

    if (r->failed)
        return;
    if (!cu_ok(r, cuModuleGetFunction(&function, r->env->module, l->kernel), "kernel",
               l->kernel))
        return;
    size = pack_args(r, function, l->kernel, args, block);
    if (r->failed || !allow_shared(r, function, l))
        return;
    if (!cu_ok(r,
               cuLaunchKernel(function, extent(l->grid[0]), extent(l->grid[1]),
                              extent(l->grid[2]), extent(l->block[0]),
                              extent(l->block[1]), extent(l->block[2]), l->shared, NULL,
                              NULL, extra),
               "launch", l->kernel))
        return;
    cu_ok(r, cuCtxSynchronize(), "run", l->kernel);
}

void rig_output(struct rig *r, const char *name, const void *got, const void *want,
                size_t n)
{
    const unsigned char *g = got, *w = want;
    uint32_t have, expected;

    if (r->failed)
        return;
    r->env->output(r->env, name, got, n * sizeof have);
    if (!want || memcmp(got, want, n * sizeof have) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        memcpy(&have, g + i * sizeof have, sizeof have);
        memcpy(&expected, w + i * sizeof expected, sizeof expected);
        if (have != expected) {
            mark_wrong(r, "%s[%zu] is 0x%08x, expected 0x%08x", name, i, (unsigned)have,
                       (unsigned)expected);
            return;
        }
    }
}

/* n words of the device in memory of the host, for free(); NULL: failed. */
static void *fetch_words(struct rig *r, CUdeviceptr at, size_t n)
{
    void *got;

    if (r->failed)
        return NULL;
    got = malloc(n * sizeof(uint32_t));
    if (!got) {
        out_of_memory(r, n * sizeof(uint32_t));
        return NULL;
    }
    rig_download(r, got, at, n * sizeof(uint32_t));
    return got;
}

void rig_result(struct rig *r, const char *name, CUdeviceptr at, const void *want,
                size_t n)
{
    void *got = fetch_words(r, at, n);

    if (got)
        rig_output(r, name, got, want, n);
    free(got);
}

/* False for a NaN as well. */
static bool is_near(float got, float want, float bound)
{
    return fabsf(got - want) <= bound * fmaxf(1.0f, fabsf(want));
}

void rig_near(struct rig *r, const char *name, CUdeviceptr at, const float *want,
              size_t n, float bound)
{
    float *got = fetch_words(r, at, n);

    if (got)
        rig_output(r, name, got, NULL, n);
    for (size_t i = 0; got && !r->failed && i < n; i++) {
        if (!is_near(got[i], want[i], bound)) {
            mark_wrong(r, "%s[%zu] is %.9g, expected %.9g within %g", name, i,
                       (double)got[i], (double)want[i], (double)bound);
            break;
        }
    }
    free(got);
}
