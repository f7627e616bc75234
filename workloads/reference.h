/* reference.h - exp(), log(), sin() and cos() for a host's check.
 *
 * The same bits on every machine: only operations that are exactly rounded, and powers of
 * two. Off by less than 1e-14 in relative terms (sin and cos: absolute, for |x| < 1e6), far
 * below what a float of a kernel can show.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <math.h>

/* ln 2 and pi / 2 in two parts, the first with zeros at its end: a multiple of it by a small
 * number is exact. */
#define REFERENCE_LN2_HIGH   0x1.62e42feep-1
#define REFERENCE_LN2_LOW    0x1.a39ef35793c76p-33
#define REFERENCE_RIGHT_HIGH 0x1.921fb544p+0
#define REFERENCE_RIGHT_LOW  0x1.0b4611a626331p-34

/* x less k times a number of two parts. */
static inline double reference_reduce(double x, double k, double high, double low)
{
    return fma(-k, low, fma(-k, high, x));
}

static inline double reference_exp(double x)
{
    double k = nearbyint(x * 0x1.71547652b82fep+0), sum = 1.0;
    double r = reference_reduce(x, k, REFERENCE_LN2_HIGH, REFERENCE_LN2_LOW);

    if (x > 709.0)
        return (double)INFINITY;
    if (x < -745.0)
        return 0.0;
    for (int i = 14; i > 0; i--)
        sum = fma(sum, r / i, 1.0);
    return ldexp(sum, (int)k);
}

/* Of a positive number: 2^e m, and log m = 2 artanh s with s = (m - 1) / (m + 1). */
static inline double reference_log(double x)
{
    int e;
    double m = frexp(x, &e), s, square, sum = 0.0;

    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2.0;
        e--;
    }
    s = (m - 1.0) / (m + 1.0);
    square = s * s;
    for (int i = 27; i > 0; i -= 2)
        sum = fma(sum, square, 1.0 / i);
    return fma(e, REFERENCE_LN2_HIGH, fma(e, REFERENCE_LN2_LOW, 2.0 * s * sum));
}

/* sin(r + q * pi / 2) for |r| <= pi / 4. */
static inline double reference_quadrant(double r, long long q)
{
    int first = q & 1 ? 1 : 2; /* 1: of cos, 2: of sin */
    double sum = 1.0;

    for (int i = 20; i >= 2; i -= 2)
        sum = fma(sum, -r * r / ((i + first - 1) * (i + first - 2)), 1.0);
    if (first == 2)
        sum *= r;
    return q & 2 ? -sum : sum;
}

static inline double reference_turn(double x, long long quadrants)
{
    double k = nearbyint(x * 0x1.45f306dc9c883p-1);
    double r = reference_reduce(x, k, REFERENCE_RIGHT_HIGH, REFERENCE_RIGHT_LOW);

    return reference_quadrant(r, (long long)k + quadrants);
}

static inline double reference_sin(double x)
{
    return reference_turn(x, 0);
}

static inline double reference_cos(double x)
{
    return reference_turn(x, 1);
}

#endif
