/* gen.h - random programs for the contract battery; the same seed, the same program. */
#ifndef LENO_TESTS_CONTRACT_GEN_H
#define LENO_TESTS_CONTRACT_GEN_H

#include "rig.h"

struct gen {
    uint64_t state;
    bool is_compiled; /* control words that keep every dependence by themselves */
};

/* Free it with rig_free(). */
void gen_kernel(uint64_t seed, bool is_compiled, struct rig_kernel *k);

/* Instructions of all warps together, in program order, without any timing. */
uint64_t gen_count(struct rig_kernel *k);

#endif
