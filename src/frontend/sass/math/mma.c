/* mma.c - the tensor instructions: forms, fragments, integer and double products.
 *
 * IMMA is an exact integer sum, clamped once or cut to 32 bits. DMMA is a chain of DFMA
 * in order of k. HMMA is in mmafloat.c. The 4-bit forms follow the PTX manual and were
 * not run on hardware.
 */
#include "frontend/sass/math/mma.h"

#include <math.h>
#include <string.h>

#include "frontend/sass/math/fp.h"
#include "frontend/sass/math/mmatile.h"
#include "frontend/sass/math/simd.h"

static const struct {
    uint8_t bits;
    bool is_signed;
} types[N_MMA_TYPE] = {
    [MMA_F16] = { 16, true }, [MMA_BF16] = { 16, true }, [MMA_TF32] = { 32, true },
    [MMA_F64] = { 64, true }, [MMA_S8] = { 8, true },    [MMA_U8] = { 8, false },
    [MMA_S4] = { 4, true },   [MMA_U4] = { 4, false },
};

static const struct {
    uint8_t bits, m, k;
} shapes[] = {
    { 16, 16, 8 }, { 16, 16, 16 }, /* f16, bf16 */
    { 32, 16, 4 }, { 32, 16, 8 },  /* tf32 */
    { 64, 8, 4 },  { 64, 16, 4 },  { 64, 16, 8 }, { 64, 16, 16 }, { 8, 8, 16 },
    { 8, 16, 16 }, { 8, 16, 32 },  { 4, 8, 32 },  { 4, 16, 32 },  { 4, 16, 64 },
};

static bool is_integer(unsigned type)
{
    return type >= MMA_S8 && type <= MMA_U4;
}

bool mma_is_valid(const struct mma_op *op)
{
    const struct mma_rounding *r = &op->rounding;

    if (op->a >= N_MMA_TYPE || op->b >= N_MMA_TYPE ||
        types[op->a].bits != types[op->b].bits)
        return false;
    if (!is_integer(op->a) && (op->a != op->b || op->sat))
        return false;
    if (op->f16_acc && op->a != MMA_F16)
        return false;
    if (!is_integer(op->a) && op->a != MMA_F64 &&
        (r->fraction_bits < 23 || r->fraction_bits > 25 || !r->group || r->group > 16))
        return false;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].bits == types[op->a].bits && shapes[i].m == op->m &&
            shapes[i].k == op->k)
            return true;
    return false;
}

struct mma_rounding mma_rounding_of(enum sass_arch arch, enum mma_type type)
{
    switch (arch) {
    case SM90:
    case SM100:
    case SM120:
        return (struct mma_rounding){ 25, 16 };
    case SM80:
    case SM86:
    case SM89:
        return (struct mma_rounding){ 24, type == MMA_TF32 ? 4 : 8 };
    default:
        return (struct mma_rounding){ 24, 8 };
    }
}

struct mma_regs mma_regs_of(const struct mma_op *op)
{
    unsigned bits = types[op->a].bits;
    unsigned c_bits = op->f16_acc ? 16 : bits == 64 ? 64 : 32;

    return (struct mma_regs){ .a = (uint8_t)(op->m * op->k * bits / 1024),
                              .b = (uint8_t)(MMA_N * op->k * bits / 1024),
                              .c = (uint8_t)(op->m * MMA_N * c_bits / 1024) };
}

/* Inlined with bits constant: 4, 8, 16, 32. */
static inline __attribute__((always_inline)) void
gather(unsigned bits, const struct mma_op *op, struct mma_elements *e,
       const uint32_t *const a[], const uint32_t *const b[])
{
    struct mma_regs n = mma_regs_of(op);
    unsigned per_reg = 32 / bits, k = op->k;
    uint32_t mask = ~0u >> (32 - bits);

    for (unsigned r = 0; r < n.a; r++)
        for (unsigned lane = 0; lane < MMA_LANES; lane++) {
            uint32_t row = lane / 4 + 8 * (r & 1), word = a[r][lane];
            uint32_t *to = e->a + row * k + per_reg * (lane % 4 + 4 * (r >> 1));

            for (unsigned h = 0; h < per_reg; h++)
                to[h] = word >> bits * h & mask;
        }
    for (unsigned r = 0; r < n.b; r++)
        for (unsigned lane = 0; lane < MMA_LANES; lane++) {
            uint32_t word = b[r][lane];
            uint32_t *to = e->b + per_reg * (lane % 4 + 4 * r) * MMA_N + lane / 4;

            for (unsigned h = 0; h < per_reg; h++)
                to[h * MMA_N] = word >> bits * h & mask;
        }
}

static void gather_all(const struct mma_op *op, struct mma_elements *e,
                       const uint32_t *const a[], const uint32_t *const b[])
{
    switch (types[op->a].bits) {
    case 4:
        gather(4, op, e, a, b);
        break;
    case 8:
        gather(8, op, e, a, b);
        break;
    case 16:
        gather(16, op, e, a, b);
        break;
    default:
        gather(32, op, e, a, b);
        break;
    }
}

/* The element of C in register r of a lane. */
static unsigned place_c(unsigned lane, unsigned r)
{
    return (lane / 4 + 8 * (r >> 1)) * MMA_N + 2 * (lane % 4) + (r & 1);
}

static void gather_c(const struct mma_op *op, uint32_t *e, const uint32_t *const c[])
{
    unsigned n = mma_regs_of(op).c;

    for (unsigned r = 0; r < n; r++)
        for (unsigned lane = 0; lane < MMA_LANES; lane++)
            if (op->f16_acc) {
                e[place_c(lane, 2 * r)] = c[r][lane] & 0xffff;
                e[place_c(lane, 2 * r + 1)] = c[r][lane] >> 16;
            } else {
                e[place_c(lane, r)] = c[r][lane];
            }
}

static void scatter_d(const struct mma_op *op, uint32_t *const d[], const uint32_t *e)
{
    unsigned n = mma_regs_of(op).c;

    for (unsigned r = 0; r < n; r++)
        for (unsigned lane = 0; lane < MMA_LANES; lane++)
            if (op->f16_acc)
                d[r][lane] =
                    e[place_c(lane, 2 * r + 1)] << 16 | e[place_c(lane, 2 * r)];
            else
                d[r][lane] = e[place_c(lane, r)];
}

/* Sign-extends n elements in place. */
static void extend_elements(uint32_t *e, unsigned n, unsigned type)
{
    uint32_t sign = types[type].is_signed ? 1u << (types[type].bits - 1) : 0;

    for (unsigned i = 0; i < n; i++)
        e[i] = (e[i] ^ sign) - sign;
}

/* The sums of products fit 32 bits: at most 32 * 255 * 255. */
SIMD_BODY int_product_body(const struct mma_op *op, const struct mma_elements *e,
                           int32_t *sum)
{
    const mma_cols *b = (const mma_cols *)e->b;

    for (unsigned row = 0; row < op->m; row++) {
        const uint32_t *a = e->a + row * op->k;
        mma_cols s = { 0 };

        for (unsigned k = 0; k < op->k; k++)
            s += b[k] * (int32_t)a[k];
        ((mma_cols *)sum)[row] = s;
    }
}

SIMD_KERNEL(int_product,
            (const struct mma_op *op, const struct mma_elements *e, int32_t *sum),
            (op, e, sum))

static void run_int(const struct mma_op *op, struct mma_elements *e, uint32_t *c)
{
    int32_t sum[MMA_MAX_M * MMA_N];

    extend_elements(e->a, (unsigned)op->m * op->k, op->a);
    extend_elements(e->b, op->k * (unsigned)MMA_N, op->b);
    int_product(op, e, sum);
    for (unsigned i = 0; i < op->m * (unsigned)MMA_N; i++) {
        int64_t total = (int64_t)(int32_t)c[i] + sum[i];

        if (op->sat && total > INT32_MAX)
            total = INT32_MAX;
        if (op->sat && total < INT32_MIN)
            total = INT32_MIN;
        c[i] = (uint32_t)total;
    }
}

struct f64_tile {
    double a[MMA_MAX_M][16], b[16][MMA_N], c[MMA_MAX_M][MMA_N], d[MMA_MAX_M][MMA_N];
};

static double f64_element(const uint32_t *const x[], unsigned r, unsigned lane)
{
    uint64_t u = (uint64_t)x[2 * r + 1][lane] << 32 | x[2 * r][lane];
    double v;

    memcpy(&v, &u, sizeof v);
    return v;
}

static uint64_t f64_bits(double v)
{
    uint64_t u;

    memcpy(&u, &v, sizeof u);
    return u;
}

SIMD_BODY f64_product_body(const struct mma_op *op, struct f64_tile *t)
{
    for (unsigned row = 0; row < op->m; row++) {
        double s[MMA_N];

        memcpy(s, t->c[row], sizeof s);
        for (unsigned k = 0; k < op->k; k++)
            for (unsigned n = 0; n < MMA_N; n++)
                s[n] = fma(t->a[row][k], t->b[k][n], s[n]);
        memcpy(t->d[row], s, sizeof s);
    }
}

SIMD_KERNEL(f64_product, (const struct mma_op *op, struct f64_tile *t), (op, t))

/* The host does not keep the NaN the GPU keeps: such an element is done again. */
static uint64_t f64_result(const struct mma_op *op, const struct f64_tile *t,
                           unsigned row, unsigned col)
{
    uint64_t acc = f64_bits(t->c[row][col]), d = f64_bits(t->d[row][col]);
    const struct fp_mode nearest = { .round = FP_RN };

    if (!fp_is_nan(FP_F64, d))
        return d;
    for (unsigned k = 0; k < op->k; k++)
        acc = fp_fma(FP_F64, nearest, f64_bits(t->a[row][k]), f64_bits(t->b[k][col]),
                     acc);
    return acc;
}

static void run_f64(const struct mma_op *op, uint32_t *const d[],
                    const uint32_t *const a[], const uint32_t *const b[],
                    const uint32_t *const c[])
{
    struct mma_regs n = mma_regs_of(op);
    struct f64_tile t;

    for (unsigned lane = 0; lane < MMA_LANES; lane++) {
        for (unsigned r = 0; r < n.a / 2u; r++)
            t.a[lane / 4 + 8 * (r & 1)][lane % 4 + 4 * (r >> 1)] =
                f64_element(a, r, lane);
        for (unsigned r = 0; r < n.b / 2u; r++)
            t.b[lane % 4 + 4 * r][lane / 4] = f64_element(b, r, lane);
        for (unsigned r = 0; r < n.c / 2u; r++) {
            unsigned at = place_c(lane, r);

            t.c[at / MMA_N][at % MMA_N] = f64_element(c, r, lane);
        }
    }
    f64_product(op, &t);
    for (unsigned r = 0; r < n.c / 2u; r++)
        for (unsigned lane = 0; lane < MMA_LANES; lane++) {
            unsigned at = place_c(lane, r);
            uint64_t u = f64_result(op, &t, at / MMA_N, at % MMA_N);

            d[2 * r][lane] = (uint32_t)u;
            d[2 * r + 1][lane] = (uint32_t)(u >> 32);
        }
}

void mma_run(const struct mma_op *op, uint32_t *const d[], const uint32_t *const a[],
             const uint32_t *const b[], const uint32_t *const c[])
{
    struct mma_elements e;
    uint32_t sum[MMA_MAX_M * MMA_N];

    if (op->a == MMA_F64) {
        run_f64(op, d, a, b, c);
        return;
    }
    gather_all(op, &e, a, b);
    gather_c(op, sum, c);
    if (is_integer(op->a))
        run_int(op, &e, sum);
    else
        mma_float(op, &e, sum);
    scatter_d(op, d, sum);
}

/* One element: row and column, 32 products a word. */
static uint32_t bits_dot(const struct mma_bits_op *op, const uint32_t *const a[],
                         const uint32_t *const b[], unsigned row, unsigned col)
{
    unsigned rows = op->m / 8u;
    uint32_t sum = 0;

    for (unsigned k = 0; k < op->k / 32u; k++) {
        uint32_t x = a[row / 8 + rows * (k / 4)][row % 8 * 4 + k % 4];
        uint32_t y = b[k / 4][col * 4 + k % 4];

        sum += (uint32_t)__builtin_popcount(op->is_and ? x & y : x ^ y);
    }
    return sum;
}

void mma_bits(const struct mma_bits_op *op, uint32_t *const d[],
              const uint32_t *const a[], const uint32_t *const b[],
              const uint32_t *const c[])
{
    for (unsigned r = 0; r < op->m / 4u; r++)
        for (unsigned l = 0; l < MMA_LANES; l++)
            d[r][l] = c[r][l] +
                      bits_dot(op, a, b, l / 4 + 8 * (r >> 1), 2 * (l % 4) + (r & 1));
}

struct mma_place mma_matrix_place(unsigned lane, unsigned reg, unsigned half,
                                  bool is_transposed)
{
    unsigned g = lane / 4, t = lane % 4;

    if (is_transposed)
        return (struct mma_place){ (uint8_t)(8 * reg + 2 * t + half),
                                   (uint8_t)(2 * g) };
    return (struct mma_place){ (uint8_t)(8 * reg + g), (uint8_t)(4 * t + 2 * half) };
}

void mma_transpose(uint32_t *d, const uint32_t *a)
{
    uint32_t r[MMA_LANES];

    for (unsigned lane = 0; lane < MMA_LANES; lane++) {
        unsigned g = lane / 4, t = lane % 4; /* element (2t + h, g) */
        uint32_t low = a[2 * t * 4 + g / 2], high = a[(2 * t + 1) * 4 + g / 2];

        r[lane] = (low >> 16 * (g & 1) & 0xffff) | (high >> 16 * (g & 1)) << 16;
    }
    memcpy(d, r, sizeof r);
}
