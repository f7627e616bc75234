/* mmafloat.c - HMMA: how the tensor core adds products.
 *
 * A step takes `group` products and the accumulator together:
 * - a product is exact and not normalised: its exponent is the sum of the factors', a
 *   denormal having the smallest exponent of its format;
 * - every term is shifted to the largest exponent among the terms that are not zero and
 *   cut, toward zero, to fraction_bits below it; the cut terms are added exactly;
 * - the sum is cut to f32 (too large gives infinity), or rounded to nearest even for an
 *   f16 accumulator. A zero result is +0.
 * NaN, zero times infinity and opposite infinities give the canonical NaN.
 *
 * With fraction_bits at most 25 a term is below 2^27 and eight of them and the
 * accumulator fit 32 bits. Whether parts older than sm_90 also leave zero terms out of
 * the largest exponent is not known.
 */
#include <stdbool.h>
#include <string.h>

#include "frontend/sass/math/mmatile.h"
#include "frontend/sass/math/simd.h"

enum {
    EXP_ZERO = -8192, /* of a zero: below that of any number, even in a product */
    MAX_K = 16,
    TERMS = 8 /* products that one 32-bit sum takes */
};

struct format {
    uint8_t exp_bits, man_bits;
    uint8_t drop; /* low bits of the register that do not count */
};

static const struct format formats[] = {
    [MMA_F16] = { 5, 10, 0 },
    [MMA_BF16] = { 8, 7, 0 },
    [MMA_TF32] = { 8, 10, 13 },
};
static const struct format f32 = { 8, 23, 0 };

/* Each element is sig * 2^(exp - its fraction bits); NaN and infinity have sig 0 here.
 * A's significands are shifted so that products have fraction_bits, and so are C's. */
struct tile {
    int32_t b_sig[MAX_K * MMA_N];
    int32_t b_exp[MAX_K * MMA_N];
    int32_t c_sig[MMA_MAX_M * MMA_N];
    int32_t c_exp[MMA_MAX_M * MMA_N];
    /* the sum of a step is sum0 + sum1, in units of 2^(max_exp - fraction_bits) */
    int32_t sum0[MMA_MAX_M * MMA_N];
    int32_t sum1[MMA_MAX_M * MMA_N];
    int32_t max_exp[MMA_MAX_M * MMA_N];
    int32_t a_sig[MMA_MAX_M * MAX_K], a_exp[MMA_MAX_M * MAX_K];
    const struct mma_elements *e;
    struct format format; /* of A and B */
    unsigned m, k;
    int fraction_bits;
    bool is_f16;      /* C and D */
    bool has_special; /* NaN or infinity in A or B */
};

struct parts {
    int32_t *sig, *exp;
    unsigned up;
};

/* Takes n elements apart, a multiple of 8, shifting significands up. *special: there is
 * NaN or infinity among them. */
SIMD_BODY unpack_values_body(struct format f, const uint32_t *x, unsigned n,
                             struct parts to, uint32_t *special)
{
    uint32_t all = (1u << f.exp_bits) - 1, one = 1u << f.man_bits, any = 0;
    int32_t bias = (int32_t)all >> 1;

    for (unsigned i = 0; i < n; i += 8, x += 8, to.sig += 8, to.exp += 8) {
        SIMD_INDEPENDENT
        for (int j = 0; j < 8; j++) {
            uint32_t u = x[j] >> f.drop, man = u & (one - 1), e = u >> f.man_bits & all;
            uint32_t sign = 0u - (u >> (f.exp_bits + f.man_bits) & 1);
            uint32_t m = (e ? man | one : man) << to.up;

            m = e == all ? 0 : m;
            any |= e == all;
            to.sig[j] = (int32_t)((m ^ sign) - sign);
            to.exp[j] = m ? (int32_t)(e ? e : 1) - bias : EXP_ZERO;
        }
    }
    *special = any;
}

/* Comparisons of columns give masks. */
#define MAX(x, y) (((x) & ((x) > (y))) | ((y) & ~((x) > (y))))
#define MIN(x, y) (((x) & ((x) < (y))) | ((y) & ~((x) < (y))))

/* v shifted down, toward zero. */
#define CUT(v, down) \
    (((((v) ^ ((v) >> 31)) - ((v) >> 31)) >> (down) ^ ((v) >> 31)) - ((v) >> 31))

/* Adds the n products from k0 on and the accumulator. */
SIMD_BODY add_terms_body(struct tile *t, unsigned k0, unsigned n)
{
    const mma_cols longest = { 31, 31, 31, 31, 31, 31, 31, 31 };
    const mma_cols *b_sig = (const mma_cols *)t->b_sig + k0;
    const mma_cols *b_exp = (const mma_cols *)t->b_exp + k0;

    for (unsigned row = 0; row < t->m; row++) {
        const int32_t *a_sig = t->a_sig + row * t->k + k0;
        const int32_t *a_exp = t->a_exp + row * t->k + k0;
        mma_cols c_exp = ((const mma_cols *)t->c_exp)[row],
                 c_sig = ((const mma_cols *)t->c_sig)[row];
        mma_cols top = c_exp, sum;

        for (unsigned k = 0; k < n; k++) {
            mma_cols e = b_exp[k] + a_exp[k];

            top = MAX(e, top);
        }
        sum = CUT(c_sig, MIN(top - c_exp, longest));
        for (unsigned k = 0; k < n && k < TERMS; k++) {
            mma_cols v = b_sig[k] * a_sig[k], down = top - (b_exp[k] + a_exp[k]);

            sum += CUT(v, MIN(down, longest));
        }
        ((mma_cols *)t->max_exp)[row] = top;
        ((mma_cols *)t->sum0)[row] = sum;
        sum ^= sum;
        for (unsigned k = TERMS; k < n; k++) {
            mma_cols v = b_sig[k] * a_sig[k], down = top - (b_exp[k] + a_exp[k]);

            sum += CUT(v, MIN(down, longest));
        }
        ((mma_cols *)t->sum1)[row] = sum;
    }
}

struct result {
    int emin, emax;
    uint8_t drop; /* fraction bits a double has more */
    uint8_t sign;
    int32_t infinity;
};

/* Cuts or rounds the sums to c. A double holds them exactly; its bits are those of the
 * result but for the exponent. Results below the smallest normal number are left to
 * round_tiny(): *tiny says that there are some. */
SIMD_BODY round_sums_body(const struct tile *t, uint32_t *c, uint32_t *tiny)
{
    const struct result r = t->is_f16
                                ? (struct result){ -14, 15, 42, 15, 0x7c00 }
                                : (struct result){ -126, 127, 29, 31, 0x7f800000 };
    uint64_t half = t->is_f16 ? ((uint64_t)1 << 41) - 1 : 0, lowest = t->is_f16,
             any = 0;
    int32_t bias = 1023 + t->fraction_bits;

    for (unsigned i = 0; i < t->m * MMA_N; i += 8, c += 8) {
        const int32_t *sum0 = t->sum0 + i, *sum1 = t->sum1 + i, *top = t->max_exp + i;

        SIMD_INDEPENDENT
        for (int j = 0; j < 8; j++) {
            double v = (double)sum0[j] + (double)sum1[j];
            uint64_t u;

            memcpy(&u, &v, sizeof u);

            int64_t e = (int64_t)(u >> 52 & 0x7ff) + (top[j] - bias);
            uint64_t scaled =
                (uint64_t)(e - r.emin + 1) << 52 | (u & (((uint64_t)1 << 52) - 1));
            int64_t bits =
                (int64_t)((scaled + half + (scaled >> 42 & lowest)) >> r.drop);

            bits = bits > r.infinity ? r.infinity : bits;
            bits = e > r.emax ? r.infinity : bits;
            any |= (v != 0) & (e < r.emin);
            c[j] = (uint32_t)(v != 0 ? (uint64_t)bits | u >> 63 << r.sign : 0);
        }
    }
    *tiny = any != 0;
}

SIMD_KERNEL(unpack_values,
            (struct format f, const uint32_t *x, unsigned n, struct parts to,
             uint32_t *special),
            (f, x, n, to, special))
SIMD_KERNEL(add_terms, (struct tile * t, unsigned k0, unsigned n), (t, k0, n))
SIMD_KERNEL(round_sums, (const struct tile *t, uint32_t *c, uint32_t *tiny),
            (t, c, tiny))

/* A sum below the smallest normal number, on the denormal grid. */
static uint32_t round_tiny(const struct tile *t, unsigned i)
{
    int64_t sum = (int64_t)t->sum0[i] + t->sum1[i];
    uint64_t m = (uint64_t)(sum < 0 ? -sum : sum); /* below 2^32 */
    int last = t->is_f16 ? -24 : -149;
    int down = last - (t->max_exp[i] - t->fraction_bits);

    if (down > 40)
        return 0;
    if (down <= 0) {
        m <<= -down;
    } else {
        uint64_t half = (uint64_t)1 << (down - 1), rest = m & (half + half - 1);

        m >>= down;
        m += t->is_f16 && (rest > half || (rest == half && (m & 1)));
    }
    return m ? (uint32_t)m | (sum < 0 ? (t->is_f16 ? 0x8000u : 0x80000000u) : 0) : 0;
}

static bool is_tiny(const struct tile *t, unsigned i)
{
    int64_t sum = (int64_t)t->sum0[i] + t->sum1[i];
    uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
    int exp = t->max_exp[i] - t->fraction_bits;

    return m && exp + 63 - __builtin_clzll(m) < (t->is_f16 ? -14 : -126);
}

enum kind { FINITE, ZERO, NOT /* NaN */, INFINITE };

struct special {
    enum kind kind;
    bool is_negative;
};

static struct special special_of(struct format f, uint32_t x)
{
    uint32_t u = x >> f.drop, all = (1u << f.exp_bits) - 1;
    uint32_t man = u & ((1u << f.man_bits) - 1), exp = u >> f.man_bits & all;
    bool is_negative = u >> (f.exp_bits + f.man_bits) & 1;

    if (exp != all)
        return (struct special){ exp || man ? FINITE : ZERO, is_negative };
    return (struct special){ man ? NOT : INFINITE, is_negative };
}

/* What a factor pair contributes. */
static struct special multiply_specials(struct special a, struct special b)
{
    struct special p = { FINITE, a.is_negative != b.is_negative };

    if (a.kind == NOT || b.kind == NOT || (a.kind == INFINITE && b.kind == ZERO) ||
        (a.kind == ZERO && b.kind == INFINITE))
        p.kind = NOT;
    else if (a.kind == INFINITE || b.kind == INFINITE)
        p.kind = INFINITE;
    return p;
}

/* If NaN or infinity goes into element i of a step, gives the result. */
static bool special_result(const struct tile *t, uint32_t c, unsigned i, unsigned k0,
                           unsigned n, uint32_t *result)
{
    struct special s = special_of(t->is_f16 ? formats[MMA_F16] : f32, c);
    unsigned row = i / MMA_N, col = i % MMA_N;
    bool plus = s.kind == INFINITE && !s.is_negative;
    bool minus = s.kind == INFINITE && s.is_negative, is_nan = s.kind == NOT;

    for (unsigned k = k0; k < k0 + n; k++) {
        struct special p =
            multiply_specials(special_of(t->format, t->e->a[row * t->k + k]),
                              special_of(t->format, t->e->b[k * MMA_N + col]));

        is_nan = is_nan || p.kind == NOT;
        plus = plus || (p.kind == INFINITE && !p.is_negative);
        minus = minus || (p.kind == INFINITE && p.is_negative);
    }
    if (is_nan || (plus && minus))
        *result = t->is_f16 ? 0x7fff : 0x7fffffff;
    else if (plus || minus)
        *result = (t->is_f16 ? 0x7c00u : 0x7f800000u) |
                  (minus ? (t->is_f16 ? 0x8000u : 0x80000000u) : 0);
    return is_nan || plus || minus;
}

static void add_group(struct tile *t, uint32_t *c, unsigned k0, unsigned n)
{
    struct format f = t->is_f16 ? formats[MMA_F16] : f32;
    unsigned n_c = t->m * MMA_N;
    uint32_t old[MMA_MAX_M * MMA_N], c_special, tiny;

    memcpy(old, c, n_c * sizeof *old);
    unpack_values(
        f, c, n_c,
        (struct parts){ t->c_sig, t->c_exp, (unsigned)t->fraction_bits - f.man_bits },
        &c_special);
    add_terms(t, k0, n);
    round_sums(t, c, &tiny);
    for (unsigned i = 0; tiny && i < n_c; i++)
        if (is_tiny(t, i))
            c[i] = round_tiny(t, i);
    for (unsigned i = 0; (t->has_special || c_special) && i < n_c; i++)
        special_result(t, old[i], i, k0, n, &c[i]);
}

void mma_float(const struct mma_op *op, const struct mma_elements *e, uint32_t *c)
{
    struct tile t;
    struct format f = formats[op->a];
    unsigned up = op->rounding.fraction_bits - 2u * f.man_bits;
    uint32_t a_special, b_special;

    t.e = e;
    t.format = f;
    t.m = op->m;
    t.k = op->k;
    t.fraction_bits = op->rounding.fraction_bits;
    t.is_f16 = op->f16_acc;
    unpack_values(f, e->a, t.m * t.k, (struct parts){ t.a_sig, t.a_exp, up },
                  &a_special);
    unpack_values(f, e->b, t.k * MMA_N, (struct parts){ t.b_sig, t.b_exp, 0 },
                  &b_special);
    t.has_special = a_special || b_special;
    for (unsigned k = 0; k < t.k; k += op->rounding.group) {
        unsigned left = t.k - k;

        add_group(&t, c, k, left < op->rounding.group ? left : op->rounding.group);
    }
}
