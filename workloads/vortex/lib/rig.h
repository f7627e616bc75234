/* rig.h - what the workloads share: input from a seed, loops over all threads, results.
 *
 * Values are small whole numbers, so that sums of floats are exact and every order of
 * them is right. Loops over lanes have no branches that lanes could disagree about.
 */
#ifndef RIG_H
#define RIG_H

#include "vx_print.h"
#include "vx_spawn.h"

/* The i-th value of a series, 0 .. 15. */
static inline uint32_t rig_value(uint32_t series, uint32_t i)
{
    uint32_t v = (i + 1) * 2654435769u ^ series * 40503u;

    v ^= v >> 15;
    return (v * 2246822519u) >> 28;
}

/* Runs a task for 0 .. n - 1 on all threads; cores wait for each other. */
void rig_each(uint32_t n, vx_task_func_cb task, const void *arg);

/* How many of 0 .. n - 1, a power of two, is_wrong() counts. */
uint32_t rig_count(uint32_t n, uint32_t (*is_wrong)(uint32_t i));

/* All cores are here. */
void rig_sync(void);

/* Says what came out, and gives main() its status: 0 good, 1 wrong. */
int rig_end(const char *name, uint32_t n_wrong);

#endif
