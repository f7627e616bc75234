/* fpconv.h - conversions between number formats as sm_90 does them, on raw bits.
 *
 * As in fp.h: integer code only, compared with an H200. Rounding is enum fp_round.
 */
#ifndef LENO_SASS_FPCONV_H
#define LENO_SASS_FPCONV_H

#include "frontend/sass/math/fp.h"

/* F2F, F2FP of one value, HADD2.F32 as f16 -> f32. Of the mode round, ftz, sat and relu
 * are used. ftz concerns f32 only: a denormal f32 source is zero, an f32 result is
 * flushed. NaN: to or from f64 it keeps its sign and payload, quieted; else canonical.
 * bf16 -> f32 has no instruction: it is a shift in integer code (x << 16) and keeps a
 * signalling NaN, unlike this function. A TF32 result has 19 bits; see fp_to_tf32. */
uint64_t fp_convert(enum fp_format from, enum fp_format to, struct fp_mode m,
                    uint64_t x);

/* F2FP.F16.F32.PACK_AB, F2FP.BF16.F32.PACK_AB: to is FP_F16 or FP_BF16. */
uint32_t fp_pack2(enum fp_format to, struct fp_mode m, uint32_t high, uint32_t low);

/* F2FP.TF32.F32.PACK_B: an f32 with its low 13 bits zero; NaN 0x7fffe000. */
uint32_t fp_to_tf32(struct fp_mode m, uint32_t x);

/* Eight-bit floats. From f32: nearest even, saturating to the largest finite number, NaN
 * 0x7f; relu clears what is negative. LIMIT: relu was not measured. To f16: exact. */
enum fp8_format { FP8_E4M3, FP8_E5M2 };
uint8_t fp8_from_f32(enum fp8_format f, bool relu, uint32_t x);
uint16_t fp8_to_f16(enum fp8_format f, uint8_t x);

/* FRND: to an integral value of the same format; the sign of zero is kept. */
uint64_t fp_round_integral(enum fp_format f, enum fp_round round, bool ftz, uint64_t x);

struct fp_int {
    uint8_t bits; /* 8, 16, 32, 64 */
    bool is_signed;
    bool ntz; /* F2I.NTZ: NaN gives 0. Without it the top bit alone, signed or not. */
};

/* F2I, F2IP: clamped to the range of the type; the upper bits of the result are zero. */
uint64_t fp_to_int(enum fp_format f, struct fp_int type, enum fp_round round, bool ftz,
                   uint64_t x);

/* I2F, I2FP: the low type.bits of x. */
uint64_t fp_from_int(enum fp_format f, struct fp_int type, enum fp_round round,
                     uint64_t x);

#endif
