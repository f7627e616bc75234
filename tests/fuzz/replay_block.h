/* replay_block.h - all that a block's warps execute, up to a limit for each. */
#ifndef LENO_TESTS_REPLAY_BLOCK_H
#define LENO_TESTS_REPLAY_BLOCK_H

#include "isa/stream.h"

enum { MAX_INSTS = 1 << 16 };

static inline void replay_block(struct kernel *k, uint64_t block)
{
    struct err err;
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    struct stream *s = k->ops->open(k, block, &err);

    for (unsigned w = 0; s && w < s->n_warps; w++)
        for (unsigned n = 0; n < MAX_INSTS; n++)
            if (stream_next(s, w, &d, &err) != STREAM_INST)
                break;
    if (s)
        k->ops->close(k, s);
}

#endif
