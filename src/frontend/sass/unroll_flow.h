/* unroll_flow.h - a kernel's section of code as the flow analysis sees it. */
#ifndef LENO_SASS_UNROLL_FLOW_H
#define LENO_SASS_UNROLL_FLOW_H

#include "analysis/flow.h"
#include "frontend/sass/unroll.h"

struct sass_flow {
    const struct sass_inst *inst; /* of the module */
    uint64_t base;                /* address of the first */
    uint32_t n;
    struct flow_inst *flow;
};

/* why: UNROLL_done, or what stands against looking at this kernel. */
int sass_flow_make(struct sass_flow *f, const struct sass_launch *l,
                   enum unroll_result *why, struct err *err);
void sass_flow_free(struct sass_flow *f);

/* Does no thread go on behind it? */
bool flow_stops(const struct sass_inst *i);

/* Which operand of a branch or a call says where it leads. */
unsigned flow_target_opd(const struct sass_inst *i);

#endif
