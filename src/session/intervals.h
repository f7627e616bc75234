/* intervals.h - what a run did every N cycles (--series): rows of counters, which add up to
 * the statistics of the run, as CSV or, for a chart, as JSON of a bounded number of rows.
 *
 * A row ends when at least N cycles have passed and all SMs have come to the same cycle,
 * and at the end of every launch. Cycles before a launch's first block are a row of its own.
 */
#ifndef LENO_SESSION_INTERVALS_H
#define LENO_SESSION_INTERVALS_H

#include "base/file.h"
#include "sim/gpu.h"

/* COUNT(name, statistic): the sum over all rows equals the statistic. */
#define INTERVAL_COUNTS(COUNT)                   \
    COUNT(warp_insts, "sm.warp_insts")           \
    COUNT(thread_insts, "sm.thread_insts")       \
    COUNT(warp_cycles, "sm.warp_cycles")         \
    COUNT(warp_slots, "sm.warp_slots")           \
    COUNT(l1_reads, "lsu.l1_reads")              \
    COUNT(l1_read_hits, "lsu.l1_read_hits")      \
    COUNT(l2_reads, "memory.l2_reads")           \
    COUNT(l2_read_hits, "memory.l2_read_hits")   \
    COUNT(l2_writes, "memory.l2_writes")         \
    COUNT(l2_write_hits, "memory.l2_write_hits") \
    COUNT(dram_reads, "memory.dram_reads")       \
    COUNT(dram_writes, "memory.dram_writes")

enum interval_count {
#define COUNT(name, stat) INTERVAL_##name,
    INTERVAL_COUNTS(COUNT)
#undef COUNT
        N_INTERVAL
};

struct interval {
    uint64_t launch;        /* from 1 */
    uint64_t start, cycles; /* of the GPU */
    uint64_t count[N_INTERVAL];
    uint64_t slot[N_STALL];
};

enum { INTERVALS_KEPT = 256 }; /* rows of JSON at most; a power of two */

struct intervals {
    uint64_t every;        /* cycles */
    struct file_out *file; /* of CSV; NULL: none */

    /* Filled in by runs. */
    const struct machine *machine;
    struct interval sum; /* of this GPU, up to cycle `start`: the end of the last row */
    uint64_t before;     /* cycles of earlier GPUs */
    bool has_head;
    struct interval row[INTERVALS_KEPT];
    uint32_t n, together, open; /* rows; intervals in each; in the last one */
};

/* Rows go to a file, too; every 0: INTERVALS_EVERY. */
int intervals_open(struct intervals *i, const char *path, uint64_t every,
                   struct err *err);
/* A GPU begins to count into it: before its first kernel. */
int intervals_start(struct intervals *i, struct gpu *g, const struct machine *m,
                    struct err *err);
/* Puts the file in place, if it has a row. */
int intervals_keep(struct intervals *i, struct err *err);
/* Drops a file that was not kept. */
void intervals_free(struct intervals *i);

/* "every", "columns" and "rows" as an object. */
void intervals_json(const struct intervals *i, struct buf *out);

#define INTERVALS_EVERY      1000 /* unless --series says otherwise */
#define INTERVALS_EVERY_TEXT "1000"

#endif
