/* bits.h - how many bits a number takes. */
#ifndef LENO_BASE_BITS_H
#define LENO_BASE_BITS_H

/* Bits that tell n things apart: log2, rounded up. */
static inline unsigned bits_for(unsigned n)
{
    return n > 1 ? 32u - (unsigned)__builtin_clz(n - 1) : 0;
}

#endif
