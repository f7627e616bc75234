/* test_fp.c - the scalar floating point against vectors taken from an H200.
 *
 * Each form of the data is named and carries the PTX instruction that made it; the table
 * below maps names to functions, which read rounding and modifiers from the PTX text.
 */
#include "frontend/sass/math/fp.h"
#include "frontend/sass/math/fpconv.h"
#include "vectors.h"

#define N_FORMS 316 /* of the data's 370; test_intop.c has the rest */

static bool has(const char *ptx, const char *word)
{
    return strstr(ptx, word) != NULL;
}

static struct fp_mode mode_of(const char *ptx)
{
    struct fp_mode m = { .ftz = has(ptx, ".ftz"),
                         .sat = has(ptx, ".sat."),
                         .relu = has(ptx, ".relu") };

    if (has(ptx, ".rm.") || has(ptx, ".rmi."))
        m.round = FP_RM;
    else if (has(ptx, ".rp.") || has(ptx, ".rpi."))
        m.round = FP_RP;
    else if (has(ptx, ".rz.") || has(ptx, ".rzi."))
        m.round = FP_RZ;
    return m;
}

/* By the first letter of the form's name. */
static enum fp_format format_of(const char *name)
{
    switch (name[0]) {
    case 'h':
        return FP_F16;
    case 'b':
        return FP_BF16;
    case 'd':
        return FP_F64;
    default:
        return FP_F32;
    }
}

struct form {
    const char *name, *ptx;
};

typedef uint64_t compute(struct form f, const uint64_t v[3]);

static uint64_t do_add(struct form f, const uint64_t v[3])
{
    return fp_add(format_of(f.name), mode_of(f.ptx), v[0], v[1]);
}

static uint64_t do_mul(struct form f, const uint64_t v[3])
{
    return fp_mul(format_of(f.name), mode_of(f.ptx), v[0], v[1]);
}

static uint64_t do_fma(struct form f, const uint64_t v[3])
{
    return fp_fma(format_of(f.name), mode_of(f.ptx), v[0], v[1], v[2]);
}

static uint64_t do_add2(struct form f, const uint64_t v[3])
{
    return fp_add2(format_of(f.name), mode_of(f.ptx), (uint32_t)v[0], (uint32_t)v[1]);
}

static uint64_t do_mul2(struct form f, const uint64_t v[3])
{
    return fp_mul2(format_of(f.name), mode_of(f.ptx), (uint32_t)v[0], (uint32_t)v[1]);
}

static uint64_t do_fma2(struct form f, const uint64_t v[3])
{
    return fp_fma2(format_of(f.name), mode_of(f.ptx), (uint32_t)v[0], (uint32_t)v[1],
                   (uint32_t)v[2]);
}

static uint64_t do_sub(struct form f, const uint64_t v[3])
{
    enum fp_format t = format_of(f.name);

    return fp_add(t, mode_of(f.ptx), v[0], fp_modify(t, v[1], false, true));
}

static uint64_t do_add_abs(struct form f, const uint64_t v[3])
{
    return fp_add(FP_F64, mode_of(f.ptx), v[0], fp_modify(FP_F64, v[1], true, false));
}

static uint64_t do_fma_neg_a(struct form f, const uint64_t v[3])
{
    enum fp_format t = format_of(f.name);

    return fp_fma(t, mode_of(f.ptx), fp_modify(t, v[0], false, true), v[1], v[2]);
}

static uint64_t do_fma_neg_c(struct form f, const uint64_t v[3])
{
    return fp_fma(FP_F64, mode_of(f.ptx), v[0], v[1],
                  fp_modify(FP_F64, v[2], false, true));
}

static uint64_t do_minmax(struct form f, const uint64_t v[3])
{
    struct fp_minmax m = { .is_max = has(f.ptx, "max."),
                           .nan = has(f.ptx, ".NaN"),
                           .xorsign = has(f.ptx, ".xorsign"),
                           .ftz = has(f.ptx, ".ftz") };

    if (has(f.ptx, "x2 "))
        return fp_minmax2(format_of(f.name), m, (uint32_t)v[0], (uint32_t)v[1]);
    return fp_minmax(format_of(f.name), m, v[0], v[1]);
}

/* What the compiler makes of it: DSETP.MIN or .MAX, then selects. */
static uint64_t do_dminmax(struct form f, const uint64_t v[3])
{
    struct fp_setp p = fp_setp_minmax(has(f.ptx, "max."), v[0], v[1]);
    uint64_t r = p.take_a ? v[0] : v[1] | (p.both_nan ? (uint64_t)1 << 51 : 0);

    assert_true(r == do_minmax(f, v));
    return r;
}

static unsigned code_of(const char *name)
{
    static const char *const codes[] = { "f",   "lt",  "eq",  "le",  "gt",  "ne",
                                         "ge",  "num", "nan", "ltu", "equ", "leu",
                                         "gtu", "neu", "geu", "t" };
    const char *word = strchr(name, '_') + 1;
    size_t n = strcspn(word, "_");

    for (unsigned i = 0; i < 16; i++)
        if (strlen(codes[i]) == n && !strncmp(codes[i], word, n))
            return i;
    fail_msg("no such comparison: %s", name);
    return 0;
}

static uint64_t do_setp(struct form f, const uint64_t v[3])
{
    return fp_compare(format_of(f.name), code_of(f.name), has(f.ptx, ".ftz"), v[0],
                      v[1]);
}

static uint64_t do_set(struct form f, const uint64_t v[3])
{
    return do_setp(f, v) ? 0xffffffff : 0;
}

static uint64_t do_set2(struct form f, const uint64_t v[3])
{
    unsigned code = code_of(f.name);
    bool low = fp_compare(FP_F16, code, false, v[0] & 0xffff, v[1] & 0xffff);
    bool high = fp_compare(FP_F16, code, false, v[0] >> 16, v[1] >> 16);

    return (low ? 0x3c00u : 0) | (high ? 0x3c000000u : 0);
}

/* The types of the cvt in the text: ".to.from ". */
static void types_of(const char *ptx, char to[8], char from[8])
{
    const char *p = strstr(ptx, "cvt.r"), *end;

    if (!p)
        p = strstr(ptx, "cvt.f");
    if (!p)
        p = strstr(ptx, "cvt.ftz");
    assert_non_null(p);
    end = strchr(p, ' ');
    assert_non_null(end);
    for (p = end; *p != '.'; p--)
        ;
    snprintf(from, 8, "%.*s", (int)(end - p - 1), p + 1);
    for (end = p--; *p != '.'; p--)
        ;
    snprintf(to, 8, "%.*s", (int)(end - p - 1), p + 1);
}

static enum fp_format float_type(const char *word)
{
    return !strcmp(word, "f16")    ? FP_F16
           : !strcmp(word, "bf16") ? FP_BF16
           : !strcmp(word, "f64")  ? FP_F64
                                   : FP_F32;
}

static struct fp_int int_type(const char *word)
{
    return (struct fp_int){ .bits = (uint8_t)atoi(word + 1),
                            .is_signed = *word == 's' };
}

static uint64_t do_f2f(struct form f, const uint64_t v[3])
{
    char to[8], from[8];

    types_of(f.ptx, to, from);
    return fp_convert(float_type(from), float_type(to), mode_of(f.ptx), v[0]);
}

/* Compiled as FMUL.FTZ by 1 and then a conversion. */
static uint64_t do_f2f_f64_ftz(struct form f, const uint64_t v[3])
{
    uint64_t x = fp_mul(FP_F32, mode_of(f.ptx), v[0], 0x3f800000);

    return fp_convert(FP_F32, FP_F64, mode_of(f.ptx), x);
}

static uint64_t do_f2f_bf16_up(struct form f, const uint64_t v[3])
{
    (void)f;
    return (v[0] & 0xffff) << 16;
}

static uint64_t do_f2fp(struct form f, const uint64_t v[3])
{
    enum fp_format to = has(f.ptx, "bf16x2") ? FP_BF16 : FP_F16;

    return fp_pack2(to, mode_of(f.ptx), (uint32_t)v[0], (uint32_t)v[1]);
}

static uint64_t do_tf32(struct form f, const uint64_t v[3])
{
    return fp_to_tf32(mode_of(f.ptx), (uint32_t)v[0]);
}

/* An integer sequence of the compiler: NaN only loses its low bits. */
static uint64_t do_tf32_rna(struct form f, const uint64_t v[3])
{
    (void)f;
    if (fp_is_nan(FP_F32, v[0]))
        return v[0] & 0xffffe000;
    return fp_to_tf32((struct fp_mode){ .round = FP_RNA }, (uint32_t)v[0]);
}

static uint64_t do_fp8(struct form f, const uint64_t v[3])
{
    enum fp8_format t = f.name[1] == '4' ? FP8_E4M3 : FP8_E5M2;

    return (uint64_t)fp8_from_f32(t, false, (uint32_t)v[0]) << 8 |
           fp8_from_f32(t, false, (uint32_t)v[1]);
}

static uint64_t do_fp8_up(struct form f, const uint64_t v[3])
{
    enum fp8_format t = has(f.name, "e4m3") ? FP8_E4M3 : FP8_E5M2;

    return (uint64_t)fp8_to_f16(t, (uint8_t)(v[0] >> 8)) << 16 |
           fp8_to_f16(t, (uint8_t)v[0]);
}

static uint64_t do_frnd(struct form f, const uint64_t v[3])
{
    char to[8], from[8];

    types_of(f.ptx, to, from);
    return fp_round_integral(float_type(to), mode_of(f.ptx).round, has(f.ptx, ".ftz"),
                             v[0]);
}

/* The compiler sets .NTZ where neither side has 64 bits. */
static uint64_t do_f2i(struct form f, const uint64_t v[3])
{
    char to[8], from[8];

    types_of(f.ptx, to, from);

    struct fp_int type = int_type(to);

    type.ntz = type.bits < 64 && strcmp(from, "f64") != 0;

    uint64_t r = fp_to_int(float_type(from), type, mode_of(f.ptx).round,
                           has(f.ptx, ".ftz"), v[0]);

    if (type.bits == 8 && type.is_signed)
        r |= r & 0x80 ? 0xffffff00 : 0;
    return r;
}

static uint64_t do_i2f(struct form f, const uint64_t v[3])
{
    char to[8], from[8];

    types_of(f.ptx, to, from);
    return fp_from_int(float_type(to), int_type(from), mode_of(f.ptx).round, v[0]);
}

static uint64_t do_half_sum(struct form f, const uint64_t v[3])
{
    struct fp_mode m = mode_of(f.ptx);

    return fp_add(FP_F32, m, fp_convert(FP_F16, FP_F32, m, v[0] & 0xffff),
                  fp_convert(FP_F16, FP_F32, m, v[0] >> 16));
}

/* The first row whose prefix fits. */
static const struct {
    const char *prefix;
    compute *run;
} rows[] = {
    { "hfma2_f32acc", do_half_sum },
    { "dfma_nega", do_fma_neg_a },
    { "dfma_negc", do_fma_neg_c },
    { "ffma_nega", do_fma_neg_a },
    { "dadd_absb", do_add_abs },
    { "dsub_", do_sub },
    { "fsub_", do_sub },
    { "hadd2", do_add2 },
    { "hmul2", do_mul2 },
    { "hfma2", do_fma2 },
    { "badd2", do_add2 },
    { "bmul2", do_mul2 },
    { "bfma2", do_fma2 },
    { "fadd_", do_add },
    { "fmul_", do_mul },
    { "ffma_", do_fma },
    { "dadd_", do_add },
    { "dmul_", do_mul },
    { "dfma_", do_fma },
    { "dmnmx", do_dminmax },
    { "fmnmx", do_minmax },
    { "hmnmx", do_minmax },
    { "bmnmx", do_minmax },
    { "fsetp_", do_setp },
    { "dsetp_", do_setp },
    { "hset2_", do_set2 },
    { "fset_", do_set },
    { "f2f_f64_f32_ftz", do_f2f_f64_ftz },
    { "f2f_f32_bf16", do_f2f_bf16_up },
    { "f2fp_bf16_r", do_f2f },
    { "f2fp_", do_f2fp },
    { "f2f_", do_f2f },
    { "tf32_rna", do_tf32_rna },
    { "tf32_", do_tf32 },
    { "e4m3x2", do_fp8 },
    { "e5m2x2", do_fp8 },
    { "f16x2_e", do_fp8_up },
    { "frnd_", do_frnd },
    { "f2i_", do_f2i },
    { "i2f_", do_i2f },
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
    struct form f = { 0 };
    compute *run = NULL;
    int n_forms = 0, n_wrong = 0;

    (void)state;
    assert_non_null(text);
    while ((line = vectors_line(&rest)) != NULL) {
        uint64_t v[4];
        char *p = line;

        if (*line == '=') { /* "= name ptx" */
            f.name = line + 2;
            p = strchr(f.name, ' ');
            assert_non_null(p);
            *p = 0;
            f.ptx = p + 1;
            run = find(f.name);
            n_forms += run != NULL;
            continue;
        }
        for (int i = 0; i < 4; i++)
            v[i] = strtoull(p, &p, 16);
        if (run && run(f, v) != v[3]) {
            n_wrong++;
            print_error("%s: %s gives %llx\n", f.name, line,
                        (unsigned long long)run(f, v));
        }
    }
    free(text);
    assert_int_equal(n_wrong, 0);
    assert_int_equal(n_forms, N_FORMS);
}

/* FMUL.FMZ, FFMA.FMZ: zero beats NaN and infinity. */
static void test_fmz(void **state)
{
    const struct fp_mode m = { .fmz = true };

    (void)state;
    assert_int_equal(fp_mul(FP_F32, m, 0x80000000, 0x7fc00000), 0);
    assert_int_equal(fp_mul(FP_F32, m, 0xff800000, 0x00000001), 0);
    assert_int_equal(fp_fma(FP_F32, m, 0x80000000, 0x7f800000, 0x80000000), 0);
    assert_int_equal(fp_fma(FP_F32, m, 0, 0x7fffffff, 0x40000000), 0x40000000);
    assert_int_equal(fp_fma(FP_F32, m, 0, 0, 0x7fc00001), 0x7fffffff);
    assert_int_equal(fp_fma(FP_F32, m, 0x3f800000, 0x7f800000, 0), 0x7f800000);
    assert_int_equal(fp_fma(FP_F32, m, 0, 0x3f800000, 0x007fffff), 0);
}

/* What rounds up to the smallest normal number stays; what only the denormal grid rounds
 * up to it is flushed. */
static void test_flush(void **state)
{
    const struct fp_mode ftz = { .ftz = true }, keep = { .ftz = false };
    uint64_t almost_one = 0x3f7fffff, smallest = 0x00800000, tiny = 0x0d800000;

    (void)state;
    assert_int_equal(fp_mul(FP_F32, keep, almost_one, smallest), 0x00800000);
    assert_int_equal(fp_mul(FP_F32, ftz, almost_one, smallest), 0);
    assert_int_equal(fp_mul(FP_F32, keep, 0x3f7ffffe, smallest), 0x007fffff);
    assert_int_equal(fp_mul(FP_F32, ftz, 0xbf7fffff, smallest), 0x80000000);
    /* smallest - 2^-200 */
    assert_int_equal(fp_fma(FP_F32, ftz, tiny, tiny | 0x80000000, smallest), smallest);
}

static void test_check_divide(void **state)
{
    (void)state;
    assert_false(fp_check_divide(0x3f800000, 0x40400000));
    assert_true(fp_check_divide(0, 0x3f800000));
    assert_true(fp_check_divide(0x3f800000, 0));
    assert_true(fp_check_divide(0x7f800000, 0x3f800000));
    for (uint32_t e = 0; e < 256; e++) {
        assert_int_equal(fp_check_divide(0x3f800000, e << 23 | 0x123),
                         e < 2 || e > 251);
        assert_int_equal(fp_check_divide(e << 23 | 0x456, 0x3f800000),
                         e < 25 || e > 253);
    }
    assert_false(fp_check_divide(200u << 23, 74u << 23)); /* 126 apart */
    assert_true(fp_check_divide(200u << 23, 73u << 23));
    assert_false(fp_check_divide(60u << 23, 184u << 23)); /* -124 */
    assert_true(fp_check_divide(60u << 23, 185u << 23));
}

static void test_atomics(void **state)
{
    const uint64_t one = 0x3ff0000000000000, signalling = 0x7ff0000000000001;
    const uint64_t inf = 0x7ff0000000000000, minus_inf = 0xfff0000000000000;

    (void)state;
    assert_int_equal(fp_atomic_add(FP_ATOMIC_F32, 0x00000001, 0x80000000), 0);
    assert_int_equal(fp_atomic_add(FP_ATOMIC_F32, 0x3f800000, 0x3f800000), 0x40000000);
    assert_int_equal(fp_atomic_add(FP_ATOMIC_F32, 0x7f800000, 0xff800000), 0x7fffffff);
    assert_true(fp_atomic_add(FP_ATOMIC_F64, one, one) == 0x4000000000000000);
    assert_true(fp_atomic_add(FP_ATOMIC_F64, one, signalling) == signalling);
    assert_true(fp_atomic_add(FP_ATOMIC_F64, signalling | 2, signalling) == signalling);
    assert_true(fp_atomic_add(FP_ATOMIC_F64, signalling | 2, one) == (signalling | 2));
    assert_true(fp_atomic_add(FP_ATOMIC_F64, inf, minus_inf) == 0xfff8000000000000);
    assert_int_equal(fp_atomic_add(FP_ATOMIC_F16X2, 0x3c000001, 0x3c000001),
                     0x40000002);
    assert_int_equal(fp_atomic_add(FP_ATOMIC_BF16X2, 0x3f807fc1, 0x3f800000),
                     0x40007fff);
}

/* Forms no compiler emits: NaN without .NTZ, eight-bit NaN, f64 NaN to half. */
static void test_conversions(void **state)
{
    const struct fp_int s32 = { 32, true, false }, u32 = { 32, false, false };
    const struct fp_int u32_ntz = { 32, false, true }, u64 = { 64, false, false };
    const struct fp_mode m = { .round = FP_RN };

    (void)state;
    assert_int_equal(fp_to_int(FP_F32, s32, FP_RZ, false, 0x7fc00000), 0x80000000);
    assert_int_equal(fp_to_int(FP_F32, u32, FP_RZ, false, 0xffc00000), 0x80000000);
    assert_int_equal(fp_to_int(FP_F32, u32_ntz, FP_RZ, false, 0xffc00000), 0);
    assert_true(fp_to_int(FP_F32, u64, FP_RZ, false, 0x7f800001) == 1ull << 63);
    assert_int_equal(fp_to_int(FP_F32, u32, FP_RP, true, 1), 0);
    assert_int_equal(fp_to_int(FP_F32, u32, FP_RP, false, 1), 1);
    assert_int_equal(fp8_from_f32(FP8_E4M3, false, 0x7fc00000), 0x7f);
    assert_int_equal(fp8_from_f32(FP8_E5M2, false, 0xff800000), 0xfb);
    assert_int_equal(fp8_to_f16(FP8_E4M3, 0xff), 0x7fff);
    assert_int_equal(fp8_to_f16(FP8_E4M3, 0x01), 0x1800);
    assert_int_equal(fp_convert(FP_F64, FP_F16, m, 0xfff4000000000000), 0xff00);
    assert_true(fp_convert(FP_F32, FP_F64, m, 0xff800001) == 0xfff8000020000000);
    assert_int_equal(fp_to_tf32(m, 0xff800001), 0x7fffe000);
}

/* FMUL.D2 and friends: one rounding, of the scaled product. */
static void test_scale(void **state)
{
    const struct fp_mode half = { .scale = -1 }, eight = { .scale = 3 };

    (void)state;
    assert_int_equal(fp_mul(FP_F32, half, 0x3f800001, 0x3f800000), 0x3f000001);
    assert_int_equal(fp_mul(FP_F32, half, 0x00000003, 0x3f800000), 2);
    assert_int_equal(fp_mul(FP_F32, eight, 0x7e800000, 0x3f800000), 0x7f800000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_fmz),
        cmocka_unit_test(test_flush),   cmocka_unit_test(test_check_divide),
        cmocka_unit_test(test_atomics), cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_scale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
