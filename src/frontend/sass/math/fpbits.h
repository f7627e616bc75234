/* fpbits.h - floats and their bits, for the loops over lanes; private to fpvec*.c. */
#ifndef LENO_SASS_FPBITS_H
#define LENO_SASS_FPBITS_H

#include <stdint.h>
#include <string.h>

#include "frontend/sass/math/fpvec.h"

enum { LANES = FPV_LANES };

#define MAGNITUDE 0x7fffffffu
#define SIGN      0x80000000u
#define EXPONENT  0x7f800000u
#define SMALLEST  0x00800000u
#define ONE       0x3f800000u

/* Kernels are inlined into both versions of a loop, with some arguments constant. */
#define INLINE static inline __attribute__((always_inline))
#define LOOP   INLINE void

INLINE float to_float(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

INLINE uint32_t from_float(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

INLINE double to_double64(uint64_t u)
{
    double d;

    memcpy(&d, &u, sizeof d);
    return d;
}

INLINE double to_double(uint32_t lo, uint32_t hi)
{
    return to_double64((uint64_t)hi << 32 | lo);
}

INLINE uint64_t from_double(double d)
{
    uint64_t u;

    memcpy(&u, &d, sizeof u);
    return u;
}

INLINE uint32_t canonical(uint32_t u)
{
    return (u & MAGNITUDE) > EXPONENT ? MAGNITUDE : u;
}

INLINE uint32_t flush(uint32_t u)
{
    return u & EXPONENT ? u : u & SIGN;
}

#endif
