/* fpvec.c - the hot f32 and f64 operations over 32 lanes, on the host's arithmetic.
 *
 * What the host does otherwise than the GPU, and how it is repaired:
 * - f32 NaN results are made canonical by a select in the loop; f64 NaN results are rare
 *   and those lanes are computed again by fp.c.
 * - Under ftz the host rounds a tiny result on the denormal grid, the GPU with unbounded
 *   exponent and then flushes. A host result below 2^-126 is below it in both views. Of
 *   the others only exactly 2^-126 can be a value the GPU flushes: fp.c decides. (A sum
 *   of flushed operands below 2^-126 is exact, so FADD needs no such look.)
 * Everything but round to nearest goes lane by lane through fp.c.
 */
#include "frontend/sass/math/fpvec.h"

#include <math.h>

#include "frontend/sass/math/fpbits.h"
#include "frontend/sass/math/simd.h"

enum op { ADD, MUL, FMA };

/* The loops are inlined with op constant. v is a, b, c; c is for FMA only. */

LOOP f32_loop(enum op op, uint32_t *d, const uint32_t *a, const uint32_t *b,
              const uint32_t *c)
{
    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        float x = to_float(a[i]), y = to_float(b[i]);
        float s = op == ADD ? x + y : op == MUL ? x * y : fmaf(x, y, to_float(c[i]));

        d[i] = canonical(from_float(s));
    }
}

/* *doubt: a lane came out as the smallest normal number. d is none of the sources. */
LOOP f32_ftz_loop(enum op op, uint32_t *d, const uint32_t *const v[3], uint32_t *doubt)
{
    const uint32_t *a = v[0], *b = v[1], *c = v[2];
    uint32_t any = 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        float x = to_float(flush(a[i])), y = to_float(flush(b[i]));
        float s = op == ADD   ? x + y
                  : op == MUL ? x * y
                              : fmaf(x, y, to_float(flush(c[i])));
        uint32_t u = from_float(s);

        any |= (u & MAGNITUDE) == SMALLEST;
        d[i] = canonical(flush(u));
    }
    *doubt = any;
}

/* *nan: a lane came out as NaN. d is none of the sources. */
LOOP f64_loop(enum op op, uint32_t *d, const uint32_t *const v[3], uint32_t *nan)
{
    const uint32_t *a = v[0], *b = v[1], *c = v[2];
    uint64_t any = 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        double x = to_double(a[i], a[i + LANES]), y = to_double(b[i], b[i + LANES]);
        double s = op == ADD   ? x + y
                   : op == MUL ? x * y
                               : fma(x, y, to_double(c[i], c[i + LANES]));

        uint64_t u = from_double(s);

        any |= u << 1 > (uint64_t)0x7ff << 53;
        d[i] = (uint32_t)u;
        d[i + LANES] = (uint32_t)(u >> 32);
    }
    *nan = any != 0;
}

#define BY_OP(op, loop, ...)    \
    switch (op) {               \
    case ADD:                   \
        loop(ADD, __VA_ARGS__); \
        break;                  \
    case MUL:                   \
        loop(MUL, __VA_ARGS__); \
        break;                  \
    case FMA:                   \
        loop(FMA, __VA_ARGS__); \
        break;                  \
    }

/* The usual ones each by itself: there is little around them. */
SIMD_BODY f32_add_body(uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    f32_loop(ADD, d, a, b, b);
}

SIMD_BODY f32_mul_body(uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    f32_loop(MUL, d, a, b, b);
}

SIMD_BODY f32_fma_body(uint32_t *d, const uint32_t *a, const uint32_t *b,
                       const uint32_t *c)
{
    f32_loop(FMA, d, a, b, c);
}

SIMD_BODY f32_ftz_lanes_body(enum op op, uint32_t *d, const uint32_t *const v[3],
                             uint32_t *doubt){ BY_OP(op, f32_ftz_loop, d, v, doubt) }

SIMD_BODY f64_lanes_body(enum op op, uint32_t *d, const uint32_t *const v[3],
                         uint32_t *nan){ BY_OP(op, f64_loop, d, v, nan) }

/* clang-format off */
SIMD_KERNEL(f32_add, (uint32_t *d, const uint32_t *a, const uint32_t *b), (d, a, b))
SIMD_KERNEL(f32_mul, (uint32_t *d, const uint32_t *a, const uint32_t *b), (d, a, b))
SIMD_KERNEL(f32_fma,
            (uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c),
            (d, a, b, c))
SIMD_KERNEL(f32_ftz_lanes,
            (enum op op, uint32_t *d, const uint32_t *const v[3], uint32_t *doubt),
            (op, d, v, doubt))
SIMD_KERNEL(f64_lanes,
            (enum op op, uint32_t *d, const uint32_t *const v[3], uint32_t *nan),
            (op, d, v, nan))
    /* clang-format on */

    /* A directed rounding of f32 from exact products and sums in double: the sum s of p and c
 * is off by the error e, also a double. Rounding s to float gives a neighbour of the
 * exact value, and comparing tells on which side. *doubt as above. */
    struct directed {
    bool down, up; /* both: toward zero */
    bool ftz;
};

LOOP f32_directed_loop(enum op op, struct directed m, uint32_t *d,
                       const uint32_t *const v[3], uint32_t *doubt)
{
    const uint32_t *a = v[0], *b = v[1], *c = v[2];
    uint32_t any = 0, keep = m.ftz ? 0 : ~0u;
    uint32_t minus_zero = m.down && !m.up && op != MUL ? SIGN : 0;

    SIMD_INDEPENDENT
    for (int i = 0; i < LANES; i++) {
        double x = (double)to_float(flush(a[i]) | (a[i] & keep));
        double y = (double)to_float(flush(b[i]) | (b[i] & keep));
        double z = op == FMA ? (double)to_float(flush(c[i]) | (c[i] & keep)) : y;
        double p = op == ADD ? x : x * y;
        double s = op == MUL ? p : p + z, t = s - p;
        double e = op == MUL ? 0 : (p - (s - t)) + (z - t);
        float f = (float)s;
        double g = (double)f;
        bool is_above = (g > s) | ((g == s) & (e < 0)), is_negative = s < 0;
        bool is_below = (g < s) | ((g == s) & (e > 0));
        bool lower = is_above & m.down & !(m.up & is_negative);
        bool raise = is_below & m.up & !(m.down & !is_negative);
        uint32_t u = from_float(f);

        u += lower != raise ? (lower == is_negative ? 1u : ~0u) : 0;
        /* an exact zero is -0 rounding down, unless both terms are +0 */
        u |= s == 0 && (from_double(p) | from_double(z)) ? minus_zero : 0;
        any |= (u & MAGNITUDE) == SMALLEST;
        d[i] = canonical(flush(u) | (u & keep));
    }
    *doubt = any & m.ftz;
}

SIMD_BODY f32_directed_lanes_body(enum op op, struct directed m, uint32_t *d,
                                  const uint32_t *const v[3], uint32_t *doubt){
    BY_OP(op, f32_directed_loop, m, d, v, doubt)
}

/* clang-format off */
SIMD_KERNEL(f32_directed_lanes,
            (enum op op, struct directed m, uint32_t *d, const uint32_t *const v[3],
             uint32_t *doubt),
            (op, m, d, v, doubt))
    /* clang-format on */

    static uint64_t
    compute_scalar(enum fp_format f, enum op op, struct fp_mode m, const uint64_t v[3])
{
    return op == ADD   ? fp_add(f, m, v[0], v[1])
           : op == MUL ? fp_mul(f, m, v[0], v[1])
                       : fp_fma(f, m, v[0], v[1], v[2]);
}

static uint32_t scalar_f32(enum op op, struct fp_mode m, const uint32_t *const v[3],
                           int i)
{
    return (uint32_t)compute_scalar(FP_F32, op, m,
                                    (const uint64_t[]){ v[0][i], v[1][i], v[2][i] });
}

/* .SAT, else .RELU. Results are canonical: everything above infinity is to be zero. */
static void finish_f32(struct fp_mode m, uint32_t *d)
{
    uint32_t above = m.sat ? EXPONENT : MAGNITUDE, largest = m.sat ? ONE : MAGNITUDE;

    if (!m.sat && !m.relu)
        return;
    for (int i = 0; i < LANES; i++) {
        uint32_t u = d[i] > above ? 0 : d[i];

        d[i] = u > largest ? largest : u;
    }
}

/* Everything but plain round to nearest. The sources may be needed again, so the result
 * is made apart. */
static void run_f32(enum op op, struct fp_mode m, uint32_t *d,
                    const uint32_t *const v[3])
{
    struct directed to = { .down = m.round == FP_RM || m.round == FP_RZ,
                           .up = m.round == FP_RP || m.round == FP_RZ,
                           .ftz = m.ftz };
    uint32_t r[LANES], doubt = 0;

    if (m.fmz || m.scale) {
        for (int i = 0; i < LANES; i++)
            r[i] = scalar_f32(op, m, v, i);
    } else if (m.round == FP_RN) {
        f32_ftz_lanes(op, r, v, &doubt);
    } else {
        f32_directed_lanes(op, to, r, v, &doubt);
    }
    for (int i = 0; doubt && op != ADD && i < LANES; i++)
        if ((r[i] & MAGNITUDE) == SMALLEST)
            r[i] = scalar_f32(op, m, v, i);
    memcpy(d, r, sizeof r);
}

static bool is_usual(struct fp_mode m)
{
    return m.round == FP_RN && !m.ftz && !m.fmz && !m.scale;
}

void fpv_fadd(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    m.fmz = false;
    m.scale = 0;
    if (is_usual(m))
        f32_add(d, a, b);
    else
        run_f32(ADD, m, d, (const uint32_t *const[]){ a, b, b });
    finish_f32(m, d);
}

void fpv_fmul(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    if (is_usual(m))
        f32_mul(d, a, b);
    else
        run_f32(MUL, m, d, (const uint32_t *const[]){ a, b, b });
    finish_f32(m, d);
}

void fpv_ffma(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b,
              const uint32_t *c)
{
    if (is_usual(m))
        f32_fma(d, a, b, c);
    else
        run_f32(FMA, m, d, (const uint32_t *const[]){ a, b, c });
    finish_f32(m, d);
}

static uint64_t word_pair(const uint32_t *x, int i)
{
    return (uint64_t)x[i + LANES] << 32 | x[i];
}

static void run_f64(enum op op, struct fp_mode m, uint32_t *d,
                    const uint32_t *const v[3])
{
    const struct fp_mode rounding = { .round = m.round };
    bool is_nearest = m.round == FP_RN;
    uint32_t r[2 * LANES], nan = 1;

    if (is_nearest)
        f64_lanes(op, r, v, &nan);
    for (int i = 0; nan && i < LANES; i++) {
        if (is_nearest && !fp_is_nan(FP_F64, word_pair(r, i)))
            continue;

        uint64_t u =
            compute_scalar(FP_F64, op, rounding,
                           (const uint64_t[]){ word_pair(v[0], i), word_pair(v[1], i),
                                               word_pair(v[2], i) });

        r[i] = (uint32_t)u;
        r[i + LANES] = (uint32_t)(u >> 32);
    }
    memcpy(d, r, sizeof r);
}

void fpv_dadd(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    run_f64(ADD, m, d, (const uint32_t *const[]){ a, b, b });
}

void fpv_dmul(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b)
{
    run_f64(MUL, m, d, (const uint32_t *const[]){ a, b, b });
}

void fpv_dfma(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b,
              const uint32_t *c)
{
    run_f64(FMA, m, d, (const uint32_t *const[]){ a, b, c });
}
