/* prepare.h - the programs of a command, ready to be run: those that were asked for, or the
 * machine's own, with commands recorded.
 */
#ifndef LENO_SESSION_PREPARE_H
#define LENO_SESSION_PREPARE_H

#include "session/console.h"
#include "session/program.h"
#include "sim/machine.h"

struct prepare_job {
    bool all; /* without names: every program of the machine, not only the usual ones */
    int arch; /* of these, those with code for it (enum sass_arch); -1: the machine's own */
    struct program_request request;
    const char *gpu;       /* by its name or file, the machine's */
    const char *out;       /* the folder of results */
    const char *libraries; /* as in struct exec_job */
    uint64_t jobs;         /* processes; 0: as jobs.h says */
    bool fresh;            /* commands are recorded again */
};

/* 0, or -1 with err set; a command that could not be recorded has a message of its own.
 * program_list_free() in any case. */
int prepare_programs(struct program_list *l, const struct prepare_job *job,
                     const struct machine *m, struct console *console, struct err *err);

#endif
