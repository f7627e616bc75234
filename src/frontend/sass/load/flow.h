/* flow.h - a kernel's section of code as the flow analysis sees it. */
#ifndef LENO_SASS_FLOW_H
#define LENO_SASS_FLOW_H

#include "analysis/flow.h"
#include "frontend/sass/load/module.h"

struct sass_flow {
    const struct sass_inst *inst; /* of the module */
    uint64_t base;                /* address of the first */
    uint32_t n;
    struct flow_inst *flow;
};

/* Is the flow of a kernel known, and if not, why? */
enum sass_flow_known {
    FLOW_IS_KNOWN,
    FLOW_HAS_INDIRECT, /* branches by register */
    FLOW_NOT_AT_START, /* the kernel does not begin its section */
    FLOW_LEAVES,       /* it branches out of its section */
};

int sass_flow_make(struct sass_flow *f, const struct sass_module *m,
                   const struct sass_kernel *k, enum sass_flow_known *known,
                   struct err *err);
void sass_flow_free(struct sass_flow *f);

/* Does no thread go on after it? */
bool flow_stops(const struct sass_inst *i);

/* The slot of a branch or a call that says where it leads. */
unsigned flow_target_opd(const struct sass_inst *i);

#endif
