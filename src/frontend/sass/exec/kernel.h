/* kernel.h - a launch of SASS code as a struct kernel (isa/stream.h). */
#ifndef LENO_SASS_KERNEL_H
#define LENO_SASS_KERNEL_H

#include "frontend/sass/exec/exec.h"

/* The launch's parameters are copied; its module, memory and textures must live as long
 * as the kernel. NULL with err set: a launch that the executor refuses. */
struct kernel *sass_kernel_new(const struct sass_launch *l, struct err *err);

/* Blocks still open are closed. */
void sass_kernel_free(struct kernel *k);

#endif
