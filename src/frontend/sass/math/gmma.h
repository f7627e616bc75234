/* gmma.h - warpgroup products: one warp's 16 rows of D = A B + C, 8 columns at a time.
 *
 * Elements are as in registers or shared memory, one to a word, in its low bits: A by
 * rows of k, B by rows of 8, C by rows of 8. GMMA_B1 counts k in words of 32 bits.
 */
#ifndef LENO_SASS_GMMA_H
#define LENO_SASS_GMMA_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/sass/math/mmatile.h"

enum gmma_type {
    GMMA_F16,
    GMMA_BF16,
    GMMA_TF32,
    GMMA_E4M3,
    GMMA_E5M2,
    GMMA_S8,
    GMMA_U8,
    GMMA_B1,
    N_GMMA_TYPE
};

struct gmma_op {
    uint8_t a, b;      /* enum gmma_type; they differ only among 8-bit types */
    bool f16_acc, sat; /* C and D are f16; integers are clamped */
    bool neg_a, neg_b; /* floating point */
};

/* Bytes of an element, and elements along k of one instruction. */
unsigned gmma_bytes(enum gmma_type type);
unsigned gmma_depth(enum gmma_type type);

/* Negates what op says; once for each matrix, before the tiles. */
void gmma_negate(enum gmma_type type, uint32_t *e, unsigned n);

/* C, 16 x 8, becomes A B + C. */
void gmma_tile(const struct gmma_op *op, const struct mma_elements *e, uint32_t *c);

#endif
