/* maths.h - functions of floats for kernels. None has a branch, so that lanes with
 * different arguments stay together.
 *
 * Errors are at most 5e-7, of exp and log relative to the result, of sine and cosine
 * absolute (tests/riscv/maths.c).
 */
#ifndef MATHS_H
#define MATHS_H

#include <stdint.h>

union maths_bits {
    float value;
    uint32_t bits;
};

static inline uint32_t maths_bits(float value)
{
    return (union maths_bits){ .value = value }.bits;
}

static inline float maths_float(uint32_t bits)
{
    return (union maths_bits){ .bits = bits }.value;
}

/* condition ? yes : no, where condition is 0 or 1. */
static inline float maths_select(uint32_t condition, float yes, float no)
{
    return maths_float((maths_bits(yes) & -condition) |
                       (maths_bits(no) & (condition - 1)));
}

static inline float maths_abs(float x)
{
    return __builtin_fabsf(x);
}

static inline float maths_max(float a, float b)
{
    float larger;

    __asm__("fmax.s %0, %1, %2" : "=f"(larger) : "f"(a), "f"(b));
    return larger;
}

static inline float maths_sqrt(float x)
{
    float root;

    __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(x));
    return root;
}

/* The nearest whole number, even on a tie. */
static inline int32_t maths_round(float x)
{
    int32_t whole;

    __asm__("fcvt.w.s %0, %1, rne" : "=r"(whole) : "f"(x));
    return whole;
}

/* e to the power of x, for |x| < 87: 2^n e^r with |r| at most half of ln 2. */
static inline float maths_exp(float x)
{
    int32_t n = maths_round(x * 1.44269504f);
    float r = x - (float)n * 0.693145752f - (float)n * 1.42860677e-6f;
    float series =
        1 + r * (1 + r * (0.5f + r * (0.166666667f + r * (4.16666667e-2f +
                                                          r * (8.33333333e-3f +
                                                               r * 1.38888889e-3f)))));

    return series * maths_float((uint32_t)(n + 127) << 23);
}

/* The natural logarithm of x > 0: x = 2^n m with m from 0.75 to 1.5, and
 * ln m = 2 artanh t with t = (m - 1) / (m + 1). */
static inline float maths_log(float x)
{
    int32_t n = (int32_t)(maths_bits(x) - 0x3f400000u) >> 23;
    float m = maths_float(maths_bits(x) - ((uint32_t)n << 23));
    float t = (m - 1) / (m + 1), t2 = t * t;
    float series =
        1 + t2 * (0.333333333f + t2 * (0.2f + t2 * (0.142857143f + t2 * 0.111111111f)));

    return 2 * t * series + (float)n * 0.693147181f;
}

struct maths_turn {
    float sin, cos;
};

/* Sine and cosine of so many turns: of the angle to the nearest quarter, at most 1/8. */
static inline struct maths_turn maths_turn(float turns)
{
    int32_t quarter = maths_round(4 * turns);
    uint32_t is_odd = quarter & 1, sin_sign = (uint32_t)quarter >> 1 << 31;
    uint32_t cos_sign = ((uint32_t)quarter + 1) >> 1 << 31;
    float a = (turns - (float)quarter * 0.25f) * 6.28318531f, a2 = a * a;
    float sin =
        a + a * a2 * (-0.166666667f + a2 * (8.33333333e-3f - a2 * 1.98412698e-4f));
    float cos = 1 + a2 * (-0.5f + a2 * (4.16666667e-2f +
                                        a2 * (-1.38888889e-3f + a2 * 2.48015873e-5f)));

    return (struct maths_turn){
        .sin = maths_float(maths_bits(maths_select(is_odd, cos, sin)) ^ sin_sign),
        .cos = maths_float(maths_bits(maths_select(is_odd, sin, cos)) ^ cos_sign),
    };
}

#endif
