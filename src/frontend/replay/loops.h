/* loops.h - the loops of a recorded kernel, of those instructions that were executed. */
#ifndef LENO_REPLAY_LOOPS_H
#define LENO_REPLAY_LOOPS_H

#include "frontend/replay/table.h"
#include "isa/where.h"

/* For struct kernel_ops: branches are read from the instructions' texts, which have their
 * targets from first_pc. -1 with ERR_UNSUPPORTED: one has none there. */
int loops_of_table(const struct inst_table *t, uint64_t first_pc,
                   struct kernel_loops *l, struct err *err);

#endif
