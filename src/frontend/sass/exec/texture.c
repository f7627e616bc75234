/* texture.c - texture and surface objects, and what a lookup in one gives.
 *
 * A linear filter blends two texels an axis. The weight is a fixed-point number with 8
 * bits of fraction: coordinates are rounded to 1/256 of a texel first. A coordinate that
 * is clamped lies on the last texel, with all the weight. Channels that a texel does not
 * have are 0.
 *
 * A cube's faces are filtered each by itself, with the object's address modes.
 *
 * LIMIT: that coordinates from 0 to 1 have 2^21 steps was measured on one size only. Not
 * measured: borders of halves, of 8- and 16-bit integers that are not fractions, and of
 * layers of one dimension, which here have no border above and below.
 * Between two levels of a mipmap the filter takes the texels of both, as if they were two
 * slices. LIMIT: how the four slices of two levels of three dimensions are added was not
 * measured; here the sum is rounded once.
 *
 * Not modelled: anisotropy, sRGB, filtering across the
 * edges of a cube if asked for, comparison with a reference.
 */
#include "frontend/sass/exec/texture.h"

#include <math.h>
#include <string.h>

#include "frontend/sass/exec/texfilter.h"
#include "frontend/sass/exec/texmip.h"
#include "frontend/sass/math/fpconv.h"

enum { BORDER = -1 };

/* Coordinates beyond this all are far outside; it keeps the arithmetic in range. */
#define FAR 1e9

#define UNIT_STEPS 0x1p21

uint32_t texture_handle(const struct texture_table *t, uint32_t index)
{
    if (t->at[index].is_surface)
        return index;
    return index | (index % TEXTURE_SAMPLERS) << TEXTURE_INDEX_BITS;
}

const struct texture *texture_find(const struct texture_table *t, uint32_t handle,
                                   bool is_surface)
{
    uint32_t index = handle & ((1u << TEXTURE_INDEX_BITS) - 1);

    if (!t || index >= t->n || t->at[index].image.shape == TEXTURE_NONE ||
        t->at[index].is_surface != is_surface || texture_handle(t, index) != handle)
        return NULL;
    return &t->at[index];
}

uint32_t texture_texel_bytes(const struct texture_image *m)
{
    return (uint32_t)m->channel_bytes * m->n_channels;
}

static bool is_cube(const struct texture_image *m)
{
    return m->shape == TEXTURE_CUBE || m->shape == TEXTURE_CUBE_ARRAY;
}

uint32_t texture_layers(const struct texture_image *m)
{
    switch (m->shape) {
    case TEXTURE_1D_ARRAY:
    case TEXTURE_2D_ARRAY:
        return m->depth;
    case TEXTURE_CUBE_ARRAY:
        return m->depth / 6;
    default:
        return 1;
    }
}

uint64_t texture_texel(const struct texture_image *m, uint32_t x, uint32_t y,
                       uint32_t z)
{
    return m->addr + z * m->slice + y * m->pitch + (uint64_t)x * texture_texel_bytes(m);
}

/* The texel's channels as they lie in memory, widened to 32 bits by their type. */
static void read_raw(const struct texture_image *m, const uint8_t *from, uint32_t *raw)
{
    if (m->channel_bytes == 4) {
        for (unsigned c = 0; c < m->n_channels; c++)
            memcpy(&raw[c], from + 4 * c, sizeof raw[c]);
        return;
    }
    for (unsigned c = 0; c < m->n_channels; c++) {
        uint32_t v = 0;

        memcpy(&v, from + c * m->channel_bytes, m->channel_bytes);
        if (m->type == TEXTURE_SIGNED && m->channel_bytes == 1)
            v = (uint32_t)(int8_t)v;
        else if (m->type == TEXTURE_SIGNED && m->channel_bytes == 2)
            v = (uint32_t)(int16_t)v;
        else if (m->type == TEXTURE_FLOAT && m->channel_bytes == 2)
            v = (uint32_t)fp_convert(FP_F16, FP_F32, (struct fp_mode){ 0 }, v);
        raw[c] = v;
    }
}

static uint32_t as_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* The largest integer of a channel, which is read as 1. */
static int32_t unit_of(const struct texture_image *m)
{
    if (m->type == TEXTURE_SIGNED)
        return m->channel_bytes == 1 ? 127 : 32767;
    return m->channel_bytes == 1 ? 255 : 65535;
}

/* A fraction before it is divided by its unit. */
static int32_t value_of(const struct texture *t, uint32_t raw)
{
    int32_t unit = unit_of(&t->image), v = (int32_t)raw;

    return v < -unit ? -unit : v;
}

static uint32_t finish_channel(const struct texture *t, uint32_t raw)
{
    if (!t->reads_unit)
        return raw;
    return as_bits((float)((double)value_of(t, raw) / unit_of(&t->image)));
}

/* The border's colour as a texel of the image would hold it. */
static uint32_t border_raw(const struct texture *t, unsigned c)
{
    double least = t->image.type == TEXTURE_SIGNED ? -1 : 0, v = (double)t->border[c];

    if (!t->reads_unit || isnan(v))
        return as_bits(t->border[c]);
    v = floor(fmin(fmax(v, least), 1) * unit_of(&t->image) + 0.5);
    return (uint32_t)(int32_t)v;
}

/* Raw channels of the texel at x, y, z; a negative one is the border. Channels that a
 * texel does not have are 0. */
static void load_texel(const struct texture *t, const struct space *s,
                       const int32_t at[3], struct texture_result *r, uint32_t raw[4])
{
    const struct texture_image *m = &t->image;
    const uint8_t *from;
    uint64_t addr;

    memset(raw, 0, 4 * sizeof *raw);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        for (unsigned c = 0; c < m->n_channels; c++)
            raw[c] = border_raw(t, c);
        return;
    }
    addr = texture_texel(m, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    from = space_reach(s, addr, 1);
    if (!r->addr)
        r->addr = addr;
    if (from)
        read_raw(m, from, raw);
    else
        r->bad = addr;
}

/* The texel number that an address mode makes of i, or BORDER. */
static int32_t wrap_index(int64_t i, uint32_t n, enum texture_address mode)
{
    int64_t size = n;

    switch (mode) {
    case ADDRESS_WRAP:
        i %= size;
        return (int32_t)(i < 0 ? i + size : i);
    case ADDRESS_MIRROR:
        i %= 2 * size;
        if (i < 0)
            i += 2 * size;
        return (int32_t)(i < size ? i : 2 * size - 1 - i);
    case ADDRESS_BORDER:
        return i < 0 || i >= size ? BORDER : (int32_t)i;
    default:
        return (int32_t)(i < 0 ? 0 : i >= size ? size - 1 : i);
    }
}

/* One axis of a lookup: two texels and the weight of the second. */
struct axis {
    int32_t at[2];
    uint32_t weight;
};

/* The coordinate in texels. Coordinates from 0 to 1 have UNIT_STEPS steps; periods are
 * taken off while they are still fractions, where that is exact. */
static double in_texels(const struct texture *t, enum texture_address mode, float x,
                        uint32_t n)
{
    double u = (double)x;

    /* Not a number, or not a normal one. */
    if (isnan(u) || fabs(u) < 0x1p-126)
        return 0;
    if (!t->has_unit_coords)
        return fmin(fmax(u, -FAR), FAR);
    if (isinf(u) && mode < ADDRESS_BORDER && mode != ADDRESS_CLAMP)
        return 0;
    u = floor(u * UNIT_STEPS) / UNIT_STEPS;
    if (mode == ADDRESS_WRAP)
        u -= floor(u);
    else if (mode == ADDRESS_MIRROR)
        u -= 2 * floor(u / 2);
    return fmin(fmax(u * n, -FAR), FAR);
}

static struct axis axis_of(const struct texture *t, unsigned k,
                           const struct texture_point *p, uint32_t n, bool is_linear)
{
    enum texture_address mode = (enum texture_address)t->address[k];
    struct axis a = { .weight = 0 };
    int64_t i;
    double u;

    /* Without unit coordinates there is no period to repeat. */
    if (!t->has_unit_coords && mode != ADDRESS_BORDER)
        mode = ADDRESS_CLAMP;
    u = in_texels(t, mode, p->at[k], n);
    if (is_linear) {
        int64_t fixed = (int64_t)floor(u * TEXFILTER_ONE - TEXFILTER_ONE / 2 + 0.5);

        i = fixed >> 8;
        a.weight = (uint32_t)(fixed & (TEXFILTER_ONE - 1));
    } else {
        i = (int64_t)floor(u);
    }
    a.at[0] = wrap_index(i + p->offset[k], n, mode);
    a.at[1] = wrap_index(i + p->offset[k] + 1, n, mode);
    if (mode == ADDRESS_CLAMP && a.at[0] == a.at[1])
        a.weight = 0;
    return a;
}

/* A direction's face, and the place on it from 0 to 1. */
static unsigned cube_face(const float d[3], float at[2])
{
    float ax = fabsf(d[0]), ay = fabsf(d[1]), az = fabsf(d[2]);
    float s, v;
    unsigned face;

    if (az >= ax && az >= ay) {
        face = d[2] < 0 ? 5 : 4;
        s = d[2] < 0 ? -d[0] : d[0];
        v = -d[1];
    } else if (ay >= ax) {
        face = d[1] < 0 ? 3 : 2;
        s = d[0];
        v = d[1] < 0 ? -d[2] : d[2];
    } else {
        face = d[0] < 0 ? 1 : 0;
        s = d[0] < 0 ? d[2] : -d[2];
        v = -d[1];
    }
    at[0] = (s + 1) / 2;
    at[1] = (v + 1) / 2;
    return face;
}

/* The texels of a lookup. Axes that the image does not have hold their one slice. */
static void axes_of(const struct texture *t, const struct texture_point *p,
                    bool is_linear, struct axis a[3])
{
    const struct texture_image *m = &t->image;
    struct texture flat = *t;
    struct texture_point q = *p;
    uint32_t layers = texture_layers(m), layer, face = 0;

    layer = p->layer < layers ? p->layer : layers - 1;
    a[1] = (struct axis){ { 0, 0 }, 0 };
    if (is_cube(m)) {
        face = cube_face(p->at, q.at);
        flat.has_unit_coords = true;
        layer = 6 * layer + face;
    }
    a[0] = axis_of(&flat, 0, &q, m->width, is_linear);
    /* An image of one dimension is looked up as one of two with y = 0, which is the
     * middle between the row and its border. */
    if (m->shape != TEXTURE_1D_ARRAY)
        a[1] = axis_of(&flat, 1, &q, m->height, is_linear);
    if (m->shape == TEXTURE_3D)
        a[2] = axis_of(&flat, 2, &q, m->depth, is_linear);
    else
        a[2] = (struct axis){ { (int32_t)layer, (int32_t)layer }, 0 };
}

static uint32_t blend_channel(const struct texture *t, const uint32_t raw[][4],
                              unsigned c, const uint32_t *weight, unsigned present)
{
    const struct texture_image *m = &t->image;
    uint32_t bits[TEXFILTER_TAPS];
    int32_t value[TEXFILTER_TAPS];

    if (t->reads_unit) {
        for (unsigned k = 0; k < TEXFILTER_TAPS; k++)
            value[k] = value_of(t, raw[k][c]);
        return texfilter_blend_unit(value, weight, m->type == TEXTURE_SIGNED,
                                    m->channel_bytes);
    }
    for (unsigned k = 0; k < TEXFILTER_TAPS; k++)
        bits[k] = raw[k][c];
    return texfilter_blend_float(bits, weight, present, m->channel_bytes == 2);
}

/* The texels of a lookup, and which of them have a weight. */
static unsigned load_texels(const struct texture *t, const struct space *s,
                            const struct axis a[3], struct texture_result *r,
                            uint32_t raw[TEXFILTER_TAPS][4])
{
    unsigned present = 0;

    for (unsigned k = 0; k < TEXFILTER_TAPS; k++) {
        bool has_weight = true;
        int32_t at[3];

        for (unsigned d = 0; d < 3; d++) {
            at[d] = a[d].at[k >> d & 1];
            has_weight = has_weight && (!(k >> d & 1) || a[d].weight);
        }
        /* A texel without weight is not looked at: it may be infinite. */
        if (!has_weight)
            continue;
        present |= 1u << k;
        load_texel(t, s, at, r, raw[k]);
    }
    return present;
}

static void blend_texels(const struct texture *t, const struct space *s,
                         const struct axis a[3], struct texture_result *r)
{
    const uint32_t axis[3] = { a[0].weight, a[1].weight, a[2].weight };
    uint32_t raw[TEXFILTER_TAPS][4] = { { 0 } }, weight[TEXFILTER_TAPS];
    unsigned present = load_texels(t, s, a, r, raw);

    texfilter_weights(axis, TEXFILTER_ONE, weight);
    for (unsigned c = 0; c < t->image.n_channels; c++)
        r->channel[c] = blend_channel(t, (const uint32_t(*)[4])raw, c, weight, present);
}

/* In the object's image. */
static void sample_image(const struct texture *t, const struct space *s,
                         const struct texture_point *p, struct texture_result *r)
{
    struct axis a[3];
    uint32_t raw[4];
    int32_t at[3];

    axes_of(t, p, t->is_linear, a);
    if (t->is_linear) {
        blend_texels(t, s, a, r);
        return;
    }
    for (unsigned d = 0; d < 3; d++)
        at[d] = a[d].at[0];
    load_texel(t, s, at, r, raw);
    for (unsigned c = 0; c < t->image.n_channels; c++)
        r->channel[c] = finish_channel(t, raw[c]);
}

/* The texels of a level and their share of all weights. */
struct taps {
    uint32_t raw[TEXFILTER_TAPS][4], weight[TEXFILTER_TAPS];
    unsigned present;
};

static void load_taps(const struct texture *t, const struct space *s,
                      const struct texture_point *p, uint32_t share,
                      struct texture_result *r, struct taps *taps)
{
    uint32_t axis[3];
    struct axis a[3];

    *taps = (struct taps){ .present = 0 };
    axes_of(t, p, t->is_linear, a);
    for (unsigned d = 0; d < 3; d++)
        axis[d] = a[d].weight;
    texfilter_weights(axis, share, taps->weight);
    taps->present = load_texels(t, s, a, r, taps->raw);
}

/* Between two levels of one slice each, which are blended as two slices are. */
static void blend_slices(const struct texture *t, const struct taps level[2],
                         struct texture_result *r)
{
    enum { HALF = TEXFILTER_TAPS / 2 };
    struct taps both = level[0];

    memcpy(both.raw + HALF, level[1].raw, HALF * sizeof *both.raw);
    memcpy(both.weight + HALF, level[1].weight, HALF * sizeof *both.weight);
    both.present |= level[1].present << HALF;
    for (unsigned c = 0; c < t->image.n_channels; c++)
        r->channel[c] = blend_channel(t, (const uint32_t(*)[4])both.raw, c, both.weight,
                                      both.present);
}

static double tap_value(const struct texture *t, uint32_t raw)
{
    uint32_t bits = finish_channel(t, raw);
    float f;

    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* Between two levels of two slices each. */
static void blend_volumes(const struct texture *t, const struct taps level[2],
                          struct texture_result *r)
{
    for (unsigned c = 0; c < t->image.n_channels; c++) {
        double sum = 0;

        for (unsigned k = 0; k < 2 * TEXFILTER_TAPS; k++) {
            const struct taps *l = &level[k / TEXFILTER_TAPS];
            unsigned tap = k % TEXFILTER_TAPS;

            if (l->present >> tap & 1)
                sum += tap_value(t, l->raw[tap][c]) * l->weight[tap];
        }
        r->channel[c] = as_bits((float)(sum / TEXFILTER_ONE));
    }
}

static void sample_mipmap(const struct texture *t, const struct space *s,
                          const struct texture_point *p, struct texture_result *r)
{
    int32_t lod = texmip_lod(t, p->lod);
    uint32_t share = t->is_mip_linear ? (uint32_t)lod % TEXMIP_ONE : 0;
    unsigned first = (unsigned)lod / TEXMIP_ONE;
    struct texture level = *t;
    struct taps taps[2];

    if (!t->is_mip_linear)
        first = (unsigned)(lod + TEXMIP_ONE / 2) / TEXMIP_ONE;
    level.image = texmip_level(&t->image, first);
    if (!share) {
        sample_image(&level, s, p, r);
        return;
    }
    load_taps(&level, s, p, TEXMIP_ONE - share, r, &taps[0]);
    level.image = texmip_level(&t->image, first + 1);
    load_taps(&level, s, p, share, r, &taps[1]);
    if (t->image.shape == TEXTURE_3D && t->is_linear)
        blend_volumes(t, taps, r);
    else
        blend_slices(t, taps, r);
}

void texture_sample(const struct texture *t, const struct space *s,
                    const struct texture_point *p, struct texture_result *r)
{
    *r = (struct texture_result){ .addr = 0 };
    if (t->image.n_levels > 1)
        sample_mipmap(t, s, p, r);
    else
        sample_image(t, s, p, r);
}

void texture_gather(const struct texture *t, const struct space *s,
                    const struct texture_point *p, unsigned channel,
                    struct texture_result *r)
{
    /* The order in which they come: first the lower row of the picture. */
    static const uint8_t x_of[4] = { 0, 1, 1, 0 }, y_of[4] = { 1, 1, 0, 0 };
    struct axis a[3];

    *r = (struct texture_result){ .addr = 0 };
    axes_of(t, p, true, a);
    for (unsigned k = 0; k < 4; k++) {
        int32_t at[3] = { a[0].at[x_of[k]], a[1].at[y_of[k]], a[2].at[0] };
        uint32_t raw[4];

        load_texel(t, s, at, r, raw);
        r->channel[k] = finish_channel(t, raw[channel]);
    }
}

void texture_fetch(const struct texture *t, const struct space *s, const int32_t at[3],
                   uint32_t layer, struct texture_result *r)
{
    const struct texture_image *m = &t->image;
    int32_t where[3] = { at[0], at[1], at[2] };
    uint32_t raw[4];
    bool outside;

    *r = (struct texture_result){ .addr = 0 };
    if (m->shape != TEXTURE_3D)
        where[2] = (int32_t)layer;
    outside = (uint32_t)where[0] >= m->width || (uint32_t)where[1] >= m->height ||
              (uint32_t)where[2] >= m->depth;
    if (outside)
        return;
    load_texel(t, s, where, r, raw);
    for (unsigned c = 0; c < m->n_channels; c++)
        r->channel[c] = finish_channel(t, raw[c]);
}

/* Towards zero; a NaN has all bits set and keeps its sign. */
static uint32_t pack_half(uint32_t value)
{
    struct fp_mode toward_zero = { .round = FP_RZ };

    if ((value & 0x7fffffff) > 0x7f800000)
        return value >> 31 << 15 | 0x7fff;
    return (uint32_t)fp_convert(FP_F32, FP_F16, toward_zero, value);
}

uint32_t texture_pack(const struct texture_image *m, uint32_t value)
{
    unsigned bits = 8u * m->channel_bytes;
    uint32_t most = bits == 32 ? ~0u : (1u << bits) - 1;
    int32_t v = (int32_t)value, high = (int32_t)(most >> 1);

    switch (m->type) {
    case TEXTURE_UNSIGNED:
        return value < most ? value : most;
    case TEXTURE_SIGNED:
        return (uint32_t)(v > high ? high : v < -high - 1 ? -high - 1 : v);
    default:
        return bits == 32 ? value : pack_half(value);
    }
}
