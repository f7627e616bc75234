/* value.h - what an instruction has written, as a digest. */
#ifndef LENO_SASS_VALUE_H
#define LENO_SASS_VALUE_H

#include "frontend/sass/exec/state.h"

/* d has just been executed by the warp: fills in d->value. */
void sass_value(const struct sass_warp *w, struct dyn *d);

#endif
