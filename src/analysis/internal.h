/* internal.h - what the parts of the flow analysis call of each other. */
#ifndef LENO_ANALYSIS_INTERNAL_H
#define LENO_ANALYSIS_INTERNAL_H

#include "analysis/flow.h"

/* live.c: fills in live_in and live_out of every block. */
void flow_find_live(struct flow *f);

#endif
