/* random.h - random numbers of a trial: the same for the same state. */
#ifndef LENO_TESTS_RANDOM_H
#define LENO_TESTS_RANDOM_H

#include "base/hash.h"

static inline double random_uniform(uint64_t *state)
{
    return (double)(hash_mix(++*state * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
}

/* With variance 1. */
static inline double random_normal(uint64_t *state)
{
    double sum = -6;

    for (int k = 0; k < 12; k++)
        sum += random_uniform(state);
    return sum;
}

#endif
