/* fuzz_traceg.c - libFuzzer: any bytes as a .traceg, plain or compressed. */
#include "blocks.h"
#include "frontend/replay/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BLOCKS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct replay_source source = { .name = "fuzz", .data = data, .size = size };
    struct err err;
    struct kernel *k;
    struct replay *r = traceg_open(&source, &err);

    while (r && replay_next_kernel(r, &k, &err) == 1) {
        /* The last one first: the others are passed on the way. */
        replay_block(k, k->n_blocks - 1, false);
        for (uint64_t b = 0; b < k->n_blocks && b < MAX_BLOCKS; b++)
            replay_block(k, b, false);
        replay_kernel_free(r, k);
    }
    replay_close(r);
    return 0;
}
