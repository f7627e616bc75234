/* fuzz_traceg.c - libFuzzer: any bytes as a .traceg, plain or compressed. */
#include "frontend/replay/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BLOCKS = 16, MAX_INSTS = 1 << 16 };

static void replay_block(struct kernel *k, uint64_t block)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct replay_source source = { .name = "fuzz", .data = data, .size = size };
    struct err err;
    struct kernel *k;
    struct replay *r = traceg_open(&source, &err);

    while (r && replay_next_kernel(r, &k, &err) == 1) {
        /* The last one first: the others are passed on the way. */
        replay_block(k, k->n_blocks - 1);
        for (uint64_t b = 0; b < k->n_blocks && b < MAX_BLOCKS; b++)
            replay_block(k, b);
        replay_kernel_free(r, k);
    }
    replay_close(r);
    return 0;
}
