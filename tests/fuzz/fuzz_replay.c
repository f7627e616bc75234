/* fuzz_replay.c - libFuzzer: any bytes as a recording, replayed. Checksums would stop
 * nearly everything at the door, so the bytes behind the first are also taken as the
 * inside of a warp, with a table of their own, and as its values.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "frontend/replay/bytes.h"
#include "frontend/replay/codec.h"
#include "frontend/replay/replay.h"
#include "frontend/replay/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BLOCKS = 64 };

static void replay(const uint8_t *data, size_t size)
{
    struct err err;
    struct kernel *k;
    struct replay *r = replay_open_memory("fuzz", data, size, NULL, &err);

    while (r && replay_next_kernel(r, &k, &err) == 1) {
        struct buf text = { 0 };

        for (uint64_t b = 0; b < k->n_blocks && b < MAX_BLOCKS; b++)
            replay_block(k, b, true);
        k->ops->text(k, &(struct inst){ .pc = k->first_pc }, &text);
        buf_free(&text);
        replay_kernel_free(r, k);
    }
    replay_close(r);
}

/* The table first, then a warp's bytes, until they end. */
static void decode(const uint8_t *data, size_t size)
{
    struct inst_table t = { 0 };
    struct reader r = { data, data + size, false };
    uint8_t *piece = calloc(1, size + CODEC_PAD);
    struct decoder d = { 0 };
    struct err err;
    struct dyn dyn[8], *to[8];
    uint64_t list[8][WARP_LANES];
    unsigned made = 8;
    bool is_old = size & 1; /* tables of recordings of either version */

    for (unsigned k = 0; k < 8; k++) {
        dyn[k].addr.list = list[k];
        to[k] = &dyn[k];
    }
    if (piece && !table_get(&t, &r, is_old, &err) &&
        !table_get_distances(&t, &r, &err)) {
        size_t n = (size_t)(r.end - r.p);

        memcpy(piece, r.p, n);
        decode_begin(&d);
        d.p = piece;
        d.end = piece + n;
        for (unsigned k = 0; k < MAX_INSTS; k += made, made = 8)
            if (decode_run(&d, &t, to, &made) != DECODE_INST)
                break;
    }
    free(piece);
    table_free(&t);
}

/* Results of a few instructions in turn, of all kinds. */
static void decode_values(const uint8_t *data, size_t size)
{
    enum { N = 8 };
    struct kernel k = { .grid = { 3, 2, 2 } };
    struct value_last last[N] = { 0 };
    struct value_decoder v = { .s.last = last };
    struct dyn d = { .active = UINT32_MAX, .mask = UINT32_MAX };

    value_begin(&v.s, &k, 7);
    value_turn(&v, (struct reader){ data, data + size, false });
    for (uint32_t n = 0; n < MAX_INSTS; n++)
        if (!value_get(&v, (enum value_kind)(n % 4), n % N, &d))
            break;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    replay(data, size);
    if (size) {
        decode(data + 1, size - 1);
        decode_values(data + 1, size - 1);
    }
    return 0;
}
