/* progress.h - how far a batch is, and how long the rest may take. */
#ifndef LENO_CLI_PROGRESS_H
#define LENO_CLI_PROGRESS_H

#include "cli/cli.h"

struct progress {
    struct cli *cli;
    size_t n, n_done; /* cells to run, and run */
    size_t jobs;
    double seconds_left; /* of work on one core; below 0: unknown */
    const char *running; /* what is at work */
};

/* A line that overwrites itself; nothing where there is no terminal. */
void progress_show(const struct progress *p);
/* Takes the line away, before something else is printed. */
void progress_clear(const struct progress *p);

/* "12 s", "3 min 05 s", "2 h 10 min" */
void progress_time(double seconds, char *text, size_t size);

#endif
