/* test_mufu.c - MUFU against hashes of an H200's outputs.
 *
 * The data has one hash for each block of 2^28 inputs of each function, a sum, so that
 * the order does not matter. All 160 blocks take minutes: the usual run does one block,
 * LENO_LONG=1 all of them. The rest here are values of single inputs, the 16-bit forms,
 * and the 32-lane function against the scalar one.
 */
#include <math.h>
#include <stdbool.h>

#include "frontend/sass/math/mufu.h"
#include "vectors.h"

#ifndef __has_feature /* clang's way to ask */
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

enum { LANES = 32, N_HASHES = 160, N_VALUES = 270 };

static const char *const names[N_MUFU_FN] = {
    "cos", "sin", "ex2", "lg2", "rcp", "rsq", "rcp64h", "rsq64h", "sqrt", "tanh"
};

static enum mufu_fn find(const char *name)
{
    enum mufu_fn fn = 0;

    while (strcmp(names[fn], name) != 0)
        assert_true(++fn < N_MUFU_FN);
    return fn;
}

static uint64_t mix(uint32_t x, uint32_t y)
{
    uint64_t z = (uint64_t)x << 32 | y;

    z = (z ^ z >> 31) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9ull;
    return z ^ z >> 32;
}

static uint64_t hash_block(enum mufu_fn fn, uint32_t block)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < 1u << 28; i += LANES) {
        uint32_t a[LANES], d[LANES];

        for (uint32_t k = 0; k < LANES; k++)
            a[k] = (block << 28) + i + k;
        mufu_lanes(fn, d, a);
        for (uint32_t k = 0; k < LANES; k++)
            sum += mix(a[k], d[k]);
    }
    return sum;
}

/* The usual run: the block of EX2 from 2^-31 to 2, which reaches every row but for
 * negative operands. Sanitizers make even that too slow. */
static bool is_wanted(const char *name, unsigned block)
{
    if (getenv("LENO_LONG"))
        return true;
    return !IS_SANITIZED && !strcmp(name, "ex2") && block == 3;
}

static void test_hashes(void **state)
{
    char *text = vectors_read("tests/data/arith/mufu.txt.zst"), *rest = text, *line;
    int n_lines = 0;

    (void)state;
    assert_non_null(text);
    while ((line = vectors_line(&rest)) != NULL) {
        char name[16];
        unsigned block;
        unsigned long long want;

        assert_int_equal(sscanf(line, "%15s %u %llx", name, &block, &want), 3);
        n_lines++;
        if (is_wanted(name, block) && hash_block(find(name), block) != want)
            fail_msg("%s differs in block %u", name, block);
    }
    free(text);
    assert_int_equal(n_lines, N_HASHES);
}

/* Edges of every function: zeros, denormals, infinities, the ends of rows. */
static void test_values(void **state)
{
    char *text = vectors_read("tests/data/arith/mufu_values.txt.zst"), *rest = text,
         *line;
    int n_lines = 0;

    (void)state;
    assert_non_null(text);
    while ((line = vectors_line(&rest)) != NULL) {
        char name[16];
        unsigned x, y;

        assert_int_equal(sscanf(line, "%15s %x %x", name, &x, &y), 3);
        n_lines++;
        if (mufu_f32(find(name), x) != y)
            fail_msg("%s gives %08x", line, (unsigned)mufu_f32(find(name), x));
    }
    free(text);
    assert_int_equal(n_lines, N_VALUES);
}

static void test_lanes(void **state)
{
    struct vectors_rng g = { 8 };
    uint32_t a[LANES], d[LANES];

    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        enum mufu_fn fn = n % N_MUFU_FN;

        for (int i = 0; i < LANES; i++) {
            a[i] = (uint32_t)vectors_random(&g);
            if (n & 1) /* around one */
                a[i] = (a[i] & 0x83ffffff) | 0x3c000000;
        }
        memcpy(d, a, sizeof d);
        mufu_lanes(fn, d, d);
        for (int i = 0; i < LANES; i++)
            assert_int_equal(d[i], mufu_f32(fn, a[i]));
    }
}

/* An f16 as float, by value; mufu.c does it by fields. */
static float half_value(uint16_t h)
{
    int exp = h >> 10 & 31;
    float v = (float)(h & 0x3ff);

    v = exp == 0 ? v * 0x1p-24f : (v + 1024) * 0x1p-25f * (float)(1u << exp);
    return h & 0x8000 ? -v : v;
}

/* The largest f16 magnitude not above a positive float, found by search. */
static uint16_t half_below(float v)
{
    uint16_t low = 0, high = 0x7c00;

    if (v >= 65536)
        return 0x7c00;
    while (high - low > 1) {
        uint16_t middle = (uint16_t)((low + high) / 2);

        if (half_value(middle) <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void test_f16(void **state)
{
    const enum mufu_fn fns[] = { MUFU_EX2, MUFU_TANH };

    (void)state;
    for (unsigned n = 0; n < 2 * 65536; n++) {
        uint16_t h = (uint16_t)n, want;
        float v = half_value(h), y;
        uint32_t x, u;

        if ((h & 0x7fff) >= 0x7c00)
            v = (h & 0x3ff)  ? (float)NAN
                : h & 0x8000 ? -(float)INFINITY
                             : (float)INFINITY;
        memcpy(&x, &v, sizeof x);
        u = mufu_f32(fns[n >> 16], x);
        memcpy(&y, &u, sizeof y);
        want = y != y
                   ? 0x7fff
                   : (uint16_t)(half_below(fabsf(y)) | (u & 0x80000000u ? 0x8000 : 0));
        assert_int_equal(mufu_f16(fns[n >> 16], h), want);
        assert_int_equal(mufu_bf16(fns[n >> 16], h),
                         mufu_f32(fns[n >> 16], (uint32_t)h << 16) >> 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_f16),
        cmocka_unit_test(test_hashes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
