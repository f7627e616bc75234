/* meter.h - the watch of a run that a user started: a progress line on a terminal, and
 * a clean stop when a signal asks for it (base/interrupt.h).
 */
#ifndef LENO_BASE_METER_H
#define LENO_BASE_METER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/watch.h"

struct meter {
    struct watch watch; /* first */
    FILE *log;          /* a terminal; NULL: nothing is shown */
    char what[64];      /* what runs, "[2/12] hotspot" */

    /* Its own. */
    double start;     /* of the kernel */
    double shown;     /* when a line was */
    double ended;     /* when a block ended */
    uint64_t number;  /* of the kernel */
    uint64_t done;    /* blocks done at the last update */
    uint64_t skipped; /* of these, done before the first update */
    bool is_shown;
};

/* For one run; what is a printf format. The limit on instructions is set by the
 * caller. */
void meter_start(struct meter *m, FILE *log, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* Clears the line before something else is printed. */
void meter_clear(struct meter *m);

/* The line itself, without a newline, of at most columns characters. */
void meter_line(const struct meter *m, const struct watch_state *s, double now,
                char *line, size_t columns);

/* "12 s", "3 min 05 s", "2 h 10 min" */
void meter_time(double seconds, char *text, size_t size);

#endif
