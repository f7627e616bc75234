/* hash.h - index functions for sets, banks and channels.
 *
 * "ipoly" is Rau's pseudo-random interleaving (ISCA 1991): the address as a polynomial
 * over GF(2), modulo an irreducible one of the index's degree. GPGPU-Sim has tables for
 * 16, 32 and 64 places, of the polynomials used here (x^4+x+1, x^5+x^2+1, x^6+x+1),
 * over the lowest 13, 15 and 19 bits; the bits above are the same for all data of a
 * program, so both distribute it in the same way.
 */
#ifndef LENO_MEM_HASH_H
#define LENO_MEM_HASH_H

#include <stdint.h>

#include "mem/params.h"

enum { HASH_BYTES = 6 }; /* number of upper address bytes that count */

struct index_hash {
    uint32_t kind; /* enum cache_index */
    uint32_t n;
    uint16_t fold[HASH_BYTES]
                 [256]; /* ipoly: the index bits that each value of a byte flips */
};

/* Sets up an index of 0 .. n - 1. Kinds other than linear need a power of two of at
 * most 65536 and fall back to linear otherwise. */
void index_hash_init(struct index_hash *h, uint32_t kind, uint32_t n);

/* high: address bits above the index; low: the plain index. */
static inline uint32_t index_hash(const struct index_hash *h, uint64_t high,
                                  uint32_t low)
{
    switch (h->kind) {
    case CACHE_INDEX_XOR:
        return low ^ ((uint32_t)high & (h->n - 1));
    case CACHE_INDEX_IPOLY:
        /* Zero bytes at the top flip nothing. */
        high &= ((uint64_t)1 << HASH_BYTES * 8) - 1;
        for (uint32_t i = 0; high; i++, high >>= 8)
            low ^= h->fold[i][high & 0xff];
        return low;
    default:
        return low;
    }
}

#endif
