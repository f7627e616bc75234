/* single.c - single precision by way of double precision, rounded to odd.
 *
 * A double that was rounded to odd (truncated, its last bit set if anything was lost)
 * can be rounded again, to single precision and in any mode, as if it were exact: it has
 * more than two bits to spare. The host's operations round to nearest; what they lost is
 * found exactly (the error of a sum by Knuth's method, those of quotient and root by a
 * fused multiply-add) and says to which side the odd neighbour lies. Products of two
 * singles are exact in a double. No intermediate value leaves the range of normal
 * doubles.
 */
#include "frontend/riscv/single.h"

#include <math.h>
#include <string.h>

#define CANONICAL_NAN 0x7fc00000u
#define INFINITE      0x7f800000u
#define SIGN          0x80000000u
#define LEAST_NORMAL  0x00800000u

static bool is_nan(uint32_t a)
{
    return (a & ~SIGN) > INFINITE;
}

static bool is_signalling(uint32_t a)
{
    return is_nan(a) && !(a & 0x00400000u);
}

static double to_double(uint32_t a)
{
    float f;

    memcpy(&f, &a, sizeof f);
    return (double)f;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x + lost, rounded to odd. */
static double to_odd(double x, double lost)
{
    uint64_t bits = bits_of(x);

    if (lost == 0 || bits & 1)
        return x;
    bits = signbit(lost) == signbit(x) ? bits + 1 : bits - 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Whether the magnitude of a result must be one step up: q are the bits kept, rest of
 * those cut off, half the first of them. */
static bool rounds_up(unsigned rm, bool is_negative, uint64_t q, uint64_t rest,
                      uint64_t half)
{
    switch (rm) {
    case RM_RNE:
        return rest > half || (rest == half && q & 1);
    case RM_RDN:
        return is_negative && rest;
    case RM_RUP:
        return !is_negative && rest;
    case RM_RMM:
        return rest >= half;
    default:
        return false;
    }
}

static uint32_t round_overflow(unsigned rm, bool is_negative, uint8_t *flags)
{
    bool is_infinite =
        rm == RM_RNE || rm == RM_RMM || rm == (is_negative ? RM_RDN : RM_RUP);

    *flags |= FP_OF | FP_NX;
    return (is_negative ? SIGN : 0) | (is_infinite ? INFINITE : INFINITE - 1);
}

/* Tiny is what would be below the normal numbers after rounding with any exponent. */
static uint32_t round_by_bits(double x, unsigned rm, uint8_t *flags)
{
    uint64_t bits = bits_of(x), fraction = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    bool is_negative = bits >> 63;
    uint32_t sign = is_negative ? SIGN : 0, result;
    unsigned cut = 29; /* bits that a single does not have */
    uint64_t q, rest, half;

    if (x == 0 || isinf(x))
        return sign | (x == 0 ? 0 : INFINITE);
    if (exponent > 127)
        return round_overflow(rm, is_negative, flags);
    if (exponent < -126)
        cut += exponent < -160 ? 34 : (unsigned)(-126 - exponent);
    q = fraction >> cut;
    half = (uint64_t)1 << (cut - 1);
    rest = fraction & (2 * half - 1);
    result = (uint32_t)q + rounds_up(rm, is_negative, q, rest, half);
    if (exponent >= -126)
        result += (uint32_t)(exponent + 126) << 23; /* q has the leading bit */
    if (result >= INFINITE)
        return round_overflow(rm, is_negative, flags);
    if (rest)
        *flags |= FP_NX;
    if (rest && exponent < -126) {
        uint64_t q24 = fraction >> 29, rest24 = fraction & 0x1fffffff;
        bool is_next = rounds_up(rm, is_negative, q24, rest24, 0x10000000);

        if (exponent < -127 || q24 + is_next < 1u << 24)
            *flags |= FP_UF;
    }
    return sign | result;
}

/* A double, exact or rounded to odd, to single precision. The host rounds to nearest, and
 * what it makes a normal number (not the least, which may have been tiny) has one
 * exception at most. */
static inline uint32_t round_to_single(double x, unsigned rm, uint8_t *flags)
{
    float nearest = (float)x;
    uint32_t bits;

    memcpy(&bits, &nearest, sizeof bits);
    if (rm != RM_RNE ||
        (bits & ~SIGN) - (LEAST_NORMAL + 1) >= INFINITE - (LEAST_NORMAL + 1))
        return round_by_bits(x, rm, flags);
    *flags |= (double)nearest != x ? FP_NX : 0;
    return bits;
}

static uint32_t raise_invalid(uint8_t *flags)
{
    *flags |= FP_NV;
    return CANONICAL_NAN;
}

static uint32_t nan_of(uint32_t a, uint32_t b, uint8_t *flags)
{
    if (is_signalling(a) || is_signalling(b))
        *flags |= FP_NV;
    return CANONICAL_NAN;
}

/* The sum of two doubles that are no NaNs. A zero of unlike addends is positive, except
 * when rounding down. */
static uint32_t add_doubles(double x, double y, unsigned rm, uint8_t *flags)
{
    double s = x + y, virtual_y = s - x;
    double lost = (x - (s - virtual_y)) + (y - virtual_y);

    if (isnan(s))
        return raise_invalid(flags);
    if (s == 0 && signbit(x) != signbit(y))
        return rm == RM_RDN ? SIGN : 0;
    return round_to_single(isinf(s) ? s : to_odd(s, lost), rm, flags);
}

uint32_t single_add(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, flags);
    return add_doubles(to_double(a), to_double(b), rm, flags);
}

uint32_t single_mul(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags)
{
    double x;

    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, flags);
    x = to_double(a) * to_double(b);
    return isnan(x) ? raise_invalid(flags) : round_to_single(x, rm, flags);
}

/* Infinity times zero is invalid even when what is added is no number. */
uint32_t single_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint8_t *flags)
{
    double x;

    if (is_nan(a) || is_nan(b)) {
        nan_of(a, b, flags);
        return nan_of(c, c, flags);
    }
    x = to_double(a) * to_double(b);
    if (isnan(x))
        return raise_invalid(flags);
    return is_nan(c) ? nan_of(c, c, flags) : add_doubles(x, to_double(c), rm, flags);
}

uint32_t single_div(uint32_t a, uint32_t b, unsigned rm, uint8_t *flags)
{
    double x, y, q, rest;

    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, flags);
    x = to_double(a);
    y = to_double(b);
    q = x / y;
    if (isnan(q))
        return raise_invalid(flags);
    if (y == 0 && !isinf(x))
        *flags |= FP_DZ;
    if (isinf(q) || q == 0)
        return round_to_single(q, rm, flags);
    rest = fma(-q, y, x);
    return round_to_single(to_odd(q, signbit(y) ? -rest : rest), rm, flags);
}

uint32_t single_sqrt(uint32_t a, unsigned rm, uint8_t *flags)
{
    double x, root;

    if (is_nan(a))
        return nan_of(a, a, flags);
    x = to_double(a);
    if (x < 0)
        return raise_invalid(flags);
    root = sqrt(x);
    if (isinf(root) || root == 0)
        return round_to_single(root, rm, flags);
    return round_to_single(to_odd(root, fma(-root, root, x)), rm, flags);
}

uint32_t single_from_int(int64_t value, unsigned rm, uint8_t *flags)
{
    return round_to_single((double)value, rm, flags);
}

/* The whole number next to x as rm says; x is below 2^33. */
static int64_t round_to_whole(double x, unsigned rm, bool *is_exact)
{
    int64_t whole = (int64_t)fabs(x);
    double rest = fabs(x) - (double)whole;
    bool is_negative = signbit(x);

    *is_exact = rest == 0;
    /* in quarters, for rounds_up(): 0, below a half, a half, above it */
    whole += rounds_up(rm, is_negative, (uint64_t)whole,
                       rest == 0     ? 0
                       : rest < 0.5  ? 1
                       : rest == 0.5 ? 2
                                     : 3,
                       2);
    return is_negative ? -whole : whole;
}

uint32_t single_to_int(uint32_t a, bool is_signed, unsigned rm, uint8_t *flags)
{
    int64_t low = is_signed ? INT32_MIN : 0;
    int64_t high = is_signed ? INT32_MAX : (int64_t)UINT32_MAX;
    double x = to_double(a);
    bool is_exact = true;
    int64_t whole;

    if (is_nan(a))
        whole = INT64_MAX;
    else if (fabs(x) >= 8589934592.0)
        whole = signbit(x) ? INT64_MIN : INT64_MAX;
    else
        whole = round_to_whole(x, rm, &is_exact);
    if (whole < low || whole > high) {
        *flags |= FP_NV;
        return (uint32_t)(whole < low ? low : high);
    }
    *flags |= is_exact ? 0 : FP_NX;
    return (uint32_t)whole;
}

/* An integer whose order is that of the numbers, with -0 below +0. */
static int32_t order_key(uint32_t a)
{
    return (int32_t)(a & SIGN ? ~a ^ SIGN : a);
}

static uint32_t pick_number(uint32_t a, uint32_t b, bool wants_less, uint8_t *flags)
{
    if (is_signalling(a) || is_signalling(b))
        *flags |= FP_NV;
    if (is_nan(a))
        return is_nan(b) ? CANONICAL_NAN : b;
    if (is_nan(b))
        return a;
    return (order_key(a) < order_key(b)) == wants_less ? a : b;
}

uint32_t single_min(uint32_t a, uint32_t b, uint8_t *flags)
{
    return pick_number(a, b, true, flags);
}

uint32_t single_max(uint32_t a, uint32_t b, uint8_t *flags)
{
    return pick_number(a, b, false, flags);
}

bool single_equal(uint32_t a, uint32_t b, uint8_t *flags)
{
    if (is_signalling(a) || is_signalling(b))
        *flags |= FP_NV;
    return !is_nan(a) && !is_nan(b) && (a == b || !((a | b) & ~SIGN));
}

bool single_less(uint32_t a, uint32_t b, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b)) {
        *flags |= FP_NV;
        return false;
    }
    return order_key(a) < order_key(b) && (a | b) & ~SIGN;
}

bool single_less_equal(uint32_t a, uint32_t b, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b)) {
        *flags |= FP_NV;
        return false;
    }
    return order_key(a) <= order_key(b) || !((a | b) & ~SIGN);
}

/* One bit of ten: -inf, normal, subnormal, -0, +0, subnormal, normal, +inf, NaNs. */
uint32_t single_class(uint32_t a)
{
    uint32_t magnitude = a & ~SIGN;
    unsigned kind; /* 0: zero, 1: subnormal, 2: normal, 3: infinite */

    if (is_nan(a))
        return is_signalling(a) ? 1u << 8 : 1u << 9;
    kind = magnitude == INFINITE ? 3 : magnitude >= LEAST_NORMAL ? 2 : magnitude > 0;
    return a & SIGN ? 1u << (3 - kind) : 1u << (4 + kind);
}
