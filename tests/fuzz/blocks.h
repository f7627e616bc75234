/* blocks.h - blocks of a kernel replayed, for fuzzers. */
#ifndef LENO_TESTS_FUZZ_BLOCKS_H
#define LENO_TESTS_FUZZ_BLOCKS_H

#include "isa/stream.h"

enum { MAX_INSTS = 1 << 16 }; /* of a warp */

/* What the instruction does asynchronously takes effect at once. */
static inline void end_async(struct stream *s, unsigned w, const struct dyn *d)
{
    struct err err;
    struct copy *c;

    if (!s->ops->try_phase)
        return;
    if (d->inst->flags & INST_PHASE && !s->ops->try_phase(s, w, false, &err))
        s->ops->try_phase(s, w, d->seq % 16, &err);
    c = s->ops->take_copy(s, w, d->seq);
    if (!c)
        return;
    s->ops->tell_copy(s, c, d->seq % 16, &err);
    s->ops->end_copy(s, c, &err);
}

static inline void replay_block(struct kernel *k, uint64_t block, bool wants_values)
{
    struct err err;
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    struct stream *s = k->ops->open(k, block, &err);

    if (!s)
        return;
    s->wants_values = wants_values;
    s->is_timed = block % 4 < 2;
    s->wants_async = block % 4 == 2;
    for (unsigned w = 0; w < s->n_warps; w++)
        for (unsigned n = 0; n < MAX_INSTS; n++)
            if (stream_next(s, w, &d, &err) == STREAM_INST)
                end_async(s, w, &d);
            else
                break;
    k->ops->close(k, s);
}

#endif
