/* runtime.h - calls of the device runtime: launches by kernels, queries. */
#ifndef LENO_SASS_RUNTIME_H
#define LENO_SASS_RUNTIME_H

#include "frontend/sass/exec/state.h"

/* Runs a call (enum sass_syscall) for one lane. */
enum exec_result runtime_call(struct sass_warp *w, const struct sass_inst *i,
                              unsigned number, unsigned lane);

#endif
