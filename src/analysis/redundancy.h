/* redundancy.h - which instructions give the same result in every warp of a block.
 *
 * The marks of DARSIE's compiler pass (ASPLOS 2020, section 4.2): redundant in any
 * block, redundant in blocks of some shapes, or not. They hold for warps that took the
 * same path through the program; the machine must ensure that.
 */
#ifndef LENO_ANALYSIS_REDUNDANCY_H
#define LENO_ANALYSIS_REDUNDANCY_H

#include "analysis/flow.h"

/* own: by instruction, the level of its result if all its source registers are
 * redundant, as a constant, a special register or a load determines it. Fills marks, an
 * enum redundancy each. -1: out of memory. */
int redundancy_mark(const struct flow *f, const uint8_t *own, uint8_t *marks,
                    struct err *err);

#endif
