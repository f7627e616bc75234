/* banks.c - bank conflicts of shared memory.
 *
 * An access takes as many cycles as the busiest bank has distinct words. GPGPU-Sim
 * considers the first word of each lane only; hardware splits 64- and 128-bit accesses
 * into two and four phases of neighbouring lanes, an H200 only those of 128 bits, into two.
 */
#include "mem/banks.h"

/* Are all words of evenly spaced lanes within as many words as there are banks? Then
 * each is in a bank of its own. */
static bool is_narrow(const struct shared_access *a, uint32_t mask, unsigned n_words)
{
    struct extent e;

    if (!mask || a->addr->stride == UNEVEN)
        return false;
    e = addresses_extent(a->addr, 0, mask);
    return e.high / 4 - e.low / 4 + n_words <= a->banks;
}

/* The most words in one bank, counting equal words as often as they occur. */
static unsigned most_words(const struct shared_access *a, uint32_t mask,
                           unsigned n_words)
{
    uint64_t room[WARP_LANES];
    const uint64_t *addr = addresses_each(a->addr, room);
    uint8_t n[WARP_LANES] = { 0 }, most = 0;

    for (unsigned w = 0; w < n_words; w++)
#pragma GCC unroll 8
        for (unsigned l = 0; l < WARP_LANES; l++)
            n[(addr[l] / 4 + w) & (a->banks - 1)] += mask >> l & 1;
    for (unsigned i = 0; i < WARP_LANES; i++)
        most = n[i] > most ? n[i] : most;
    return most;
}

/* The most distinct words in one bank. */
static unsigned most_distinct(const struct shared_access *a, uint32_t mask,
                              unsigned n_words)
{
    uint64_t seen[WARP_LANES][WARP_LANES], room[WARP_LANES];
    const uint64_t *addr = addresses_each(a->addr, room);
    unsigned n[WARP_LANES] = { 0 }, most = 0;

    for (uint32_t bits = mask; bits; bits &= bits - 1)
        for (unsigned w = 0; w < n_words; w++) {
            uint64_t word = addr[__builtin_ctz(bits)] / 4 + w;
            unsigned bank = (unsigned)word & (a->banks - 1), i = 0;

            while (i < n[bank] && seen[bank][i] != word)
                i++;
            if (i < n[bank] || i == WARP_LANES)
                continue;
            seen[bank][n[bank]++] = word;
            if (n[bank] > most)
                most = n[bank];
        }
    return most;
}

/* Cycles for n_words of each lane in the mask. */
static unsigned count_conflicts(const struct shared_access *a, uint32_t mask,
                                unsigned n_words)
{
    if (a->atomic)
        return most_words(a, mask, n_words);
    if (is_narrow(a, mask, n_words))
        return 1;
    return most_distinct(a, mask, n_words);
}

/* Conflicts of lanes a whole number of words apart: they reach the same bank again
 * after a fixed period. */
static unsigned line_conflicts(const struct shared_access *a)
{
    uint32_t words = (uint32_t)a->addr->stride / 4 | a->banks;
    uint32_t period = a->banks >> __builtin_ctz(words), together, most = 0;

    if (period == WARP_LANES)
        return 1;
    together = UINT32_MAX / ((1u << period) - 1); /* one lane of each period */
    for (unsigned i = 0; i < period; i++) {
        uint32_t n = (uint32_t)__builtin_popcount(a->mask & together << i);

        most = n > most ? n : most;
    }
    return most;
}

/* True if no two lanes want different words of a bank: the common case in good
 * programs. */
static bool has_no_conflict(const struct shared_access *a)
{
    uint64_t word_of[WARP_LANES], room[WARP_LANES];
    const uint64_t *addr = addresses_each(a->addr, room);
    uint32_t seen = 0;

    for (uint32_t bits = a->mask; bits; bits &= bits - 1) {
        uint64_t word = addr[__builtin_ctz(bits)] / 4;
        unsigned bank = (unsigned)word & (a->banks - 1);

        if (!(seen >> bank & 1))
            word_of[bank] = word;
        else if (word_of[bank] != word)
            return false;
        seen |= 1u << bank;
    }
    return true;
}

/* Conflicts of accesses of one word per lane. */
static unsigned word_conflicts(const struct shared_access *a)
{
    const struct addresses *at = a->addr;

    if (!a->atomic && !at->stride && !at->half)
        return 1;
    if (addresses_are_line(at) && at->stride % 4 == 0)
        return line_conflicts(a);
    if (!a->atomic && (is_narrow(a, a->mask, 1) || has_no_conflict(a)))
        return 1;
    return count_conflicts(a, a->mask, 1);
}

unsigned shared_cycles(const struct shared_access *a)
{
    unsigned n_words = (a->bytes + 3) / 4, phases, lanes, cycles = 0;

    if (!a->mask)
        return 1;
    if (!(a->phases | a->halves) || n_words <= 1)
        return word_conflicts(a);
    n_words = n_words > 2 ? 4 : 2;
    phases = a->halves ? n_words / 2 : n_words;
    lanes = WARP_LANES / phases;
    for (unsigned i = 0; i < phases; i++) {
        uint32_t part = a->mask & (uint32_t)(((uint64_t)1 << lanes) - 1) << (i * lanes);

        cycles += count_conflicts(a, part, n_words);
    }
    return cycles ? cycles : 1;
}
