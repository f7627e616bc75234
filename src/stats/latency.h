/* latency.h - latencies of loads, by the place of the load in its kernel. */
#ifndef LENO_STATS_LATENCY_H
#define LENO_STATS_LATENCY_H

#include "stats/stat.h"

struct latency_place {
    uint64_t key; /* of kernel and place */
    uint64_t pc;  /* from the kernel's first */
    char kernel[64];
    struct histogram cycles;
};

/* Grows with the number of places. What was added in parts is the same in any order. */
struct latency_table;
struct latency_table *latency_new(void); /* NULL: out of memory */
void latency_free(struct latency_table *t);

/* A kernel's name as a number, for latency_add(). */
uint64_t latency_key(const char *kernel);
void latency_add(struct latency_table *t, uint64_t kernel_key, const char *kernel,
                 uint64_t pc, uint64_t cycles);
/* Adds all of a table to another one, and empties it. */
void latency_move(struct latency_table *to, struct latency_table *from);
void latency_json(const struct latency_table *t, struct buf *out); /* an array */

#endif
