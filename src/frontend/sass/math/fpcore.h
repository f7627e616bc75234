/* fpcore.h - numbers taken apart and rounded; private to fp.c and fpconv.c. */
#ifndef LENO_SASS_FPCORE_H
#define LENO_SASS_FPCORE_H

#include "frontend/sass/math/fp.h"

__extension__ typedef unsigned __int128 fp_u128;

enum fp_class { FP_FINITE, FP_INFINITE, FP_NAN };

/* A finite value is sig * 2^exp; a NaN's sig is its payload. */
struct fp_parts {
    bool negative;
    uint8_t class; /* enum fp_class */
    int exp;
    uint64_t sig;
};

struct fp_parts fp_unpack(enum fp_format f, bool ftz, uint64_t x);

/* A value to be rounded: sig * 2^exp, sig below 2^126. The lowest bit of sig may stand
 * for everything below it as long as at least two bits lie between it and the result's
 * last bit. */
struct fp_exact {
    bool negative;
    int exp;
    fp_u128 sig;
};

/* Rounds once; ftz flushes what is tiny after rounding with unbounded exponent. */
uint64_t fp_pack(enum fp_format f, enum fp_round round, bool ftz, struct fp_exact x);

/* sig / 2^shift rounded to an integer. */
fp_u128 fp_shift_round(fp_u128 sig, int shift, bool negative, enum fp_round round);

/* The .SAT and .RELU of a finished result. */
uint64_t fp_finish(enum fp_format f, struct fp_mode m, uint64_t x);

static inline uint64_t fp_sign_bit(enum fp_format f)
{
    return (uint64_t)1 << (fp_formats[f].bits - 1);
}

static inline uint64_t fp_signed(enum fp_format f, bool negative, uint64_t magnitude)
{
    return magnitude | (negative ? fp_sign_bit(f) : 0);
}

static inline int fp_bias(enum fp_format f)
{
    return (1 << (fp_formats[f].exp_bits - 1)) - 1;
}

static inline uint64_t fp_infinity(enum fp_format f)
{
    return (((uint64_t)1 << fp_formats[f].exp_bits) - 1) << fp_formats[f].man_bits;
}

static inline uint64_t fp_one(enum fp_format f)
{
    return (uint64_t)fp_bias(f) << fp_formats[f].man_bits;
}

/* Index of the top one of v, which is not zero. */
static inline int fp_top_bit(fp_u128 v)
{
    uint64_t hi = (uint64_t)(v >> 64);

    return hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll((uint64_t)v);
}

#endif
