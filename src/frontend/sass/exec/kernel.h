/* kernel.h - a launch of SASS code as a struct kernel (isa/stream.h). */
#ifndef LENO_SASS_KERNEL_H
#define LENO_SASS_KERNEL_H

#include "frontend/sass/exec/exec.h"

/* The launch's parameters are copied; its module, memory and textures must live as long
 * as the kernel. NULL with err set: a launch that the executor refuses. */
struct kernel *sass_kernel_new(const struct sass_launch *l, struct err *err);

/* Counts the instructions that its streams give, from now on. */
void sass_kernel_count(struct kernel *k, struct sass_run_stats *stats);

/* Was the kernel ended early (kernel_ops.cut, or kernel.n_blocks made smaller)? Then sass_kernel_run_rest() executes the
 * rest, as sass_run() would; clocks go on from the time that the pipeline has reached. */
bool sass_kernel_is_cut(const struct kernel *k);
/* Warp instructions of the longest warp of the blocks that were closed. */
uint64_t sass_kernel_longest(const struct kernel *k);
int sass_kernel_run_rest(struct kernel *k, const struct sass_time *reached,
                         struct sass_run_stats *stats, struct err *err);

/* Blocks still open are closed. */
void sass_kernel_free(struct kernel *k);

#endif
