/* seconds.h - time on the host: wall clock, and CPU time of this thread. */
#ifndef LENO_BASE_SECONDS_H
#define LENO_BASE_SECONDS_H

#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double wall_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static inline double cpu_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
