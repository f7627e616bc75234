/* functions.h - functions that a kernel calls and that nothing else enters: their blocks.
 *
 * A call leads to a function's first block and execution returns after the call. Only
 * functions that keep to that are found: none of their blocks is reached without a call, they
 * call known functions only, and their returns have no guard.
 */
#ifndef LENO_ANALYSIS_FUNCTIONS_H
#define LENO_ANALYSIS_FUNCTIONS_H

#include "analysis/flow.h"

struct flow_function {
    uint32_t entry; /* its first block */
    bool *has;      /* by block: part of it, or of a function that it calls */
};
struct flow_functions {
    struct flow_function *function;
    uint32_t n;
    uint32_t *called; /* by block: the function its last instruction calls; NO_TARGET */
};

int flow_find_functions(const struct flow *f, struct flow_functions *to,
                        struct err *err);
void flow_functions_free(struct flow_functions *l);

#endif
