/* test_intop.c - integer and bit instructions against vectors taken from an H200, and by
 * hand where the data has no form.
 */
#include "frontend/sass/math/intop.h"
#include "vectors.h"

#define N_FORMS 54 /* of the data's 370; test_fp.c has the rest */

static bool has(const char *name, const char *word)
{
    return strstr(name, word) != NULL;
}

typedef uint64_t compute(const char *name, const uint64_t v[3]);

static uint64_t do_imad_hi(const char *name, const uint64_t v[3])
{
    uint64_t c = has(name, "mad") ? v[2] << 32 : 0;

    return intop_imad_hi(has(name, "_s"), (uint32_t)v[0], (uint32_t)v[1], c);
}

static uint64_t do_imad_wide(const char *name, const uint64_t v[3])
{
    return intop_imad_wide(has(name, "_s"), (uint32_t)v[0], (uint32_t)v[1], v[2]);
}

static uint64_t do_shf(const char *name, const uint64_t v[3])
{
    bool right = has(name, "_r");
    struct intop_shf m = { .wrap = has(name, "wrap"), .right = right, .high = !right };

    return intop_shf(m, (uint32_t)v[0], (uint32_t)v[2], (uint32_t)v[1]);
}

static uint64_t do_shift32(const char *name, const uint64_t v[3])
{
    struct intop_shf left = { .high = false };
    struct intop_shf right = { .right = true,
                               .high = true,
                               .is_signed = has(name, "32s") };

    if (has(name, "shl"))
        return intop_shf(left, (uint32_t)v[0], (uint32_t)v[1], 0);
    return intop_shf(right, 0, (uint32_t)v[1], (uint32_t)v[0]);
}

/* Two SHF: one sees both words, the other one word. */
static uint64_t do_shift64(const char *name, const uint64_t v[3])
{
    uint32_t lo = (uint32_t)v[0], hi = (uint32_t)(v[0] >> 32), n = (uint32_t)v[1];
    bool is_signed = has(name, "_s64");
    struct intop_shf left = { .is_64 = true, .high = true },
                     left_low = { .high = false };
    struct intop_shf right = { .is_64 = true, .right = true, .is_signed = is_signed };
    struct intop_shf right_high = { .right = true,
                                    .high = true,
                                    .is_signed = is_signed };

    if (has(name, "shl"))
        return intop_pair(intop_shf(left_low, lo, n, 0), intop_shf(left, lo, n, hi));
    return intop_pair(intop_shf(right, lo, n, hi), intop_shf(right_high, 0, n, hi));
}

static uint64_t do_bmsk(const char *name, const uint64_t v[3])
{
    return intop_bmsk(has(name, "wrap"), (uint32_t)v[0], (uint32_t)v[1]);
}

static uint64_t do_sgxt(const char *name, const uint64_t v[3])
{
    return intop_sgxt(has(name, "_s32"), has(name, "wrap"), (uint32_t)v[0],
                      (uint32_t)v[1]);
}

static uint64_t do_prmt(const char *name, const uint64_t v[3])
{
    static const char *const modes[] = { "idx", "f4e", "b4e", "rc8",
                                         "ecl", "ecr", "rc16" };
    unsigned mode = 0;

    while (strcmp(modes[mode], name + strlen("prmt_")) != 0)
        mode++;
    return intop_prmt(mode, (uint32_t)v[0], (uint32_t)v[2], (uint32_t)v[1]);
}

static uint64_t do_idp(const char *name, const uint64_t v[3])
{
    const char *types = strrchr(name, '_') + 1;
    struct intop_idp m = { types[0] == 's', types[3] == 's', has(name, "_hi") };

    if (has(name, "dp4a"))
        return intop_dp4a(m, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
    return intop_dp2a(m, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
}

static uint64_t do_absdiff(const char *name, const uint64_t v[3])
{
    uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], c = (uint32_t)v[2];

    if (has(name, "diff4"))
        return intop_absdiff4(has(name, "_s"), a, b, c);
    return intop_absdiff(has(name, "_s"), a, b, c);
}

static uint64_t do_flo(const char *name, const uint64_t v[3])
{
    return intop_flo(name[strlen(name) - 1] == 's', has(name, "_sh"), (uint32_t)v[0]);
}

static uint64_t do_clz(const char *name, const uint64_t v[3])
{
    uint32_t n = intop_flo(false, true, (uint32_t)v[0]);

    (void)name;
    return n == ~0u ? 32 : n;
}

static uint64_t do_popc(const char *name, const uint64_t v[3])
{
    (void)name;
    return intop_popc((uint32_t)v[0]);
}

static uint64_t do_brev(const char *name, const uint64_t v[3])
{
    (void)name;
    return intop_brev((uint32_t)v[0]);
}

static const struct {
    const char *prefix;
    compute *run;
} rows[] = {
    { "mulhi", do_imad_hi },   { "madhi", do_imad_hi },    { "madwide", do_imad_wide },
    { "shf_", do_shf },        { "shl32", do_shift32 },    { "shr32", do_shift32 },
    { "shl_b64", do_shift64 }, { "shr_", do_shift64 },     { "bmsk", do_bmsk },
    { "szext", do_sgxt },      { "prmt_", do_prmt },       { "dp4a", do_idp },
    { "dp2a", do_idp },        { "vabsdiff", do_absdiff }, { "sad_", do_absdiff },
    { "popc", do_popc },       { "clz", do_clz },          { "bfind", do_flo },
    { "brev", do_brev },
};

static compute *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strncmp(rows[i].prefix, name, strlen(rows[i].prefix)))
            return rows[i].run;
    return NULL;
}

static void test_vectors(void **state)
{
    char *text = vectors_read("tests/data/arith/ops.txt.zst"), *rest = text, *line;
    char *name = NULL;
    compute *run = NULL;
    int n_forms = 0, n_wrong = 0;

    (void)state;
    assert_non_null(text);
    while ((line = vectors_line(&rest)) != NULL) {
        uint64_t v[4];
        char *p = line;

        if (*line == '=') { /* "= name ptx" */
            name = line + 2;
            name[strcspn(name, " ")] = 0;
            run = find(name);
            n_forms += run != NULL;
            continue;
        }
        for (int i = 0; i < 4; i++)
            v[i] = strtoull(p, &p, 16);
        if (run && run(name, v) != v[3]) {
            n_wrong++;
            print_error("%s: %s gives %llx\n", name, line,
                        (unsigned long long)run(name, v));
        }
    }
    free(text);
    assert_int_equal(n_wrong, 0);
    assert_int_equal(n_forms, N_FORMS);
}

/* The 32 SHF forms, from the definition: bits of an endless number. */
static void test_shf(void **state)
{
    struct vectors_rng g = { 1 };

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct intop_shf m = { .is_64 = i & 1,
                               .is_signed = i & 2,
                               .wrap = i & 4,
                               .right = i & 8,
                               .high = i & 16 };
        uint32_t lo = (uint32_t)vectors_random(&g), hi = (uint32_t)vectors_random(&g);
        uint32_t s = (uint32_t)vectors_random(&g) >> (vectors_random(&g) & 31);
        uint32_t width = m.is_64 ? 64 : 32, n = m.wrap      ? s % width
                                                : s > width ? width
                                                            : s;
        uint64_t v = intop_pair(lo, hi);
        uint32_t want = 0;

        for (int bit = 0; bit < 32; bit++) {
            int from = bit + (m.high ? 32 : 0) + (m.right ? (int)n : -(int)n);
            bool one = from < 0    ? false
                       : from < 64 ? v >> from & 1
                                   : m.is_signed && m.right && v >> 63;

            want |= (uint32_t)one << bit;
        }
        assert_int_equal(intop_shf(m, lo, s, hi), want);
    }
}

static void test_lea(void **state)
{
    uint32_t carried = 0;

    (void)state;
    assert_true(intop_lea(0x40000000, 5, 2, 0) == 5);
    assert_true(intop_lea(1, 0xfffffffc, 2, 0) == 0x100000000);
    assert_true(intop_lea_hi(0x80000000, 7, 0, 1, 0) == 8);
    assert_true(intop_lea_hi(0, 0xffffffff, 1, 0, 0) == 0x100000000);
    assert_true(intop_lea_hi(0xfffffff0, 3, intop_sign_word(0xfffffff0), 4, 0) ==
                0x100000002);
    assert_true(intop_add3(0xffffffff, 1, 0, 0) >> 32 == 1);
    assert_true(intop_add3(0xffffffff, 0xffffffff, 0xffffffff, 1) == 0x2fffffffe);
    assert_int_equal(intop_add(0xffffffff, 1, &carried), 0);
    assert_int_equal(carried, 1);
    assert_int_equal(intop_add(0xffffffff, 0xffffffff, &carried), 0xfffffffe);
    assert_int_equal(carried, 2);
    assert_int_equal(intop_add(0xfffffffe, 1, &carried), 0xffffffff);
    assert_int_equal(carried, 2);
}

static void test_lop3(void **state)
{
    const uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;

    (void)state;
    for (unsigned t = 0; t < 256; t++)
        assert_int_equal(intop_lop3((uint8_t)t, a, b, c), t * 0x01010101u);
}

static void test_small(void **state)
{
    (void)state;
    assert_int_equal(intop_abs(0x80000000), 0x80000000);
    assert_int_equal(intop_abs(0xffffffff), 1);
    assert_int_equal(intop_minmax(false, true, 0xffffffff, 1), 0xffffffff);
    assert_int_equal(intop_minmax(true, true, 0xffffffff, 1), 1);
    assert_int_equal(intop_minmax(true, false, 0xffffffff, 1), 0xffffffff);
    assert_int_equal(intop_imad_hi(true, 0xffffffff, 1, 1), 0);
    assert_int_equal(intop_imad_hi(true, 0xffffffff, 1, 0), 0xffffffff);
    assert_int_equal(intop_imad_hi(false, 0xffffffff, 0xffffffff, 0x1ffffffff), 0);
}

/* As PTX defines shfl: the whole warp, a half of it, and a clamp. */
static void test_shfl(void **state)
{
    (void)state;
    for (unsigned lane = 0; lane < 32; lane++) {
        struct intop_source s = intop_shfl(SHFL_BFLY, lane, 1, 0x1f);

        assert_int_equal(s.lane, lane ^ 1);
        assert_true(s.ok);
        s = intop_shfl(SHFL_UP, lane, 3, 0);
        assert_int_equal(s.lane, lane < 3 ? lane : lane - 3);
        assert_int_equal(s.ok, lane >= 3);
        s = intop_shfl(SHFL_DOWN, lane, 35, 0x1f); /* 35 & 31 = 3 */
        assert_int_equal(s.lane, lane + 3 > 31 ? lane : lane + 3);
        assert_int_equal(s.ok, lane + 3 <= 31);
        s = intop_shfl(SHFL_IDX, lane, 5, 0x1f);
        assert_int_equal(s.lane, 5);
        /* segments of 8: mask 0x18 */
        s = intop_shfl(SHFL_IDX, lane, 13, 0x181f);
        assert_int_equal(s.lane, (lane & 24) + 5);
        s = intop_shfl(SHFL_DOWN, lane, 4, 0x181f);
        assert_int_equal(s.ok, (lane & 7) < 4);
        assert_int_equal(s.lane, s.ok ? lane + 4 : lane);
        s = intop_shfl(SHFL_UP, lane, 4, 0x1800);
        assert_int_equal(s.ok, (lane & 7) >= 4);
        assert_int_equal(s.lane, s.ok ? lane - 4 : lane);
        s = intop_shfl(SHFL_IDX, lane, 3, 2); /* beyond the clamp */
        assert_int_equal(s.lane, lane);
        assert_false(s.ok);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_shf),
        cmocka_unit_test(test_lea),     cmocka_unit_test(test_lop3),
        cmocka_unit_test(test_small),   cmocka_unit_test(test_shfl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
