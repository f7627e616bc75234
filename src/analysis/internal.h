/* internal.h - what the parts of the flow analysis call of each other. */
#ifndef LENO_ANALYSIS_INTERNAL_H
#define LENO_ANALYSIS_INTERNAL_H

#include "analysis/flow.h"

/* live.c: may results keep their old values, in a thread that executes it? */
bool flow_keeps_old(const struct inst *i, bool may_pass);
/* Fills in live_in and live_out of every block. */
void flow_find_live(struct flow *f);

#endif
