/* internal.h - functions that the files of the flow analysis share. */
#ifndef LENO_ANALYSIS_INTERNAL_H
#define LENO_ANALYSIS_INTERNAL_H

#include "analysis/flow.h"

/* live.c: may the results keep their old values in a thread that executes the
 * instruction? */
bool flow_keeps_old(const struct inst *i, bool may_pass);
/* Fills in live_in and live_out of every block. */
void flow_find_live(struct flow *f);

/* Calls and returns are not followed: they may lead anywhere. */
static inline bool flow_may_go_anywhere(const struct inst *i)
{
    return inst_is_branch(i) && inst_is_sync(i) && !(i->flags & INST_EXIT);
}

#endif
