/* batch_keep.h - where the results of a batch are kept: in the store, or those of a slice in
 * a file of its own (shard.h). For batch*.c only.
 */
#ifndef LENO_SESSION_BATCH_KEEP_H
#define LENO_SESSION_BATCH_KEEP_H

#include "session/batch_cells.h"
#include "session/pool.h"

struct keep {
    const struct cells *cells;
    struct buf path;
    struct store *store; /* NULL: a slice */
    struct shard_file slice;
    bool is_unwritten; /* the slice has results that are not in its file, ... */
    double next_write; /* ... which is written from this time on */
};

/* Opens it, or makes it. A slice takes what its file has from before, except failures. 0, or
 * -1 with err set; keep_close() in any case. */
int keep_open(struct keep *k, const struct cells *cells, struct console *console,
              struct err *err);
void keep_close(struct keep *k);

/* As store_get() and store_seconds(). */
int keep_get(struct keep *k, size_t cell, struct buf *result, struct err *err);
double keep_seconds(struct keep *k, size_t cell);

/* Keeps how a cell ended. A slice's file is written at once, unless that took a good part of
 * the time lately; keep_write() does so at the end. Failures are kept in slices only. */
int keep_put(struct keep *k, size_t cell, const struct pool_end *end, struct err *err);
int keep_write(struct keep *k, struct err *err);

#endif
