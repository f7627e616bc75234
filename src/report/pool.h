/* pool.h - tasks in processes of their own, so many at a time.
 *
 * A task that crashes is a failed task, not the end of the program. The pool forks one
 * process a task; what the task answers comes back through a pipe. Should the pool's own
 * process die, its tasks die with it. Signals that ask to stop are taken by the pool,
 * which ends its tasks and says which signal it was.
 */
#ifndef LENO_REPORT_POOL_H
#define LENO_REPORT_POOL_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* How a task ended. */
struct pool_end {
    struct err err;     /* code 0: it went well */
    const char *answer; /* what work() wrote; "" if it did not end in order */
    double seconds;     /* of the clock on the wall */
};

struct pool {
    size_t jobs; /* processes at a time */
    void *to;
    /* 1: a task to begin with now; 0: none is left; -1: err set. */
    int (*next)(void *to, size_t *task, struct err *err);
    /* In a process of its own: 0 with the answer, or -1 with err set. */
    int (*work)(void *to, size_t task, struct buf *answer, struct err *err);
    /* Here again; -1 with err set stops the pool. */
    int (*done)(void *to, size_t task, const struct pool_end *end, struct err *err);
    void (*idle)(void *to); /* about once a second while tasks run; may be NULL */
};

/* 0: all tasks ended; -1: err set; above: the signal that stopped the pool. */
int pool_run(const struct pool *p, struct err *err);

/* Cores of this machine that this process may use; at least 1. */
size_t pool_cores(void);

#endif
