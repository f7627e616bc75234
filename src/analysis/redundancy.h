/* redundancy.h - which instructions give the same result in every warp of a block.
 *
 * The marks of DARSIE's compiler pass (ASPLOS 2020, section 4.2): redundant in any block,
 * redundant in blocks of some shapes, or not. They hold for warps that took the same way
 * through the program; keeping to those is the machine's part.
 */
#ifndef LENO_ANALYSIS_REDUNDANCY_H
#define LENO_ANALYSIS_REDUNDANCY_H

#include "analysis/flow.h"

/* own: of each instruction, what its result is if all its source registers are redundant:
 * a constant, say, a special register or a load. Fills marks, an enum redundancy each. -1:
 * out of memory. */
int redundancy_mark(const struct flow *f, const uint8_t *own, uint8_t *marks,
                    struct err *err);

#endif
