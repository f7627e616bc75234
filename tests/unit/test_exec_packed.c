/* test_exec_packed.c - several numbers per register: compiled instruction words, executed
 * and compared with the definition of the number formats.
 */
#include <math.h>

#include "exec_rig.h"

#define R ((struct rig *)*state)

static uint32_t draw(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 32);
}

static void run_word(struct rig *r, uint64_t hi, uint64_t lo)
{
    struct sass_inst i;

    assert_true(sass_decode(&i, SM90, (struct word){ lo, hi }, 0));
    assert_int_equal(run_inst(r, i, ALL_LANES), EXEC_NEXT);
}

/* An eight-bit float: exponent bits, and the code of its largest number. */
struct fp8 {
    int exp_bits;
    unsigned largest;
};
static const struct fp8 e4m3 = { 4, 0x7e }, e5m2 = { 5, 0x7b };

static double fp8_value(struct fp8 f, unsigned code)
{
    int man_bits = 7 - f.exp_bits, bias = (1 << (f.exp_bits - 1)) - 1;
    int exp = (int)code >> man_bits, man = (int)code & ((1 << man_bits) - 1);

    if (exp)
        man += 1 << man_bits;
    return ldexp(man, (exp ? exp : 1) - bias - man_bits);
}

/* The nearest code, of two the even one; by trying them all. */
static unsigned fp8_nearest(struct fp8 f, bool relu, double x)
{
    unsigned best = 0, sign = signbit(x) ? 0x80 : 0;

    if (isnan(x))
        return 0x7f;
    if (relu && sign)
        return 0;
    x = fabs(x);
    if (x >= fp8_value(f, f.largest))
        return sign | f.largest;
    for (unsigned c = 1; c <= f.largest; c++) {
        double d = fabs(fp8_value(f, c) - x), least = fabs(fp8_value(f, best) - x);

        if (d < least || (d == least && !(c & 1)))
            best = c;
    }
    return sign | best;
}

static double f32_value(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

static double f16_value(uint32_t bits)
{
    unsigned exp = bits >> 10 & 31, man = bits & 0x3ff;
    double v = exp == 31 ? (man ? (double)NAN : (double)INFINITY)
                         : ldexp(exp ? man + 1024 : man, (int)(exp ? exp : 1) - 25);

    return bits & 0x8000 ? -v : v;
}

/* Numbers in and around the range of both formats, and any bits at all. */
static uint32_t draw_f32(uint64_t *s)
{
    uint32_t x = draw(s);

    switch (draw(s) % 4) {
    case 0:
        return x;
    case 1: /* few bits: many ties */
        return (x & 0x80f80000u) + 0x37000000u + (x % 34 << 23);
    default:
        return (x & 0x807fffffu) + 0x37000000u + (x >> 8) % 34 * 0x800000u;
    }
}

/* F2FP.E4M3.F32.PACK_AB_MERGE_C R9, R9, R8, R10 and its variants: the low half of R10 is
 * above the bytes of R9 and R8. */
static void packs_four_bytes(void **state)
{
    static const struct {
        uint64_t hi;
        struct fp8 f;
        bool relu;
    } forms[] = {
        { 0x000fca000480700a, e4m3, false },
        { 0x000fca000480600a, e5m2, false },
        { 0x000fca000480780a, e4m3, true },
        { 0x000fca000480680a, e5m2, true },
    };
    uint64_t seed = 1;

    for (unsigned k = 0; k < 400; k++) {
        struct fp8 f = forms[k % 4].f;
        uint32_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];

        LANES(l) {
            row(R, 9)[l] = a[l] = draw_f32(&seed);
            row(R, 8)[l] = b[l] = draw_f32(&seed);
            row(R, 10)[l] = c[l] = draw(&seed);
        }
        run_word(R, forms[k % 4].hi, 0x000000080909723e);
        LANES(l) {
            unsigned high = fp8_nearest(f, forms[k % 4].relu, f32_value(a[l]));
            unsigned low = fp8_nearest(f, forms[k % 4].relu, f32_value(b[l]));

            assert_int_equal(row(R, 9)[l], c[l] << 16 | high << 8 | low);
        }
    }
}

/* F2FP.E4M3.F16.UNPACK_B_MERGE_C R7, R0, R7: the same of two halves. */
static void packs_bytes_of_halves(void **state)
{
    static const struct {
        uint64_t hi;
        struct fp8 f;
        bool relu;
    } forms[] = {
        { 0x008fca0004803207, e4m3, false },
        { 0x008fca0004802207, e5m2, false },
        { 0x008fca0004803a07, e4m3, true },
    };
    uint64_t seed = 2;

    for (unsigned k = 0; k < 300; k++) {
        struct fp8 f = forms[k % 3].f;
        uint32_t b[WARP_LANES], c[WARP_LANES];

        LANES(l) {
            row(R, 0)[l] = b[l] = draw(&seed);
            row(R, 7)[l] = c[l] = draw(&seed);
        }
        run_word(R, forms[k % 3].hi, 0x00000000ff07723e);
        LANES(l) {
            unsigned high = fp8_nearest(f, forms[k % 3].relu, f16_value(b[l] >> 16));
            unsigned low = fp8_nearest(f, forms[k % 3].relu, f16_value(b[l] & 0xffff));

            assert_int_equal(row(R, 7)[l], c[l] << 16 | high << 8 | low);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(packs_four_bytes, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(packs_bytes_of_halves, rig_setup, rig_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
