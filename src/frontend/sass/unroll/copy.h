/* copy.h - a module whose code is its own copy, to be changed and to grow. */
#ifndef LENO_SASS_COPY_H
#define LENO_SASS_COPY_H

#include "frontend/sass/load/module.h"

/* All but its code is shared with the original. What is added begins at 128 bytes. */
int sass_copy_code(struct sass_module *to, const struct sass_module *from,
                   struct err *err);
/* Room for n more instructions after the module's, all zero. */
int sass_copy_reserve(struct sass_module *m, uint64_t n, struct err *err);

/* An instruction to be added: opcode and form of its word, without guard, with control
 * bits that wait for nothing. Other fields are zero. */
struct word sass_copy_word(unsigned op, unsigned form);

#endif
