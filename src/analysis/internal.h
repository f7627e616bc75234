/* internal.h - functions that the files of the flow analysis share. */
#ifndef LENO_ANALYSIS_INTERNAL_H
#define LENO_ANALYSIS_INTERNAL_H

#include "analysis/flow.h"

/* live.c: may the results keep their old values in a thread that executes the
 * instruction? */
bool flow_keeps_old(const struct inst *i, bool may_pass);
/* Fills in live_in and live_out of every block. */
void flow_find_live(struct flow *f);

#endif
