/* test_fpvec.c - the 32-lane functions against the scalar ones, on seeded numbers rich in
 * special values, near values, denormals and the edges of flushing.
 */
#include "frontend/sass/math/fpconv.h"
#include "frontend/sass/math/fpvec.h"
#include "vectors.h"

enum { LANES = FPV_LANES, ROUNDS = 4000 };

static uint64_t random_number(struct vectors_rng *g, enum fp_format f)
{
    static const uint64_t specials[] = { 0, 1, 2, 3 };
    unsigned man = fp_formats[f].man_bits, bits = fp_formats[f].bits;
    uint64_t r = vectors_random(g), x = vectors_random(g);
    uint64_t sign = (uint64_t)1 << (bits - 1), inf = (sign - 1) >> man << man;
    uint64_t bias = (((uint64_t)1 << (bits - 2)) - 1) >> man << man; /* 1.0 */

    switch (r & 15) {
    case 0: /* next to zero, the smallest normal, one, infinity */
        x = specials[r >> 4 & 3] + ((r >> 8 & 3) == 0   ? 0
                                    : (r >> 8 & 3) == 1 ? (uint64_t)1 << man
                                    : (r >> 8 & 3) == 2 ? bias
                                                        : inf);
        x = r & 64 ? x - 2 : x;
        break;
    case 1: /* denormal */
        x &= ((uint64_t)1 << man) - 1;
        break;
    case 2: /* few ones */
    case 3:
        x &= vectors_random(g) & vectors_random(g);
        break;
    case 4: /* around one */
    case 5:
    case 6:
        x = bias + (x & ((((uint64_t)1 << man) << 3) - 1)) - ((uint64_t)1 << (man + 2));
        break;
    case 7: /* products come near the smallest normal */
    case 8:
        x = bias / 2 + (x & ((((uint64_t)1 << man) << 2) - 1));
        break;
    case 9: /* few bits, about one */
        x = bias +
            (x & ~(((uint64_t)1 << (man - 3)) - 1) & (((uint64_t)16 << man) - 1));
        break;
    default:
        break;
    }
    x = r >> 63 ? x ^ sign : x;
    return bits == 64 ? x : x & (sign + sign - 1);
}

static void fill32(struct vectors_rng *g, uint32_t *x)
{
    for (int i = 0; i < LANES; i++)
        x[i] = (uint32_t)random_number(g, FP_F32);
}

static void fill64(struct vectors_rng *g, uint32_t *x)
{
    for (int i = 0; i < LANES; i++) {
        uint64_t u = random_number(g, FP_F64);

        x[i] = (uint32_t)u;
        x[i + LANES] = (uint32_t)(u >> 32);
    }
}

static void fill16(struct vectors_rng *g, enum fp_format f, uint32_t *x)
{
    for (int i = 0; i < LANES; i++)
        x[i] = (uint32_t)(random_number(g, f) | random_number(g, f) << 16);
}

static uint64_t pair(const uint32_t *x, int i)
{
    return (uint64_t)x[i + LANES] << 32 | x[i];
}

/* c near the negated product, so that much cancels. */
static void cancel(struct vectors_rng *g, enum fp_format f, const uint32_t *a,
                   const uint32_t *b, uint32_t *c)
{
    const struct fp_mode m = { .round = FP_RN };

    for (int i = 0; i < LANES; i++) {
        uint64_t r = vectors_random(g);

        if (r & 1)
            continue;
        if (f == FP_F32)
            c[i] = ((uint32_t)fp_mul(f, m, a[i], b[i]) ^ 0x80000000u) + (r >> 1 & 3);
        else
            c[i] = (fp_mul2(f, m, a[i], b[i]) ^ 0x80008000u) + (r >> 1 & 3);
    }
}

static void check(const char *what, uint64_t got, uint64_t want, int lane)
{
    if (got != want)
        fail_msg("%s, lane %d: %llx, expected %llx", what, lane,
                 (unsigned long long)got, (unsigned long long)want);
}

static void test_f32(void **state)
{
    struct vectors_rng g = { 32 };
    uint32_t a[LANES], b[LANES], c[LANES], d[LANES];

    (void)state;
    for (unsigned n = 0; n < 6 * ROUNDS; n++) {
        struct fp_mode m = { .round = n & 1 ? n >> 1 & 3 : 0,
                             .ftz = n >> 3 & 1,
                             .sat = (n >> 4 & 7) == 1,
                             .relu = (n >> 4 & 7) == 2,
                             .fmz = (n >> 4 & 31) == 3,
                             .scale = (int8_t)((n >> 4 & 31) == 4 ? 1 : 0) };

        fill32(&g, a);
        fill32(&g, b);
        fill32(&g, c);
        cancel(&g, FP_F32, a, b, c);
        fpv_ffma(m, d, a, b, c);
        for (int i = 0; i < LANES; i++)
            check("ffma", d[i], fp_fma(FP_F32, m, a[i], b[i], c[i]), i);
        fpv_fmul(m, d, a, b);
        for (int i = 0; i < LANES; i++)
            check("fmul", d[i], fp_mul(FP_F32, m, a[i], b[i]), i);
        m.scale = 0;
        memcpy(d, c, sizeof d);
        fpv_fadd(m, d, a, d); /* the destination is a source */
        for (int i = 0; i < LANES; i++)
            check("fadd", d[i], fp_add(FP_F32, m, a[i], c[i]), i);
    }
}

/* Products that come out as the smallest normal number or just below it. */
static void test_f32_flush_edge(void **state)
{
    struct vectors_rng g = { 33 };
    uint32_t a[LANES], b[LANES], c[LANES], d[LANES];

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct fp_mode m = { .round = n & 3, .ftz = true };

        for (int i = 0; i < LANES; i++) {
            uint64_t r = vectors_random(&g);

            a[i] = 0x3f800000u + (uint32_t)(r & 15) - 8;
            b[i] = 0x00800000u + (uint32_t)(r >> 4 & 15);
            c[i] = r & 256 ? 0x80000000u : r & 512 ? 0x00800000u : 0x80800000u;
            if (r & 1024) { /* two random factors whose exponents add up to the edge */
                a[i] = (uint32_t)(r >> 32 & 0x7fffff) | 64u << 23;
                b[i] = (uint32_t)(r >> 20 & 0x7fffff) | 63u << 23;
            }
        }
        fpv_ffma(m, d, a, b, c);
        for (int i = 0; i < LANES; i++)
            check("ffma", d[i], fp_fma(FP_F32, m, a[i], b[i], c[i]), i);
        fpv_fmul(m, d, a, b);
        for (int i = 0; i < LANES; i++)
            check("fmul", d[i], fp_mul(FP_F32, m, a[i], b[i]), i);
    }
}

static void test_f64(void **state)
{
    struct vectors_rng g = { 64 };
    uint32_t a[2 * LANES], b[2 * LANES], c[2 * LANES], d[2 * LANES];

    (void)state;
    for (unsigned n = 0; n < 2 * ROUNDS; n++) {
        struct fp_mode m = { .round = n & 7 ? 0 : n >> 3 & 3 };

        fill64(&g, a);
        fill64(&g, b);
        fill64(&g, c);
        memcpy(d, c, sizeof d);
        fpv_dfma(m, d, a, b, d);
        for (int i = 0; i < LANES; i++)
            check("dfma", pair(d, i),
                  fp_fma(FP_F64, m, pair(a, i), pair(b, i), pair(c, i)), i);
        fpv_dmul(m, d, a, b);
        for (int i = 0; i < LANES; i++)
            check("dmul", pair(d, i), fp_mul(FP_F64, m, pair(a, i), pair(b, i)), i);
        fpv_dadd(m, d, a, b);
        for (int i = 0; i < LANES; i++)
            check("dadd", pair(d, i), fp_add(FP_F64, m, pair(a, i), pair(b, i)), i);
    }
}

static void run_half(enum fp_format f)
{
    struct vectors_rng g = { 16 + (uint64_t)f };
    uint32_t a[LANES], b[LANES], c[LANES], d[LANES];

    for (unsigned n = 0; n < 3 * ROUNDS; n++) {
        struct fp_mode m = { .ftz = n & 1,
                             .sat = (n >> 1 & 3) == 1,
                             .relu = (n >> 1 & 3) == 2,
                             .fmz = (n & 63) == 32 };

        fill16(&g, f, a);
        fill16(&g, f, b);
        fill16(&g, f, c);
        cancel(&g, f, a, b, c);
        fpv_hfma2((struct fpv_half){ f, m }, d, a, b, c);
        for (int i = 0; i < LANES; i++)
            check("hfma2", d[i], fp_fma2(f, m, a[i], b[i], c[i]), i);
        fpv_hmul2(f, m, d, a, b);
        for (int i = 0; i < LANES; i++)
            check("hmul2", d[i], fp_mul2(f, m, a[i], b[i]), i);
        memcpy(d, c, sizeof d);
        fpv_hadd2(f, m, d, a, d);
        for (int i = 0; i < LANES; i++)
            check("hadd2", d[i], fp_add2(f, m, a[i], c[i]), i);
    }
}

static void test_f16(void **state)
{
    (void)state;
    run_half(FP_F16);
}

static void test_bf16(void **state)
{
    (void)state;
    run_half(FP_BF16);
}

static void test_compare(void **state)
{
    struct vectors_rng g = { 5 };
    uint32_t a[2 * LANES], b[2 * LANES];

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        unsigned code = n & 15;
        bool ftz = n & 16;
        uint32_t f32, f64;

        fill32(&g, a);
        fill32(&g, b);
        for (int i = 0; i < LANES; i += 3)
            b[i] = a[i] + (i & 1);
        f32 = fpv_fcompare(code, ftz, a, b);
        for (int i = 0; i < LANES; i++)
            check("fsetp", f32 >> i & 1, fp_compare(FP_F32, code, ftz, a[i], b[i]), i);
        fill64(&g, a);
        fill64(&g, b);
        for (int i = 0; i < LANES; i += 3) {
            b[i] = a[i];
            b[i + LANES] = a[i + LANES];
        }
        f64 = fpv_dcompare(code, a, b);
        for (int i = 0; i < LANES; i++)
            check("dsetp", f64 >> i & 1,
                  fp_compare(FP_F64, code, false, pair(a, i), pair(b, i)), i);
    }
}

static void test_modify(void **state)
{
    struct vectors_rng g = { 6 };
    uint32_t a[2 * LANES], d[2 * LANES];

    (void)state;
    for (unsigned n = 0; n < 400; n++) {
        bool is_abs = n & 1, is_neg = n & 2;

        fill64(&g, a);
        a[0] = n & 4 ? 1 : 0;
        a[LANES] = 0xfff00000;
        fpv_modify64(d, a, is_abs, is_neg);
        for (int i = 0; i < LANES; i++)
            check("f64", pair(d, i), fp_modify(FP_F64, pair(a, i), is_abs, is_neg), i);
        fpv_modify32(d, a, is_abs, is_neg);
        for (int i = 0; i < LANES; i++)
            check("f32", d[i], fp_modify(FP_F32, a[i], is_abs, is_neg), i);
        fpv_modify16x2(d, a, is_abs, is_neg);
        for (int i = 0; i < LANES; i++)
            check("f16x2", d[i],
                  fp_modify(FP_F16, a[i] & 0xffff, is_abs, is_neg) |
                      fp_modify(FP_F16, a[i] >> 16, is_abs, is_neg) << 16,
                  i);
        fpv_merge(d, a, 0x12345678u + n);
        for (int i = 0; i < LANES; i++)
            if ((0x12345678u + n) >> i & 1)
                check("merge", d[i], a[i], i);
            else
                check("merge", d[i],
                      fp_modify(FP_F16, a[i] & 0xffff, is_abs, is_neg) |
                          fp_modify(FP_F16, a[i] >> 16, is_abs, is_neg) << 16,
                      i);
    }
}

static void test_conversions(void **state)
{
    struct vectors_rng g = { 7 };
    uint32_t a[LANES], d[LANES];

    (void)state;
    for (unsigned n = 0; n < 8 * ROUNDS; n++) {
        struct fp_int type = { .bits = 32, .is_signed = n & 1, .ntz = n & 2 };
        enum fp_round round = n >> 2 & 3;
        bool ftz = n & 16;

        fill32(&g, a);
        for (int i = 0; i < LANES; i += 2) /* exponents up to 2^33 */
            a[i] = (a[i] & 0x807fffffu) | (126 + (uint32_t)(vectors_random(&g) % 34))
                                              << 23;
        fpv_f2i32(type, round, ftz, d, a);
        for (int i = 0; i < LANES; i++)
            check("f2i", d[i], fp_to_int(FP_F32, type, round, ftz, a[i]), i);
        for (int i = 0; i < LANES; i++)
            a[i] >>= vectors_random(&g) & 31;
        fpv_i2f32(type, round, d, a);
        for (int i = 0; i < LANES; i++)
            check("i2f", d[i], fp_from_int(FP_F32, type, round, a[i]), i);
    }
}

static void test_widths(void **state)
{
    const struct fp_mode nearest = { 0 };
    struct vectors_rng g = { 11 };
    uint64_t a[LANES], d[LANES];

    (void)state;
    for (int n = 0; n < 20000; n++) {
        for (int i = 0; i < LANES; i++) {
            uint64_t r = vectors_random(&g);
            uint64_t exponent = r & 64 ? 0x7ff : 890 + (r >> 8 & 255); /* f32's range */

            a[i] = r & 32 ? vectors_random(&g)
                          : (vectors_random(&g) & 0x800fffffffffffff) | exponent << 52;
        }
        memcpy(d, a, sizeof d);
        fpv_f64_to_f32(d);
        for (int i = 0; i < LANES; i++)
            check("f64 to f32", (uint32_t)d[i],
                  (uint32_t)fp_convert(FP_F64, FP_F32, nearest, a[i]), i);
        for (int i = 0; i < LANES; i++)
            d[i] = a[i] = (uint32_t)(a[i] >> 32);
        fpv_f32_to_f64(d);
        for (int i = 0; i < LANES; i++)
            check("f32 to f64", (uint32_t)(d[i] >> 32) ^ (uint32_t)d[i],
                  (uint32_t)(fp_convert(FP_F32, FP_F64, nearest, a[i]) >> 32) ^
                      (uint32_t)fp_convert(FP_F32, FP_F64, nearest, a[i]),
                  i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f32),    cmocka_unit_test(test_f32_flush_edge),
        cmocka_unit_test(test_f64),    cmocka_unit_test(test_f16),
        cmocka_unit_test(test_bf16),   cmocka_unit_test(test_compare),
        cmocka_unit_test(test_modify), cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_widths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
