/* flow.h - passes over a module's static code. */
#ifndef LENO_SASS_FLOW_H
#define LENO_SASS_FLOW_H

#include "frontend/sass/module.h"

/* Marks idempotent instructions (analysis/idempotence.h) and how far operands are from
 * their producers (analysis/distance.h). */
int sass_mark(struct sass_module *m, struct err *err);

#endif
