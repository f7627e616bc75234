/* cycles.h - the later and the earlier of two cycles. */
#ifndef LENO_BASE_CYCLES_H
#define LENO_BASE_CYCLES_H

#include <stdint.h>

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
