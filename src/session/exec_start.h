/* exec_start.h - starts a CUDA program of the user's with Leno's libraries in the place of
 * CUDA's. The program's output and its exit status are its own.
 */
#ifndef LENO_SESSION_EXEC_START_H
#define LENO_SESSION_EXEC_START_H

#include "session/exec_options.h"

struct exec_job {
    struct exec_options options;
    const char
        *kernels; /* launches to time or record, as exec_options_range(); or NULL */
    const char *libraries; /* their folder; NULL: $LENO_LIBRARIES, or the one built */
    char **argv; /* the program, found along PATH, and its arguments; then NULL */
};

/* This process becomes the program. Returns only if that fails: -1 with err set. */
int exec_start(struct exec_job *job, struct err *err);

#endif
