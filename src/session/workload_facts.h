/* workload_facts.h - what is known of the workloads' runs without running them: the lines of
 * workloads/facts.txt (launches.h), which tools/facts.sh writes.
 */
#ifndef LENO_SESSION_WORKLOAD_FACTS_H
#define LENO_SESSION_WORKLOAD_FACTS_H

#include "base/err.h"
#include "session/launches.h"
#include "workloads/workload.h"

struct workload_fact {
    char program[32];
    enum workload_size size;
    struct launch_shape shape;
};

struct workload_facts {
    struct workload_fact *at;
    size_t n;
};

/* Of the workloads in a folder; none if it has no such file. -1 with err set, which names
 * file and line. workload_facts_free() in any case. */
int workload_facts_read(struct workload_facts *f, const char *folder, struct err *err);
void workload_facts_free(struct workload_facts *f);

/* Warp instructions of a workload at a size; 0: not known. */
uint64_t workload_facts_insts(const struct workload_facts *f, const char *program,
                              enum workload_size size);
/* The kernel that executes most of them; NULL: not known. */
const struct launch_shape *workload_facts_kernel(const struct workload_facts *f,
                                                 const char *program,
                                                 enum workload_size size);

#endif
