/* exec_start.h - starts a CUDA program of the user's with Leno's libraries in the place of
 * CUDA's. The program's output and its exit status are its own.
 */
#ifndef LENO_SESSION_EXEC_START_H
#define LENO_SESSION_EXEC_START_H

#include "session/exec_options.h"

struct exec_job {
    struct exec_options options;
    const char
        *kernels; /* launches to time or record, as choice_read_range(); or NULL */
    const char *libraries; /* their folder; NULL: $LENO_LIBRARIES, or the one built */
    const char
        *inputs; /* a file that takes the paths of what the program reads; or NULL */
    char **argv; /* the program, found along PATH, and its arguments; then NULL */
};

/* The folder of Leno's CUDA libraries: given, or $LENO_LIBRARIES, or lib beside the program
 * leno. -1 with err set: it has none. */
int exec_find_libraries(const char *given, struct buf *out, struct err *err);

/* This process becomes the program. Returns only if that fails: -1 with err set. */
int exec_start(struct exec_job *job, struct err *err);

#endif
