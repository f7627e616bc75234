/* window.h - SMs through a window of cycles, and the blocks they are given in it.
 *
 * SMs depend on each other in two ways: blocks are given out in the order of time, and what
 * one SM writes to global memory another one reads. Both have one order, whether SMs run
 * one after another (window.c) or on threads (crew.c): docs/decisions/042-threads.md.
 */
#ifndef LENO_SIM_WINDOW_H
#define LENO_SIM_WINDOW_H

#include "sim/sms.h"

/* A kernel in progress. */
struct run {
    struct kernel *kernel;
    uint64_t cycle; /* all SMs have been through those before */
    uint64_t next_block, n_done;
    uint64_t wave;           /* blocks that the GPU holds at once */
    uint64_t last;           /* cycle in which the last block so far ended */
    uint64_t start, look_at; /* when it began, and when limits are looked at next */
    uint64_t tick_at;        /* when the clock ticks next; UINT64_MAX: there is none */
    uint64_t first_insts;    /* issued when it began, ... */
    uint64_t first_skipped;  /* with a sample: dropped before it began */
    uint64_t insts, issued_at; /* ... when last looked, and when that changed */
    bool is_cut;
    uint64_t cluster_at; /* when the next cluster can start; UINT64_MAX: not known */
};

/* Every SM through the cycles before end. */
int window_run(struct sms *g, struct run *r, uint64_t end, struct err *err);

/* How parts of this kernel wait for those before them. */
const struct kernel_turns *window_turns(const struct sms *g, const struct run *r);

/* For window.c and crew.c. */

static inline void window_begin_part(const struct run *r, unsigned sm, uint64_t number)
{
    if (r->kernel->ops->begin_part)
        r->kernel->ops->begin_part(r->kernel, sm, number);
}

/* True if there is a block for an SM that has room, when `next` is the next one. */
bool window_has_block(const struct sms *g, const struct run *r, unsigned sm,
                      uint64_t next);
/* Which SM can take a block first, before end; n_sms: none. SMs of the same cycle come in
 * turn, from first_sm on. */
unsigned window_first_taker(const struct sms *g, uint64_t end);
/* An SM was given a block: with gpu.block_order=next the SM after it comes first from
 * now on, in this kernel and in the one after it. */
void window_pass_turn(struct sms *g, unsigned sm);
/* Puts a block on an SM, which begins with it in the cycle after this one. */
int window_place(struct sms *g, const struct run *r, unsigned sm, uint64_t block,
                 uint64_t cycle, struct err *err);

/* The cycle in which the block of this number, given to an SM in a cycle, comes to it. */
uint64_t window_arrival_cycle(const struct sms *g, const struct run *r, uint64_t block,
                              uint64_t cycle);

/* crew.c: the same on the threads of g->crew, which is made for so many threads. */
struct crew;
struct crew *crew_new(struct sms *g, unsigned threads, struct err *err);
void crew_free(struct crew *c); /* c may be NULL */
/* *last: the last part that counts, which may have failed. */
int crew_run(struct crew *c, struct run *r, uint64_t end, uint64_t *last,
             struct err *err);
const struct kernel_turns *crew_turns(const struct crew *c);
/* The latencies of loads that its threads have noted are added to those of the GPU. */
void crew_end_kernel(struct crew *c);

#endif
