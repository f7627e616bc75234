/* rig.h - what the workloads share: input from a seed, loops over all threads, results.
 *
 * Values are small whole numbers, so that sums of floats are exact and every order of
 * them is right. Loops over lanes have no branches that lanes could disagree about.
 */
#ifndef RIG_H
#define RIG_H

#include "vx_print.h"
#include "vx_spawn.h"

/* For arrays that every run fills itself: start-up, one thread, need not clear them. */
#define RIG_ARRAY __attribute__((section(".bss.noinit")))

/* The i-th value of a series, 0 .. 15; cheap, so that kernels are most of a run. */
static inline uint32_t rig_value(uint32_t series, uint32_t i)
{
    return ((i << 3) - i + (i >> 4) + (i >> 9) + series * 5) & 15;
}

/* Runs a task for 0 .. n - 1 on all threads; cores wait for each other. */
void rig_each(uint32_t n, vx_task_func_cb task, const void *arg);

/* The sum of value() over 0 .. n - 1, n a power of two: how many are wrong, say. */
uint32_t rig_sum(uint32_t n, uint32_t (*value)(uint32_t i));

/* All cores are here. */
void rig_sync(void);

/* Says what came out, and gives main() its status: 0 good, 1 wrong. */
int rig_end(const char *name, uint32_t n_wrong);

#endif
