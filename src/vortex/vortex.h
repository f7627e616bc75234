/* vortex.h - a Vortex processor: a program in, cycles and statistics out.
 *
 * Cores, each with its issue stage, and the memory they share, under one clock. A launch
 * begins as hardware does out of reset: caches empty, warp 0 of every core active. The
 * same machine and the same program give the same cycles, always.
 */
#ifndef LENO_VORTEX_VORTEX_H
#define LENO_VORTEX_VORTEX_H

#include "vortex/issue.h"
#include "vortex/stats.h"

struct vortex_config {
    const char *machine; /* what users call it */
    struct vortex_params core;
    struct vxcache_params cache;
    struct vxmem_params memory;
    const struct vx_issue_ops *issue;
    const void *issue_params;
    struct vx_hosted hosted; /* in a scoreboard stage */
};

struct vortex_limits {
    uint64_t max_cycles; /* 0: none; reaching it is ERR_LIMIT */
    struct watch *watch; /* may be NULL */
};

struct vortex;
struct vortex *vortex_new(const struct vortex_config *c, struct err *err);
void vortex_free(struct vortex *v);
void vortex_set_limits(struct vortex *v, const struct vortex_limits *l);

/* Runs a launch, of which block n is core n, to its end. -1: the front end's error, a
 * violation (ERR_WRONG), a deadlock (ERR_DEADLOCK) or a limit or the watch (ERR_LIMIT),
 * both with the report in vortex_report(). */
int vortex_run(struct vortex *v, struct kernel *k, struct err *err);
const char *vortex_report(const struct vortex *v); /* "" unless stopped or stuck */

/* Of all launches so far, summed over cores. */
const struct vortex_stats *vortex_stats(struct vortex *v);
const void *vortex_issue_stats(struct vortex *v);
const void *vortex_scheme_stats(struct vortex *v); /* of a hosted scheme */
uint64_t vortex_cycles(const struct vortex *v);    /* as Vortex's runtime shows them */

/* A performance counter of a core as its CSRs show it (0xb00 ..), for programs that read
 * them while they run and for hosts. */
uint64_t vortex_counter(void *vortex, unsigned core, unsigned csr);
/* Class of CSRs 0xb03 and up: 0 none, 1 the core's, 2 the memory's [MPM_CLASS]. */
void vortex_set_counter_class(struct vortex *v, uint32_t counter_class);

struct trace;
void vortex_set_trace(struct vortex *v, struct trace *t); /* may be NULL */

/* Told of every instruction that a unit takes, for tests; cores then run plain.c. */
struct vx_listener {
    void (*taken)(void *to, unsigned core, const struct uop *u, uint64_t cycle);
    void *to;
};
void vortex_set_listener(struct vortex *v, const struct vx_listener *l);

#endif
