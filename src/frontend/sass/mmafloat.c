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
#include <string.h>

#include "frontend/sass/mmatile.h"
#include "frontend/sass/simd.h"

enum {
    EXP_ZERO = -8192, /* of a zero: below that of any number, even in a product */
    MAX_K = 16,
    ACC_TERMS = 8 /* products that one 32-bit sum takes */
};

/* Eight columns at a time. */
typedef int32_t cols __attribute__((vector_size(4 * MMA_N), may_alias));

enum kind {
    FINITE,
    NOT, /* NaN */
    PLUS_INFINITY,
    MINUS_INFINITY
};

/* Each element: significand * 2^(exp - its fraction bits), or a special kind, whose
 * significand is 0. A's significands are shifted so that a product has fraction_bits. */
struct tile {
    unsigned m, k;
    int fraction_bits;
    bool has_special; /* in A or B */
    int32_t a_sig[MMA_MAX_M * MAX_K], a_exp[MMA_MAX_M * MAX_K];
    cols b_sig[MAX_K], b_exp[MAX_K];
    cols c_sig[MMA_MAX_M], c_exp[MMA_MAX_M];
    cols sum[MMA_MAX_M][2], max_exp[MMA_MAX_M];
    uint8_t a_kind[MMA_MAX_M * MAX_K], b_kind[MAX_K * MMA_N];
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

struct number {
    int32_t sig, exp;
    uint8_t kind;
};

static inline struct number unpack(struct format f, uint32_t x)
{
    uint32_t all = (1u << f.exp_bits) - 1, bias = all >> 1;
    uint32_t u = x >> f.drop, man = u & ((1u << f.man_bits) - 1);
    uint32_t exp = u >> f.man_bits & all;
    bool is_negative = u >> (f.exp_bits + f.man_bits) & 1, is_special = exp == all;
    int32_t sig = (int32_t)(exp ? man | 1u << f.man_bits : man);
    bool is_zero = !sig || is_special;

    return (struct number){
        .sig = is_zero       ? 0
               : is_negative ? -sig
                             : sig,
        .exp = is_zero ? EXP_ZERO : (int32_t)(exp ? exp : 1) - (int32_t)bias,
        .kind = !is_special   ? FINITE
                : man         ? NOT
                : is_negative ? MINUS_INFINITY
                              : PLUS_INFINITY,
    };
}

static void load(struct tile *t, const struct mma_op *op, const struct mma_elements *e)
{
    struct format f = formats[op->a];
    int32_t scale = 1 << (op->rounding.fraction_bits - 2 * f.man_bits);
    unsigned special = 0;

    t->m = op->m;
    t->k = op->k;
    t->fraction_bits = op->rounding.fraction_bits;
    for (unsigned i = 0; i < t->m * t->k; i++) {
        struct number n = unpack(f, e->a[i]);

        t->a_sig[i] = n.sig * scale;
        t->a_exp[i] = n.exp;
        special |= t->a_kind[i] = n.kind;
    }
    for (unsigned i = 0; i < t->k * MMA_N; i++) {
        struct number n = unpack(f, e->b[i]);

        t->b_sig[i / MMA_N][i % MMA_N] = n.sig;
        t->b_exp[i / MMA_N][i % MMA_N] = n.exp;
        special |= t->b_kind[i] = n.kind;
    }
    t->has_special = special != 0;
}

/* max and cut shift without branches: comparisons give masks. */
#define MAX(x, y) (((x) & ((x) > (y))) | ((y) & ~((x) > (y))))
#define CUT(v, d) \
    (((((v) ^ ((v) >> 31)) - ((v) >> 31)) >> (d) ^ ((v) >> 31)) - ((v) >> 31))

/* One step from k0 on: t->sum in units of 2^(max_exp - fraction_bits). */
SIMD_BODY add_terms_body(struct tile *t, unsigned k0, unsigned n)
{
    const cols longest = { 31, 31, 31, 31, 31, 31, 31, 31 };

    for (unsigned row = 0; row < t->m; row++) {
        const int32_t *a_sig = t->a_sig + row * t->k + k0;
        const int32_t *a_exp = t->a_exp + row * t->k + k0;
        cols top = t->c_exp[row], shift, sum[2] = { { 0 }, { 0 } };

        for (unsigned k = 0; k < n; k++) {
            cols e = t->b_exp[k0 + k] + a_exp[k];

            top = MAX(e, top);
        }
        shift = top - t->c_exp[row];
        shift = ~MAX(~shift, ~longest);
        sum[0] = CUT(t->c_sig[row], shift);
        for (unsigned k = 0; k < n; k++) {
            cols v = t->b_sig[k0 + k] * a_sig[k];

            shift = top - (t->b_exp[k0 + k] + a_exp[k]);
            shift = ~MAX(~shift, ~longest);
            sum[k / ACC_TERMS] += CUT(v, shift);
        }
        t->max_exp[row] = top;
        t->sum[row][0] = sum[0];
        t->sum[row][1] = sum[1];
    }
}

SIMD_KERNEL(add_terms, (struct tile * t, unsigned k0, unsigned n), (t, k0, n))

/* v * 2^exp, cut. */
static uint32_t to_f32(int64_t v, int exp)
{
    uint32_t sign = v < 0 ? 0x80000000u : 0;
    uint64_t m = (uint64_t)(v < 0 ? -v : v);

    if (!m)
        return 0;

    int top = 63 - __builtin_clzll(m), e = exp + top;

    if (e >= 128)
        return sign | 0x7f800000u;

    int up = (e < -126 ? 149 : 23 - e) + exp; /* the last bit's place in m */
    uint32_t man = (uint32_t)(up >= 0 ? m << up : up > -64 ? m >> -up : 0);

    if (e >= -126)
        return sign | (((uint32_t)(e + 127) << 23) + (man & 0x7fffff));
    return man ? sign | man : 0;
}

/* v * 2^exp, rounded to nearest even. */
static uint32_t to_f16(int64_t v, int exp)
{
    uint32_t sign = v < 0 ? 0x8000 : 0;
    uint64_t m = (uint64_t)(v < 0 ? -v : v);

    if (!m)
        return 0;

    int e = exp + 63 - __builtin_clzll(m);

    if (e > 15)
        return sign | 0x7c00;
    if (e < -14)
        e = -14;

    int down = e - 10 - exp;

    if (down > 40) /* m < 2^32 */
        return 0;
    if (down <= 0) {
        m <<= -down;
    } else {
        uint64_t half = (uint64_t)1 << (down - 1), rest = m & (half + half - 1);

        m >>= down;
        m += rest > half || (rest == half && (m & 1));
    }

    uint32_t bits = ((uint32_t)(e + 14) << 10) + (uint32_t)m;

    return !bits ? 0 : sign | (bits < 0x7c00 ? bits : 0x7c00);
}

/* What a step with a NaN or infinity in it gives: the kind, FINITE if there is none. */
static enum kind special_kind(const struct tile *t, unsigned row, unsigned col,
                              unsigned k0, unsigned n)
{
    bool plus = false, minus = false;

    for (unsigned k = k0; k < k0 + n; k++) {
        unsigned a = t->a_kind[row * t->k + k], b = t->b_kind[k * MMA_N + col];
        int32_t a_sig = t->a_sig[row * t->k + k], b_sig = t->b_sig[k][col];

        if (a == FINITE && b == FINITE)
            continue;
        if (a == NOT || b == NOT || (a == FINITE && !a_sig) || (b == FINITE && !b_sig))
            return NOT;

        bool is_minus =
            (a == MINUS_INFINITY || a_sig < 0) != (b == MINUS_INFINITY || b_sig < 0);

        minus = minus || is_minus;
        plus = plus || !is_minus;
    }
    return plus && minus ? NOT : plus ? PLUS_INFINITY : minus ? MINUS_INFINITY : FINITE;
}

static uint32_t kind_bits(enum kind kind, bool is_f16)
{
    switch (kind) {
    case NOT:
        return is_f16 ? 0x7fff : 0x7fffffff;
    case PLUS_INFINITY:
        return is_f16 ? 0x7c00 : 0x7f800000;
    default:
        return is_f16 ? 0xfc00 : 0xff800000;
    }
}

/* The step's result where products or c are special. */
static enum kind combine(enum kind products, enum kind c)
{
    if (products == FINITE || products == c)
        return c;
    return c == FINITE ? products : NOT;
}

static void step(struct tile *t, bool is_f16, uint32_t *c, unsigned k0, unsigned n)
{
    struct format f = is_f16 ? formats[MMA_F16] : f32;
    int32_t scale = 1 << (t->fraction_bits - f.man_bits);
    uint8_t c_kind[MMA_MAX_M * MMA_N];
    unsigned c_special = 0;

    for (unsigned i = 0; i < t->m * MMA_N; i++) {
        struct number x = unpack(f, c[i]);

        t->c_sig[i / MMA_N][i % MMA_N] = x.sig * scale;
        t->c_exp[i / MMA_N][i % MMA_N] = x.exp;
        c_special |= c_kind[i] = x.kind;
    }
    add_terms(t, k0, n);
    for (unsigned i = 0; i < t->m * MMA_N; i++) {
        unsigned row = i / MMA_N, col = i % MMA_N;
        int64_t sum = (int64_t)t->sum[row][0][col] + t->sum[row][1][col];
        int exp = t->max_exp[row][col] - t->fraction_bits;

        c[i] = is_f16 ? to_f16(sum, exp) : to_f32(sum, exp);
    }
    for (unsigned i = 0; (t->has_special || c_special) && i < t->m * MMA_N; i++) {
        enum kind kind =
            combine(special_kind(t, i / MMA_N, i % MMA_N, k0, n), c_kind[i]);

        if (kind != FINITE)
            c[i] = kind_bits(kind, is_f16);
    }
}

void mma_float(const struct mma_op *op, const struct mma_elements *e, uint32_t *c)
{
    struct tile t;

    load(&t, op, e);
    for (unsigned k = 0; k < op->k; k += op->rounding.group) {
        unsigned left = op->k - k;

        step(&t, op->f16_acc, c, k,
             left < op->rounding.group ? left : op->rounding.group);
    }
}
