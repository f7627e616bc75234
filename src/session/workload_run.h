/* workload_run.h - one functional run of one workload, as leno emu and its parts see it. */
#ifndef LENO_SESSION_WORKLOAD_RUN_H
#define LENO_SESSION_WORKLOAD_RUN_H

#include "driver/driver.h"
#include "session/console.h"
#include "session/launch.h"
#include "session/workloads.h"

/* How often each instruction of a module was executed. */
struct emu_counts;

/* A result buffer that the host handed over. */
struct emu_output {
    char name[32];
    uint64_t bytes, hash;
};

enum { EMU_MAX_OUTPUTS = 32 };

struct emu_run {
    const struct workload *workload;
    enum sass_arch arch;
    enum workload_size size;
    uint64_t seed;
    const char *folder;      /* of the workloads */
    FILE *printed;           /* takes what kernels print */
    struct launch_hook hook; /* what launches do; all zero: they are only executed */

    /* Filled in by the run. */
    struct driver_totals totals;
    uint64_t digest; /* of all results: equal runs have equal ones */
    uint64_t cubin_bytes, cubin_hash;
    struct emu_output outputs[EMU_MAX_OUTPUTS];
    size_t n_outputs; /* more than fit are only counted */
};

/* 0, or -1 with err set: code ERR_WRONG if only the result is wrong. */
int emu_run(struct emu_run *run, struct err *err);

struct emu_counts *emu_counts_new(void);
void emu_counts_free(struct emu_counts *c);
/* The counters for a launch, for sass_run(). */
void emu_counts_attach(struct emu_counts *c, const struct sass_launch *l,
                       struct sass_run_stats *stats);
/* Adds the rows of a finished run to a CSV text. */
void emu_counts_write(const struct emu_counts *c, const char *workload,
                      const char *arch, struct buf *csv);
void emu_counts_forget(struct emu_counts *c);

/* What was counted for a kernel; the arrays begin with its first instruction. */
struct emu_kernel {
    const char *name;
    uint64_t launches, n;
    const uint64_t *warps, *threads, *on;
    const struct buf *texts;
};

/* Kernels in the order of their first launches; false behind the last. */
bool emu_counts_kernel(const struct emu_counts *c, size_t i, struct emu_kernel *k);

#endif
