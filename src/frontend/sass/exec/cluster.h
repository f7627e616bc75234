/* cluster.h - blocks that share their shared memory; see cluster.c. */
#ifndef LENO_SASS_CLUSTER_H
#define LENO_SASS_CLUSTER_H

#include "frontend/sass/exec/state.h"

enum { RANK_SHIFT = BARRIER_RANK };

/* What lane_wait says of lanes that wait for the cluster: no block barrier's number. */
enum { CLUSTER_BARRIER = N_BARRIERS };

/* Sizes of the launch's clusters, 1 where it names none. */
void cluster_size(const struct sass_launch *l, uint32_t *size);

/* Index in the grid of the block with a rank in cluster number k. */
uint64_t cluster_block(const struct sass_grid *g, uint64_t k, uint32_t rank);

/* A block comes and goes. 0, or -1: out of host memory. */
int cluster_join(struct sass_block *b, struct err *err);
void cluster_leave(struct sass_block *b);
void cluster_free_all(struct sass_grid *g);

/* Bytes of shared memory at a 32-bit address with the owner's rank in its upper bits;
 * NULL if they are not there. */
uint8_t *cluster_shared(const struct sass_block *b, uint32_t addr, uint64_t bytes);

/* Barrier of the cluster: lanes of mask arrive; what arrived and is not complete waits.
 * True if it has to wait. */
void cluster_arrive(struct sass_warp *w, uint32_t mask);
bool cluster_wait(struct sass_warp *w, uint32_t mask, uint64_t next_pc);

/* Lanes of the warp have exited. */
void cluster_exit(struct sass_warp *w);

#endif
