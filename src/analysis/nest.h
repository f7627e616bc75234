/* nest.h - all natural loops of a piece of code, and which is in which. */
#ifndef LENO_ANALYSIS_NEST_H
#define LENO_ANALYSIS_NEST_H

#include "analysis/flow.h"
#include "isa/where.h"

int nest_find(const struct flow *f, struct kernel_loops *l, struct err *err);
void nest_free(struct kernel_loops *l);

#endif
