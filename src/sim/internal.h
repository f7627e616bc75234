/* internal.h - what gpu.c and result.c share. */
#ifndef LENO_SIM_INTERNAL_H
#define LENO_SIM_INTERNAL_H

#include "sim/gpu.h"

struct gpu {
    const struct machine *machine;
    unsigned n_sms;
    struct sm **sm;
    uint64_t *takes; /* cycle in which an SM can take a block; UINT64_MAX: it cannot */
    struct memory *memory;
    struct vortex *vortex; /* gpu.core = vortex: instead of SMs and memory */
    struct trace *trace;
    struct latency_table *latency;
    struct gpu_limits limits;
    struct gpu_stats stats;
    struct buf report;
};

/* A kernel under way. */
struct run {
    struct kernel *kernel;
    uint64_t cycle; /* all SMs have been through those before */
    uint64_t next_block, n_done;
    uint64_t last;             /* cycle in which the last block so far ended */
    uint64_t start, look_at;   /* when it began, and when limits are looked at next */
    uint64_t first_insts;      /* issued when it began, ... */
    uint64_t insts, issued_at; /* ... when last looked, and when that changed */
};

#endif
