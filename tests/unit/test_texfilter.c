/* test_texfilter.c - the arithmetic of the linear filter against words of an H200. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "frontend/sass/exec/texfilter.h"

/* Taps along one axis, or eight of a cube, and what the hardware made of them. */
struct blended {
    uint32_t tap[TEXFILTER_TAPS], axis[3], want;
};

static const struct blended singles[] = {
    { { 0x3e66de7d, 0x4133c695 }, { 26 }, 0x3fabfed5 },
    { { 0x40c01818, 0xbd907ace }, { 238 }, 0x3eb68691 },
    { { 0x40c01818, 0xbd907ace }, { 253 }, 0x3a245b32 }, /* little is left */
    /* Slices are aligned each by itself. */
    { { 0xbe236d10, 0x3f7fb005, 0xbe4c96eb, 0xc020b54b, 0xc0b99abb, 0x4132623b,
        0x3f32f353, 0x3dd60a12 },
      { 154, 172, 189 },
      0x3f7aa905 },
    /* The largest texel of the first slice has its weight rounded to 0. */
    { { 0xbe45e8f3, 0xc061375d, 0x3e84b7ac, 0x40e88f82, 0x3f7fb005, 0xbe5b4935,
        0xc020b54b, 0x403ce71b },
      { 4, 83, 162 },
      0xbde8cf93 },
};

static const struct blended halves[] = {
    { { 0xbeb7e000, 0x41492000 }, { 66 }, 0x403e6000 },
    { { 0xbe154000, 0xbeffc000 }, { 163 }, 0xbebe0000 },
    { { 0xbeffc000, 0x3e4dc000 }, { 81 }, 0xbe8e4000 },
};

static void check_floats(const struct blended *row, size_t n, bool is_half)
{
    for (size_t k = 0; k < n; k++) {
        uint32_t weight[TEXFILTER_TAPS];

        texfilter_weights(row[k].axis, TEXFILTER_ONE, weight);
        assert_int_equal(texfilter_blend_float(row[k].tap, weight, 0xff, is_half),
                         row[k].want);
    }
}

static void floats(void **state)
{
    (void)state;
    check_floats(singles, sizeof singles / sizeof *singles, false);
    check_floats(halves, sizeof halves / sizeof *halves, true);
}

static void specials(void **state)
{
    const uint32_t weight[TEXFILTER_TAPS] = { 255, 1 };
    uint32_t tap[TEXFILTER_TAPS] = { 0x3f800000, 0x3f800000, 0x7f800000 };

    (void)state;
    assert_int_equal(texfilter_blend_float(tap, weight, 3, false), 0x3f800000);
    /* An infinite texel counts if it is there, whatever its weight was rounded to. */
    assert_int_equal(texfilter_blend_float(tap, weight, 7, false), 0x7f800000);
    tap[1] = 0xff800000;
    assert_int_equal(texfilter_blend_float(tap, weight, 3, false), 0xff800000);
    assert_int_equal(texfilter_blend_float(tap, weight, 7, false), 0x7fffffff);
    tap[1] = 0xffc01234;
    assert_int_equal(texfilter_blend_float(tap, weight, 3, false), 0x7fffffff);
    tap[0] = tap[1] = 0x80000001; /* below the normal range */
    assert_int_equal(texfilter_blend_float(tap, weight, 3, false), 0x80000000);
    tap[0] = tap[1] = 0x7f7fffff;
    assert_int_equal(texfilter_blend_float(tap, weight, 3, false), 0x7f7fffff);
}

static void fractions(void **state)
{
    static const struct {
        int32_t tap[2];
        uint32_t weight;
        bool is_signed;
        unsigned bytes;
        uint32_t want;
    } rows[] = {
        { { 56, 8 }, 66, false, 1, 0x3e2f30af },
        { { 59, 130 }, 163, false, 1, 0x3ed13ad1 },
        { { 130, 145 }, 81, false, 1, 0x3f074687 },
        { { 0, -125 }, 66, true, 1, 0xbe81ed04 },
        { { 46, 115 }, 163, true, 1, 0x3f35476b },
        { { 115, 13 }, 81, true, 1, 0x3f26c14e },
        { { 56087, 56603 }, 66, false, 2, 0x3f5b9cdc },
        { { 59150, 32583 }, 81, false, 2, 0x3f4638c6 },
        { { -30173, -1621 }, 66, true, 2, 0xbf323964 },
        { { -14933, 417 }, 163, true, 2, 0xbe213942 },
        { { 255, 255 }, 99, false, 1, 0x3f800000 },
        { { -127, -127 }, 99, true, 1, 0xbf800000 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const int32_t tap[TEXFILTER_TAPS] = { rows[k].tap[0], rows[k].tap[1] };
        const uint32_t axis[3] = { rows[k].weight };
        uint32_t weight[TEXFILTER_TAPS];

        texfilter_weights(axis, TEXFILTER_ONE, weight);
        assert_int_equal(
            texfilter_blend_unit(tap, weight, rows[k].is_signed, rows[k].bytes),
            rows[k].want);
    }
}

static void weights(void **state)
{
    static const uint32_t want[TEXFILTER_TAPS] = { 63, 1, 30, 0, 107, 2, 52, 1 };
    uint32_t w[TEXFILTER_TAPS];

    (void)state;
    texfilter_weights((const uint32_t[3]){ 4, 83, 162 }, TEXFILTER_ONE, w);
    assert_memory_equal(w, want, sizeof want);
    for (uint32_t k = 0; k < 1u << 12; k++) {
        const uint32_t axis[3] = { k * 29 % 256, k * 45 % 256, k * 77 / 16 % 256 };
        uint32_t sum = 0;

        texfilter_weights(axis, TEXFILTER_ONE, w);
        for (unsigned t = 0; t < TEXFILTER_TAPS; t++)
            sum += w[t];
        assert_int_equal(sum, TEXFILTER_ONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),
        cmocka_unit_test(specials),
        cmocka_unit_test(fractions),
        cmocka_unit_test(weights),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
