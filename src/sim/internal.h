/* internal.h - what every GPU has, and its results; see kind.h. */
#ifndef LENO_SIM_INTERNAL_H
#define LENO_SIM_INTERNAL_H

#include "sim/gpu.h"
#include "sim/kind.h"
#include "sim/pace.h"

/* First in the struct of a kind. */
struct gpu {
    const struct machine *machine;
    struct trace *trace;
    struct latency_table *latency;
    struct hot_profile *hot; /* NULL: none is made */
    struct gpu_clock clock;
    struct gpu_limits limits;
    struct gpu_stats stats;
    uint64_t hidden; /* cycles between kernels that count nowhere */
    struct pace pace;
    struct buf report;
};

enum { N_RESULT_GROUPS = 8 };

struct gpu_result {
    struct gpu_stats gpu;
    /* cores of other kinds: the statistics that they share with an SM */
    struct sm_stats sm;
    void *lsu, *scheme, *skip;
    struct stat_binding group[N_RESULT_GROUPS];
    struct stat_report report;
    const char *unchecked;
};

/* Adds a group to the report, if there is one. */
void result_bind(struct gpu_result *r, const struct stat_group *group,
                 const void *values);

#endif
