/* jobs.c - the default of --jobs. */
#include "session/jobs.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Why there are fewer runs at a time than cores in the CPU affinity. */
static void tell_lowered(const struct host *h, size_t jobs, FILE *log)
{
    const double gib = 1 << 30;

    if (jobs < host_cores_of(h))
        fprintf(log,
                "%zu run%s at a time: %.1f GiB of memory are available, and each may "
                "need %.1f GiB (--jobs)\n",
                jobs, jobs == 1 ? "" : "s", (double)h->memory / gib,
                (double)JOBS_RUN_BYTES / gib);
    else
        fprintf(log,
                "%zu run%s at a time: the CPU quota is below the %zu cores (--jobs)\n",
                jobs, jobs == 1 ? "" : "s", h->affinity);
}

size_t jobs_choose(const struct host *h, uint64_t asked, size_t n, FILE *log)
{
    size_t jobs = host_jobs(h, JOBS_RUN_BYTES);

    if (!n)
        return 1;
    if (asked)
        return least((size_t)asked, n);
    if (log && jobs < least(h->affinity, n))
        tell_lowered(h, jobs, log);
    return least(jobs, n);
}

struct run_threads jobs_threads(uint64_t asked, size_t jobs)
{
    enum { MAX_THREADS = 1024 };
    size_t cores = host_cores();
    uint64_t n = asked ? asked : jobs && jobs < cores ? cores / jobs : 1;

    return (struct run_threads){ n < MAX_THREADS ? (unsigned)n : MAX_THREADS, asked };
}

int jobs_start_threads(struct gpu *g, struct run_threads threads, struct err *err)
{
    for (unsigned n = threads.n; gpu_set_threads(g, n, err); n /= 2)
        if (threads.is_asked || n < 2)
            return -1;
    return 0;
}
