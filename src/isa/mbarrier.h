/* mbarrier.h - the 64-bit word of a barrier in shared memory.
 *
 * sm_90. Compiled code computes with the first value, with the missing arrivals in a
 * token and with the parity handed to a wait; the tokens of an H200 show bits 32..41.
 *
 *     bit 63       parity of the current phase
 *     bits 43..62  2^20 less the arrivals still missing
 *     bits 21..41  2^21 less the bytes still missing, which may be negative
 *     bits 1..20   2^20 less the arrivals that each phase expects
 *
 * LIMIT: on hardware a plain load of the word does not show it, here it does.
 *
 * sm_86. Compiled code does most of it by itself, so the whole word is known: the low
 * half is 2^30 less the arrivals expected, the high half 2^31 less those missing, whose
 * carry into bit 63 is the parity.
 */
#ifndef LENO_ISA_MBARRIER_H
#define LENO_ISA_MBARRIER_H

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
