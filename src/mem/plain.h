/* plain.h - memory, cycle by cycle: what crossbar, L2 slices and DRAM channels do, without
 * anticipation. It is the specification of the fast form and what core.eager runs.
 */
#ifndef LENO_MEM_PLAIN_H
#define LENO_MEM_PLAIN_H

#include <stdint.h>

struct channel;
struct memory;

/* Simulates the cycles before `to`. */
void plain_run(struct memory *m, uint64_t to);
/* The next cycle, or UINT64_MAX if memory is empty. */
uint64_t plain_next(const struct memory *m);

/* One DRAM tick of a channel, in core cycle `cycle` (plain_dram.c). */
void plain_channel_tick(struct channel *c, uint64_t tick, uint64_t cycle);

#endif
