/* heap.h - the device heap behind malloc() in kernels; see heap.c. */
#ifndef LENO_SASS_HEAP_H
#define LENO_SASS_HEAP_H

#include "frontend/sass/exec/state.h"

/* Takes over the heap that earlier launches left, and leaves it or gives it back. */
void heap_open(struct sass_grid *g);
void heap_close(struct sass_grid *g);

/* *addr is 16-byte aligned, or 0 if the heap is full. -1 only if there can be no heap. */
int heap_alloc(struct sass_grid *g, uint64_t bytes, uint64_t *addr, struct err *err);

/* False if addr is neither 0 nor an allocation. */
bool heap_release(struct sass_grid *g, uint64_t addr);

#endif
