/* replay_all.h - a recording replayed to its end, values and all. */
#ifndef LENO_TESTS_REPLAY_ALL_H
#define LENO_TESTS_REPLAY_ALL_H

#include "frontend/replay/replay.h"

/* What went wrong first, and how many instructions came. */
static inline struct err replay_all(const char *name, const void *data, size_t size,
                                    uint64_t *n)
{
    struct err err = { 0 };
    struct replay *r = replay_open_memory(name, data, size, NULL, &err);
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    struct kernel *k;

    *n = 0;
    while (r && !err.code && replay_next_kernel(r, &k, &err) == 1) {
        for (uint64_t b = 0; b < k->n_blocks && !err.code; b++) {
            struct stream *s = k->ops->open(k, b, &err);

            if (s)
                s->wants_values = true;
            for (unsigned w = 0; s && w < s->n_warps; w++)
                while (stream_next(s, w, &d, &err) == STREAM_INST)
                    *n += d.value.shape <= VALUE_OTHER;
        }
        replay_kernel_free(r, k); /* closes blocks too */
    }
    replay_close(r);
    return err;
}

#endif
