/* hash.c - tables of the polynomial hash. */
#include "mem/hash.h"

/* Irreducible polynomials by degree, without their leading term. */
static const uint32_t polynomials[17] = { 0,    0x1,  0x3,  0x3,  0x3, 0x5,
                                          0x3,  0x3,  0x1b, 0x11, 0x9, 0x5,
                                          0x53, 0x1b, 0x2b, 0x3,  0x2d };

void index_hash_init(struct index_hash *h, uint32_t kind, uint32_t n)
{
    uint32_t power, top;

    *h = (struct index_hash){ .kind = kind, .n = n };
    if (n < 2 || n > 65536 || (n & (n - 1)))
        h->kind = CACHE_INDEX_LINEAR;
    if (h->kind != CACHE_INDEX_IPOLY)
        return;
    h->bits = (uint32_t)__builtin_ctz(n);
    if (h->bits == 16)
        h->bits = 15; /* the table has 16 rows */
    top = 1u << h->bits;
    power = polynomials[h->bits]; /* x^bits */
    for (uint32_t bit = 0; bit < 64; bit++) {
        for (uint32_t i = 0; i < h->bits; i++)
            h->parity[i] |= (uint64_t)(power >> i & 1) << bit;
        power <<= 1;
        if (power & top)
            power = (power ^ polynomials[h->bits]) & (top - 1);
    }
}
