/* pool.h - runs tasks in processes of their own, a limited number at a time.
 *
 * A task that crashes is a failed task, not the end of the program. The pool forks one
 * process per task; the task's answer comes back through a pipe. If the pool's own process
 * dies, its tasks die with it. The pool takes signals that ask to stop, ends its tasks and
 * returns the signal.
 */
#ifndef LENO_SESSION_POOL_H
#define LENO_SESSION_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* How a task ended. */
struct pool_end {
    struct err err;     /* code 0: it went well */
    const char *answer; /* what work() wrote; "" if it failed */
    double seconds;     /* of wall-clock time */
};

struct pool {
    size_t jobs; /* processes at a time */
    void *to;
    /* 1: a task to begin with now; 0: none is left; -1: err set. */
    int (*next)(void *to, size_t *task, struct err *err);
    /* Called in the task's process: 0 with the answer, or -1 with err set. */
    int (*work)(void *to, size_t task, struct buf *answer, struct err *err);
    /* Called in the pool's process; -1 with err set stops the pool. */
    int (*done)(void *to, size_t task, const struct pool_end *end, struct err *err);
    void (*idle)(void *to); /* about twice per second while tasks run; may be NULL */
    int stop;               /* signal that ends a task which is to stop; 0: SIGKILL */
};

/* 0: all tasks ended; -1: err set; positive: the signal that stopped the pool. */
int pool_run(const struct pool *p, struct err *err);

#endif
