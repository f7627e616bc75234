/* unset.h - registers that a kernel may read before it has written them: all of them
 * where that cannot be told. */
#ifndef LENO_SASS_UNSET_H
#define LENO_SASS_UNSET_H

#include "frontend/sass/exec/exec.h"

void sass_unset(const struct sass_launch *l, struct regset *unset);

#endif
