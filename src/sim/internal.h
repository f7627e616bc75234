/* internal.h - what gpu.c and result.c share. */
#ifndef LENO_SIM_INTERNAL_H
#define LENO_SIM_INTERNAL_H

#include "sim/gpu.h"

struct gpu {
    const struct machine *machine;
    unsigned n_sms;
    struct sm **sm;
    uint64_t *wake; /* cycle in which each must be ticked */
    struct memory *memory;
    struct trace *trace;
    struct latency_table *latency;
    struct gpu_limits limits;
    struct gpu_stats stats;
    struct buf report;
};

/* A kernel under way. */
struct run {
    struct kernel *kernel;
    uint64_t cycle;
    uint64_t next_block, n_done;
    unsigned first_sm;         /* who gets the next block first */
    bool may_start;            /* some SM may have room for a block */
    uint64_t insts, issued_at; /* issued when last looked, and when that changed */
};

#endif
