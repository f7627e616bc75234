/* spread.h - constants and immediates as rows of 32 lanes; see spread.c. */
#ifndef LENO_SASS_SPREAD_H
#define LENO_SASS_SPREAD_H

#include "frontend/sass/decode.h"
#include "isa/stream.h"

struct sass_grid;

/* Scalars that a module names; NULL: out of host memory. To be freed by the caller. */
struct sass_spread;
struct sass_spread *spread_new(void);

/* Tells the operands of a decoded instruction where their values lie, where that is known
 * for all launches, and the instruction whether it is for all of them. If the table is full
 * scalars have no row. */
void spread_bind(struct sass_spread *s, struct sass_inst *i);

/* The rows of a launch, to be freed by the caller; NULL: out of host memory. */
uint32_t (*spread_rows(const struct sass_grid *g))[WARP_LANES];

#endif
