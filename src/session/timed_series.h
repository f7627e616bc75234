/* timed_series.h - programs run with timing, one after another, on one machine. */
#ifndef LENO_SESSION_TIMED_SERIES_H
#define LENO_SESSION_TIMED_SERIES_H

#include "session/console.h"
#include "session/program.h"
#include "session/series.h"
#include "session/timed.h"

struct timed_series {
    struct timed_run each; /* what all runs have in common */
    const struct program_list *programs;
    uint64_t max_insts; /* warp instructions per run; 0: no limit */
    struct console *console;
    struct series runs;
};

void timed_series_start(struct timed_series *s);
/* Runs the next program, with progress on the console: fills in *r, which
 * timed_run_free() frees, and err with the outcome. False after the last one. */
bool timed_series_next(struct timed_series *s, struct timed_run *r, struct err *err);

#endif
