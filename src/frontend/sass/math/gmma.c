/* gmma.c - the arithmetic of warpgroup products.
 *
 * f16, bf16 and tf32 follow the rule of HMMA (mmafloat.c): one step over all k of the
 * instruction, 25 fraction bits. The 8-bit floats make the same single step over k = 32,
 * but with 13 fraction bits, and an f32 result keeps only 13 of its fraction bits. All of
 * it was compared with an H200 (tests/isa/feature/gmma.cu).
 */
#include "frontend/sass/math/gmma.h"

enum { F8_FRACTION = 13, F32_FRACTION = 23, EXP_NONE = -10000 };

static const struct {
    uint8_t bytes, depth;
    uint8_t mma; /* enum mma_type, N_MMA_TYPE: not of mmafloat.c */
    uint32_t sign;
} types[N_GMMA_TYPE] = {
    [GMMA_F16] = { 2, 16, MMA_F16, 0x8000 },
    [GMMA_BF16] = { 2, 16, MMA_BF16, 0x8000 },
    [GMMA_TF32] = { 4, 8, MMA_TF32, 0x80000000u },
    [GMMA_E4M3] = { 1, 32, N_MMA_TYPE, 0x80 },
    [GMMA_E5M2] = { 1, 32, N_MMA_TYPE, 0x80 },
    [GMMA_S8] = { 1, 32, N_MMA_TYPE, 0 },
    [GMMA_U8] = { 1, 32, N_MMA_TYPE, 0 },
    [GMMA_B1] = { 4, 8, N_MMA_TYPE, 0 },
};

unsigned gmma_bytes(enum gmma_type type)
{
    return types[type].bytes;
}

unsigned gmma_depth(enum gmma_type type)
{
    return types[type].depth;
}

void gmma_negate(enum gmma_type type, uint32_t *e, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        e[k] ^= types[type].sign;
}

/* A value sig * 2^(exp - fraction bits of its format), or what is not a number. */
struct term {
    int32_t sig;
    int exp;
    bool is_nan, is_inf, is_negative;
};

static struct term unpack_term(uint32_t x, unsigned exp_bits, unsigned man_bits)
{
    uint32_t man = x & ((1u << man_bits) - 1), all = (1u << exp_bits) - 1;
    uint32_t exp = x >> man_bits & all;
    struct term t = { .is_negative = x >> (exp_bits + man_bits) & 1 };

    if (exp_bits == 4) /* e4m3: one NaN, no infinity */
        t.is_nan = exp == all && man == 7;
    else if (exp == all)
        *(man ? &t.is_nan : &t.is_inf) = true;
    t.sig = (int32_t)(exp ? man | 1u << man_bits : man);
    t.exp = (int)(exp ? exp : 1) - (int)(all >> 1);
    return t;
}

static struct term unpack_f8(unsigned type, uint32_t x)
{
    return type == GMMA_E4M3 ? unpack_term(x, 4, 3) : unpack_term(x, 5, 2);
}

static unsigned f8_man_bits(unsigned type)
{
    return type == GMMA_E4M3 ? 3 : 2;
}

/* What is not a number in a sum. */
struct sum {
    bool is_nan, plus, minus;
};

static void note_special(struct sum *s, struct term t)
{
    s->is_nan |= t.is_nan;
    s->plus |= t.is_inf && !t.is_negative;
    s->minus |= t.is_inf && t.is_negative;
}

static struct term multiply_terms(struct term a, struct term b)
{
    struct term p = { .is_negative = a.is_negative != b.is_negative };
    bool zero = (!a.is_inf && !a.sig) || (!b.is_inf && !b.sig);

    p.is_inf = a.is_inf || b.is_inf;
    p.is_nan = a.is_nan || b.is_nan || (p.is_inf && zero);
    p.sig = a.sig * b.sig;
    p.exp = a.exp + b.exp;
    return p;
}

/* Magnitude m * 2^(exp - F8_FRACTION), cut to f32 with 13 fraction bits. */
static uint32_t pack_f32(uint64_t m, int exp)
{
    int top, e;

    if (!m)
        return 0;
    top = 63 - __builtin_clzll(m);
    e = exp - F8_FRACTION + top;
    if (e > 127)
        return 0x7f800000;
    if (top > F8_FRACTION)
        m &= ~(uint64_t)0 << (top - F8_FRACTION);
    if (e < -126) { /* in units of 2^-149 */
        int down = -149 - (exp - F8_FRACTION);

        return down > 63 ? 0 : (uint32_t)(down > 0 ? m >> down : m << -down);
    }
    m = top > F32_FRACTION ? m >> (top - F32_FRACTION) : m << (F32_FRACTION - top);
    return (uint32_t)(e + 127) << F32_FRACTION | ((uint32_t)m & 0x7fffff);
}

/* The same, rounded to the nearest f16. */
static uint32_t pack_f16(uint64_t m, int exp)
{
    int top, e, down;
    uint64_t half, rest;

    if (!m)
        return 0;
    top = 63 - __builtin_clzll(m);
    e = exp - F8_FRACTION + top;
    if (e > 15)
        return 0x7c00;
    down = (e < -14 ? -24 : e - 10) - (exp - F8_FRACTION);
    if (down > 40)
        return 0;
    if (down <= 0) {
        m <<= -down;
    } else {
        half = (uint64_t)1 << (down - 1);
        rest = m & (half + half - 1);
        m >>= down;
        m += rest > half || (rest == half && (m & 1));
    }
    /* the hidden bit and a carry both go into the exponent */
    return e < -14 ? (uint32_t)m : (uint32_t)((uint64_t)(e + 14) << 10) + (uint32_t)m;
}

static uint32_t pack_sum(const struct gmma_op *op, int64_t sum, int exp)
{
    uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
    uint32_t u = op->f16_acc ? pack_f16(m, exp) : pack_f32(m, exp);

    return u && sum < 0 ? u | (op->f16_acc ? 0x8000u : 0x80000000u) : u;
}

/* A term in units of 2^(top - F8_FRACTION), cut toward zero. */
static int64_t align_term(struct term t, unsigned fraction, int top)
{
    int down = (int)fraction - F8_FRACTION + top - t.exp;
    int64_t v = t.sig;

    if (!v || down > 40)
        return 0;
    v = down > 0 ? v >> down : v << -down;
    return t.is_negative ? -v : v;
}

static uint32_t f8_dot(const struct gmma_op *op, const uint32_t *a, const uint32_t *b,
                       uint32_t c)
{
    unsigned fraction = f8_man_bits(op->a) + f8_man_bits(op->b);
    struct term p[32],
        acc = op->f16_acc ? unpack_term(c, 5, 10) : unpack_term(c, 8, 23);
    struct sum s = { 0 };
    int top = acc.sig ? acc.exp : EXP_NONE;
    int64_t sum;

    note_special(&s, acc);
    for (unsigned k = 0; k < 32; k++) {
        p[k] = multiply_terms(unpack_f8(op->a, a[k]), unpack_f8(op->b, b[k * MMA_N]));
        note_special(&s, p[k]);
        if (p[k].sig && p[k].exp > top)
            top = p[k].exp;
    }
    if (s.is_nan || (s.plus && s.minus))
        return op->f16_acc ? 0x7fff : 0x7fffffff;
    if (s.plus || s.minus)
        return (op->f16_acc ? 0x7c00u : 0x7f800000u) |
               (s.minus ? (op->f16_acc ? 0x8000u : 0x80000000u) : 0);
    sum = align_term(acc, op->f16_acc ? 10 : 23, top);
    for (unsigned k = 0; k < 32; k++)
        sum += align_term(p[k], fraction, top);
    return pack_sum(op, sum, top);
}

static void f8_tile(const struct gmma_op *op, const struct mma_elements *e, uint32_t *c)
{
    for (unsigned row = 0; row < MMA_MAX_M; row++)
        for (unsigned col = 0; col < MMA_N; col++)
            c[row * MMA_N + col] =
                f8_dot(op, e->a + row * 32, e->b + col, c[row * MMA_N + col]);
}

static int32_t int_value(unsigned type, uint32_t x)
{
    return type == GMMA_S8 ? (int8_t)x : (int32_t)x;
}

static void int_tile(const struct gmma_op *op, const struct mma_elements *e,
                     uint32_t *c)
{
    for (unsigned i = 0; i < MMA_MAX_M * MMA_N; i++) {
        const uint32_t *a = e->a + i / MMA_N * 32, *b = e->b + i % MMA_N;
        int64_t sum = (int32_t)c[i];

        for (unsigned k = 0; k < 32; k++)
            sum += int_value(op->a, a[k]) * int_value(op->b, b[k * MMA_N]);
        if (op->sat && sum > INT32_MAX)
            sum = INT32_MAX;
        if (op->sat && sum < INT32_MIN)
            sum = INT32_MIN;
        c[i] = (uint32_t)sum;
    }
}

/* Ones common to both. */
static void bit_tile(const struct mma_elements *e, uint32_t *c)
{
    for (unsigned i = 0; i < MMA_MAX_M * MMA_N; i++)
        for (unsigned k = 0; k < 8; k++)
            c[i] += (uint32_t)__builtin_popcount(e->a[i / MMA_N * 8 + k] &
                                                 e->b[k * MMA_N + i % MMA_N]);
}

void gmma_tile(const struct gmma_op *op, const struct mma_elements *e, uint32_t *c)
{
    switch ((enum gmma_type)op->a) {
    case GMMA_E4M3:
    case GMMA_E5M2:
        f8_tile(op, e, c);
        break;
    case GMMA_S8:
    case GMMA_U8:
        int_tile(op, e, c);
        break;
    case GMMA_B1:
        bit_tile(e, c);
        break;
    default: {
        struct mma_op m = { .m = MMA_MAX_M,
                            .k = types[op->a].depth,
                            .a = types[op->a].mma,
                            .b = types[op->a].mma,
                            .f16_acc = op->f16_acc };

        m.rounding = mma_rounding_of(SM90, (enum mma_type)m.a);
        mma_float(&m, e, c);
    }
    }
}
