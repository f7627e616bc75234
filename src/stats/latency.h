/* latency.h - latencies of loads, by the place of the load in its kernel. */
#ifndef LENO_STATS_LATENCY_H
#define LENO_STATS_LATENCY_H

#include "stats/stat.h"

enum { LATENCY_PLACES = 1024 };

struct latency_place {
    uint64_t key; /* of kernel and place; 0 = unused */
    uint64_t pc;  /* from the kernel's first */
    char kernel[64];
    struct histogram cycles;
};

/* Places beyond the table are counted together in the last one. */
struct latency_table {
    size_t n;
    struct latency_place place[LATENCY_PLACES];
    uint16_t slot[2 * LATENCY_PLACES]; /* hash of key: place + 1 */
};

/* A kernel's name as a number, for latency_add(). */
uint64_t latency_key(const char *kernel);
void latency_add(struct latency_table *t, uint64_t kernel_key, const char *kernel,
                 uint64_t pc, uint64_t cycles);
void latency_json(const struct latency_table *t, struct buf *out); /* an array */

#endif
