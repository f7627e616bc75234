/* view.h - tells a pipeline view where an instruction is; call these only with one. */
#ifndef LENO_CORE_VIEW_H
#define LENO_CORE_VIEW_H

#include "core/uop.h"
#include "stats/stall.h"
#include "trace/trace.h"

struct sm;
void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage);
void view_wait(struct sm *s, unsigned warp, enum stall cause);
void view_retire(struct sm *s, const struct uop *u);
void view_warps(struct sm *s); /* the number of warps has changed */

#endif
