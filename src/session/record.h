/* record.h - leno record: a workload is run and recorded, or a recording converted; a command
 * is recorded first (recorded.h), so that it is a recording.
 */
#ifndef LENO_SESSION_RECORD_H
#define LENO_SESSION_RECORD_H

#include "frontend/sass/arch.h"
#include "session/choice.h"
#include "session/console.h"
#include "session/program.h"
#include "session/workloads.h"
#include "sim/machine.h"

struct record_job {
    const char *program;                /* a workload's name, or a recording */
    const struct launch_choice *choice; /* the launches to keep */
    /* Operands are named as its scheme needs it, if it cares; the rest is not used. */
    const struct machine *machine;
    enum sass_arch arch; /* of a workload, and the rest of its input */
    enum workload_size size;
    uint64_t seed;
    const char *folder; /* of the workloads; NULL: the default */
    /* One of the two: a .leno file, or a folder of traces for Accel-Sim. */
    const char *output, *traceg;
};

/* Prints a row per kernel. 0, or -1 with err set; then nothing is written. */
int record_run(const struct record_job *job, struct console *console, struct err *err);
/* The same for many programs: output or traceg is a folder, which is made, and has
 * NAME.leno or the folder NAME of each. One that fails does not stop the others. */
int record_run_all(const struct record_job *job, const struct program_list *programs,
                   struct console *console, struct err *err);

#endif
