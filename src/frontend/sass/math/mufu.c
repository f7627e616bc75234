/* mufu.c - the special function unit.
 *
 * One piecewise quadratic serves all functions: the operand is reduced to a row of
 * coefficients and a 17-bit offset x in its segment,
 *     acc = (C0 << s0) + r + C1 * x + (C2 * square_fraction(x) << s2),
 * and acc is cut (never rounded) to the result. square_fraction() is the hardware's: partial
 * products below a column are dropped. Denormal operands count as zero but in TANH, and
 * results that would be denormal are zero.
 */
#include "frontend/sass/math/mufu.h"

#include <stdbool.h>

#include "frontend/sass/math/mufu_tables.h"
#include "frontend/sass/math/simd.h"

enum { LANES = 32 };

#define SIGN     0x80000000u
#define INFINITE 0x7f800000u
#define NOT      0x7fffffffu /* the one NaN */
#define ONE      0x3f800000u
#define MANTISSA 0x7fffffu

/* One set of coefficients. */
struct unit {
    uint16_t row; /* its first */
    uint8_t s0, s2;
    uint8_t drop;    /* low bits cut off acc */
    uint8_t x_shift; /* the offset has 17 - x_shift bits, held shifted up */
    int16_t r;
};

enum unit_id {
    UNIT_RCP,
    UNIT_RSQ_EVEN,
    UNIT_RSQ_ODD,
    UNIT_SQRT_EVEN,
    UNIT_SQRT_ODD,
    UNIT_EX2,
    UNIT_LG2,
    UNIT_SIN,
    UNIT_TANH
};

static const struct unit units[] = {
    [UNIT_RCP] = { ROW_RCP, .s0 = 13, .drop = 15, .x_shift = 1, .r = 2023 },
    [UNIT_RSQ_EVEN] = { ROW_RSQ_EVEN, .s0 = 14, .s2 = 2, .drop = 16, .r = -1 },
    [UNIT_RSQ_ODD] = { ROW_RSQ_ODD, .s0 = 14, .s2 = 2, .drop = 16, .r = -1 },
    [UNIT_SQRT_EVEN] = { ROW_SQRT_EVEN, .s0 = 15, .s2 = 1, .drop = 17, .r = -1 },
    [UNIT_SQRT_ODD] = { ROW_SQRT_ODD, .s0 = 14, .s2 = 0, .drop = 16, .r = -1 },
    [UNIT_EX2] = { ROW_EX2, .s0 = 13, .drop = 15, .r = 6114 },
    [UNIT_LG2] = { ROW_LG2, .s0 = 12, .s2 = 1, .drop = 2, .r = 837 },
    [UNIT_SIN] = { ROW_SIN, .s0 = 12 },
    [UNIT_TANH] = { ROW_TANH, .s0 = 17, .s2 = 2 },
};

/* An operand reduced: either the result is known, or it is to be interpolated. */
struct point {
    bool is_known;
    uint8_t unit;
    uint16_t row;
    uint32_t x;
    uint32_t bits; /* known: the result; else its sign */
    int exp;       /* the result's exponent field, or what the function says */
};

static inline struct point known_point(uint32_t bits)
{
    return (struct point){ .is_known = true, .bits = bits };
}

/* A point of a function with 64 segments over a 23-bit fraction. */
static inline struct point interpolate_point(enum unit_id unit, uint32_t fraction,
                                             uint32_t sign, int exp)
{
    return (struct point){ .unit = (uint8_t)unit,
                           .row = (uint16_t)(units[unit].row + (fraction >> 17)),
                           .x = fraction & 0x1ffff,
                           .bits = sign,
                           .exp = exp };
}

/* The operand's fields; for the 64H forms the mantissa is widened to 23 bits. */
struct fields {
    uint32_t sign, man;
    int exp, all; /* all: the exponent of infinity */
    uint32_t infinity;
};

static inline struct fields split_fields(bool is_64h, uint32_t u)
{
    if (is_64h)
        return (struct fields){ u & SIGN, (u & 0xfffff) << 3, (int)(u >> 20 & 0x7ff),
                                0x7ff, 0x7ff00000 };
    return (struct fields){ u & SIGN, u & MANTISSA, (int)(u >> 23 & 0xff), 0xff,
                            INFINITE };
}

static inline struct point reduce_rcp_any(bool is_64h, uint32_t u)
{
    struct fields f = split_fields(is_64h, u);

    if (f.exp == f.all)
        return known_point(f.man ? NOT : f.sign);
    if (f.exp == 0)
        return known_point(f.sign | f.infinity);
    return (struct point){ .unit = UNIT_RCP,
                           .row = (uint16_t)(ROW_RCP + (f.man >> 16)),
                           .x = (f.man & 0xffff) << 1,
                           .bits = f.sign,
                           .exp = f.all - 2 - f.exp };
}

static inline struct point reduce_rcp(uint32_t u)
{
    return reduce_rcp_any(false, u);
}

static inline struct point reduce_rcp64h(uint32_t u)
{
    return reduce_rcp_any(true, u);
}

/* The operand is 4^k times 1.m (exponent field odd) or 2 * 1.m. */
static inline struct point reduce_rsq_any(bool is_64h, uint32_t u)
{
    struct fields f = split_fields(is_64h, u);
    bool is_odd = !(f.exp & 1);
    int bias = f.all / 2, k = (f.exp - bias - is_odd) / 2;

    if (f.exp == f.all && f.man)
        return known_point(NOT);
    if (f.exp == 0)
        return known_point(f.sign | f.infinity);
    if (f.sign)
        return known_point(NOT);
    if (f.exp == f.all)
        return known_point(0);
    if (!is_odd && !f.man) /* the interpolation would be one unit low */
        return known_point((uint32_t)(bias - k) << (is_64h ? 20 : 23));
    return interpolate_point(is_odd ? UNIT_RSQ_ODD : UNIT_RSQ_EVEN, f.man, 0,
                             bias - 1 - k);
}

static inline struct point reduce_rsq(uint32_t u)
{
    return reduce_rsq_any(false, u);
}

static inline struct point reduce_rsq64h(uint32_t u)
{
    return reduce_rsq_any(true, u);
}

static inline struct point reduce_sqrt(uint32_t u)
{
    struct fields f = split_fields(false, u);
    bool is_odd = !(f.exp & 1);

    if (f.exp == f.all && f.man)
        return known_point(NOT);
    if (f.exp == 0)
        return known_point(f.sign);
    if (f.sign)
        return known_point(NOT);
    if (f.exp == f.all)
        return known_point(INFINITE);
    return interpolate_point(is_odd ? UNIT_SQRT_ODD : UNIT_SQRT_EVEN, f.man, 0,
                             127 + (f.exp - 127 - is_odd) / 2);
}

/* A negative operand is split by complementing its fraction's ones, so it comes out one
 * unit low. */
static inline struct point reduce_ex2(uint32_t u)
{
    struct fields f = split_fields(false, u);
    uint32_t fixed = 0, m = f.man | 0x800000; /* |operand| * 2^23 */

    if (f.exp == f.all && f.man)
        return known_point(NOT);
    if (f.exp >= 127 + 7)
        return known_point(f.sign ? 0 : INFINITE);
    if (f.exp >= 127)
        fixed = m << (f.exp - 127);
    else if (f.exp >= 127 - 23)
        fixed = m >> (127 - f.exp);

    int n = (int)(fixed >> 23);

    fixed &= MANTISSA;
    if (f.sign) {
        n = -n - (fixed != 0);
        fixed ^= fixed ? MANTISSA : 0;
    }
    if (n < -126)
        return known_point(0);
    return interpolate_point(UNIT_EX2, fixed, 0, 127 + n);
}

static inline struct point reduce_lg2(uint32_t u)
{
    struct fields f = split_fields(false, u);

    if (f.exp == f.all && f.man)
        return known_point(NOT);
    if (f.exp == 0)
        return known_point(SIGN | INFINITE);
    if (f.sign)
        return known_point(NOT);
    if (f.exp == f.all)
        return known_point(INFINITE);
    if (u == ONE) /* the interpolation would give 0.9 units */
        return known_point(0);
    return interpolate_point(UNIT_LG2, f.man, 0, f.exp - 127);
}

static inline struct point reduce_turns(bool is_cos, uint32_t u)
{
    struct fields f = split_fields(false, u);
    uint32_t m = f.man | 0x800000, fixed = 0; /* turns * 2^25, whole turns dropped */
    int up = f.exp - 125;

    if (f.exp == f.all)
        return known_point(NOT);
    if (up >= 0 && up < 25)
        fixed = (uint32_t)((uint64_t)m << up) & 0x1ffffff;
    else if (up < 0 && up > -24)
        fixed = m >> -up;

    uint32_t quadrant = fixed >> 23;

    if (is_cos) {
        quadrant++;
        f.sign = 0;
    }
    fixed &= MANTISSA;
    if (quadrant & 1)
        fixed ^= MANTISSA;
    if (quadrant & 2)
        f.sign ^= SIGN;
    return interpolate_point(UNIT_SIN, fixed, f.sign, 0);
}

static inline struct point reduce_sin(uint32_t u)
{
    return reduce_turns(false, u);
}

static inline struct point reduce_cos(uint32_t u)
{
    return reduce_turns(true, u);
}

static inline struct point reduce_tanh(uint32_t u)
{
    /* By binade of the operand, from 2^-8 on: log2 of the segments, the first row. */
    static const uint8_t segments[] = { 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3 };
    static const uint8_t first[] = { 0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43 };
    struct fields f = split_fields(false, u);

    if (f.exp == f.all && f.man)
        return known_point(NOT);
    if (f.exp < 127 - 8)
        return known_point(u);
    if (f.exp >= 127 + 3)
        return known_point(f.sign | ONE);

    int binade = f.exp - (127 - 8);
    struct point p =
        interpolate_point(UNIT_TANH, f.man >> (6 - segments[binade]), f.sign, 0);

    p.row = (uint16_t)(p.row + first[binade]);
    return p;
}

/* x^2 / 2^19 for a 17-bit x, from the partial products of weight 2^19 and above: the
 * squares of bits and, once for each pair, twice their product. */
static inline uint32_t square_fraction(uint32_t x)
{
    uint32_t sum = 0;

    SIMD_UNROLL
    for (int j = 2; j < 17; j++) {
        int lowest = j + 1 > 18 - j ? j + 1 : 18 - j; /* partner l: j + l + 1 >= 19 */
        uint32_t diagonal = 2 * j >= 19 ? 1u << (2 * j - 19) : 0;
        uint32_t pairs = (x & ~0u << lowest) >> (18 - j);

        sum += (pairs + diagonal) & -(x >> j & 1);
    }
    return sum;
}

static inline int64_t evaluate_point(struct point p, uint32_t squared)
{
    const struct unit *u = &units[p.unit];
    const int32_t *c = mufu_rows[p.row];
    int64_t acc = (int64_t)c[0] * (1 << u->s0) + u->r +
                  (int64_t)c[1] * (int64_t)(p.x >> u->x_shift) +
                  (int64_t)c[2] * (int64_t)squared * (1 << u->s2);

    return acc >> u->drop;
}

/* v * 2^-scale, v > 0, cut to 24 bits. */
static inline uint32_t to_float(uint32_t sign, int64_t v, int scale)
{
    int top = 63 - __builtin_clzll((uint64_t)v);
    uint32_t m = (uint32_t)(top >= 23 ? v >> (top - 23) : v << (23 - top));

    return sign | (uint32_t)(top - scale + 127) << 23 | (m & MANTISSA);
}

/* v in [2^23, 2^24] as a mantissa below the exponent p.exp. */
static inline uint32_t assemble_float(struct point p, int64_t v, bool is_64h)
{
    int64_t fraction = v - 0x800000;
    int64_t bits = is_64h ? ((int64_t)p.exp * (1 << 20)) + (fraction >> 3)
                          : ((int64_t)p.exp * (1 << 23)) + fraction;
    int64_t smallest = is_64h ? 1 << 20 : 1 << 23;

    return p.bits | (bits < smallest ? 0 : (uint32_t)bits);
}

static inline uint32_t finish_value(enum mufu_fn fn, struct point p, uint32_t squared)
{
    if (p.is_known)
        return p.bits;

    int64_t v = evaluate_point(p, squared);

    switch (fn) {
    case MUFU_COS:
    case MUFU_SIN:
        if (v == 0)
            return p.bits;
        return v >> 37 ? p.bits | ONE : to_float(p.bits, v, 37);
    case MUFU_LG2: /* a negative logarithm's ones are complemented */
        v += (int64_t)p.exp * ((int64_t)1 << 36);
        return v < 0 ? to_float(SIGN, ~v, 36) : to_float(0, v, 36);
    case MUFU_TANH:
        return to_float(p.bits, v, 41);
    default:
        return assemble_float(p, v, fn == MUFU_RCP64H || fn == MUFU_RSQ64H);
    }
}

SIMD_BODY square_lanes_body(uint32_t *x)
{
    for (int i = 0; i < LANES; i++)
        x[i] = square_fraction(x[i]);
}

SIMD_KERNEL(square_lanes, (uint32_t * x), (x))

#define FUNCTIONS(FN)              \
    FN(MUFU_COS, reduce_cos)       \
    FN(MUFU_SIN, reduce_sin)       \
    FN(MUFU_EX2, reduce_ex2)       \
    FN(MUFU_LG2, reduce_lg2)       \
    FN(MUFU_RCP, reduce_rcp)       \
    FN(MUFU_RSQ, reduce_rsq)       \
    FN(MUFU_RCP64H, reduce_rcp64h) \
    FN(MUFU_RSQ64H, reduce_rsq64h) \
    FN(MUFU_SQRT, reduce_sqrt)     \
    FN(MUFU_TANH, reduce_tanh)

uint32_t mufu_f32(enum mufu_fn fn, uint32_t x)
{
    struct point p = known_point(0);

    switch (fn) {
#define FN(name, reduce) \
    case name:           \
        p = reduce(x);   \
        break;
        FUNCTIONS(FN)
#undef FN
    default:
        break;
    }
    return finish_value(fn, p, square_fraction(p.x));
}

/* Inlined with fn constant, so that each function has a loop of its own. */
static inline __attribute__((always_inline)) void
compute_lanes(enum mufu_fn fn, struct point (*reduce)(uint32_t), uint32_t *d,
              const uint32_t *a)
{
    struct point p[LANES];
    uint32_t x[LANES];

    for (int i = 0; i < LANES; i++) {
        p[i] = reduce(a[i]);
        x[i] = p[i].x;
    }
    square_lanes(x);
    for (int i = 0; i < LANES; i++)
        d[i] = finish_value(fn, p[i], x[i]);
}

void mufu_lanes(enum mufu_fn fn, uint32_t *d, const uint32_t *a)
{
    switch (fn) {
#define FN(name, reduce)                   \
    case name:                             \
        compute_lanes(name, reduce, d, a); \
        break;
        FUNCTIONS(FN)
#undef FN
    default:
        break;
    }
}

static uint32_t widen_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, man = h & 0x3ff, exp = h >> 10 & 31;

    if (exp == 31)
        return sign | INFINITE | man << 13;
    if (exp)
        return sign | (exp + 112) << 23 | man << 13;
    if (!man)
        return sign;

    uint32_t up = (uint32_t)__builtin_clz(man) - 21; /* brings the top one to bit 10 */

    return sign | (113 - up) << 23 | (man << (13 + up) & MANTISSA);
}

/* Cut, but too large gives infinity. */
static uint16_t narrow_f16(uint32_t u)
{
    uint32_t sign = u >> 16 & 0x8000, man = u & MANTISSA, exp = u >> 23 & 255;

    if (exp == 255 && man)
        return 0x7fff;
    if (exp >= 127 + 16)
        return (uint16_t)(sign | 0x7c00);
    if (exp >= 113)
        return (uint16_t)(sign | (exp - 112) << 10 | man >> 13);
    return (uint16_t)(exp < 103 ? sign : sign | (man | 0x800000) >> (126 - exp));
}

uint16_t mufu_f16(enum mufu_fn fn, uint16_t x)
{
    return narrow_f16(mufu_f32(fn, widen_f16(x)));
}

uint16_t mufu_bf16(enum mufu_fn fn, uint16_t x)
{
    return (uint16_t)(mufu_f32(fn, (uint32_t)x << 16) >> 16);
}
