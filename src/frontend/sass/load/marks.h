/* marks.h - what is redundant in a kernel's code. */
#ifndef LENO_SASS_MARKS_H
#define LENO_SASS_MARKS_H

#include "frontend/sass/load/module.h"

/* An enum redundancy for each instruction of the kernel's section, from its beginning: *n
 * of them, to be freed. A kernel whose flow is not known, as it branches by register, has
 * nothing redundant. NULL with err set: out of memory. */
uint8_t *sass_marks(const struct sass_module *m, const struct sass_kernel *k,
                    uint32_t *n, struct err *err);

/* The same, but redundant is only what all threads of a block have alike. */
uint8_t *sass_uniform_marks(const struct sass_module *m, const struct sass_kernel *k,
                            uint32_t *n, struct err *err);

/* Those of all kernels of a module, by section; of other sections NULL. */
uint8_t **sass_marks_all(const struct sass_module *m, struct err *err);
void sass_marks_free(uint8_t **marks, const struct sass_module *m);

#endif
