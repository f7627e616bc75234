/* fpconv.c - conversions between number formats as sm_90 does them. */
#include "frontend/sass/math/fpconv.h"

#include "frontend/sass/math/fpcore.h"

/* Between f64 and a narrower format the NaN keeps its sign and the top of its payload,
 * quieted; between narrower formats it becomes the canonical one. */
static uint64_t convert_nan(enum fp_format from, enum fp_format to, struct fp_parts p)
{
    unsigned from_bits = fp_formats[from].man_bits, to_bits = fp_formats[to].man_bits;
    uint64_t quiet = (uint64_t)1 << (to_bits - 1);

    if (from != FP_F64 && to != FP_F64)
        return fp_formats[to].nan;

    uint64_t payload = from_bits <= to_bits ? p.sig << (to_bits - from_bits)
                                            : p.sig >> (from_bits - to_bits);

    return fp_signed(to, p.negative, fp_infinity(to) | quiet | payload);
}

uint64_t fp_convert(enum fp_format from, enum fp_format to, struct fp_mode m,
                    uint64_t x)
{
    struct fp_parts p = fp_unpack(from, m.ftz && from == FP_F32, x);
    uint64_t r;

    if (p.class == FP_NAN)
        r = convert_nan(from, to, p);
    else if (p.class == FP_INFINITE)
        r = fp_signed(to, p.negative, fp_infinity(to));
    else
        r = fp_pack(to, m.round, m.ftz && to == FP_F32,
                    (struct fp_exact){ p.negative, p.exp, p.sig });
    return fp_finish(to, m, r);
}

uint32_t fp_pack2(enum fp_format to, struct fp_mode m, uint32_t high, uint32_t low)
{
    return (uint32_t)(fp_convert(FP_F32, to, m, high) << 16 |
                      fp_convert(FP_F32, to, m, low));
}

uint32_t fp_to_tf32(struct fp_mode m, uint32_t x)
{
    return (uint32_t)fp_convert(FP_F32, FP_TF32, m, x) << 13;
}

uint8_t fp8_from_f32(enum fp8_format f, bool relu, uint32_t x)
{
    int man_bits = f == FP8_E5M2 ? 2 : 3, bias = f == FP8_E5M2 ? 15 : 7;
    uint32_t largest = f == FP8_E5M2 ? 0x7b : 0x7e;
    struct fp_parts p = fp_unpack(FP_F32, false, x);
    uint32_t sign = p.negative ? 0x80 : 0, bits = largest;

    if (p.class == FP_NAN)
        return 0x7f;
    if (relu && p.negative)
        return 0;
    if (p.class == FP_INFINITE)
        return (uint8_t)(sign | largest);
    if (!p.sig)
        return (uint8_t)sign;

    int emin = 1 - bias, exp = p.exp + fp_top_bit(p.sig);

    if (exp < emin)
        exp = emin;
    if (exp <= 16) {
        fp_u128 k = fp_shift_round(p.sig, exp - man_bits - p.exp, false, FP_RN);

        bits = ((uint32_t)(exp - emin) << man_bits) + (uint32_t)k;
    }
    return (uint8_t)(sign | (bits < largest ? bits : largest));
}

uint16_t fp8_to_f16(enum fp8_format f, uint8_t x)
{
    if (f == FP8_E5M2)
        return (uint16_t)(fp_is_nan(FP_F16, (uint64_t)x << 8) ? 0x7fff : x << 8);

    uint32_t exp = x >> 3 & 15, man = x & 7;

    if ((x & 0x7f) == 0x7f)
        return 0x7fff;
    return (uint16_t)fp_pack(FP_F16, FP_RN, false,
                             (struct fp_exact){ .negative = x >> 7,
                                                .exp = (int)(exp ? exp : 1) - 10,
                                                .sig = exp ? man | 8 : man });
}

uint64_t fp_round_integral(enum fp_format f, enum fp_round round, bool ftz, uint64_t x)
{
    struct fp_parts p = fp_unpack(f, ftz, x);

    if (p.class == FP_NAN)
        return f == FP_F64 ? x | (uint64_t)1 << 51 : fp_formats[f].nan;
    if (p.class == FP_INFINITE || (p.sig && p.exp >= 0))
        return x;
    return fp_pack(
        f, FP_RZ, false,
        (struct fp_exact){ .negative = p.negative,
                           .sig = fp_shift_round(p.sig, -p.exp, p.negative, round) });
}

uint64_t fp_to_int(enum fp_format f, struct fp_int type, enum fp_round round, bool ftz,
                   uint64_t x)
{
    struct fp_parts p = fp_unpack(f, ftz, x);
    uint64_t all = ~0ull >> (64 - type.bits), top = (uint64_t)1 << (type.bits - 1);
    uint64_t limit = !type.is_signed ? all : p.negative ? top : top - 1;
    fp_u128 k = (fp_u128)1 << 64; /* more than any limit */

    if (p.class == FP_NAN && type.ntz)
        return 0;
    if (p.class == FP_NAN)
        return top;
    if (p.negative && !type.is_signed)
        return 0;
    if (p.class == FP_FINITE && p.exp <= 64)
        k = fp_shift_round(p.sig, -p.exp, p.negative, round);
    if (k > limit)
        k = limit;
    return (p.negative ? -(uint64_t)k : (uint64_t)k) & all;
}

uint64_t fp_from_int(enum fp_format f, struct fp_int type, enum fp_round round,
                     uint64_t x)
{
    uint64_t all = ~0ull >> (64 - type.bits);
    bool negative = type.is_signed && x >> (type.bits - 1) & 1;

    x = (negative ? -x : x) & all;
    return fp_pack(f, round, false,
                   (struct fp_exact){ .negative = negative, .sig = x });
}
