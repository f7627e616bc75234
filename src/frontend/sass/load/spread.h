/* spread.h - which constants and immediates of a module have rows of 32 lanes; see
 * spread.c. */
#ifndef LENO_SASS_SPREAD_H
#define LENO_SASS_SPREAD_H

#include "frontend/sass/decode/decode.h"

enum { ZERO_ROWS = 4, MAX_SCALARS = 1024, N_SLOTS = 2 * MAX_SCALARS };

struct sass_spread {
    uint16_t slot[N_SLOTS]; /* by hash: 1 + number of the scalar; 0: none */
    uint32_t n;
    struct operand scalar[MAX_SCALARS];
};

/* Scalars that a module names; NULL: out of host memory. To be freed by the caller. */
struct sass_spread *spread_new(void);

/* Tells the operands of a decoded instruction where their values lie, where that is known
 * for all launches, and the instruction whether it is for all of them. If the table is full
 * scalars have no row. */
void spread_bind(struct sass_spread *s, struct sass_inst *i);

#endif
