/* async_bytes.h - what an instruction does asynchronously (struct copy) as bytes, and back;
 * docs/formats.md has them.
 */
#ifndef LENO_REPLAY_ASYNC_BYTES_H
#define LENO_REPLAY_ASYNC_BYTES_H

#include "base/buf.h"
#include "base/err.h"
#include "frontend/replay/bytes.h"
#include "isa/stream.h"

enum {
    ASYNC_MAX_RUNS = 1 << 16,      /* of a copy */
    ASYNC_MAX_RUN_BYTES = 1 << 20, /* of each */
    ASYNC_MAX_SHARED = 1 << 18,    /* bytes of shared memory, in which barriers are */
    ASYNC_GAVE_UP = 32,            /* in the first byte */
};

/* c NULL: nothing, no bytes. */
void async_put(const struct copy *c, struct buf *out);

/* All of the bytes, of an instruction of a kernel with clusters of so many blocks. Sets what
 * they say in *c, which owns its lists. False: damaged, nothing is owned. */
bool async_get(struct reader *r, const struct inst *i, uint32_t cluster,
               struct copy *c);
void async_release(struct copy *c);

#endif
