/* lanes.h - DRAM channels and their L2 slices on threads, for a stretch of cycles.
 *
 * In a stretch a channel depends on no other (docs/decisions/020-stretches.md), except for
 * what all share: free packets, statistics, and what the crossbar knows of replies. A lane
 * is one thread's share of these; after the stretch it is put together again. Results do
 * not depend on which thread simulates which channel.
 */
#ifndef LENO_MEM_LANES_H
#define LENO_MEM_LANES_H

#include "mem/memory_internal.h"

struct lanes;
/* NULL with err set. */
struct lanes *lanes_new(struct memory *m, struct team *team, struct err *err);
void lanes_free(struct lanes *l); /* l may be NULL */

/* Simulates the channels that have something to do in the stretch. False: they are too few
 * to pay, and nothing was done. */
bool lanes_run(struct lanes *l);
/* Adds what lanes have counted. */
void lanes_count(const struct lanes *l, struct memory_stats *to);

#endif
