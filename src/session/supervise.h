/* supervise.h - runs a program of the user's: its output goes to a log of bounded size, its
 * time is limited, and nothing of it is left when it has ended.
 */
#ifndef LENO_SESSION_SUPERVISE_H
#define LENO_SESSION_SUPERVISE_H

#include <stdint.h>

#include "base/err.h"

enum { SUPERVISE_LOG = 1 << 20 }; /* bytes that the log takes; the rest is dropped */

struct supervised {
    /* Called in the new process, which becomes the program; returns, -1 with err set, only
     * if that fails. */
    int (*become)(void *to, struct err *err);
    void *to;
    const char *folder; /* in which it starts; NULL: the current one */
    const char *log;    /* a file; replaced */
    uint64_t timeout;   /* in seconds */
};

/* 0: the program ended with status 0. -1: err says how it ended, and quotes the last line
 * that it printed. Its standard input is empty. Processes that it started and that have not
 * ended are killed, also if they left its group or its session. SIGTERM, and the end of this
 * process's parent, end the program first and then this process, which must have no other
 * children. */
int supervise_run(const struct supervised *s, struct err *err);

#endif
