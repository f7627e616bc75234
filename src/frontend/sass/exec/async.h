/* async.h - what asynchronous copies of all kinds share; see exec_async.c. */
#ifndef LENO_SASS_ASYNC_H
#define LENO_SASS_ASYNC_H

#include "frontend/sass/exec/access.h"

/* Bytes have come for the barrier at an address in shared memory, of any block of the
 * cluster. */
enum exec_result async_complete(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t addr, uint32_t bytes);

/* An address in shared memory and, in the upper half, a barrier's, in another block. */
uint64_t async_in_block(uint64_t to, uint32_t rank);

/* Two uniform registers; 0 where there are none. */
uint64_t async_uniform64(const struct sass_warp *w, unsigned reg);

#endif
