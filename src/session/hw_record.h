/* hw_record.h - what a real GPU did with a workload, as tests/golden/hw keeps it.
 *
 * A record is text, one fact per line; # starts a comment:
 *   cubin BYTES HASH              the code it belongs to (FNV-1a, 64 bits)
 *   output SIZE NAME BYTES HASH   a result buffer
 *   kernel NAME launches N        and below it, from offset 0, every instruction:
 *   PC WARPS THREADS ON           executions by warps, by active threads, and by
 *                                 threads whose guard was true; size tiny
 * Differences we know of are in known.txt beside the records:
 *   WORKLOAD KERNEL PC WHAT OURS HARDWARE REASON...
 */
#ifndef LENO_SESSION_HW_RECORD_H
#define LENO_SESSION_HW_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "workloads/workload.h"

struct hw_record_output {
    const char *name;
    enum workload_size size;
    uint64_t bytes, hash;
};

enum hw_record_count {
    HW_RECORD_WARPS,
    HW_RECORD_THREADS,
    HW_RECORD_ON,
    N_HW_RECORD_COUNT
};

struct hw_record_kernel {
    const char *name;
    uint64_t launches;
    uint64_t (*at)[N_HW_RECORD_COUNT]; /* by instruction */
    uint64_t n;
};

struct hw_record {
    struct file text; /* names point into it */
    uint64_t cubin_bytes, cubin_hash;
    struct hw_record_output *outputs;
    size_t n_outputs;
    struct hw_record_kernel *kernels;
    size_t n_kernels;
};

int hw_record_read(struct hw_record *r, const char *path, struct err *err);
void hw_record_free(struct hw_record *r);

/* A known difference, which must occur. */
struct hw_record_known {
    const char *workload, *kernel;
    uint64_t pc;
    enum hw_record_count what;
    uint64_t ours, hardware;
    const char *reason;
};

struct hw_record_list {
    struct file text;
    struct hw_record_known *at;
    size_t n;
};

int hw_record_known_read(struct hw_record_list *l, const char *path, struct err *err);
void hw_record_known_free(struct hw_record_list *l);

/* "warps", "threads", "on" */
const char *hw_record_count_name(enum hw_record_count what);

uint64_t hw_record_hash(const void *bytes, size_t n);

#endif
