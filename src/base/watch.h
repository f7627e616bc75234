/* watch.h - the code that executes a run reports its progress to a watch, a few times
 * per second, and is told whether to continue. Nothing of it is done every cycle.
 */
#ifndef LENO_BASE_WATCH_H
#define LENO_BASE_WATCH_H

#include <stdint.h>

#include "base/err.h"

/* The progress of a run. */
struct watch_state {
    const char *kernel;
    uint64_t number; /* of the kernel, from 1 */
    uint64_t blocks_done, blocks;
    uint64_t warp_insts; /* of the kernel */
    uint64_t cycles;     /* of all kernels; 0: without timing */
};

struct watch {
    uint64_t max_insts; /* of all kernels; 0: no limit */
    uint64_t insts;     /* of the kernels before this one */
    /* -1 with err set, ERR_LIMIT, stops the run. May be NULL. */
    int (*look)(struct watch *w, const struct watch_state *s, struct err *err);
};

/* Asks a watch, which may be NULL: 0, or -1 with err set to stop. */
int watch_look(struct watch *w, const struct watch_state *s, struct err *err);

/* Warp instructions that a kernel may execute; UINT64_MAX: any number. */
static inline uint64_t watch_most(const struct watch *w)
{
    if (!w || !w->max_insts)
        return UINT64_MAX;
    return w->max_insts > w->insts ? w->max_insts - w->insts : 0;
}

#endif
