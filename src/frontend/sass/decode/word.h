/* word.h - the 128-bit instruction word and its fields. */
#ifndef LENO_SASS_WORD_H
#define LENO_SASS_WORD_H

#include <stdint.h>

struct word {
    uint64_t lo; /* bits 0..63 */
    uint64_t hi; /* bits 64..127 */
};

/* n <= 64 bits from bit at. */
static inline uint64_t word_bits(struct word w, unsigned at, unsigned n)
{
    uint64_t v;

    if (at >= 64)
        v = w.hi >> (at - 64);
    else if (at)
        v = w.lo >> at | w.hi << (64 - at);
    else
        v = w.lo;
    return n < 64 ? v & (((uint64_t)1 << n) - 1) : v;
}

static inline int64_t word_signed(struct word w, unsigned at, unsigned n)
{
    return (int64_t)(word_bits(w, at, n) << (64 - n)) >> (64 - n);
}

#endif
