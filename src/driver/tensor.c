/* tensor.c - tensor maps: what a program may ask of one; tensormap.h has the words. The
 * driver of an H200 is less strict than its manual: a map may lie at any address, and slices
 * of 32 bytes may have any swizzle. */
#include <string.h>

#include "driver/internal.h"
#include "frontend/sass/exec/tensormap.h"

enum { BASE_ALIGN = 16, MOST_BOX = 256, MOST_STEP = 8 };
enum { MOST_CHANNELS = 256, MOST_PIXELS = 1024, CHUNK = 16 };

_Static_assert(sizeof(CUtensorMap) == TENSOR_BYTES, "a map has 128 bytes");

/* A call and the map that it makes. */
struct encoding {
    struct driver *d;
    struct tensor_map map;
};

#define REFUSE(e, ...) call_fail((e)->d, CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

/* By CUtensorMapDataType. */
static const struct {
    uint8_t type;
    bool is_tf32, is_float;
} types[] = {
    [CU_TENSOR_MAP_DATA_TYPE_UINT8] = { TENSOR_U8, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_UINT16] = { TENSOR_U16, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_UINT32] = { TENSOR_U32, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_INT32] = { TENSOR_S32, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_UINT64] = { TENSOR_U64, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_INT64] = { TENSOR_S64, false, false },
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = { TENSOR_F16, false, true },
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = { TENSOR_F32, false, true },
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = { TENSOR_F64, false, true },
    [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = { TENSOR_BF16, false, true },
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = { TENSOR_F32_FTZ, false, true },
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = { TENSOR_F32, true, true },
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = { TENSOR_F32_FTZ, true, true },
};

static CUresult begin(struct encoding *e, const char *call, const CUtensorMap *map)
{
    struct context *c;
    CUresult result = call_begin(&e->d, &c, call);

    memset(&e->map, 0, sizeof e->map);
    if (result)
        return result;
    if (e->d->device->sm < 90)
        return call_fail(e->d, CUDA_ERROR_NOT_SUPPORTED, "sm_%u has no tensor maps",
                         e->d->device->sm);
    if (!map)
        return REFUSE(e, "no map");
    return CUDA_SUCCESS;
}

/* What both kinds have in common; the enumerators are those of the map. */
struct common {
    CUtensorMapDataType type;
    cuuint32_t rank, least_rank;
    const void *base;
    const cuuint64_t *size, *stride;
    const cuuint32_t *step;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
};

static CUresult set_modes(struct encoding *e, const struct common *c)
{
    struct tensor_map *m = &e->map;

    if ((unsigned)c->type >= sizeof types / sizeof *types)
        return REFUSE(e, "data type %d", (int)c->type);
    if ((unsigned)c->interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
        (unsigned)c->swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        (unsigned)c->promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
        (unsigned)c->fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
        return REFUSE(e, "interleave %d, swizzle %d, L2 promotion %d or fill %d",
                      (int)c->interleave, (int)c->swizzle, (int)c->promotion,
                      (int)c->fill);
    if (c->fill && !types[c->type].is_float)
        return REFUSE(e, "a NaN in a tensor of integers");
    m->type = types[c->type].type;
    m->is_tf32 = types[c->type].is_tf32;
    m->interleave = (uint8_t)c->interleave;
    m->swizzle = (uint8_t)c->swizzle;
    m->promotion = (uint8_t)c->promotion;
    m->fills_nan = c->fill;
    return CUDA_SUCCESS;
}

static CUresult set_shape(struct encoding *e, const struct common *c)
{
    struct tensor_map *m = &e->map;
    unsigned align = m->interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : BASE_ALIGN;

    if (c->rank < c->least_rank || c->rank > TENSOR_RANK ||
        (m->interleave && c->rank < 3))
        return REFUSE(e, "rank %u", (unsigned)c->rank);
    if ((uintptr_t)c->base % align)
        return REFUSE(e, "a tensor at %p, expected a multiple of %u", c->base, align);
    if (!c->size || !c->step || (!c->stride && c->rank > 1))
        return REFUSE(e, "no sizes, strides or steps");
    m->base = (uintptr_t)c->base;
    m->rank = (uint8_t)c->rank;
    for (unsigned k = 0; k < c->rank; k++) {
        if (!c->size[k] || c->size[k] > 1ull << 32)
            return REFUSE(e, "size %llu of dimension %u",
                          (unsigned long long)c->size[k], k);
        if (!c->step[k] || c->step[k] > MOST_STEP)
            return REFUSE(e, "step %u in dimension %u", (unsigned)c->step[k], k);
        m->size[k] = c->size[k];
        m->step[k] = c->step[k];
    }
    for (unsigned k = 0; k + 1 < c->rank; k++) {
        if (c->stride[k] % align || c->stride[k] >= 1ull << 40)
            return REFUSE(e, "stride %llu of dimension %u",
                          (unsigned long long)c->stride[k], k + 1);
        m->stride[k] = c->stride[k];
    }
    return CUDA_SUCCESS;
}

/* The elements of dimension 0 that are copied. */
static CUresult set_line(struct encoding *e, cuuint32_t n)
{
    struct tensor_map *m = &e->map;
    unsigned bytes = n * tensor_type_bytes((enum tensor_type)m->type);

    if (bytes % CHUNK)
        return REFUSE(e, "lines of %u bytes, expected a multiple of %d", bytes, CHUNK);
    if (!m->interleave && m->swizzle && bytes > (unsigned)CHUNK << m->swizzle)
        return REFUSE(e, "lines of %u bytes, expected at most the swizzle's %u", bytes,
                      (unsigned)CHUNK << m->swizzle);
    m->box[0] = n;
    return CUDA_SUCCESS;
}

static CUresult set_common(struct encoding *e, const char *call, const CUtensorMap *map,
                           const struct common *c)
{
    CUresult result = begin(e, call, map);

    result = result ? result : set_modes(e, c);
    return result ? result : set_shape(e, c);
}

static CUresult finish(const struct encoding *e, CUtensorMap *map)
{
    uint32_t words[TENSOR_WORDS];

    tensor_map_pack(&e->map, words);
    memcpy(map, words, sizeof words);
    return CUDA_SUCCESS;
}

CUresult
cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                       void *base, const cuuint64_t *size, const cuuint64_t *stride,
                       const cuuint32_t *box, const cuuint32_t *step,
                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct common c = { type, rank,       1,       base,      size, stride,
                        step, interleave, swizzle, promotion, fill };
    struct encoding e;
    uint64_t n = 1;
    CUresult result = set_common(&e, "cuTensorMapEncodeTiled", map, &c);

    if (result)
        return result;
    if (!box)
        return REFUSE(&e, "no box");
    for (unsigned k = 0; k < rank; k++) {
        if (!box[k] || box[k] > MOST_BOX)
            return REFUSE(&e, "a box of %u in dimension %u", (unsigned)box[k], k);
        e.map.box[k] = box[k];
        n *= box[k];
    }
    if (n * tensor_type_bytes((enum tensor_type)e.map.type) > e.d->device->shared_optin)
        return REFUSE(&e, "a box of %llu elements, expected to fit into shared memory",
                      (unsigned long long)n);
    result = set_line(&e, box[0]);
    return result ? result : finish(&e, map);
}

/* Do n corners fit into their bits, and is anything between them? */
static CUresult set_corners(struct encoding *e, const int *lower, const int *upper)
{
    unsigned n = e->map.rank - 2u, bits = n == 1 ? 16 : n == 2 ? 8 : 5;
    int most = 1 << (bits - 1);

    if (!lower || !upper)
        return REFUSE(e, "no corners");
    for (unsigned k = 0; k < n; k++) {
        if (lower[k] < -most || lower[k] >= most || upper[k] < -most ||
            upper[k] >= most)
            return REFUSE(e, "corners %d and %d, expected %d to %d", lower[k], upper[k],
                          -most, most - 1);
        if ((int64_t)e->map.size[k + 1] + upper[k] <= lower[k])
            return REFUSE(e, "nothing between corners %d and %d", lower[k], upper[k]);
        e->map.lower[k] = lower[k];
        e->map.upper[k] = upper[k];
    }
    return CUDA_SUCCESS;
}

CUresult
cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                        void *base, const cuuint64_t *size, const cuuint64_t *stride,
                        const int *lower, const int *upper, cuuint32_t channels,
                        cuuint32_t pixels, const cuuint32_t *step,
                        CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                        CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct common c = { type, rank,       3,       base,      size, stride,
                        step, interleave, swizzle, promotion, fill };
    struct encoding e;
    CUresult result = set_common(&e, "cuTensorMapEncodeIm2col", map, &c);

    if (result)
        return result;
    if (!channels || channels > MOST_CHANNELS || !pixels || pixels > MOST_PIXELS)
        return REFUSE(&e, "%u channels of %u pixels, expected at most %d of %d",
                      (unsigned)channels, (unsigned)pixels, MOST_CHANNELS, MOST_PIXELS);
    e.map.is_im2col = true;
    e.map.pixels = pixels;
    result = set_line(&e, channels);
    result = result ? result : set_corners(&e, lower, upper);
    return result ? result : finish(&e, map);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base)
{
    struct encoding e;
    CUresult result = begin(&e, "cuTensorMapReplaceAddress", map);

    if (result)
        return result;
    if ((uintptr_t)base % BASE_ALIGN)
        return REFUSE(&e, "a tensor at %p, expected a multiple of %d", base,
                      BASE_ALIGN);
    memcpy(map, &base, sizeof base);
    return CUDA_SUCCESS;
}
