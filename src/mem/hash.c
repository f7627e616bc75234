/* hash.c - tables of the polynomial hash. */
#include "mem/hash.h"

/* Irreducible polynomials by degree, without their leading term. */
static const uint32_t polynomials[17] = { 0,    0x1,  0x3,  0x3,  0x3, 0x5,
                                          0x3,  0x3,  0x1b, 0x11, 0x9, 0x5,
                                          0x53, 0x1b, 0x2b, 0x3,  0x2d };

void index_hash_init(struct index_hash *h, uint32_t kind, uint32_t n)
{
    uint32_t bits, power;

    *h = (struct index_hash){ .kind = kind, .n = n };
    if (n < 2 || n > 65536 || (n & (n - 1)))
        h->kind = CACHE_INDEX_LINEAR;
    if (h->kind != CACHE_INDEX_IPOLY)
        return;
    bits = (uint32_t)__builtin_ctz(n);
    power = polynomials[bits]; /* x^bits, then x^(bits + 1) ... */
    for (uint32_t bit = 0; bit < HASH_BYTES * 8; bit++) {
        for (uint32_t value = 0; value < 256; value++)
            if (value >> (bit & 7) & 1)
                h->fold[bit / 8][value] ^= (uint16_t)power;
        power <<= 1;
        if (power & n)
            power = (power ^ polynomials[bits]) & (n - 1);
    }
}
