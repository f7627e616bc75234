/* test_mma.c - tensor instructions: every tile taken from an H200, the forms without
 * data against plain sums with the layouts written out, and other architectures' steps
 * against a one-element model.
 */
#include <math.h>

#include "frontend/sass/math/fpconv.h"
#include "frontend/sass/math/mma.h"
#include "vectors.h"

enum { LANES = 32, MAX_REGS = 16, N_TILES = 600 };

struct registers {
    uint32_t a[MAX_REGS][LANES], b[MAX_REGS][LANES], c[MAX_REGS][LANES];
    uint32_t d[MAX_REGS][LANES];
};

static void run(const struct mma_op *op, struct registers *r)
{
    uint32_t *d[MAX_REGS];
    const uint32_t *a[MAX_REGS], *b[MAX_REGS], *c[MAX_REGS];

    assert_true(mma_is_valid(op));
    for (int i = 0; i < MAX_REGS; i++) {
        a[i] = r->a[i];
        b[i] = r->b[i];
        c[i] = r->c[i];
        d[i] = r->d[i];
    }
    mma_run(op, d, a, b, c);
}

/* "HMMA.16816.F32.BF16", "IMMA.8816.S8.U8.SAT", "DMMA.16x8x4" */
static struct mma_op op_of(const char *name)
{
    struct mma_op op = { .m = 16 };
    const char *shape = name + 5;

    if (*name == 'D') {
        op.m = (uint8_t)atoi(shape);
        op.k = (uint8_t)atoi(strrchr(name, 'x') + 1);
        op.a = op.b = MMA_F64;
        return op;
    }
    if (*name == 'I') {
        const char *type = strchr(shape, '.') + 1;

        op.m = !strncmp(shape, "8816", 4) ? 8 : 16;
        op.k = !strncmp(shape, "16832", 5) ? 32 : 16;
        op.a = type[0] == 'S' ? MMA_S8 : MMA_U8;
        op.b = type[3] == 'S' ? MMA_S8 : MMA_U8;
        op.sat = strstr(name, ".SAT") != NULL;
        return op;
    }
    op.k = !strncmp(shape, "16816", 5) ? 16 : !strncmp(shape, "1688", 4) ? 8 : 4;
    op.a = strstr(name, ".TF32")   ? MMA_TF32
           : strstr(name, ".BF16") ? MMA_BF16
                                   : MMA_F16;
    op.b = op.a;
    op.f16_acc = strstr(name, ".F16") != NULL;
    op.rounding = mma_rounding_of(SM90, op.a);
    return op;
}

/* Reads n elements, of two registers each for f64. */
static char *read_operand(char *p, uint32_t x[MAX_REGS][LANES], unsigned n, int lane,
                          bool is_f64)
{
    for (unsigned i = 0; i < n; i += is_f64 ? 2 : 1) {
        uint64_t v = strtoull(p, &p, 16);

        x[i][lane] = (uint32_t)v;
        if (is_f64)
            x[i + 1][lane] = (uint32_t)(v >> 32);
    }
    return p;
}

static void test_tiles(void **state)
{
    char *text = vectors_read("tests/data/arith/mma.txt.zst"), *rest = text, *line;
    char *name = NULL;
    int lane = 0, n_tiles = 0, n_wrong = 0;
    static struct registers r, want;
    struct mma_op op = { 0 };

    (void)state;
    assert_non_null(text);
    while ((line = vectors_line(&rest)) != NULL) {
        if (*line == '=') {
            name = line + 2;
            op = op_of(name);
            lane = 0;
            continue;
        }

        struct mma_regs n = mma_regs_of(&op);
        bool is_f64 = op.a == MMA_F64;
        char *p = read_operand(line, r.a, n.a, lane, is_f64);

        p = read_operand(p, r.b, n.b, lane, is_f64);
        p = read_operand(p, r.c, n.c, lane, is_f64);
        read_operand(p, want.d, n.c, lane, is_f64);
        if (++lane < LANES)
            continue;
        run(&op, &r);
        n_tiles++;
        if (memcmp(r.d, want.d, n.c * sizeof r.d[0]) != 0) {
            print_error("%s, tile %d\n", name, n_tiles);
            n_wrong++;
        }
    }
    free(text);
    assert_int_equal(n_wrong, 0);
    assert_int_equal(n_tiles, N_TILES);
}

/* Destination registers may be those of C, A or B. */
static void test_overlap(void **state)
{
    struct vectors_rng g = { 11 };
    const struct mma_op ops[] = {
        { 16, 16, MMA_F16, MMA_F16, .rounding = { 25, 16 } },
        { 16, 32, MMA_S8, MMA_S8, .sat = true },
        { .m = 16, .k = 8, .a = MMA_F64, .b = MMA_F64 },
    };
    static struct registers r, s;

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        unsigned n = mma_regs_of(&ops[i]).c;
        uint32_t *d[MAX_REGS];
        const uint32_t *b[MAX_REGS];

        for (int k = 0; k < MAX_REGS * LANES; k++)
            r.a[k / LANES][k % LANES] = (uint32_t)vectors_random(&g) & 0xbfffbfffu;
        memcpy(r.b, r.a, sizeof r.b);
        memcpy(r.c, r.a, sizeof r.c);
        run(&ops[i], &r);
        memcpy(s.a, r.a, sizeof s.a);
        for (int k = 0; k < MAX_REGS; k++)
            b[k] = d[k] = s.a[k];
        mma_run(&ops[i], d, b, b, b);
        assert_memory_equal(s.a, r.d, n * sizeof r.d[0]);
    }
}

/* Four-bit fragments as the PTX manual lists them: element i of a lane. */
static void place_a(const struct mma_op *op, unsigned lane, unsigned i, unsigned *row,
                    unsigned *k)
{
    bool low = op->m == 8 || i < 8 || (i >= 16 && i < 24);

    *row = lane / 4 + (low ? 0 : 8);
    *k = lane % 4 * 8 + i % 8 + (i < 16 ? 0 : 32);
}

static void place_b(unsigned lane, unsigned i, unsigned *k, unsigned *col)
{
    *k = lane % 4 * 8 + i % 8 + (i < 8 ? 0 : 32);
    *col = lane / 4;
}

static int64_t nibble(const uint32_t x[MAX_REGS][LANES], unsigned lane, unsigned i,
                      bool is_signed)
{
    int v = (int)(x[i / 8][lane] >> 4 * (i % 8) & 15);

    return is_signed && v > 7 ? v - 16 : v;
}

static void check_int4(const struct mma_op *op, const struct registers *r)
{
    int64_t a[16][64] = { { 0 } }, b[64][8] = { { 0 } };
    struct mma_regs n = mma_regs_of(op);
    unsigned row, col, k;

    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < n.a * 8u; i++) {
            place_a(op, lane, i, &row, &k);
            a[row][k] = nibble(r->a, lane, i, op->a == MMA_S4);
        }
        for (unsigned i = 0; i < n.b * 8u; i++) {
            place_b(lane, i, &k, &col);
            b[k][col] = nibble(r->b, lane, i, op->b == MMA_S4);
        }
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < n.c; i++) {
            int64_t sum = (int32_t)r->c[i][lane];

            row = lane / 4 + (i < 2 ? 0 : 8);
            col = lane % 4 * 2 + (i & 1);
            for (k = 0; k < op->k; k++)
                sum += a[row][k] * b[k][col];
            if (op->sat && sum > INT32_MAX)
                sum = INT32_MAX;
            if (op->sat && sum < INT32_MIN)
                sum = INT32_MIN;
            assert_int_equal(r->d[i][lane], (uint32_t)sum);
        }
}

static void test_int4(void **state)
{
    static const uint8_t shapes[][2] = { { 8, 32 }, { 16, 32 }, { 16, 64 } };
    struct vectors_rng g = { 4 };
    static struct registers r;

    (void)state;
    for (unsigned n = 0; n < 300; n++) {
        struct mma_op op = { .m = shapes[n % 3][0],
                             .k = shapes[n % 3][1],
                             .a = n & 1 ? MMA_S4 : MMA_U4,
                             .b = n & 2 ? MMA_S4 : MMA_U4,
                             .sat = n & 4 };

        for (int i = 0; i < 4 * LANES; i++) {
            r.a[i / LANES][i % LANES] = (uint32_t)vectors_random(&g);
            r.b[i / LANES][i % LANES] = (uint32_t)vectors_random(&g);
            r.c[i / LANES][i % LANES] =
                n & 8 ? 0x7ffffff0u + (uint32_t)(vectors_random(&g) & 31)
                      : (uint32_t)vectors_random(&g);
        }
        run(&op, &r);
        check_int4(&op, &r);
    }
}

/* One element of HMMA, written plainly; finite operands only. */
struct term {
    int64_t sig; /* value sig * 2^(exp - frac) */
    int exp, frac;
};

static struct term term_of(uint32_t x, int exp_bits, int man_bits)
{
    int exp = (int)(x >> man_bits) & ((1 << exp_bits) - 1);
    int64_t man = x & ((1u << man_bits) - 1);
    int bias = (1 << (exp_bits - 1)) - 1;
    struct term t = { exp ? man + (1 << man_bits) : man, (exp ? exp : 1) - bias,
                      man_bits };

    if (x >> (man_bits + exp_bits) & 1)
        t.sig = -t.sig;
    return t;
}

/* Cut to F bits below 2^emax, in units of 2^(emax - F). */
static int64_t cut(struct term t, int emax, int bits)
{
    int64_t magnitude = (t.sig < 0 ? -t.sig : t.sig) << (bits - t.frac);
    int down = emax - t.exp;

    magnitude = down > 62 ? 0 : magnitude >> down;
    return t.sig < 0 ? -magnitude : magnitude;
}

/* sum * 2^exp as a double, which is exact, then converted. */
static uint32_t round_sum(int64_t sum, int exp, bool is_f16)
{
    const struct fp_mode m = { .round = is_f16 ? FP_RN : FP_RZ };
    double v = ldexp((double)sum, exp);
    uint64_t bits;
    uint32_t r;

    memcpy(&bits, &v, sizeof bits);
    if (!is_f16 && fabs(v) >= 0x1p128)
        return v < 0 ? 0xff800000u : 0x7f800000u;
    r = (uint32_t)fp_convert(FP_F64, is_f16 ? FP_F16 : FP_F32, m, bits);
    return r & (is_f16 ? 0x7fffu : 0x7fffffffu) ? r : 0;
}

static uint32_t plain_step(const struct mma_op *op, const uint32_t *a,
                           const uint32_t *b, uint32_t c, unsigned n)
{
    int man = op->a == MMA_BF16 ? 7 : 10, exp = op->a == MMA_F16 ? 5 : 8;
    int bits = op->rounding.fraction_bits, emax = -100000;
    struct term t[17];
    int64_t sum = 0;

    t[n] = op->f16_acc ? term_of(c, 5, 10) : term_of(c, 8, 23);
    for (unsigned k = 0; k < n; k++) {
        struct term x = term_of(a[k], exp, man), y = term_of(b[k], exp, man);

        t[k] = (struct term){ x.sig * y.sig, x.exp + y.exp, 2 * man };
    }
    for (unsigned k = 0; k <= n; k++)
        if (t[k].sig && t[k].exp > emax)
            emax = t[k].exp;
    for (unsigned k = 0; k <= n; k++)
        if (t[k].sig)
            sum += cut(t[k], emax, bits);
    return sum ? round_sum(sum, emax - bits, op->f16_acc) : 0;
}

/* Row 0, column 0 of a product whose other elements do not matter: lane 0 has the
 * element's C, lanes 0..3 the row and the column. */
static void check_chain(const struct mma_op *op, const struct registers *r)
{
    unsigned per_reg = op->a == MMA_TF32 ? 1 : 2, bits = 32 / per_reg;
    uint32_t a[16], b[16], c = op->f16_acc ? r->c[0][0] & 0xffff : r->c[0][0];
    uint32_t d = op->f16_acc ? r->d[0][0] & 0xffff : r->d[0][0];

    for (unsigned k = 0; k < op->k; k++) {
        unsigned block = k / (4 * per_reg), lane = k / per_reg % 4, part = k % per_reg;

        a[k] = r->a[2 * block][lane] >> bits * part;
        b[k] = r->b[block][lane] >> bits * part;
        a[k] = per_reg == 1 ? a[k] >> 13 : a[k] & 0xffff;
        b[k] = per_reg == 1 ? b[k] >> 13 : b[k] & 0xffff;
    }
    for (unsigned k = 0; k < op->k; k += op->rounding.group) {
        unsigned n = op->k - k < op->rounding.group ? op->k - k : op->rounding.group;

        c = plain_step(op, a + k, b + k, c, n);
        if ((c & (op->f16_acc ? 0x7c00u : 0x7f800000u)) ==
            (op->f16_acc ? 0x7c00u : 0x7f800000u))
            break; /* infinity stays: all else is finite */
    }
    assert_int_equal(d, c);
}

/* Finite numbers with exponents in a window. */
static uint32_t random_finite(struct vectors_rng *g, const struct mma_op *op)
{
    uint64_t r = vectors_random(g);
    uint32_t low = op->a == MMA_F16 ? 10 : 100, span = op->a == MMA_F16 ? 10 : 50;
    uint32_t exp = (r & 7) == 0 ? 0 : low + (uint32_t)(r >> 8) % span;
    uint32_t x = (uint32_t)(r >> 40);

    switch (op->a) {
    case MMA_F16:
        return (r & 24) == 0 ? 0 : (exp << 10 | (x & 0x83ff));
    case MMA_BF16:
        return exp << 7 | (x & 0x807f);
    default:
        return exp << 23 | (x << 9 & 0x807fffff);
    }
}

static void test_chains(void **state)
{
    static const struct mma_rounding roundings[] = {
        { 23, 4 }, { 24, 4 }, { 24, 8 }, { 25, 8 }, { 25, 16 }
    };
    static const uint8_t types[] = { MMA_F16, MMA_F16, MMA_BF16, MMA_TF32 };
    struct vectors_rng g = { 12 };
    static struct registers r;

    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        struct mma_op op = { .m = 16,
                             .a = types[n & 3],
                             .b = types[n & 3],
                             .f16_acc = (n & 3) == 1,
                             .rounding = roundings[n % 5] };

        op.k = op.a == MMA_TF32 ? (n & 16 ? 4 : 8) : (n & 16 ? 8 : 16);
        for (int i = 0; i < 4 * 4; i++) {
            uint32_t *a = &r.a[i / 4][i % 4], *b = &r.b[i / 4][i % 4];

            *a = random_finite(&g, &op);
            *b = random_finite(&g, &op);
            if (op.a != MMA_TF32) {
                *a |= random_finite(&g, &op) << 16;
                *b |= random_finite(&g, &op) << 16;
            }
        }
        r.c[0][0] = (uint32_t)vectors_random(&g) & (op.f16_acc ? 0xfbff : 0xbfffffff);
        run(&op, &r);
        check_chain(&op, &r);
    }
}

static void test_architectures(void **state)
{
    (void)state;
    assert_int_equal(mma_rounding_of(SM90, MMA_F16).fraction_bits, 25);
    assert_int_equal(mma_rounding_of(SM90, MMA_F16).group, 16);
    assert_int_equal(mma_rounding_of(SM86, MMA_BF16).group, 8);
    assert_int_equal(mma_rounding_of(SM86, MMA_TF32).group, 4);
    assert_int_equal(mma_rounding_of(SM75, MMA_F16).fraction_bits, 24);
}

static void test_validity(void **state)
{
    struct mma_op op = { 16, 16, MMA_F16, MMA_F16, .rounding = { 25, 16 } };

    (void)state;
    assert_true(mma_is_valid(&op));
    op.k = 32;
    assert_false(mma_is_valid(&op));
    op.k = 16;
    op.b = MMA_BF16;
    assert_false(mma_is_valid(&op));
    op.a = MMA_BF16;
    op.f16_acc = true;
    assert_false(mma_is_valid(&op));
    op.f16_acc = false;
    op.rounding.fraction_bits = 26;
    assert_false(mma_is_valid(&op));
    op = (struct mma_op){ 16, 32, MMA_S8, MMA_U8, .sat = true };
    assert_true(mma_is_valid(&op));
    op.b = MMA_U4;
    assert_false(mma_is_valid(&op));
    op.b = 200;
    assert_false(mma_is_valid(&op));
}

/* LDSM: eight rows of eight halves; half (row i, column j) is 8i + j. */
static void test_matrix_moves(void **state)
{
    uint32_t plain[LANES], turned[LANES], d[LANES];

    (void)state;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t word[2] = { 0, 0 };

        for (unsigned h = 0; h < 2; h++) {
            struct mma_place p = mma_matrix_place(lane, 2, h, false);
            struct mma_place q = mma_matrix_place(lane, 2, h, true);

            assert_in_range(p.lane, 16, 23); /* matrix 2: addresses of lanes 16..23 */
            assert_in_range(q.lane, 16, 23);
            word[0] |= (8u * (p.lane - 16u) + p.offset / 2u) << 16 * h;
            word[1] |= (8u * (q.lane - 16u) + q.offset / 2u) << 16 * h;
        }
        plain[lane] = word[0];
        turned[lane] = word[1];
        /* row g, columns 2t and 2t + 1 */
        assert_int_equal(plain[lane] & 0xffff, 8 * (lane / 4) + 2 * (lane % 4));
        assert_int_equal(plain[lane] >> 16, 8 * (lane / 4) + 2 * (lane % 4) + 1);
        assert_int_equal(turned[lane] & 0xffff, 8 * (2 * (lane % 4)) + lane / 4);
        assert_int_equal(turned[lane] >> 16, 8 * (2 * (lane % 4) + 1) + lane / 4);
    }
    mma_transpose(d, plain);
    assert_memory_equal(d, turned, sizeof d);
    mma_transpose(d, d);
    assert_memory_equal(d, plain, sizeof d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),         cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_int4),          cmocka_unit_test(test_chains),
        cmocka_unit_test(test_architectures), cmocka_unit_test(test_validity),
        cmocka_unit_test(test_matrix_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
