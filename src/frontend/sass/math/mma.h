/* mma.h - the tensor instructions over the 32 lanes of a warp.
 *
 * An operand is an array of registers, each a pointer to its 32 lanes; 64-bit elements
 * take two, low word first. RZ is a pointer to 32 zero words. Destination registers may
 * be source registers. All shapes are m x 8 x k; fragment layouts are those of the PTX
 * manual, and SASS uses the same register order.
 *
 * Not here: sparse and FP8 forms, HGMMA.
 */
#ifndef LENO_SASS_MMA_H
#define LENO_SASS_MMA_H

#include <stdbool.h>
#include <stdint.h>

#include "frontend/sass/arch.h"

enum mma_type {
    MMA_F16,
    MMA_BF16,
    MMA_TF32,
    MMA_F64,
    MMA_S8,
    MMA_U8,
    MMA_S4,
    MMA_U4,
    N_MMA_TYPE
};

/* A floating-point product is a chain of steps. Each adds `group` products and the
 * accumulator, all cut to fraction_bits below the largest exponent, and rounds once. */
struct mma_rounding {
    uint8_t fraction_bits; /* 23..25 */
    uint8_t group;
};

/* sm_90 is measured. sm_86 and sm_75 are literature (for A100 and Turing; sources do not
 * agree on Turing's group, 4 or 8: 8 is taken). Only for MMA_F16, BF16, TF32. */
struct mma_rounding mma_rounding_of(enum sass_arch arch, enum mma_type type);

/* m and k: 16x16, 16x8, 16x4 ... as in the instruction's name. Types a and b differ only
 * in sign. f16_acc: C and D are f16, two to a register (MMA_F16 only). sat: integer. */
struct mma_op {
    uint8_t m, k;
    uint8_t a, b; /* enum mma_type */
    bool f16_acc, sat;
    struct mma_rounding rounding; /* floating point but f64 */
};

/* Is it a form the functions below compute? */
bool mma_is_valid(const struct mma_op *op);

/* 32-bit registers of one lane that the operands take. */
struct mma_regs {
    uint8_t a, b, c; /* D takes as many as C */
};
struct mma_regs mma_regs_of(const struct mma_op *op);

/* HMMA, IMMA, DMMA: D = A B + C. The op must be valid. */
void mma_run(const struct mma_op *op, uint32_t *const d[], const uint32_t *const a[],
             const uint32_t *const b[], const uint32_t *const c[]);

/* BMMA: D = C + the ones of (A and B), or of (A xor B). m x 8 x k bits: 8 x 128, 16 x 128
 * or 16 x 256, 32 bits to a register in the layout of the other types. */
struct mma_bits_op {
    uint8_t m;
    uint16_t k;
    bool is_and; /* else exclusive or */
};
void mma_bits(const struct mma_bits_op *op, uint32_t *const d[],
              const uint32_t *const a[], const uint32_t *const b[],
              const uint32_t *const c[]);

/* HMMA.884: one step of four products of 8 x 8 x 4 (mmaquad.c). Each operand takes two
 * registers. A step of f32 D is one of four, of f16 D one of two. */
struct mma_quads {
    bool col_a, col_b, f32_c, f32_d;
    uint8_t step;
    struct mma_rounding rounding;
};
void mma_quads(const struct mma_quads *op, uint32_t *const d[],
               const uint32_t *const a[], const uint32_t *const b[],
               const uint32_t *const c[]);

/* LDSM, STSM: the place of one half (0 low, 1 high) of register reg of a lane. lane is
 * the one whose address names the row, offset is in bytes from that address. Without
 * transposition both halves lie in one aligned word. */
struct mma_place {
    uint8_t lane, offset;
};
struct mma_place mma_matrix_place(unsigned lane, unsigned reg, unsigned half,
                                  bool is_transposed);

/* MOVM.16.MT88: transposes the 8x8 matrix of halves held in one register; d may be a. */
void mma_transpose(uint32_t *d, const uint32_t *a);

#endif
