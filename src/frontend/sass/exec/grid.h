/* grid.h - where grids and blocks come from; see exec.h for the public part. */
#ifndef LENO_SASS_GRID_H
#define LENO_SASS_GRID_H

#include "frontend/sass/exec/state.h"

/* Bytes of local memory a lane gets at least, the driver's default stack, and what the
 * hardware can give it. */
enum { MIN_LOCAL = 1024, MAX_LOCAL = 512 << 10 };

/* Executes the rest of a grid of which a pipeline has executed a part: these n blocks,
 * in an array that is freed, and those from number `next` on. Otherwise as sass_run(). */
int sass_run_rest(struct sass_grid *g, struct sass_block **blocks, size_t n,
                  uint64_t next, struct sass_run_stats *stats, struct err *err);

/* The launch's parameters at an address in global memory, to be read in granules; NULL: they
 * are not there. */
uint8_t *sass_params_at(const struct sass_grid *g, uint64_t addr);

/* Blocks of the launch that run at once where nothing is timed. */
uint64_t sass_resident(const struct sass_grid *g);

/* The local memory of a warp, made at its first use; NULL: out of host memory. */
uint8_t *sass_warp_local(struct sass_warp *w);

#endif
