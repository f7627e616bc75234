/* fpvecmisc.c - comparisons, source modifiers and conversions over 32 lanes.
 *
 * Conversions work in double, which holds every f32 and every 32-bit integer exactly.
 */
#include <math.h>

#include "frontend/sass/math/fpbits.h"
#include "frontend/sass/math/fpvec.h"
#include "frontend/sass/math/simd.h"

SIMD_BODY merge_lanes_body(uint32_t *d, const uint32_t *s, uint32_t mask)
{
    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++)
        d[i] = mask & 1u << i ? s[i] : d[i];
}

SIMD_KERNEL(merge_lanes, (uint32_t * d, const uint32_t *s, uint32_t mask), (d, s, mask))

void fpv_merge(uint32_t d[FPV_LANES], const uint32_t s[FPV_LANES], uint32_t mask)
{
    merge_lanes(d, s, mask);
}

SIMD_BODY compare_f32_body(unsigned code, uint32_t keep, const uint32_t *const v[2],
                           uint32_t *mask)
{
    const uint32_t *a = v[0], *b = v[1];
    uint32_t hits = 0;

    for (int i = 0; i < LANES; i++) {
        float x = to_float(flush(a[i]) | (a[i] & keep));
        float y = to_float(flush(b[i]) | (b[i] & keep));
        unsigned relation = x < y    ? FP_LESS
                            : x > y  ? FP_GREATER
                            : x == y ? FP_EQUAL
                                     : FP_UNORDERED;

        hits |= (relation & code ? 1u : 0) << i;
    }
    *mask = hits;
}

SIMD_BODY compare_f64_body(unsigned code, const uint32_t *const v[2], uint32_t *mask)
{
    const uint32_t *a = v[0], *b = v[1];
    uint32_t hits = 0;

    for (int i = 0; i < LANES; i++) {
        double x = to_double(a[i], a[i + LANES]), y = to_double(b[i], b[i + LANES]);
        unsigned relation = x < y    ? FP_LESS
                            : x > y  ? FP_GREATER
                            : x == y ? FP_EQUAL
                                     : FP_UNORDERED;

        hits |= (relation & code ? 1u : 0) << i;
    }
    *mask = hits;
}

SIMD_KERNEL(compare_f32,
            (unsigned code, uint32_t keep, const uint32_t *const v[2], uint32_t *mask),
            (code, keep, v, mask))
SIMD_KERNEL(compare_f64, (unsigned code, const uint32_t *const v[2], uint32_t *mask),
            (code, v, mask))

uint32_t fpv_fcompare(unsigned code, bool ftz, const uint32_t *a, const uint32_t *b)
{
    uint32_t mask;

    compare_f32(code, ftz ? 0 : ~0u, (const uint32_t *const[]){ a, b }, &mask);
    return mask;
}

uint32_t fpv_dcompare(unsigned code, const uint32_t *a, const uint32_t *b)
{
    uint32_t mask;

    compare_f64(code, (const uint32_t *const[]){ a, b }, &mask);
    return mask;
}

void fpv_modify32(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg)
{
    uint32_t keep = is_abs ? ~SIGN : ~0u, flip = is_neg ? SIGN : 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++)
        d[i] = (a[i] & keep) ^ flip;
}

void fpv_modify16x2(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg)
{
    const uint32_t signs = 0x80008000u;
    uint32_t keep = is_abs ? ~signs : ~0u, flip = is_neg ? signs : 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++)
        d[i] = (a[i] & keep) ^ flip;
}

void fpv_modify64(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg)
{
    uint32_t keep = is_abs ? ~SIGN : ~0u, flip = is_neg ? SIGN : 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        uint32_t lo = a[i], hi = a[i + LANES];
        uint32_t top = (hi & MAGNITUDE) | (lo != 0); /* exact for the test below */
        bool is_nan = top > 0x7ff00000u;

        d[i] = lo;
        d[i + LANES] = is_nan ? hi : (hi & keep) ^ flip;
    }
}

/* To an integral value, clamp, convert. An unsigned number is converted 2^31 lower. */
LOOP f2i_loop(enum fp_round round, struct fp_int type, uint32_t keep, uint32_t *d,
              const uint32_t *a)
{
    double low = type.is_signed ? -0x1p31 : 0,
           high = type.is_signed ? 0x1p31 - 1 : 0x1p32 - 1;
    double offset = type.is_signed ? 0 : 0x1p31;
    uint32_t flip = type.is_signed ? 0 : SIGN, nan = type.ntz ? 0 : SIGN;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        double x = (double)to_float(flush(a[i]) | (a[i] & keep));
        double y = round == FP_RN   ? rint(x)
                   : round == FP_RM ? floor(x)
                   : round == FP_RP ? ceil(x)
                                    : trunc(x);
        double in_range = y >= low ? (y < high ? y : high) : low; /* NaN: low */
        uint32_t u = (uint32_t)(int32_t)(in_range - offset) ^ flip;

        d[i] = x == x ? u : nan;
    }
}

SIMD_BODY f2i_lanes_body(enum fp_round round, struct fp_int type, uint32_t keep,
                         uint32_t *d, const uint32_t *a)
{
    switch (round) {
    case FP_RM:
        f2i_loop(FP_RM, type, keep, d, a);
        break;
    case FP_RP:
        f2i_loop(FP_RP, type, keep, d, a);
        break;
    case FP_RZ:
        f2i_loop(FP_RZ, type, keep, d, a);
        break;
    default:
        f2i_loop(FP_RN, type, keep, d, a);
        break;
    }
}

SIMD_KERNEL(f2i_lanes,
            (enum fp_round round, struct fp_int type, uint32_t keep, uint32_t *d,
             const uint32_t *a),
            (round, type, keep, d, a))

void fpv_f2i32(struct fp_int type, enum fp_round round, bool ftz, uint32_t *d,
               const uint32_t *a)
{
    f2i_lanes(round, type, ftz ? 0 : ~0u, d, a);
}

/* The nearest float, then one step if it lies on the wrong side. */
SIMD_BODY i2f_lanes_body(enum fp_round round, bool is_signed, uint32_t *d,
                         const uint32_t *a)
{
    uint32_t flip = is_signed ? 0 : SIGN;
    double offset = is_signed ? 0 : 0x1p31;
    uint32_t down = round == FP_RM || round == FP_RZ, up = round == FP_RP;
    uint32_t up_negative = round == FP_RP || round == FP_RZ,
             down_negative = round == FP_RM;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        double x = (double)(int32_t)(a[i] ^ flip) + offset;
        float f = (float)x;
        double g = (double)f;
        uint32_t u = from_float(f), above = g > x, below = g < x;

        d[i] = u + (x < 0 ? (above & down_negative) - (below & up_negative)
                          : (below & up) - (above & down));
    }
}

SIMD_KERNEL(i2f_lanes,
            (enum fp_round round, bool is_signed, uint32_t *d, const uint32_t *a),
            (round, is_signed, d, a))

void fpv_i2f32(struct fp_int type, enum fp_round round, uint32_t *d, const uint32_t *a)
{
    i2f_lanes(round, type.is_signed, d, a);
}

/* The host widens and narrows a NaN as the device does: sign and upper payload kept,
 * made quiet. */
void fpv_f32_to_f64(uint64_t *v)
{
    for (int i = 0; i < LANES; i++) {
        uint32_t u = (uint32_t)v[i];
        float f;
        double g;

        memcpy(&f, &u, sizeof f);
        g = (double)f;
        memcpy(&v[i], &g, sizeof g);
    }
}

void fpv_f64_to_f32(uint64_t *v)
{
    for (int i = 0; i < LANES; i++) {
        double g;
        float f;
        uint32_t u;

        memcpy(&g, &v[i], sizeof g);
        f = (float)g;
        memcpy(&u, &f, sizeof u);
        v[i] = u;
    }
}
