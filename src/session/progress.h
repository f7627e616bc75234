/* progress.h - the progress of a batch, and an estimate of the remaining time. */
#ifndef LENO_SESSION_PROGRESS_H
#define LENO_SESSION_PROGRESS_H

#include "base/buf.h"
#include "base/watch.h"
#include "session/console.h"

/* The progress of a batch's runs, which are processes of their own: shared memory. */
struct progress_share;
/* For n runs; NULL: no memory, then no shares are shown. */
struct progress_share *progress_share_new(size_t n);
void progress_share_free(struct progress_share *s);
/* Of run i, for its own process; NULL if there is no memory. */
struct watch *progress_share_watch(struct progress_share *s, size_t i);
/* Adds " 43 %" to a line, the share of blocks of the kernel that run i is at, or its
 * cycles. */
void progress_share_put(const struct progress_share *s, size_t i, struct buf *out);

struct progress {
    struct console *console;
    size_t n, n_done; /* cells to run, and run */
    size_t jobs;
    double seconds_left; /* of work on one core; below 0: unknown */
    const char *running; /* the cells that run now */
};

/* A line that overwrites itself; nothing where there is no terminal. */
void progress_show(const struct progress *p);
/* Clears the line before something else is printed. */
void progress_clear(const struct progress *p);

#endif
