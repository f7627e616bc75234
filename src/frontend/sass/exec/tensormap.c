/* tensormap.c - a tensor map's words, as those that an H200's driver makes. */
#include "frontend/sass/exec/tensormap.h"

#include <string.h>

/* Where a field lies. */
struct place {
    uint8_t word, at, bits;
};

enum field {
    F_IM2COL,
    F_RANK,
    F_TYPE,
    F_INTERLEAVE,
    F_SWIZZLE,
    F_NAN,
    F_TF32,
    F_PROMOTION,
    F_BOX0,
    F_PIXELS,
    N_FIELD
};

static const struct place places[N_FIELD] = {
    [F_IM2COL] = { 2, 0, 4 },   [F_RANK] = { 2, 4, 3 },
    [F_TYPE] = { 2, 7, 4 },     [F_INTERLEAVE] = { 2, 11, 2 },
    [F_SWIZZLE] = { 2, 13, 2 }, [F_NAN] = { 2, 15, 1 },
    [F_TF32] = { 2, 16, 1 },    [F_PROMOTION] = { 2, 17, 2 },
    [F_BOX0] = { 13, 24, 8 },   [F_PIXELS] = { 15, 0, 10 },
};

enum { W_STRIDE = 3, W_STRIDE_HIGH = 7, W_SIZE = 8, W_STEP = 13, W_BOX = 14 };
enum { W_BYTES = 16, W_SWIZZLE = 18 }; /* the driver's own */
enum { STRIDE_LOW = 4, STEP_BITS = 3, BOX_BITS = 8 };

static uint32_t mask_of(unsigned bits)
{
    return ~0u >> (32 - bits);
}

static void put(uint32_t *words, struct place p, uint32_t v)
{
    words[p.word] |= (v & mask_of(p.bits)) << p.at;
}

static uint32_t get(const uint32_t *words, struct place p)
{
    return words[p.word] >> p.at & mask_of(p.bits);
}

static int32_t get_signed(const uint32_t *words, struct place p)
{
    uint32_t sign = 1u << (p.bits - 1);

    return (int32_t)((get(words, p) ^ sign) - sign);
}

unsigned tensor_type_bytes(enum tensor_type t)
{
    static const uint8_t bytes[N_TENSOR_TYPE] = { 1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2 };

    return bytes[t];
}

/* Corner k of an image: 16 bits for one, 8 each for two, 5 each for three. */
static struct place corner(const struct tensor_map *m, bool is_upper, unsigned k)
{
    unsigned n = m->rank - 2u, bits = n == 1 ? 16 : n == 2 ? 8 : 5;

    return (struct place){ W_BOX, (uint8_t)(16 * is_upper + bits * k), (uint8_t)bits };
}

static struct place step_of(unsigned k)
{
    return (struct place){ W_STEP, (uint8_t)(STEP_BITS * k), STEP_BITS };
}

static struct place box_of(unsigned k)
{
    return k ? (struct place){ W_BOX, (uint8_t)(BOX_BITS * (k - 1)), BOX_BITS }
             : places[F_BOX0];
}

static struct place high_stride(unsigned k)
{
    return (struct place){ W_STRIDE_HIGH, (uint8_t)(4 * k), 4 };
}

static void pack_image(const struct tensor_map *m, uint32_t *words)
{
    for (unsigned k = 0; k + 2 < m->rank; k++) {
        put(words, corner(m, false, k), (uint32_t)m->lower[k]);
        put(words, corner(m, true, k), (uint32_t)m->upper[k]);
    }
    put(words, places[F_PIXELS], m->pixels - 1);
    put(words, places[F_BOX0], m->box[0] - 1);
}

/* As the driver counts them: what a step leaves over does not count. */
static uint32_t box_bytes(const struct tensor_map *m)
{
    uint32_t n = tensor_type_bytes((enum tensor_type)m->type);

    if (m->is_im2col)
        return n * m->box[0] * m->pixels;
    for (unsigned k = 0; k < m->rank; k++)
        n *= m->box[k] / m->step[k];
    return n;
}

void tensor_map_pack(const struct tensor_map *m, uint32_t *words)
{
    memset(words, 0, TENSOR_BYTES);
    memcpy(words, &m->base, sizeof m->base);
    put(words, places[F_IM2COL], m->is_im2col);
    put(words, places[F_RANK], m->rank - 1u);
    put(words, places[F_TYPE], m->type);
    put(words, places[F_INTERLEAVE], m->interleave);
    put(words, places[F_SWIZZLE], m->swizzle);
    put(words, places[F_NAN], m->fills_nan);
    put(words, places[F_TF32], m->is_tf32);
    put(words, places[F_PROMOTION], m->promotion);
    for (unsigned k = 0; k < m->rank; k++) {
        words[W_SIZE + k] = (uint32_t)(m->size[k] - 1);
        put(words, step_of(k), m->step[k] - 1);
        if (!m->is_im2col)
            put(words, box_of(k), m->box[k] - 1);
    }
    for (unsigned k = 0; k + 1 < m->rank; k++) {
        words[W_STRIDE + k] = (uint32_t)(m->stride[k] >> STRIDE_LOW);
        put(words, high_stride(k), (uint32_t)(m->stride[k] >> (STRIDE_LOW + 32)));
    }
    if (m->is_im2col)
        pack_image(m, words);
    words[W_BYTES] = box_bytes(m);
    words[W_SWIZZLE] = m->swizzle ? 128u << m->swizzle : 16;
}

static void unpack_image(const uint32_t *words, struct tensor_map *m)
{
    for (unsigned k = 0; k + 2u < m->rank; k++) {
        m->lower[k] = get_signed(words, corner(m, false, k));
        m->upper[k] = get_signed(words, corner(m, true, k));
    }
    m->pixels = get(words, places[F_PIXELS]) + 1;
}

bool tensor_map_unpack(const uint32_t *words, struct tensor_map *m)
{
    memset(m, 0, sizeof *m);
    memcpy(&m->base, words, sizeof m->base);
    m->rank = (uint8_t)(get(words, places[F_RANK]) + 1);
    m->type = (uint8_t)get(words, places[F_TYPE]);
    m->interleave = (uint8_t)get(words, places[F_INTERLEAVE]);
    m->swizzle = (uint8_t)get(words, places[F_SWIZZLE]);
    m->promotion = (uint8_t)get(words, places[F_PROMOTION]);
    m->fills_nan = get(words, places[F_NAN]);
    m->is_tf32 = get(words, places[F_TF32]);
    m->is_im2col = get(words, places[F_IM2COL]);
    for (unsigned k = 0; k < TENSOR_RANK; k++) {
        m->size[k] = (uint64_t)words[W_SIZE + k] + 1;
        m->step[k] = get(words, step_of(k)) + 1;
        m->box[k] = m->is_im2col && k ? 1 : get(words, box_of(k)) + 1;
    }
    for (unsigned k = 0; k + 1 < TENSOR_RANK; k++)
        m->stride[k] = (uint64_t)words[W_STRIDE + k] << STRIDE_LOW |
                       (uint64_t)get(words, high_stride(k)) << (STRIDE_LOW + 32);
    if (m->rank > TENSOR_RANK || m->type >= N_TENSOR_TYPE || m->interleave > 2 ||
        get(words, places[F_IM2COL]) > 1 || (m->is_im2col && m->rank < 3))
        return false;
    if (m->is_im2col)
        unpack_image(words, m);
    return true;
}
