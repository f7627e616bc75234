/* fpvec.h - the hot floating-point operations, over the 32 lanes of a warp.
 *
 * Same results as fp.h, which is the definition; these use the host's IEEE arithmetic
 * and repair the cases in which it differs. The host must round to nearest and keep
 * denormals, as every C program finds it.
 *
 * A register is 32 words, one per lane. A 64-bit operand is its two registers in a row:
 * words 0..31 low, 32..63 high. The destination may be one of the sources; they may not
 * overlap otherwise. All lanes are computed: under a partial mask compute into a
 * temporary and use fpv_merge().
 */
#ifndef LENO_SASS_FPVEC_H
#define LENO_SASS_FPVEC_H

#include "frontend/sass/math/fpconv.h"

enum { FPV_LANES = 32 };

/* d[i] = s[i] for the lanes of the mask. */
void fpv_merge(uint32_t d[FPV_LANES], const uint32_t s[FPV_LANES], uint32_t mask);

/* Any mode; fast but with fmz or scale, which go lane by lane through fp.h. */
void fpv_fadd(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b);
void fpv_fmul(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b);
void fpv_ffma(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b,
              const uint32_t *c);

/* 64-bit operands: 64 words each. Of the mode only round counts; fast to nearest. */
void fpv_dadd(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b);
void fpv_dmul(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b);
void fpv_dfma(struct fp_mode m, uint32_t *d, const uint32_t *a, const uint32_t *b,
              const uint32_t *c);

/* Both halves of each register; f is FP_F16 or FP_BF16. Round to nearest. */
void fpv_hadd2(enum fp_format f, struct fp_mode m, uint32_t *d, const uint32_t *a,
               const uint32_t *b);
void fpv_hmul2(enum fp_format f, struct fp_mode m, uint32_t *d, const uint32_t *a,
               const uint32_t *b);
struct fpv_half {
    enum fp_format f;
    struct fp_mode m;
};
void fpv_hfma2(struct fpv_half h, uint32_t *d, const uint32_t *a, const uint32_t *b,
               const uint32_t *c);

/* Lanes for which the relation holds; code as in fp_compare(). */
uint32_t fpv_fcompare(unsigned code, bool ftz, const uint32_t *a, const uint32_t *b);
uint32_t fpv_dcompare(unsigned code, const uint32_t *a, const uint32_t *b);

/* Source modifiers: fp_modify() on f32, on both halves, and on f64 (64 words). */
void fpv_modify32(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg);
void fpv_modify16x2(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg);
void fpv_modify64(uint32_t *d, const uint32_t *a, bool is_abs, bool is_neg);

/* F2I and I2F between f32 and 32-bit integers (type.bits is 32), any rounding. */
void fpv_f2i32(struct fp_int type, enum fp_round round, bool ftz, uint32_t *d,
               const uint32_t *a);
void fpv_i2f32(struct fp_int type, enum fp_round round, uint32_t *d, const uint32_t *a);

/* F2F between f32 and f64 in place, to nearest and without flushing. */
void fpv_f32_to_f64(uint64_t *v);
void fpv_f64_to_f32(uint64_t *v);

#endif
