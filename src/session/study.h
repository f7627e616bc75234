/* study.h - counts the redundant instructions of a workload (a limit study). */
#ifndef LENO_SESSION_STUDY_H
#define LENO_SESSION_STUDY_H

#include "analysis/repeats.h"
#include "frontend/replay/replay.h"
#include "session/workload_run.h"

/* Runs the workload; run->hook is set here. 0, or -1 as workload_run(). */
int study_run(struct workload_run *run, struct repeats_counts *counts, struct err *err);

/* Executes a kernel to its end and adds its redundant instructions to sum; fills in
 * warp_insts and thread_insts of counts. */
int study_count_kernel(struct repeats_counts *sum, struct kernel *k,
                       struct replay_counts *counts, struct err *err);

/* The shares of a study, in %. */
struct study_share {
    const char *name, *meaning;
    size_t offset; /* in struct repeats_counts */
};
enum { N_STUDY_SHARES = 6 };
extern const struct study_share study_shares[N_STUDY_SHARES];
/* By a name that is there. */
const struct study_share *study_share_find(const char *name);
double study_share(const struct repeats_counts *c, const struct study_share *s);

#endif
