/* tensormap.h - what a tensor map says, and its words.
 *
 * A map has 128 bytes, of which the hardware reads the first 64. Kernels change maps by plain
 * stores (tensormap.replace is compiled to them), so the places are the hardware's:
 *
 *     word 0, 1    address
 *     word 2       see the table in tensormap.c
 *     word 3..6    strides of dimension 1 to 4, without their lowest 4 bits
 *     word 7       bits 32 and up of these, 4 bits each
 *     word 8..12   sizes less 1
 *     word 13      steps less 1, 3 bits each; bits 24..31: box of dimension 0 less 1
 *     word 14      tiled: box of dimensions 1 to 4 less 1, 8 bits each; im2col: the lower
 *                  corner in the low half, the upper in the high half, W first
 *     word 15      im2col: pixels less 1
 *
 * The driver leaves bytes of the box and what the swizzle repeats after in words 16 and 18.
 */
#ifndef LENO_SASS_TENSORMAP_H
#define LENO_SASS_TENSORMAP_H

#include <stdbool.h>
#include <stdint.h>

enum { TENSOR_RANK = 5, TENSOR_BYTES = 128, TENSOR_WORDS = TENSOR_BYTES / 4 };

/* As the hardware numbers them. */
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F32_FTZ,
    TENSOR_F64,
    TENSOR_BF16,
    N_TENSOR_TYPE
};

struct tensor_map {
    uint64_t base;
    uint8_t rank;       /* 1 .. TENSOR_RANK */
    uint8_t type;       /* enum tensor_type */
    bool is_tf32;       /* of TENSOR_F32 and TENSOR_F32_FTZ */
    uint8_t interleave; /* none, 16, 32 bytes */
    uint8_t swizzle;    /* none, 32, 64, 128 bytes */
    uint8_t promotion;  /* none, 64, 128, 256 bytes */
    bool fills_nan;     /* outside: a special NaN, else 0 */
    bool is_im2col;
    uint64_t size[TENSOR_RANK];       /* elements */
    uint64_t stride[TENSOR_RANK - 1]; /* bytes; of dimension 1 and up */
    uint32_t box[TENSOR_RANK];        /* elements that are passed over */
    uint32_t step[TENSOR_RANK];       /* one in so many is copied */
    int32_t lower[3], upper[3]; /* im2col: corners of the box of pixels, W first */
    uint32_t pixels;            /* im2col; channels are box[0] */
};

unsigned tensor_type_bytes(enum tensor_type t);

void tensor_map_pack(const struct tensor_map *m, uint32_t *words);

/* False: no map that was ever packed. */
bool tensor_map_unpack(const uint32_t *words, struct tensor_map *m);

#endif
