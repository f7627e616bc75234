/* fpvechalf.c - packed f16 and bf16 arithmetic over 32 lanes, on the host's arithmetic.
 *
 * Everything is a fused multiply-add: a + b = a * 1 + b, a * b = a * b + -0. The product
 * is exact in the wider host format (f16 in float: 22 bits from 2^-48 on; bf16 in
 * double: 16 bits from 2^-266 on). The sum s with c may not be, but its error e is
 * (addition of two host numbers, no overflow), so s can be made round-to-odd: if
 * anything was lost, the last bit is 1. Such a number holds at least two bits more than
 * the result, so one rounding of it to nearest is the rounding of the exact value, on
 * the denormal grid too.
 */
#include "frontend/sass/math/fpbits.h"
#include "frontend/sass/math/fpvec.h"
#include "frontend/sass/math/simd.h"

/* What happens to operands and results, as masks so that the loops have no branches. */
struct half_mode {
    uint32_t keep_denormal;  /* ~0: operands keep their denormals */
    uint32_t flush_f16;      /* results below are zero: float bits, or 0 */
    uint64_t flush_bf16;     /* the same: double bits */
    uint32_t largest, limit; /* above largest gives limit; above 0x7c00/0x7f80: 0 */
    uint32_t nan;
    uint32_t negative; /* mask on negative results */
};

/* f16 in the low bits to float, sign included. */
INLINE float widen_f16(uint32_t h, uint32_t keep_denormal)
{
    uint32_t sign = (h & 0x8000) << 16, m = h & 0x7fff;
    uint32_t small = from_float((float)(int32_t)m * 0x1p-24f) & keep_denormal;
    uint32_t normal = (m << 13) + (112u << 23);
    uint32_t u = m < 0x400 ? small : m < 0x7c00 ? normal : m << 13 | EXPONENT;

    return to_float(u | sign);
}

/* Saturation and the like on a finished half. */
INLINE uint32_t finish_half(uint32_t h, bool is_nan, const struct half_mode *m)
{
    uint32_t r = (h & 0x7fff) > m->largest ? m->limit : h;

    r = h & 0x8000 ? h & m->negative : r;
    return is_nan ? m->nan : r;
}

INLINE uint32_t fma_f16(uint32_t a, uint32_t b, uint32_t c, const struct half_mode *m)
{
    float p = widen_f16(a, m->keep_denormal) * widen_f16(b, m->keep_denormal);
    float z = widen_f16(c, m->keep_denormal), s = p + z;
    float t = s - p, e = (p - (s - t)) + (z - t);
    uint32_t u = from_float(s), lost = ((e > 0) | (e < 0)) ? ~u & 1 : 0;
    uint32_t away = (e > 0) == (s > 0) ? lost : -lost;
    uint32_t magnitude = (u & MAGNITUDE) + away;
    /* 0.5's last bit is f16's smallest number: adding it rounds to the denormal grid */
    uint32_t small = from_float(to_float(magnitude) + 0.5f) - 0x3f000000u;
    uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    uint32_t h = magnitude < 113u << 23 ? small : normal < 0x7c00 ? normal : 0x7c00;

    h = magnitude < m->flush_f16 ? 0 : h;
    return finish_half(h | (u & SIGN) >> 16, s != s, m);
}

INLINE double widen_bf16(uint32_t h, uint32_t keep_denormal)
{
    uint32_t u = h << 16;

    return (double)to_float(flush(u) | (u & keep_denormal));
}

INLINE uint32_t fma_bf16(uint32_t a, uint32_t b, uint32_t c, const struct half_mode *m)
{
    double p = widen_bf16(a, m->keep_denormal) * widen_bf16(b, m->keep_denormal);
    double z = widen_bf16(c, m->keep_denormal), s = p + z;
    double t = s - p, e = (p - (s - t)) + (z - t);
    uint64_t u = from_double(s), lost = ((e > 0) | (e < 0)) ? ~u & 1 : 0;
    uint64_t away = (e > 0) == (s > 0) ? lost : -lost;
    int64_t magnitude = (int64_t)((u & (~(uint64_t)0 >> 1)) + away);
    /* the last bit of 2^-81 is bf16's smallest number */
    int64_t small = (int64_t)from_double(to_double64((uint64_t)magnitude) + 0x1p-81) -
                    ((int64_t)(1023 - 81) << 52);
    int64_t normal = (magnitude - ((int64_t)896 << 52) + (((int64_t)1 << 44) - 1) +
                      (magnitude >> 45 & 1)) >>
                     45;
    int64_t h = magnitude < (int64_t)897 << 52 ? small
                : normal < 0x7f80              ? normal
                                               : 0x7f80;

    h = magnitude < (int64_t)m->flush_bf16 ? 0 : h;
    return finish_half((uint32_t)h | (uint32_t)(u >> 63 << 15), s != s, m);
}

SIMD_BODY f16_lanes_body(uint32_t *d, const uint32_t *const v[3],
                         const struct half_mode *m)
{
    const struct half_mode mode = *m;
    const uint32_t *a = v[0], *b = v[1], *c = v[2];

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        uint32_t low = fma_f16(a[i] & 0xffff, b[i] & 0xffff, c[i] & 0xffff, &mode);
        uint32_t high = fma_f16(a[i] >> 16, b[i] >> 16, c[i] >> 16, &mode);

        d[i] = high << 16 | low;
    }
}

SIMD_BODY bf16_lanes_body(uint32_t *d, const uint32_t *const v[3],
                          const struct half_mode *m)
{
    const struct half_mode mode = *m;
    const uint32_t *a = v[0], *b = v[1], *c = v[2];

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        uint32_t low = fma_bf16(a[i] & 0xffff, b[i] & 0xffff, c[i] & 0xffff, &mode);
        uint32_t high = fma_bf16(a[i] >> 16, b[i] >> 16, c[i] >> 16, &mode);

        d[i] = high << 16 | low;
    }
}

SIMD_KERNEL(f16_lanes,
            (uint32_t * d, const uint32_t *const v[3], const struct half_mode *m),
            (d, v, m))
SIMD_KERNEL(bf16_lanes,
            (uint32_t * d, const uint32_t *const v[3], const struct half_mode *m),
            (d, v, m))

/* The flush limits are the smallest normal number less half a unit of a number below it:
 * what rounds up to it stays. */
static struct half_mode half_mode_of(enum fp_format f, struct fp_mode m)
{
    uint32_t one = f == FP_F16 ? 0x3c00 : 0x3f80;

    return (struct half_mode){
        .keep_denormal = m.ftz ? 0 : ~0u,
        .flush_f16 = m.ftz ? from_float(0x1p-14f - 0x1p-26f) : 0,
        .flush_bf16 = m.ftz ? from_double(0x1p-126 - 0x1p-135) : 0,
        .largest = m.sat ? one : 0x7fff,
        .limit = one,
        .nan = m.sat ? 0 : 0x7fff,
        .negative = m.sat || m.relu ? 0 : ~0u,
    };
}

void fpv_hfma2(struct fpv_half h, uint32_t *d, const uint32_t *a, const uint32_t *b,
               const uint32_t *c)
{
    const struct half_mode mode = half_mode_of(h.f, h.m);
    const uint32_t *const v[3] = { a, b, c };

    if (h.m.fmz) {
        for (int i = 0; i < LANES; i++)
            d[i] = fp_fma2(h.f, h.m, a[i], b[i], c[i]);
    } else if (h.f == FP_F16) {
        f16_lanes(d, v, &mode);
    } else {
        bf16_lanes(d, v, &mode);
    }
}

static void fill_lanes(uint32_t *d, uint32_t value)
{
    for (int i = 0; i < LANES; i++)
        d[i] = value;
}

void fpv_hadd2(enum fp_format f, struct fp_mode m, uint32_t *d, const uint32_t *a,
               const uint32_t *b)
{
    uint32_t one[LANES];

    m.fmz = false;
    fill_lanes(one, f == FP_F16 ? 0x3c003c00 : 0x3f803f80);
    fpv_hfma2((struct fpv_half){ f, m }, d, a, one, b);
}

void fpv_hmul2(enum fp_format f, struct fp_mode m, uint32_t *d, const uint32_t *a,
               const uint32_t *b)
{
    uint32_t zero[LANES];

    fill_lanes(zero, m.fmz ? 0 : 0x80008000);
    fpv_hfma2((struct fpv_half){ f, m }, d, a, b, zero);
}
