/* test_riscv_single.c - single precision against the host's own unit, in its rounding
 * modes and with its exception flags; what the host has not, by hand: rounding to the
 * larger magnitude, canonical NaNs, conversions out of range. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "frontend/riscv/single.h"

enum { ROUNDS = 400000 };

static float float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Numbers of all kinds, those at the edges of a kind more often than by chance. */
static uint32_t next_number(uint64_t *state)
{
    static const uint32_t edges[] = {
        0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000,
        0x3f7fffff, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001,
        0x4b000000, 0x4b800000, 0x00ffffff, 0x01000000, 0x33800000, 0x34000000,
    };
    uint32_t r = next_random(state), kind = next_random(state) % 8;

    if (kind == 0)
        return edges[r % (sizeof edges / sizeof *edges)] | (r & 0x80000000u);
    if (kind < 3) /* exponents near each other */
        return (r & 0x807fffffu) | (120 + r / 1024 % 16) << 23;
    if (kind == 3) /* few bits set: exact results and ties */
        return (r & 0x80f00000u) | (118 + r / 64 % 20) << 23;
    if (kind == 4) /* near the smallest */
        return (r & 0x80ffffffu) | (r >> 24 & 15) << 23;
    return r;
}

static uint8_t host_flags(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);

    return (uint8_t)((raised & FE_INEXACT ? FP_NX : 0) |
                     (raised & FE_UNDERFLOW ? FP_UF : 0) |
                     (raised & FE_OVERFLOW ? FP_OF : 0) |
                     (raised & FE_DIVBYZERO ? FP_DZ : 0) |
                     (raised & FE_INVALID ? FP_NV : 0));
}

enum kind { ADD, MUL, DIV, SQRT, FMA, N_KIND };
static const char *const kinds[] = { "add", "mul", "div", "sqrt", "fma" };

static uint32_t ours(enum kind kind, const uint32_t x[3], unsigned rm, uint8_t *flags)
{
    switch (kind) {
    case ADD:
        return single_add(x[0], x[1], rm, flags);
    case MUL:
        return single_mul(x[0], x[1], rm, flags);
    case DIV:
        return single_div(x[0], x[1], rm, flags);
    case SQRT:
        return single_sqrt(x[0], rm, flags);
    default:
        return single_fma(x[0], x[1], x[2], rm, flags);
    }
}

/* Volatile: computed when and as it is written, whatever the mode. */
static uint32_t hosts(enum kind kind, const uint32_t x[3], uint8_t *flags)
{
    volatile float a = float_of(x[0]), b = float_of(x[1]), c = float_of(x[2]), r;

    feclearexcept(FE_ALL_EXCEPT);
    if (kind == ADD)
        r = a + b;
    else if (kind == MUL)
        r = a * b;
    else if (kind == DIV)
        r = a / b;
    else if (kind == SQRT)
        r = sqrtf(a);
    else
        r = fmaf(a, b, c);
    *flags = host_flags();
    return bits_of(r);
}

static bool is_nan(uint32_t a)
{
    return (a & 0x7fffffffu) > 0x7f800000u;
}

/* Infinity times zero plus a quiet NaN: hosts differ about the flag. */
static bool is_left_open(enum kind kind, const uint32_t x[3])
{
    return kind == FMA && is_nan(x[2]) && !is_nan(x[0]) && !is_nan(x[1]) &&
           isnan(float_of(x[0]) * float_of(x[1]));
}

static void arithmetic_is_the_hosts(void **state)
{
    static const int modes[] = { [RM_RNE] = FE_TONEAREST,
                                 [RM_RTZ] = FE_TOWARDZERO,
                                 [RM_RDN] = FE_DOWNWARD,
                                 [RM_RUP] = FE_UPWARD };
    uint64_t random = 1;

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint32_t x[3] = { next_number(&random), next_number(&random),
                          next_number(&random) };
        enum kind kind = (enum kind)(n % N_KIND);
        unsigned rm = n / N_KIND % 4;
        uint8_t our_flags = 0, host_flags_ = 0;
        uint32_t our, host;

        if (is_left_open(kind, x))
            continue;
        our = ours(kind, x, rm, &our_flags);
        fesetround(modes[rm]);
        host = hosts(kind, x, &host_flags_);
        fesetround(FE_TONEAREST);
        if (our != host || our_flags != host_flags_)
            fail_msg("%s(%08x, %08x, %08x) mode %u: %08x flags %02x, host %08x %02x",
                     kinds[kind], x[0], x[1], x[2], rm, our, our_flags, host,
                     host_flags_);
    }
}

/* Where a result lies between two singles, rounding to the larger magnitude takes the
 * nearer one, and of two equally near the outer one: told by doubles, in which products
 * are exact, and so are sums of numbers of about the same size. */
static void larger_magnitude(void **state)
{
    uint64_t random = 7;
    unsigned n_ties = 0;

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint32_t r = next_random(&random), s = next_random(&random);
        uint32_t a = (r & 0x80f80000u) | (120 + r / 64 % 8) << 23 | (r & 0x7ff);
        uint32_t b = (s & 0x80ff0000u) | (110 + s / 64 % 20) << 23;
        bool adds = n % 2;
        double exact = adds ? (double)float_of(a) + (double)float_of(b)
                            : (double)float_of(a) * (double)float_of(b);
        uint8_t flags = 0;
        uint32_t got =
            adds ? single_add(a, b, RM_RMM, &flags) : single_mul(a, b, RM_RMM, &flags);
        double near = (double)float_of(got), low, high;

        low = (double)nextafterf(float_of(got), 0.0f);
        high =
            (double)nextafterf(float_of(got), float_of(got) < 0 ? -INFINITY : INFINITY);
        if (exact == 0)
            continue;
        assert_true(fabs(exact - near) <= fabs(exact - low));
        assert_true(fabs(exact - near) < fabs(exact - high));
        n_ties += fabs(exact - near) == fabs(exact - low);
    }
    assert_true(n_ties > 100);
}

struct row {
    uint32_t a, b, c, result;
    uint8_t flags;
};

static void fma_with_nans(void **state)
{
    static const struct row rows[] = {
        { 0x7f800000, 0x00000000, 0x7fc00000, 0x7fc00000, FP_NV }, /* inf 0 + nan */
        { 0x80000000, 0xff800000, 0x7fc00000, 0x7fc00000, FP_NV },
        { 0x7f800000, 0x00000000, 0x3f800000, 0x7fc00000, FP_NV },
        { 0x7f800000, 0x3f800000, 0xff800000, 0x7fc00000, FP_NV }, /* inf - inf */
        { 0xffc12345, 0x3f800000, 0x3f800000, 0x7fc00000, 0 },
        { 0x3f800000, 0x3f800000, 0x7f812345, 0x7fc00000, FP_NV },
        { 0x7fc00000, 0x3f800000, 0xff812345, 0x7fc00000, FP_NV },
        { 0x3f800000, 0x40000000, 0xc0000000, 0x00000000, 0 },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint8_t flags = 0;

        assert_int_equal(single_fma(rows[n].a, rows[n].b, rows[n].c, RM_RNE, &flags),
                         rows[n].result);
        assert_int_equal(flags, rows[n].flags);
    }
}

struct conversion {
    float from;
    uint8_t rm;
    uint32_t to_signed;
    uint8_t signed_flags;
    uint32_t to_unsigned;
    uint8_t unsigned_flags;
};

static void to_whole_numbers(void **state)
{
    static const struct conversion rows[] = {
        { 0.0f, RM_RNE, 0, 0, 0, 0 },
        { -0.0f, RM_RDN, 0, 0, 0, 0 },
        { 2.5f, RM_RNE, 2, FP_NX, 2, FP_NX },
        { 3.5f, RM_RNE, 4, FP_NX, 4, FP_NX },
        { 2.5f, RM_RMM, 3, FP_NX, 3, FP_NX },
        { 2.5f, RM_RTZ, 2, FP_NX, 2, FP_NX },
        { 2.1f, RM_RUP, 3, FP_NX, 3, FP_NX },
        { 2.9f, RM_RDN, 2, FP_NX, 2, FP_NX },
        { -2.5f, RM_RNE, (uint32_t)-2, FP_NX, 0, FP_NV },
        { -2.5f, RM_RMM, (uint32_t)-3, FP_NX, 0, FP_NV },
        { -2.1f, RM_RDN, (uint32_t)-3, FP_NX, 0, FP_NV },
        { -2.9f, RM_RUP, (uint32_t)-2, FP_NX, 0, FP_NV },
        { -0.9f, RM_RTZ, 0, FP_NX, 0, FP_NX },
        { -0.9f, RM_RUP, 0, FP_NX, 0, FP_NX },
        { -0.9f, RM_RNE, (uint32_t)-1, FP_NX, 0, FP_NV },
        { -1.0f, RM_RNE, (uint32_t)-1, 0, 0, FP_NV },
        { 0x1p-149f, RM_RUP, 1, FP_NX, 1, FP_NX },
        { 0x1.fffffep30f, RM_RNE, 0x7fffff80, 0, 0x7fffff80, 0 },
        { 0x1p31f, RM_RNE, 0x7fffffff, FP_NV, 0x80000000, 0 },
        { -0x1p31f, RM_RNE, 0x80000000, 0, 0, FP_NV },
        { -0x1.000002p31f, RM_RTZ, 0x80000000, FP_NV, 0, FP_NV },
        { 0x1.fffffep31f, RM_RUP, 0x7fffffff, FP_NV, 0xffffff00, 0 },
        { 0x1p32f, RM_RTZ, 0x7fffffff, FP_NV, 0xffffffff, FP_NV },
        { 0x1p127f, RM_RTZ, 0x7fffffff, FP_NV, 0xffffffff, FP_NV },
        { INFINITY, RM_RNE, 0x7fffffff, FP_NV, 0xffffffff, FP_NV },
        { -INFINITY, RM_RNE, 0x80000000, FP_NV, 0, FP_NV },
        { NAN, RM_RNE, 0x7fffffff, FP_NV, 0xffffffff, FP_NV },
        { -NAN, RM_RNE, 0x7fffffff, FP_NV, 0xffffffff, FP_NV },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct conversion *r = &rows[n];
        uint8_t flags = 0;
        uint32_t bits;

        memcpy(&bits, &r->from, sizeof bits);
        assert_int_equal(single_to_int(bits, true, r->rm, &flags), r->to_signed);
        assert_int_equal(flags, r->signed_flags);
        flags = 0;
        assert_int_equal(single_to_int(bits, false, r->rm, &flags), r->to_unsigned);
        assert_int_equal(flags, r->unsigned_flags);
    }
}

static void from_whole_numbers(void **state)
{
    static const struct {
        int64_t from;
        uint8_t rm;
        float to;
        uint8_t flags;
    } rows[] = {
        { 0, RM_RDN, 0.0f, 0 },
        { -1, RM_RNE, -1.0f, 0 },
        { 16777217, RM_RNE, 16777216.0f, FP_NX },
        { 16777217, RM_RMM, 16777218.0f, FP_NX },
        { 16777217, RM_RUP, 16777218.0f, FP_NX },
        { -16777217, RM_RUP, -16777216.0f, FP_NX },
        { -16777217, RM_RDN, -16777218.0f, FP_NX },
        { 16777219, RM_RNE, 16777220.0f, FP_NX },
        { 16777219, RM_RTZ, 16777218.0f, FP_NX },
        { INT32_MIN, RM_RNE, -0x1p31f, 0 },
        { UINT32_MAX, RM_RNE, 0x1p32f, FP_NX },
        { UINT32_MAX, RM_RTZ, 0x1.fffffep31f, FP_NX },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint8_t flags = 0;

        assert_int_equal(single_from_int(rows[n].from, rows[n].rm, &flags),
                         bits_of(rows[n].to));
        assert_int_equal(flags, rows[n].flags);
    }
}

struct comparison {
    uint32_t a, b, min, max;
    bool equal, less, less_equal;
    uint8_t quiet, signals; /* flags of minimum, maximum, equal; of the others */
};

static void comparisons(void **state)
{
    static const struct comparison rows[] = {
        { 0x3f800000, 0x40000000, 0x3f800000, 0x40000000, 0, 1, 1, 0, 0 },
        { 0x40000000, 0x3f800000, 0x3f800000, 0x40000000, 0, 0, 0, 0, 0 },
        { 0xbf800000, 0xc0000000, 0xc0000000, 0xbf800000, 0, 0, 0, 0, 0 },
        { 0xbf800000, 0x3f800000, 0xbf800000, 0x3f800000, 0, 1, 1, 0, 0 },
        { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 1, 0, 1, 0, 0 },
        { 0x00000000, 0x80000000, 0x80000000, 0x00000000, 1, 0, 1, 0, 0 },
        { 0x80000000, 0x00000000, 0x80000000, 0x00000000, 1, 0, 1, 0, 0 },
        { 0xff800000, 0x00000001, 0xff800000, 0x00000001, 0, 1, 1, 0, 0 },
        { 0x80000001, 0x00000000, 0x80000001, 0x00000000, 0, 1, 1, 0, 0 },
        { 0x7fc00000, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0, 0, 0, FP_NV },
        { 0x3f800000, 0xffc12345, 0x3f800000, 0x3f800000, 0, 0, 0, 0, FP_NV },
        { 0x7f800001, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0, 0, FP_NV, FP_NV },
        { 0x3f800000, 0x7fbfffff, 0x3f800000, 0x3f800000, 0, 0, 0, FP_NV, FP_NV },
        { 0xffc12345, 0xffc54321, 0x7fc00000, 0x7fc00000, 0, 0, 0, 0, FP_NV },
        { 0x7f800001, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0, 0, 0, FP_NV, FP_NV },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct comparison *r = &rows[n];
        uint8_t flags[5] = { 0 };

        assert_int_equal(single_min(r->a, r->b, &flags[0]), r->min);
        assert_int_equal(single_max(r->a, r->b, &flags[1]), r->max);
        assert_int_equal(single_equal(r->a, r->b, &flags[2]), r->equal);
        assert_int_equal(single_less(r->a, r->b, &flags[3]), r->less);
        assert_int_equal(single_less_equal(r->a, r->b, &flags[4]), r->less_equal);
        for (unsigned k = 0; k < 5; k++)
            assert_int_equal(flags[k], k < 3 ? r->quiet : r->signals);
    }
}

static void classes(void **state)
{
    static const uint32_t in_order[10] = {
        0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000,
        0x007fffff, 0x00800000, 0x7f800000, 0x7f800001, 0x7fc00000,
    };

    (void)state;
    for (unsigned n = 0; n < 10; n++)
        assert_int_equal(single_class(in_order[n]), 1u << n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_the_hosts),
        cmocka_unit_test(larger_magnitude),
        cmocka_unit_test(fma_with_nans),
        cmocka_unit_test(to_whole_numbers),
        cmocka_unit_test(from_whole_numbers),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
