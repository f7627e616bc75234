/* bits.h - one bit of a word; how many bits a number needs, and how many are set. */
#ifndef LENO_BASE_BITS_H
#define LENO_BASE_BITS_H

#include <stdint.h>

static inline uint64_t bit64(unsigned n)
{
    return (uint64_t)1 << n;
}

/* The number of the lowest bit of a word that is not 0 ... */
static inline unsigned bits_first(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

/* ... and in turn: of the lowest above `last`, or else the lowest. */
static inline unsigned bits_after(uint64_t word, unsigned last)
{
    uint64_t above = word & UINT64_MAX << last << 1;

    return bits_first(above ? above : word);
}

/* Bits needed to number n things: log2, rounded up. */
static inline unsigned bits_for(unsigned n)
{
    return n > 1 ? 32u - (unsigned)__builtin_clz(n - 1) : 0;
}

/* log2, rounded down; 0 for 0. */
static inline unsigned bits_log2(uint32_t n)
{
    return n < 2 ? 0 : 31u - (unsigned)__builtin_clz(n);
}

/* Bits that are set; without a call, which the compiler's own is on processors that may
 * lack the instruction. */
static inline unsigned bits_set(uint32_t n)
{
    n -= n >> 1 & 0x55555555u;
    n = (n & 0x33333333u) + (n >> 2 & 0x33333333u);
    return ((n + (n >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

#endif
