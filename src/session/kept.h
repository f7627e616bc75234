/* kept.h - launches of an earlier, interrupted run of a program under leno exec, read from
 * its statistics (--stats FILE --resume).
 *
 * A launch that is kept is executed, so that memory is right, but not timed: its numbers are
 * those of its line. A line must begin with exactly what the launch would write now: the same
 * revision, program, arguments, machine, kernel and shape. Lines count up to the first launch
 * that failed or was not finished; the rest of the file is cut off.
 */
#ifndef LENO_SESSION_KEPT_H
#define LENO_SESSION_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "session/sample.h"
#include "stats/stall.h"

struct kept {
    const char *path;
    char *text, *next; /* lines of whole launches; the next one */
    uint64_t n;        /* lines that were taken */
};

struct kept_launch {
    bool is_timed, is_capped;
    uint64_t warp_insts, rest_insts; /* as in launch_report */
    uint64_t cycles, nanoseconds;
    double slots[N_STALL];
    struct sample_launch sampled;
};

/* A file that is not there keeps nothing. */
int kept_open(struct kept *k, const char *path, struct err *err);
void kept_close(struct kept *k);

/* Takes the line of the next launch: 1, or 0 if there are no more. -1: it does not begin with
 * this head. */
int kept_take(struct kept *k, const char *head, struct kept_launch *l, struct err *err);

#endif
