/* mmaquad.c - HMMA.884 of sm_75: four products of 8 x 8 x 4, each by two quads of lanes.
 *
 * Product q belongs to lanes 4q to 4q + 3 and 16 + 4q to 16 + 4q + 3. With t = lane % 4 and
 * u = 4 in the upper lanes, else 0, and elements i of a lane:
 *   A by rows      row t + u, column i     by columns   row i + u, column t
 *   B by rows      row t, column i + u     by columns   row i, column t + u
 *   f16 C and D    row t + u, column i
 *   f32 C and D    row (lane & 1) + (i & 2) + u, column (i & 4) + (lane & 2) + (i & 1)
 * That is the PTX manual's layout. A step computes the elements that two registers hold.
 * LIMIT: sums are rounded as those of other products of sm_75; nobody measured them.
 */
#include "frontend/sass/math/fpconv.h"
#include "frontend/sass/math/mmatile.h"

enum { ROWS = 8, DEPTH = 4, QUADS = 4 };

/* Where an element of C or D lies in its product. */
static unsigned place_of(bool is_f32, unsigned lane, unsigned i)
{
    unsigned u = lane & 16 ? 4 : 0;

    if (is_f32)
        return ((lane & 1) + (i & 2) + u) * MMA_N + (i & 4) + (lane & 2) + (i & 1);
    return (lane % 4 + u) * MMA_N + i;
}

/* Half i of two registers. */
static uint32_t half_of(const uint32_t *const regs[], unsigned lane, unsigned i)
{
    return regs[i / 2][lane] >> 16 * (i & 1) & 0xffff;
}

static void read_factors(const struct mma_quads *op, unsigned lane,
                         const uint32_t *const a[], const uint32_t *const b[],
                         struct mma_elements *e)
{
    unsigned t = lane % 4, u = lane & 16 ? 4 : 0;

    for (unsigned i = 0; i < DEPTH; i++) {
        unsigned row = op->col_a ? i + u : t + u, k = op->col_a ? t : i;

        e->a[row * DEPTH + k] = half_of(a, lane, i);
        k = op->col_b ? i : t;
        e->b[k * MMA_N + (op->col_b ? t + u : i + u)] = half_of(b, lane, i);
    }
}

/* The elements of C that its two registers hold in this step. */
static void read_sums(const struct mma_quads *op, unsigned lane,
                      const uint32_t *const c[], uint32_t *sums)
{
    unsigned first = op->f32_d ? op->step / 2 * 4 : op->step * 4;

    if (op->f32_c) {
        for (unsigned r = 0; r < 2; r++)
            sums[place_of(true, lane, 2 * op->step + r)] = c[r][lane];
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t v = half_of(c, lane, i);

        sums[place_of(false, lane, first + i)] =
            op->f32_d ? (uint32_t)fp_convert(FP_F16, FP_F32, (struct fp_mode){ 0 }, v)
                      : v;
    }
}

static void write_sums(const struct mma_quads *op, unsigned lane, const uint32_t *sums,
                       uint32_t *const d[])
{
    for (unsigned r = 0; r < 2; r++) {
        unsigned i = 4 * op->step + 2 * r;

        d[r][lane] = op->f32_d ? sums[place_of(true, lane, 2 * op->step + r)]
                               : sums[place_of(false, lane, i)] |
                                     sums[place_of(false, lane, i + 1)] << 16;
    }
}

void mma_quads(const struct mma_quads *op, uint32_t *const d[],
               const uint32_t *const a[], const uint32_t *const b[],
               const uint32_t *const c[])
{
    const struct mma_op product = { .m = ROWS,
                                    .k = DEPTH,
                                    .a = MMA_F16,
                                    .b = MMA_F16,
                                    .f16_acc = !op->f32_d,
                                    .rounding = op->rounding };

    for (unsigned q = 0; q < QUADS; q++) {
        uint32_t sums[ROWS * MMA_N] = { 0 };
        struct mma_elements e;

        for (unsigned k = 0; k < 8; k++) {
            unsigned lane = 4 * q + k % 4 + 16 * (k / 4);

            read_factors(op, lane, a, b, &e);
            read_sums(op, lane, c, sums);
        }
        mma_float(&product, &e, sums);
        for (unsigned k = 0; k < 8; k++)
            write_sums(op, 4 * q + k % 4 + 16 * (k / 4), sums, d);
    }
}
