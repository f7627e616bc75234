/* texfilter.c - the arithmetic of a linear filter, as an H200 does it.
 *
 * The taps' weights are whole 256ths that sum to 256: one is split between the slices,
 * a slice's between its columns, a column's between its rows, each time with one half
 * rounded and the other what is left.
 *
 * Floating-point texels of a slice are aligned with its largest one that has a weight;
 * what falls more than GUARD bits below the last bit of that one is cut off. Sums are
 * exact; the result is rounded once, ties away from zero, to the format of the texels.
 * Texels whose weight was rounded to 0 still spread infinities and NaNs.
 *
 * Fractions are summed as integers, ties upwards, to one of 16 bits, then converted.
 *
 * LIMIT: when the sums of two slices are added, each keeps at least one bit below its
 * own last one; how many is not known, SLICE_GUARD are kept here. Whether texels below
 * the normal range count was not measured; results there are zeros with their sign.
 */
#include "frontend/sass/exec/texfilter.h"

#include <math.h>
#include <string.h>

enum {
    GUARD = 4,
    SLICE_GUARD = 20,
    WEIGHT_BITS = 8,
    SINGLE_BITS = 24, /* with the leading one */
    HALF_BITS = 11,
    SLICE_TAPS = 4
};

#define SINGLE_INF 0x7f800000u
#define FILTER_NAN 0x7fffffffu

static uint32_t round_weight(uint32_t a, uint32_t b)
{
    return (a * b + TEXFILTER_ONE / 2) / TEXFILTER_ONE;
}

void texfilter_weights(const uint32_t axis[3], uint32_t all,
                       uint32_t weight[TEXFILTER_TAPS])
{
    uint32_t x = axis[0], y = axis[1], back = round_weight(all, axis[2]);

    for (unsigned k = 0; k < TEXFILTER_TAPS; k += SLICE_TAPS) {
        uint32_t slice = k ? back : all - back;
        uint32_t right = round_weight(slice, x), left = slice - right;

        weight[k + 3] = round_weight(right, y);
        weight[k + 1] = right - weight[k + 3];
        weight[k] = round_weight(left, TEXFILTER_ONE - y);
        weight[k + 2] = left - weight[k];
    }
}

static int exponent_of(uint32_t bits)
{
    int e = (int)(bits >> 23 & 0xff);

    return e ? e : 1;
}

static int64_t significand_of(uint32_t bits)
{
    return (int64_t)((bits & 0x7fffff) | (bits >> 23 & 0xff ? 1u << 23 : 0));
}

/* Towards zero; a shift to the left is within the range of v. */
static int64_t shift_right(int64_t v, int n)
{
    int64_t m = v < 0 ? -v : v;

    m = n > 62 ? 0 : n >= 0 ? m >> n : m << -n;
    return v < 0 ? -m : m;
}

/* A slice's sum is sum * 2^(exp - 127 - (bits - 1) - GUARD - WEIGHT_BITS). */
struct slice {
    int64_t sum;
    int exp;
};

static struct slice sum_slice(const uint32_t *tap, const uint32_t *weight, int bits)
{
    struct slice s = { 0, 1 };

    for (unsigned k = 0; k < SLICE_TAPS; k++)
        if (weight[k] && exponent_of(tap[k]) > s.exp)
            s.exp = exponent_of(tap[k]);
    for (unsigned k = 0; k < SLICE_TAPS; k++) {
        int64_t m = significand_of(tap[k]);

        if (!weight[k])
            continue;
        m = shift_right(m, s.exp - exponent_of(tap[k]) + SINGLE_BITS - bits - GUARD);
        s.sum += (tap[k] >> 31 ? -m : m) * (int64_t)weight[k];
    }
    return s;
}

/* sum * 2^exp with so many bits, none below 2^least. */
static uint32_t round_sum(int64_t sum, int exp, int bits, int least)
{
    int64_t m = sum < 0 ? -sum : sum;
    int n = 64 - (m ? __builtin_clzll((unsigned long long)m) : 64);
    int drop = n - bits > least - exp ? n - bits : least - exp;
    uint32_t result;
    float f;

    if (drop > 62)
        m = 0;
    else if (drop > 0)
        m = (m + (1ll << (drop - 1))) >> drop << drop;
    f = (float)ldexp((double)m, exp);
    memcpy(&result, &f, sizeof result);
    /* Results that are not normal singles are zeros. */
    if (!(result & SINGLE_INF))
        result = 0;
    return result | (sum < 0 ? 1u << 31 : 0);
}

/* NaNs and infinities win over everything: true if there are some. */
static bool blend_special(const uint32_t *tap, unsigned present, uint32_t *result)
{
    unsigned infinities = 0;

    for (unsigned k = 0; k < TEXFILTER_TAPS; k++) {
        uint32_t size = tap[k] & ~(1u << 31);

        if (!(present >> k & 1) || size < SINGLE_INF)
            continue;
        infinities |= size > SINGLE_INF ? 3 : 1u << (tap[k] >> 31);
    }
    if (infinities)
        *result = infinities == 3 ? FILTER_NAN
                                  : SINGLE_INF | (infinities == 2 ? 1u << 31 : 0);
    return infinities;
}

uint32_t texfilter_blend_float(const uint32_t tap[TEXFILTER_TAPS],
                               const uint32_t weight[TEXFILTER_TAPS], unsigned present,
                               bool is_half)
{
    int bits = is_half ? HALF_BITS : SINGLE_BITS, exp;
    struct slice s[2];
    uint32_t result;
    int64_t sum;

    if (blend_special(tap, present, &result))
        return result;
    for (unsigned z = 0; z < 2; z++)
        s[z] = sum_slice(tap + z * SLICE_TAPS, weight + z * SLICE_TAPS, bits);
    exp = s[0].exp > s[1].exp ? s[0].exp : s[1].exp;
    sum = shift_right(s[0].sum, exp - s[0].exp - SLICE_GUARD) +
          shift_right(s[1].sum, exp - s[1].exp - SLICE_GUARD);
    exp -= 127 + bits - 1 + GUARD + WEIGHT_BITS + SLICE_GUARD;
    return round_sum(sum, exp, bits, is_half ? -24 : -149);
}

uint32_t texfilter_blend_unit(const int32_t tap[TEXFILTER_TAPS],
                              const uint32_t weight[TEXFILTER_TAPS], bool is_signed,
                              unsigned channel_bytes)
{
    int32_t sum = 0, unit;
    uint32_t result;
    float f;

    for (unsigned k = 0; k < TEXFILTER_TAPS; k++)
        sum += tap[k] * (int32_t)weight[k];
    /* Sums of bytes are stretched from 8 and 8 bits to 16, signed ones from their upper
     * 12 bits. */
    if (channel_bytes == 2)
        unit = (sum + 128) >> 8;
    else if (is_signed)
        unit = sum + (((sum >> 4) * 257 + 1024) >> 11);
    else
        unit = sum + ((sum + 128) >> 8);
    f = (float)((double)unit / (is_signed ? 32767 : 65535));
    memcpy(&result, &f, sizeof result);
    return result;
}
