/* test_exec_packed.c - several numbers per register or quad: instruction words, executed
 * and compared with the definition of what they compute, and their text.
 */
#include <math.h>

#include "exec_rig.h"
#include "frontend/sass/print/disasm.h"

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

static void check_text(uint64_t hi, uint64_t lo, const char *want)
{
    struct buf out = { 0 };
    struct sass_inst i;

    assert_true(sass_decode(&i, SM90, (struct word){ lo, hi }, 0));
    sass_print(&out, &i, NULL);
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
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
        const struct fp8 *f;
        bool relu;
    } forms[] = {
        { 0x000fca000480700a, &e4m3, false },
        { 0x000fca000480600a, &e5m2, false },
        { 0x000fca000480780a, &e4m3, true },
        { 0x000fca000480680a, &e5m2, true },
    };
    uint64_t seed = 1;

    for (unsigned k = 0; k < 400; k++) {
        struct fp8 f = *forms[k % 4].f;
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
        const struct fp8 *f;
        bool relu;
    } forms[] = {
        { 0x008fca0004803207, &e4m3, false },
        { 0x008fca0004802207, &e5m2, false },
        { 0x008fca0004803a07, &e4m3, true },
    };
    uint64_t seed = 2;

    for (unsigned k = 0; k < 300; k++) {
        struct fp8 f = *forms[k % 3].f;
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

/* VHMNMX: text, and what it means. Sources are R0 (a), R7 (b), R6 (c) as they are, or
 * what the modifiers make of them. */
struct minmax3 {
    uint64_t hi, lo;
    const char *text;
    bool is_bf16, is_max, nan, ftz;
};

static const struct minmax3 minima[] = {
    { 0x004fca0007800006, 0x0000000700077247, "VHMNMX R7, R0, R7, R6, !PT",
      .is_max = true },
    { 0x004fca0003800006, 0x0000000700077247, "VHMNMX R7, R0, R7, R6, PT",
      .nan = false },
    { 0x004fca0007820006, 0x0000000700077247, "VHMNMX.NAN R7, R0, R7, R6, !PT",
      .is_max = true, .nan = true },
    { 0x004fca0003820006, 0x0000000700077247, "VHMNMX.NAN R7, R0, R7, R6, PT",
      .nan = true },
    { 0x004fca0007a00006, 0x0000000700077247, "VHMNMX.BF16_V2 R7, R0, R7, R6, !PT",
      .is_bf16 = true, .is_max = true },
    { 0x004fca0003a00006, 0x0000000700077247, "VHMNMX.BF16_V2 R7, R0, R7, R6, PT",
      .is_bf16 = true },
    { 0x004fca0007a20006, 0x0000000700077247, "VHMNMX.BF16_V2.NAN R7, R0, R7, R6, !PT",
      .is_bf16 = true, .is_max = true, .nan = true },
    { 0x004fca0003810006, 0x0000000700077247, "VHMNMX.FTZ R7, R0, R7, R6, PT",
      .ftz = true },
};

static uint32_t flush(const struct minmax3 *m, uint32_t x)
{
    uint32_t infinity = m->is_bf16 ? 0x7f80 : 0x7c00;

    return m->ftz && !(x & infinity) ? x & 0x8000 : x;
}

/* -0 is less than +0. */
static int order(uint32_t x)
{
    return x & 0x8000 ? -1 - (int)(x & 0x7fff) : (int)x;
}

static uint32_t minmax_of(const struct minmax3 *m, const uint32_t x[3])
{
    uint32_t infinity = m->is_bf16 ? 0x7f80 : 0x7c00, best = 0x7fff;
    bool found = false;

    for (unsigned k = 0; k < 3; k++) {
        uint32_t v = flush(m, x[k]);

        if ((v & 0x7fff) > infinity && m->nan)
            return 0x7fff;
        if ((v & 0x7fff) > infinity)
            continue;
        if (!found || (m->is_max ? order(v) > order(best) : order(v) < order(best)))
            best = v;
        found = true;
    }
    return best;
}

static uint32_t draw_halves(uint64_t *s)
{
    static const uint16_t special[8] = { 0,      0x8000, 0x7c00, 0xfc00,
                                         0x7e01, 0xffc1, 0x7f80, 0x0001 };
    uint32_t x = draw(s), how = draw(s);

    if (how & 1)
        x = (x & 0xffff0000u) | special[how >> 1 & 7];
    if (how & 16)
        x = (x & 0xffff) | (uint32_t)special[how >> 5 & 7] << 16;
    return x;
}

static void takes_minima_of_three(void **state)
{
    uint64_t seed = 3;

    for (unsigned k = 0; k < 100 * sizeof minima / sizeof *minima; k++) {
        const struct minmax3 *m = &minima[k / 100];
        uint32_t x[3][WARP_LANES];

        LANES(l) {
            row(R, 0)[l] = x[0][l] = draw_halves(&seed);
            row(R, 7)[l] = x[1][l] = draw_halves(&seed);
            row(R, 6)[l] = x[2][l] = draw_halves(&seed);
        }
        run_word(R, m->hi, m->lo);
        LANES(l) {
            const uint32_t low[] = { x[0][l] & 0xffff, x[1][l] & 0xffff,
                                     x[2][l] & 0xffff };
            const uint32_t high[] = { x[0][l] >> 16, x[1][l] >> 16, x[2][l] >> 16 };

            assert_int_equal(row(R, 7)[l],
                             minmax_of(m, high) << 16 | minmax_of(m, low));
        }
    }
}

/* Signs, halves and immediates of its sources: 0x3c00 is 1, 0x4000 2, 0x4200 3. */
static void reads_three_halves(void **state)
{
    static const struct {
        uint64_t hi, lo;
        const char *text;
        uint32_t want;
    } forms[] = {
        { 0x004fca0007800106, 0x0000000700077247, "VHMNMX R7, -R0, R7, R6, !PT",
          0x40004200 },
        { 0x004fca0007800006, 0x8000000700077247, "VHMNMX R7, R0, -R7, R6, !PT",
          0x4200c000 },
        { 0x004fca0007900006, 0x0000000700077247, "VHMNMX R7, R0, R7, -R6, !PT",
          0x42004400 },
        { 0x004fca0007880206, 0x4000000700077247, "VHMNMX R7, |R0|, |R7|, |R6|, !PT",
          0x42004400 },
        { 0x004fca0007802806, 0x0000000700077247,
          "VHMNMX R7, R0.H0_H0, R7, R6.H0_H0, !PT", 0x3c004000 },
        { 0x004fca0007803806, 0x0000000700077247,
          "VHMNMX R7, R0.H0_H0, R7, R6.H1_H1, !PT", 0x40004000 },
        { 0x004fca0007802806, 0x2000000700077247,
          "VHMNMX R7, R0.H0_H0, R7.H0_H0, R6.H0_H0, !PT", 0x40004000 },
        { 0x004fca00078020ff, 0x0000000700077247, "VHMNMX R7, R0, R7, RZ.H0_H0, !PT",
          0x42004000 },
        { 0x004fca0003800007, 0xc0003e0000077847, "VHMNMX R7, R0, -2, 1.5, R7, PT",
          0xc000c200 },
    };

    for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
        fill(R, 0, 0x4200c200); /* 3, -3 */
        fill(R, 7, 0x3c004000); /* 1, 2 */
        fill(R, 6, 0x4000c400); /* 2, -4 */
        run_word(R, forms[k].hi, forms[k].lo);
        assert_int_equal(row(R, 7)[5], forms[k].want);
        check_text(forms[k].hi, forms[k].lo, forms[k].text);
    }
    for (unsigned k = 0; k < sizeof minima / sizeof *minima; k++)
        check_text(minima[k].hi, minima[k].lo, minima[k].text);
    refuse(R, inst(OP_VHMNMX, SLOTS(reg(2), reg(0), reg(1), reg(1), pt()), BITS(82, 1)),
           ERR_UNSUPPORTED, "sign of a minimum");
}

/* FSWZADD.NDV R2, R3, R2, ...: lanes of a quad add or subtract, or take R2 alone. */
static void adds_in_quads(void **state)
{
    static const struct {
        uint64_t lo;
        const char *text;
        float want[4];
    } forms[] = {
        { 0x000000cc03027822, "FSWZADD.NDV R2, R3, R2, ZPPPZPPP", { 2, 12, 2, 12 } },
        { 0x000000f003027822, "FSWZADD.NDV R2, R3, R2, ZPZPPPPP", { 2, 2, 12, 12 } },
        { 0x0000006603027822, "FSWZADD.NDV R2, R3, R2, PNNPPNNP", { 8, -8, 8, -8 } },
        { 0x0000001b03027822, "FSWZADD.NDV R2, R3, R2, PPPNNPZP", { 12, 8, -8, 2 } },
    };

    for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
        fill(R, 3, 0x41200000); /* 10 */
        fill(R, 2, 0x40000000); /* 2 */
        run_word(R, 0x001fc60000002002, forms[k].lo);
        check_text(0x001fc60000002002, forms[k].lo, forms[k].text);
        LANES(l)
            assert_true(f32_value(row(R, 2)[l]) == (double)forms[k].want[l % 4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(packs_four_bytes, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(packs_bytes_of_halves, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(takes_minima_of_three, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(reads_three_halves, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(adds_in_quads, rig_setup, rig_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
