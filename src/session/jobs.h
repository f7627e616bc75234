/* jobs.h - how many runs at a time, and threads of each, when the user names no number: one
 * run per core that this process may use, fewer if memory is scarce (base/host.h).
 */
#ifndef LENO_SESSION_JOBS_H
#define LENO_SESSION_JOBS_H

#include <stdint.h>
#include <stdio.h>

#include "base/host.h"
#include "sim/gpu.h"

/* Memory set aside for one run: the largest of the workloads needs a third of it. */
#define JOBS_RUN_BYTES (UINT64_C(512) << 20)

/* The number asked for, or else the default, but at most n, and at least 1. log, which may be
 * NULL, gets a line if a CPU quota or memory lowers the default. */
size_t jobs_choose(const struct host *h, uint64_t asked, size_t n, FILE *log);
/* Threads of one run. */
struct run_threads {
    unsigned n;    /* 0: one */
    bool is_asked; /* the user named the number */
};

/* Threads of each of so many runs at a time: as asked for, or (0) the cores that they leave
 * free. */
struct run_threads jobs_threads(uint64_t asked, size_t jobs);
/* Starts them. If the host refuses some, a number that the user named is an error; the
 * default is halved until it can be started. */
int jobs_start_threads(struct gpu *g, struct run_threads threads, struct err *err);

#endif
