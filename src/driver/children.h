/* children.h - grids that kernels launch (dynamic parallelism).
 *
 * A launch by a kernel is checked at once and executed after the grid of that kernel, in
 * the order of the launches; then come those into the tail stream. Each is followed by
 * its own children before the next begins: a grid is complete when its children are. So
 * every order that streams and events ask for is kept, and nothing runs beside anything
 * else.
 */
#ifndef LENO_DRIVER_CHILDREN_H
#define LENO_DRIVER_CHILDREN_H

#include "driver/internal.h"

struct child {
    struct child *next;
    struct function *function;
    struct sass_child shape;
    uint64_t buffer; /* of parameters, in device memory; 0 once it is launched */
    uint8_t *params; /* a copy, made by the launch */
};

/* What the executor needs to serve launches by kernels; valid until the next launch. */
const struct sass_runtime *children_begin(struct driver *d, struct context *c,
                                          struct module *m);
/* Executes the children of a grid, and theirs. */
CUresult children_run(struct driver *d, struct context *c);
/* Forgets them, after a failure or with the context. */
void children_drop(struct driver *d, struct context *c);

/* ---- launch.c ---- */

/* May such a grid be launched? */
CUresult launch_check_child(struct driver *d, const struct child *child);
CUresult launch_run_child(struct driver *d, struct context *c,
                          const struct child *child);

#endif
