/* processor.h - the state of a Vortex processor: cores, clock and memory. */
#ifndef LENO_VORTEX_PROCESSOR_H
#define LENO_VORTEX_PROCESSOR_H

#include "vortex/memory.h"

struct vortex {
    struct vortex_config config;
    struct vortex_limits limits;
    struct vx_listener listener;
    struct vx_memory memory;
    unsigned n_cores;
    struct vx_core **core;
    uint64_t *wake; /* by core: the next cycle in which it acts (sleep.c) */
    uint64_t until; /* no other core acts before this cycle */
    uint32_t arrivals[VX_BARRIERS]; /* of cores at global barriers */
    struct vortex_stats stats;
    void *issue_stats, *scheme_stats;
    uint32_t counter_class, n_launches;
    struct trace *trace;
    struct buf report;
};

/* core.c. NULL: no memory. */
struct vx_core *vx_core_new(struct vortex *v, unsigned index);
void vx_core_free(struct vx_core *k); /* may be NULL */
/* As out of reset: warp 0 is active, everything is empty. -1: the scheme does not fit, or
 * there is no memory. */
int vx_core_reset(struct vx_core *k, struct kernel *kernel, struct err *err);

#endif
