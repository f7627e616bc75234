/* gpu.h - a GPU of a machine's parameters: kernels in, cycles and statistics out.
 *
 * Kernels run one after another, each to its end; caches keep their contents between
 * them. The same machine and the same kernels give the same cycles, always.
 */
#ifndef LENO_SIM_GPU_H
#define LENO_SIM_GPU_H

#include "core/sm.h"
#include "sim/machine.h"
#include "stats/latency.h"

struct gpu;
struct pace;

#define GPU_STATS(STAT)                                                          \
    STAT(cycles, "cycle", "gpu_tot_sim_cycle", "core cycles, launches included") \
    STAT(busiest, "cycle", "",                                                   \
         "most cycles in which one SM held a block; 0 on Vortex")                \
    STAT(kernels, "", "", "kernels completed")                                   \
    STAT(capped, "", "", "of these, timed only up to --cap-cycles or --cap-insts")
struct gpu_stats {
    GPU_STATS(STAT_FIELD)
};
extern const struct stat_group gpu_stat_group;

struct gpu_limits {
    uint64_t max_cycles; /* 0: none; reaching it is ERR_LIMIT */
    /* Of each kernel: after so many cycles, or warp instructions issued, it is cut
     * (kernel_ops.cut), and what is in flight ends. 0: not */
    uint64_t cap_cycles, cap_insts;
    /* Of each kernel: blocks are timed until its cycles are known to so many % (sim/pace.h),
     * and no more are started. 0: all of them */
    unsigned sample_goal;
    struct watch *watch; /* may be NULL */
};

struct gpu *gpu_new(const struct machine *m, struct err *err);
void gpu_free(struct gpu *g);
void gpu_set_trace(struct gpu *g, struct trace *t);
struct hot_profile;
/* Before the first kernel: counts per instruction into p, which the caller keeps. */
int gpu_set_hot(struct gpu *g, struct hot_profile *p, struct err *err);
/* A moment of a run at which all SMs and memory have come to the same cycle. */
struct gpu_moment {
    uint64_t cycle;
    uint64_t launch;    /* from 1 */
    const char *kernel; /* its name */
};
/* Asked for once at least `every` cycles have passed, and at both ends of every kernel.
 * Statistics may be read then; the run goes on as if nobody had asked. */
struct gpu_clock {
    uint64_t every; /* 0: never */
    int (*tick)(void *to, struct gpu *g, const struct gpu_moment *at, struct err *err);
    void *to;
};
/* Before the first kernel. -1: machines of this kind cannot be asked. */
int gpu_set_clock(struct gpu *g, const struct gpu_clock *clock, struct err *err);
void gpu_set_limits(struct gpu *g, const struct gpu_limits *limits);
/* Before the first kernel: runs on so many threads, where that is possible, with the same
 * results. -1: they could not be started. */
int gpu_set_threads(struct gpu *g, unsigned threads, struct err *err);

/* Runs a kernel to its end. -1: the front end's error, a violation (ERR_WRONG), a
 * deadlock (ERR_DEADLOCK), or a limit or the watch (ERR_LIMIT; the statistics are those of
 * the cycles so far), both with the report in gpu_report(). */
int gpu_run(struct gpu *g, struct kernel *k, struct err *err);
/* A counter of a Vortex core as its CSRs show it, for a launch's counter hook; 0 for
 * others. */
uint64_t gpu_counter(void *gpu, unsigned core, unsigned csr);
void gpu_set_counter_class(struct gpu *g, uint32_t counter_class);
uint64_t gpu_cycle(const struct gpu *g); /* cycles so far, as statistics count them */
/* The cycle that its clock shows, which goes on where cycles count nowhere (decision 044). */
uint64_t gpu_now(const struct gpu *g);
uint64_t gpu_insts(const struct gpu *g); /* warp instructions issued so far */
/* With sample_goal: of the last kernel. */
const struct pace *gpu_pace(const struct gpu *g);
/* "" unless a run was stopped or deadlocked */
const char *gpu_report(const struct gpu *g);

/* Statistics of all kernels so far, summed over SMs and slices. */
struct gpu_result;
struct gpu_result *gpu_result_new(struct gpu *g, struct err *err);
void gpu_result_free(struct gpu_result *r);
const struct stat_report *gpu_result_report(const struct gpu_result *r);
const struct sm_stats *gpu_result_sm(const struct gpu_result *r);
/* Why skipped results could not be compared with executed ones (core/skip.h); NULL:
 * they were, or there is no eliminator. */
const char *gpu_result_unchecked(const struct gpu_result *r);
const struct latency_table *gpu_latency(const struct gpu *g);

#endif
