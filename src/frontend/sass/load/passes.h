/* passes.h - passes over static code. */
#ifndef LENO_SASS_PASSES_H
#define LENO_SASS_PASSES_H

#include "analysis/code.h"
#include "frontend/sass/load/module.h"

/* Marks of the instructions from an address on which are idempotent (analysis/idempotence.h)
 * and how far operands are from their producers (analysis/distance.h). */
int sass_mark(struct sass_inst *inst, uint64_t n, uint64_t base, struct err *err);
/* The distances alone. */
int sass_mark_distances(struct sass_inst *inst, uint64_t n, uint64_t base,
                        struct err *err);

/* The lines of a kernel's section, with where its lanes are together (analysis/together.h);
 * to be freed. The flow of the kernel must be known. NULL: no memory. */
struct code_line *sass_kernel_lines(const struct sass_module *m,
                                    const struct sass_kernel *k, struct err *err);

#endif
