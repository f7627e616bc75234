/* exec_trust.h - why the results of a program under leno exec are not to be trusted:
 * kernels that failed, and calls or code that are not supported.
 */
#ifndef LENO_SESSION_EXEC_TRUST_H
#define LENO_SESSION_EXEC_TRUST_H

#include "session/launch_report.h"

struct exec_trust {
    uint64_t n_failed;       /* launches */
    struct buf first_failed; /* which, and why */
    struct buf unsupported;  /* names, separated by commas */
};

void exec_trust_free(struct exec_trust *t);

/* Notes a launch if it failed. */
void exec_trust_note_launch(struct exec_trust *t, const struct launch_report *r);
/* Notes something that is not supported; a name that was noted already is not repeated. */
void exec_trust_note_unsupported(struct exec_trust *t, const char *name);

/* The last line of a run with n_launches; nothing if all went well. */
void exec_trust_put(const struct exec_trust *t, uint64_t n_launches, struct buf *out);

#endif
