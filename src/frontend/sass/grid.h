/* grid.h - where grids and blocks come from; see exec.h for the public part. */
#ifndef LENO_SASS_GRID_H
#define LENO_SASS_GRID_H

#include "frontend/sass/state.h"

/* Bytes of local memory a lane gets at least: the driver's default stack. */
enum { MIN_LOCAL = 1024 };

#endif
