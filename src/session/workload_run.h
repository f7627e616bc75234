/* workload_run.h - one run of a workload: its host, on a driver of its own. The hook
 * (session/launch.h) executes, times, records or studies its launches.
 */
#ifndef LENO_SESSION_WORKLOAD_RUN_H
#define LENO_SESSION_WORKLOAD_RUN_H

#include <stdio.h>

#include "driver/driver.h"
#include "session/launch.h"
#include "session/workloads.h"

/* A result buffer that the host handed over. */
struct workload_output {
    char name[32];
    uint64_t bytes, hash;
};

enum { WORKLOAD_MAX_OUTPUTS = 32 };

struct workload_run {
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
    struct workload_output outputs[WORKLOAD_MAX_OUTPUTS];
    size_t n_outputs; /* more than fit are only counted */
};

/* 0, or -1 with err set: code ERR_WRONG if only the result is wrong. */
int workload_run(struct workload_run *run, struct err *err);

#endif
