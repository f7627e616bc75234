/* banks.h - the cycles that shared memory takes for the lanes of one instruction. */
#ifndef LENO_MEM_BANKS_H
#define LENO_MEM_BANKS_H

#include "isa/addresses.h"

struct shared_access {
    const struct addresses *addr;
    uint32_t mask;
    uint32_t bytes; /* per lane */
    uint32_t banks; /* number of 4-byte banks; a power of two, at most 32 */
    bool phases; /* wide accesses are split into halves and quarters of the warp ... */
    bool halves; /* ... or only those of 128 bits, into halves */
    bool atomic; /* lanes on the same word conflict */
};
unsigned shared_cycles(const struct shared_access *a);

#endif
