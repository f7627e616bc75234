/* counts.h - how often each instruction of a module was executed, over the launches of a
 * run.
 */
#ifndef LENO_SESSION_COUNTS_H
#define LENO_SESSION_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct inst_counts;
struct sass_launch;
struct sass_run_stats;

struct inst_counts *inst_counts_new(void);
void inst_counts_free(struct inst_counts *c);
/* The counters for a launch, for sass_run() or sass_kernel_count(). */
void inst_counts_attach(struct inst_counts *c, const struct sass_launch *l,
                        struct sass_run_stats *stats);
/* The first line of a CSV text; the rows of a finished run. */
void inst_counts_title(struct buf *csv);
void inst_counts_write(const struct inst_counts *c, const char *workload,
                       const char *arch, struct buf *csv);
void inst_counts_forget(struct inst_counts *c);

/* The counts of a kernel; the arrays begin with its first instruction. */
struct counted_kernel {
    const char *name;
    uint64_t launches, n;
    const uint64_t *warps, *threads, *on;
    const struct buf *texts;
    const uint8_t *polls; /* enum poll (frontend/sass/load/polls.h) */
};

/* Kernels in the order of their first launches; false after the last. */
bool inst_counts_kernel(const struct inst_counts *c, size_t i,
                        struct counted_kernel *k);

#endif
