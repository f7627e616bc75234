/* mmatile.h - matrices out of fragments; private to mma*.c and gmma.c.
 *
 * g = lane / 4, t = lane % 4. With E elements in a register, register r of a lane holds
 *   of A: row g + 8 (r & 1), columns E t + 4E (r >> 1) and the E - 1 after it,
 *   of B: column g, rows E t + 4E r and the E - 1 after it,
 *   of C: row g + 8 (r >> 1), column 2t + (r & 1); two f16: row g + 8r, columns 2t, 2t+1.
 * An f64 takes two registers and counts as one r.
 */
#ifndef LENO_SASS_MMATILE_H
#define LENO_SASS_MMATILE_H

#include "frontend/sass/math/mma.h"

enum { MMA_LANES = 32, MMA_N = 8, MMA_MAX_M = 16, MMA_MAX_K = 64 };

/* A row of columns, computed together; in memory anywhere. */
typedef int32_t mma_cols __attribute__((vector_size(4 * MMA_N), aligned(4), may_alias));

/* Elements as they are in the registers, A by rows of k, B by rows of MMA_N. */
struct mma_elements {
    uint32_t a[MMA_MAX_M * MMA_MAX_K];
    uint32_t b[MMA_MAX_K * MMA_N];
};

/* HMMA: c, by rows of MMA_N, becomes A B + C; an f16 is in the low bits. */
void mma_float(const struct mma_op *op, const struct mma_elements *e, uint32_t *c);

#endif
