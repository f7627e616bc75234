/* fp.c - scalar floating point as sm_90 computes it.
 *
 * One fused multiply-add in 128-bit integers serves every format; an addition is
 * a * 1 + b and a product a * b + 0, which also gives f64's order of NaN operands.
 * Not modelled: exception flags (the hardware has none).
 */
#include "frontend/sass/math/fp.h"

#include "frontend/sass/math/fpcore.h"

#define F64_QUIET 0x0008000000000000ull

const struct fp_format_info fp_formats[N_FP_FORMAT] = {
    [FP_F16] = { 16, 5, 10, 0x7fff },
    [FP_BF16] = { 16, 8, 7, 0x7fff },
    [FP_F32] = { 32, 8, 23, 0x7fffffff },
    [FP_F64] = { 64, 11, 52, 0xfff8000000000000ull },
    [FP_TF32] = { 19, 8, 10, 0x3ffff },
};

struct fp_parts fp_unpack(enum fp_format f, bool ftz, uint64_t x)
{
    unsigned man_bits = fp_formats[f].man_bits, exp_bits = fp_formats[f].exp_bits;
    int exp = (int)(x >> man_bits & (((uint64_t)1 << exp_bits) - 1));
    uint64_t man = x & (((uint64_t)1 << man_bits) - 1);
    struct fp_parts p = { .negative = x >> (man_bits + exp_bits) & 1, .sig = man };

    if (exp == (1 << exp_bits) - 1) {
        p.class = man ? FP_NAN : FP_INFINITE;
        return p;
    }
    if (exp == 0) {
        p.sig = ftz ? 0 : man;
        exp = 1;
    } else {
        p.sig = man | (uint64_t)1 << man_bits;
    }
    p.exp = exp - fp_bias(f) - (int)man_bits;
    return p;
}

fp_u128 fp_shift_round(fp_u128 sig, int shift, bool negative, enum fp_round round)
{
    if (shift <= 0)
        return sig << -shift;
    if (shift > 127) /* sig < 2^126 stays below the half */
        shift = 127;

    fp_u128 result = sig >> shift, half = (fp_u128)1 << (shift - 1);
    fp_u128 rest = sig & (half + half - 1);

    switch (round) {
    case FP_RN:
        return result + (rest > half || (rest == half && (result & 1)));
    case FP_RNA:
        return result + (rest >= half);
    case FP_RM:
        return result + (negative && rest);
    case FP_RP:
        return result + (!negative && rest);
    default:
        return result;
    }
}

static uint64_t overflow_value(enum fp_format f, enum fp_round round, bool negative)
{
    bool to_infinity = round == FP_RN || round == FP_RNA ||
                       (round == FP_RM && negative) || (round == FP_RP && !negative);

    return fp_signed(f, negative, fp_infinity(f) - !to_infinity);
}

uint64_t fp_pack(enum fp_format f, enum fp_round round, bool ftz, struct fp_exact x)
{
    int man_bits = fp_formats[f].man_bits, emin = 1 - fp_bias(f);

    if (!x.sig)
        return fp_signed(f, x.negative, 0);

    int top = fp_top_bit(x.sig), exp = x.exp + top;

    if (ftz && exp < emin) {
        fp_u128 k = fp_shift_round(x.sig, top - man_bits, x.negative, round);
        bool is_normal = exp == emin - 1 && k >> (man_bits + 1);

        return fp_signed(f, x.negative, is_normal ? (uint64_t)1 << man_bits : 0);
    }
    if (exp > fp_bias(f))
        return overflow_value(f, round, x.negative);
    if (exp < emin)
        exp = emin;

    /* A carry out of the significand runs into the exponent, as it should. */
    fp_u128 k = fp_shift_round(x.sig, exp - man_bits - x.exp, x.negative, round);
    uint64_t bits = ((uint64_t)(exp - emin) << man_bits) + (uint64_t)k;

    if (bits >= fp_infinity(f))
        return overflow_value(f, round, x.negative);
    return fp_signed(f, x.negative, bits);
}

bool fp_is_nan(enum fp_format f, uint64_t x)
{
    return (x & (fp_sign_bit(f) - 1)) > fp_infinity(f);
}

uint64_t fp_finish(enum fp_format f, struct fp_mode m, uint64_t x)
{
    bool negative = x & fp_sign_bit(f);

    if (m.sat) {
        if (negative || fp_is_nan(f, x))
            return 0;
        return x > fp_one(f) ? fp_one(f) : x;
    }
    if (m.relu && negative && !fp_is_nan(f, x))
        return 0;
    return x;
}

/* No NaN among the operands (a signed zero times infinity, opposite infinities): the
 * format's own. */
static uint64_t nan_result(enum fp_format f, uint64_t a, uint64_t b, uint64_t c)
{
    if (f == FP_F64) {
        if (fp_is_nan(f, b))
            return b | F64_QUIET;
        if (fp_is_nan(f, c))
            return c | F64_QUIET;
        if (fp_is_nan(f, a))
            return a | F64_QUIET;
    }
    return fp_formats[f].nan;
}

/* To a common place for the top bit, so that sums lose nothing that matters. */
static struct fp_exact normalise_exact(struct fp_exact x)
{
    int up = 124 - fp_top_bit(x.sig);

    x.sig <<= up;
    x.exp -= up;
    return x;
}

/* x + y, both not zero; the lowest bit of the sum is sticky. */
static struct fp_exact add_exact(struct fp_exact x, struct fp_exact y)
{
    x = normalise_exact(x);
    y = normalise_exact(y);
    if (y.exp > x.exp || (y.exp == x.exp && y.sig > x.sig)) {
        struct fp_exact t = x;

        x = y;
        y = t;
    }

    int down = x.exp - y.exp;

    if (down > 126) {
        y.sig = 1;
    } else if (down) {
        fp_u128 lost = y.sig & (((fp_u128)1 << down) - 1);

        y.sig = y.sig >> down | (lost != 0);
    }
    x.sig = x.negative == y.negative ? x.sig + y.sig : x.sig - y.sig;
    return x;
}

static uint64_t finite_fma(enum fp_format f, struct fp_mode m, struct fp_exact p,
                           struct fp_exact c)
{
    struct fp_exact sum = p;

    if (p.sig && c.sig)
        sum = add_exact(p, c);
    else if (c.sig)
        sum = c;
    if (!sum.sig) { /* an exact zero: signs that differ give +0, or -0 when rounding down */
        bool is_same = !p.sig && !c.sig && p.negative == c.negative;

        return fp_signed(f, is_same ? p.negative : m.round == FP_RM, 0);
    }
    return fp_pack(f, m.round, m.ftz, sum);
}

static bool is_zero(struct fp_parts x)
{
    return x.class == FP_FINITE && !x.sig;
}

static uint64_t fma_unfinished(enum fp_format f, struct fp_mode m, const uint64_t v[3])
{
    struct fp_parts a = fp_unpack(f, m.ftz, v[0]), b = fp_unpack(f, m.ftz, v[1]);
    struct fp_parts c = fp_unpack(f, m.ftz, v[2]);
    bool negative = a.negative != b.negative;

    if (m.fmz && (is_zero(a) || is_zero(b))) {
        a = b = (struct fp_parts){ .class = FP_FINITE };
        negative = false;
    }
    if (a.class == FP_NAN || b.class == FP_NAN || c.class == FP_NAN)
        return nan_result(f, v[0], v[1], v[2]);
    if (a.class == FP_INFINITE || b.class == FP_INFINITE) {
        if (is_zero(a) || is_zero(b) ||
            (c.class == FP_INFINITE && c.negative != negative))
            return fp_formats[f].nan;
        return fp_signed(f, negative, fp_infinity(f));
    }
    if (c.class == FP_INFINITE)
        return fp_signed(f, c.negative, fp_infinity(f));
    return finite_fma(f, m,
                      (struct fp_exact){ .negative = negative,
                                         .exp = a.exp + b.exp + m.scale,
                                         .sig = (fp_u128)a.sig * b.sig },
                      (struct fp_exact){ c.negative, c.exp, c.sig });
}

uint64_t fp_fma(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b, uint64_t c)
{
    m.ftz = m.ftz || m.fmz;
    return fp_finish(f, m, fma_unfinished(f, m, (const uint64_t[]){ a, b, c }));
}

uint64_t fp_add(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b)
{
    m.fmz = false;
    return fp_fma(f, m, a, fp_one(f), b);
}

/* A zero of the product's own sign leaves it as it is; .FMZ makes that sign +. */
uint64_t fp_mul(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b)
{
    uint64_t zero = (a ^ b) & fp_sign_bit(f);

    if (m.fmz && (is_zero(fp_unpack(f, true, a)) || is_zero(fp_unpack(f, true, b))))
        return 0;
    return fp_fma(f, m, a, b, zero);
}

uint32_t fp_add2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b)
{
    return (uint32_t)(fp_add(f, m, a & 0xffff, b & 0xffff) |
                      fp_add(f, m, a >> 16, b >> 16) << 16);
}

uint32_t fp_mul2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b)
{
    return (uint32_t)(fp_mul(f, m, a & 0xffff, b & 0xffff) |
                      fp_mul(f, m, a >> 16, b >> 16) << 16);
}

uint32_t fp_fma2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)(fp_fma(f, m, a & 0xffff, b & 0xffff, c & 0xffff) |
                      fp_fma(f, m, a >> 16, b >> 16, c >> 16) << 16);
}

uint64_t fp_modify(enum fp_format f, uint64_t x, bool is_abs, bool is_neg)
{
    if (f == FP_F64 && fp_is_nan(f, x))
        return x;
    if (is_abs)
        x &= fp_sign_bit(f) - 1;
    return is_neg ? x ^ fp_sign_bit(f) : x;
}

static uint64_t flush_denormal(enum fp_format f, bool ftz, uint64_t x)
{
    return ftz && !(x & fp_infinity(f)) ? x & fp_sign_bit(f) : x;
}

/* Orders all numbers, -0 below +0. */
static int64_t order_key(enum fp_format f, uint64_t x)
{
    uint64_t sign = fp_sign_bit(f);

    return x & sign ? -(int64_t)(x & (sign - 1)) - 1 : (int64_t)x;
}

uint64_t fp_minmax(enum fp_format f, struct fp_minmax m, uint64_t a, uint64_t b)
{
    uint64_t sign = m.xorsign ? (a ^ b) & fp_sign_bit(f) : 0;
    bool a_nan = fp_is_nan(f, a), b_nan = fp_is_nan(f, b);

    if ((a_nan && b_nan) || (m.nan && (a_nan || b_nan)))
        return f == FP_F64 ? b | F64_QUIET : fp_formats[f].nan;
    a = flush_denormal(f, m.ftz, a);
    b = flush_denormal(f, m.ftz, b);
    if (m.xorsign) {
        a &= fp_sign_bit(f) - 1;
        b &= fp_sign_bit(f) - 1;
    }
    if (a_nan || b_nan)
        return (a_nan ? b : a) | sign;

    int64_t ka = order_key(f, a), kb = order_key(f, b);

    return ((m.is_max ? ka >= kb : ka <= kb) ? a : b) | sign;
}

uint32_t fp_minmax2(enum fp_format f, struct fp_minmax m, uint32_t a, uint32_t b)
{
    return (uint32_t)(fp_minmax(f, m, a & 0xffff, b & 0xffff) |
                      fp_minmax(f, m, a >> 16, b >> 16) << 16);
}

bool fp_compare(enum fp_format f, unsigned code, bool ftz, uint64_t a, uint64_t b)
{
    uint64_t magnitude = fp_sign_bit(f) - 1;

    if (fp_is_nan(f, a) || fp_is_nan(f, b))
        return code & FP_UNORDERED;
    a = flush_denormal(f, ftz, a);
    b = flush_denormal(f, ftz, b);
    if (!((a | b) & magnitude))
        return code & FP_EQUAL;

    int64_t ka = order_key(f, a), kb = order_key(f, b);

    return code & (ka < kb ? FP_LESS : ka > kb ? FP_GREATER : FP_EQUAL);
}

struct fp_setp fp_setp_minmax(bool is_max, uint64_t a, uint64_t b)
{
    bool a_nan = fp_is_nan(FP_F64, a), b_nan = fp_is_nan(FP_F64, b);

    if (a_nan || b_nan)
        return (struct fp_setp){ .take_a = !a_nan, .both_nan = a_nan && b_nan };

    int64_t ka = order_key(FP_F64, a), kb = order_key(FP_F64, b);

    return (struct fp_setp){ .take_a = is_max ? ka > kb : ka <= kb };
}

bool fp_check_divide(uint32_t a, uint32_t b)
{
    int ea = (int)(a >> 23 & 255), eb = (int)(b >> 23 & 255), quotient = ea - eb;
    bool is_fast = eb >= 2 && eb <= 251 && ea >= 25 && ea <= 254 && quotient >= -124 &&
                   quotient <= 126;

    return !is_fast;
}

uint64_t fp_atomic_add(enum fp_atomic kind, uint64_t memory, uint64_t operand)
{
    const struct fp_mode nearest = { .round = FP_RN };

    switch (kind) {
    case FP_ATOMIC_F32:
        return fp_add(FP_F32, (struct fp_mode){ .ftz = true }, memory, operand);
    case FP_BULK_F32:
        return fp_add(FP_F32, nearest, memory, operand);
    case FP_ATOMIC_F16X2:
        return fp_add2(FP_F16, nearest, (uint32_t)memory, (uint32_t)operand);
    case FP_ATOMIC_BF16X2:
        return fp_add2(FP_BF16, nearest, (uint32_t)memory, (uint32_t)operand);
    default:
        break;
    }
    if (fp_is_nan(FP_F64, operand))
        return operand;
    if (fp_is_nan(FP_F64, memory))
        return memory;
    return fp_add(FP_F64, nearest, memory, operand);
}
