/* texmip.c - mipmaps: where their levels lie, and which of them a lookup takes, as measured
 * on an H200.
 *
 * The level of detail and the bias are each cut to 256ths, added, and brought between the
 * object's limits. Derivatives give the length of the longest of four vectors: the two
 * derivatives in texels, and their sum and difference times 11/16; a vector's length is its
 * larger part and 11/32 of the smaller one. Its logarithm is that of a number with 8 bits
 * of fraction.
 *
 * LIMIT: the logarithm differs from the H200's by up to 2/256.
 */
#include "frontend/sass/exec/texmip.h"

#include <math.h>

enum { ROW_ALIGN = 64 };

static uint32_t halve(uint32_t n, unsigned level)
{
    return n >> level ? n >> level : 1;
}

/* Sizes of a level, without its place. */
static struct texture_image shape_level(const struct texture_image *m, unsigned level)
{
    struct texture_image l = *m;

    l.n_levels = 1;
    l.width = halve(m->width, level);
    l.height = halve(m->height, level);
    if (m->shape == TEXTURE_3D)
        l.depth = halve(m->depth, level);
    l.pitch = l.width * (uint64_t)texture_texel_bytes(m);
    l.pitch = (l.pitch + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    l.slice = l.pitch * l.height;
    return l;
}

struct texture_image texmip_level(const struct texture_image *m, unsigned level)
{
    struct texture_image l;
    uint64_t addr = m->addr;

    for (unsigned i = 0; i < level; i++) {
        l = shape_level(m, i);
        addr += l.slice * l.depth;
    }
    l = shape_level(m, level);
    l.addr = addr;
    return l;
}

uint64_t texmip_bytes(const struct texture_image *m)
{
    return texmip_level(m, m->n_levels).addr - m->addr;
}

int32_t texmip_fixed(float lod)
{
    const float most = 64;

    if (isnan(lod))
        return 0;
    return (int32_t)(fminf(fmaxf(lod, -most), most) * TEXMIP_ONE);
}

int32_t texmip_lod(const struct texture *t, float lod)
{
    int32_t fixed = texmip_fixed(lod) + t->mip_bias;
    int32_t last = (t->image.n_levels - 1) * TEXMIP_ONE;

    if (fixed > t->mip_most)
        fixed = t->mip_most;
    if (fixed < t->mip_least)
        fixed = t->mip_least;
    return fixed < 0 ? 0 : fixed > last ? last : fixed;
}

static double length_of(double x, double y)
{
    x = fabs(x);
    y = fabs(y);
    return x > y ? x + y * 11 / 32 : y + x * 11 / 32;
}

float texmip_gradient(const struct texture *t, const float d[4])
{
    double w = t->image.width, h = t->image.height, length, mantissa;
    double ux = (double)d[0] * w, uy = (double)d[1] * w;
    double vx = (double)d[2] * h, vy = (double)d[3] * h;
    int exponent;

    length = fmax(length_of(ux, vx), length_of(uy, vy));
    length = fmax(length, length_of(ux + uy, vx + vy) * 11 / 16);
    length = fmax(length, length_of(ux - uy, vx - vy) * 11 / 16);
    if (!(length > 0))
        return -INFINITY;
    if (isinf(length))
        return INFINITY;
    mantissa = floor(frexp(length, &exponent) * 2 * TEXMIP_ONE) / TEXMIP_ONE;
    mantissa = floor(log2(mantissa) * TEXMIP_ONE + 0.9375);
    return (float)(exponent - 1 + mantissa / TEXMIP_ONE);
}
