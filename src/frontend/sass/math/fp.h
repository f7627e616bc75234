/* fp.h - floating point as sm_90 computes it, on raw bits.
 *
 * Integer code only, so the result depends on nothing in the host. Every function was
 * fitted to and compared with an H200; what was not measured says so. Narrow formats
 * sit in the low bits of the 64-bit arguments and results, upper bits zero.
 *
 * NaN results: f16, bf16 and f32 give the one canonical NaN (0x7fff, 0x7fffffff). f64
 * hands a NaN operand on, quieted, in the order b, c, a; with no NaN operand it gives
 * 0xfff8000000000000.
 */
#ifndef LENO_SASS_FP_H
#define LENO_SASS_FP_H

#include <stdbool.h>
#include <stdint.h>

enum fp_format {
    FP_F16,
    FP_BF16,
    FP_F32,
    FP_F64,
    FP_TF32, /* 19 bits: as f32 without its low 13; conversions and tensor inputs only */
    N_FP_FORMAT
};

/* The values of the instruction's rounding field; RNA (ties away) has no instruction. */
enum fp_round {
    FP_RN,
    FP_RM, /* down */
    FP_RP, /* up */
    FP_RZ, /* toward zero */
    FP_RNA
};

/* Zero is plain round to nearest even. The modifiers act in the order listed. */
struct fp_mode {
    uint8_t round; /* enum fp_round */
    bool ftz; /* denormal sources are zero; so are results below the smallest normal
                      number after rounding with unbounded exponent */
    bool fmz; /* ftz, and a product with a zero factor is +0 even against NaN, inf */
    int8_t scale; /* FMUL.D2 .M4 ...: the product is multiplied by 2^scale before it is
                      rounded. LIMIT: not measured */
    bool sat;     /* to [0, 1]; NaN and -0 become +0 */
    bool relu;    /* negative and -0 become +0; NaN stays */
};

struct fp_format_info {
    uint8_t bits, exp_bits, man_bits;
    uint64_t nan; /* canonical */
};
extern const struct fp_format_info fp_formats[N_FP_FORMAT];

uint64_t fp_add(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b);
uint64_t fp_mul(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b);
uint64_t fp_fma(enum fp_format f, struct fp_mode m, uint64_t a, uint64_t b, uint64_t c);

/* The same on both halves of a register, f being FP_F16 or FP_BF16. */
uint32_t fp_add2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b);
uint32_t fp_mul2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b);
uint32_t fp_fma2(enum fp_format f, struct fp_mode m, uint32_t a, uint32_t b,
                 uint32_t c);

/* Source modifiers, absolute value first. They leave an f64 NaN alone. */
uint64_t fp_modify(enum fp_format f, uint64_t x, bool is_abs, bool is_neg);

bool fp_is_nan(enum fp_format f, uint64_t x);

/* FMNMX, HMNMX2. A NaN loses to a number unless nan is set; -0 < +0. xorsign compares
 * magnitudes and gives the result the exclusive or of the signs. For f64 (which has no
 * such instruction) it is what the DSETP.MIN sequence of the compiler gives. */
struct fp_minmax {
    bool is_max, nan, xorsign, ftz;
};
uint64_t fp_minmax(enum fp_format f, struct fp_minmax m, uint64_t a, uint64_t b);
uint32_t fp_minmax2(enum fp_format f, struct fp_minmax m, uint32_t a, uint32_t b);

/* FSETP, DSETP, FSET, HSET2. The code is the instruction's field, a set of the relations
 * that make it true; so LT 1, EQ 2, LE 3, GT 4, NE 5, GE 6, NUM 7, NAN 8, LTU 9 ... GEU
 * 14, and for FSETP F 0 and T 15 (DSETP: see fp_setp_minmax). */
enum fp_relation { FP_LESS = 1, FP_EQUAL = 2, FP_GREATER = 4, FP_UNORDERED = 8 };
bool fp_compare(enum fp_format f, unsigned code, bool ftz, uint64_t a, uint64_t b);

/* DSETP.MIN (code 0) and .MAX (code 15). take_a is the first predicate: a is the result;
 * both_nan the second. Neither is true of a NaN a against a number. */
struct fp_setp {
    bool take_a, both_nan;
};
struct fp_setp fp_setp_minmax(bool is_max, uint64_t a, uint64_t b);

/* FCHK: must a / b take the slow path? Only the exponents count. */
bool fp_check_divide(uint32_t a, uint32_t b);

/* Atomic and reduction adds in memory. */
enum fp_atomic {
    FP_ATOMIC_F32, /* .FTZ.RN */
    FP_BULK_F32,   /* UBLKRED: denormals stay */
    FP_ATOMIC_F64, /* a NaN passes unquieted, the operand's before memory's */
    FP_ATOMIC_F16X2,
    FP_ATOMIC_BF16X2
};
uint64_t fp_atomic_add(enum fp_atomic kind, uint64_t memory, uint64_t operand);

#endif
