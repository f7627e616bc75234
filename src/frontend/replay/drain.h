/* drain.h - executes a kernel to its end, for a caller that records what it does. */
#ifndef LENO_REPLAY_DRAIN_H
#define LENO_REPLAY_DRAIN_H

#include "isa/stream.h"

/* Each function except inst returns 0, or -1 with err set, which ends the run. A
 * block's slot is whatever open returned for it; dropped is called instead of closed
 * when the run fails. */
struct drain_sink {
    void *(*open)(void *to, uint64_t block, unsigned n_warps, struct err *err);
    int (*inst)(void *to, void *slot, unsigned warp, const struct dyn *d,
                struct err *err);
    int (*warp_end)(void *to, void *slot, unsigned warp, struct err *err);
    /* A turn of every warp is over; a chance to write something out. */
    int (*turn_end)(void *to, void *slot, struct err *err);
    int (*closed)(void *to, void *slot, struct err *err);
    void (*dropped)(void *to, void *slot);
    /* Before inst, of each instruction of INST_PHASE or INST_COPIES: what it does asynchronously,
     * NULL: nothing. The kernel must be able to say so. NULL: not asked for. */
    void (*async)(void *to, const struct copy *c);
    void *to;
    bool wants_values; /* dyn.value is valid */
};

int drain_kernel(struct kernel *k, const struct drain_sink *sink, struct err *err);

#endif
