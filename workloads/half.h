/* half.h - numbers as halves, for hosts. */
#ifndef HALF_H
#define HALF_H

#include <math.h>
#include <stdint.h>

/* The nearest half of a number that is neither below the normal ones nor too large for them, or
 * 0; ties to even. */
static inline uint16_t half_of(double x)
{
    int e = 0;
    double m = nearbyint(frexp(fabs(x), &e) * 2048); /* 1024 to 2048 */

    if (m == 0)
        return 0;
    return (uint16_t)((x < 0 ? 0x8000 : 0) + (e + 13) * 1024 + (int)m);
}

/* The same as a number. */
static inline double half_round(double x)
{
    int e = 0;
    double m = frexp(x, &e);

    return ldexp(nearbyint(m * 2048), e - 11);
}

#endif
