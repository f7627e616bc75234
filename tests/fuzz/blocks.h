/* blocks.h - blocks of a kernel replayed, for fuzzers. */
#ifndef LENO_TESTS_FUZZ_BLOCKS_H
#define LENO_TESTS_FUZZ_BLOCKS_H

#include "isa/stream.h"

enum { MAX_INSTS = 1 << 16 }; /* of a warp */

static inline void replay_block(struct kernel *k, uint64_t block, bool wants_values)
{
    struct err err;
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    struct stream *s = k->ops->open(k, block, &err);

    if (!s)
        return;
    s->wants_values = wants_values;
    for (unsigned w = 0; w < s->n_warps; w++)
        for (unsigned n = 0; n < MAX_INSTS; n++)
            if (stream_next(s, w, &d, &err) != STREAM_INST)
                break;
    k->ops->close(k, s);
}

#endif
