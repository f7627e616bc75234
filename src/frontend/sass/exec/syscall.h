/* syscall.h - functions that kernels call and the machine provides. */
#ifndef LENO_SASS_SYSCALL_H
#define LENO_SASS_SYSCALL_H

#include "frontend/sass/exec/state.h"

/* Runs function number (enum sass_syscall) for the lanes of mask, one after another:
 * arguments in R4.., result in R4 (R4:R5), as the calling convention says. */
enum exec_result syscall_run(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask, unsigned number);

#endif
