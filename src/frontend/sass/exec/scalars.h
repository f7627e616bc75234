/* scalars.h - the constants and immediates of a launch as rows of 32 lanes. */
#ifndef LENO_SASS_SCALARS_H
#define LENO_SASS_SCALARS_H

#include "frontend/sass/exec/state.h"

/* The rows of a launch, as load/spread.h numbers them, to be freed by the caller; NULL: out of host memory. */
uint32_t (*scalar_rows(const struct sass_grid *g))[WARP_LANES];

#endif
