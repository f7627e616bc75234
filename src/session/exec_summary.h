/* exec_summary.h - the launches of a program under leno exec, added up kernel by kernel,
 * as a table for its end.
 */
#ifndef LENO_SESSION_EXEC_SUMMARY_H
#define LENO_SESSION_EXEC_SUMMARY_H

#include "session/kept.h"
#include "session/launch_report.h"

/* Of one kernel, or of all. */
struct exec_sum {
    char *name;                            /* mangled; NULL: of all */
    uint64_t launches, timed, capped, cut; /* cut: by a sample */
    uint64_t warp_insts, timed_insts;      /* of all launches; of those timed */
    uint64_t cycles, nanoseconds;          /* of those timed */
    double slots[N_STALL];
};

struct exec_summary {
    struct exec_sum *kernels, all;
    size_t n;
    double seconds; /* of the host, in kernels */
    uint64_t kept;  /* launches of an earlier run */
};

void exec_summary_free(struct exec_summary *s);

/* The sum of a kernel, made if it is new; valid until the next call. NULL when memory
 * runs out. */
struct exec_sum *exec_summary_kernel(struct exec_summary *s, const char *name);
/* A launch after it has ended; a failed one counts with what is known of it. */
void exec_summary_add(struct exec_summary *s, const struct launch_report *r);
/* A launch of an earlier run. */
void exec_summary_add_kept(struct exec_summary *s, const char *name,
                           const struct kept_launch *l);
/* Lines of text: the totals and the simulation rate, then a line per kernel, those with
 * the most cycles first. Nothing if nothing was launched. */
void exec_summary_put(struct exec_summary *s, const struct machine *m, struct buf *out);

#endif
