/* mbarrier.h - the 64-bit word of a barrier in shared memory.
 *
 * sm_90. The fields that compiled code computes with (its first value, the number of
 * pending arrivals in a token, the parity handed to a wait) are
 *
 *     bit 63       parity of the current phase
 *     bits 43..62  2^20 less the arrivals still missing
 *     bits 1..20   2^20 less the arrivals that each phase expects
 *
 * LIMIT: where the count of missing bytes sits is not visible there; it is kept in bits
 * 21..42, as a signed number. A program that reads the word itself may see other values
 * on hardware while bytes are missing.
 *
 * sm_86. Compiled code does most of it by itself, so the whole word is known: the low
 * half is 2^30 less the arrivals expected, the high half 2^31 less those missing, whose
 * carry into bit 63 is the parity.
 */
#ifndef LENO_SASS_MBARRIER_H
#define LENO_SASS_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

/* What one operation does to a barrier: bytes are first expected (negative: have come),
 * then arrivals counted; the phase ends when neither is missing. */
struct mbarrier_change {
    uint32_t arrivals;
    int32_t bytes;
    bool drops; /* later phases expect that many arrivals less */
};

uint64_t mbarrier_first(uint32_t expected); /* sm_90 */
uint64_t mbarrier_update(uint64_t word, struct mbarrier_change c);

/* sm_86: one arrival. */
uint64_t mbarrier_arrive_old(uint64_t word);

/* Is the phase of that parity over? */
static inline bool mbarrier_is_over(uint64_t word, bool parity)
{
    return (word >> 63 != 0) != parity;
}

#endif
