/* mbarrier.c - what arrivals and bytes do to the word of an mbarrier. */
#include "isa/mbarrier.h"

enum {
    COUNT_BITS = 20,
    EXPECTED_AT = 1,
    BYTES_AT = 21,
    BYTES_BITS = 21,
    PENDING_AT = 43
};

#define COUNT_MASK ((1u << COUNT_BITS) - 1)
#define BYTES_MASK ((1u << BYTES_BITS) - 1)

static uint32_t count_at(uint64_t word, unsigned at)
{
    return (uint32_t)(-(word >> at) & COUNT_MASK);
}

static uint64_t put_count(uint32_t count, unsigned at)
{
    return (uint64_t)(-count & COUNT_MASK) << at;
}

uint64_t mbarrier_first(uint32_t expected)
{
    return put_count(expected, EXPECTED_AT) | put_count(expected, PENDING_AT);
}

uint64_t mbarrier_update(uint64_t word, struct mbarrier_change c)
{
    uint32_t expected = count_at(word, EXPECTED_AT),
             pending = count_at(word, PENDING_AT);
    uint32_t less_bytes = (uint32_t)(word >> BYTES_AT) - (uint32_t)c.bytes;
    uint64_t parity = word >> 63, low = word & 1;

    less_bytes &= BYTES_MASK;
    if (c.drops)
        expected -= c.arrivals;
    pending -= c.arrivals;
    if (!(pending & COUNT_MASK) && !less_bytes) {
        parity ^= 1;
        pending = expected;
    }
    return parity << 63 | put_count(pending, PENDING_AT) |
           (uint64_t)less_bytes << BYTES_AT | put_count(expected, EXPECTED_AT) | low;
}

/* The carry out of the count is the next phase; it starts from what is expected. */
uint64_t mbarrier_arrive_old(uint64_t word)
{
    uint32_t old = (uint32_t)(word >> 32), next = old + 1, start = (uint32_t)word;

    if ((old ^ next) >> 31) {
        start &= ~(1u << 30);
        if (start >> 29 & 1)
            start |= 1u << 30;
        next += start;
    }
    return (uint64_t)next << 32 | (uint32_t)word;
}
