/* host.h - how much of this host the process may use: cores and memory.
 *
 * A container's or a batch system's share counts, not the whole machine:
 *   cores    those of the CPU affinity, but not more than the CPU quota of the process's
 *            cgroup and of every one above it, rounded up
 *   memory   MemAvailable, but not more than what is left of the smallest memory limit of
 *            those cgroups; file pages that the kernel can drop count as free
 * Both versions of cgroups are read. Where a file is missing or says nothing, there is no
 * such limit.
 */
#ifndef LENO_BASE_HOST_H
#define LENO_BASE_HOST_H

#include <stddef.h>
#include <stdint.h>

struct host {
    size_t affinity; /* cores of the CPU affinity; at least 1 */
    size_t quota;    /* cores of the CPU quota, rounded up; 0: no quota */
    uint64_t memory; /* bytes; UINT64_MAX: unknown */
};

/* root: what stands before /proc and /sys, for tests; "" is this host. */
struct host host_read(const char *root);

/* The cores that the process may use, of this host; at least 1. This is what decides the
 * default number of processes and of threads. */
size_t host_cores(void);
size_t host_cores_of(const struct host *h);

/* How many processes to run at a time when each needs so many bytes: one per core, fewer
 * if memory is scarce; at least 1. */
size_t host_jobs(const struct host *h, uint64_t bytes_each);

#endif
