/* wave.h - the order in which blocks and warps run where no machine times them.
 *
 * Near to that of a GPU, and the same in every run: blocks start in order, as many as the
 * device holds at once, and the next one when one of them ends. All of them advance
 * together, and so do the warps of each: a warp runs until it would wait for memory, then
 * the others catch up. How far each is is counted in estimated cycles (decision 041).
 */
#ifndef LENO_ISA_WAVE_H
#define LENO_ISA_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { WAVE_MAX_WARPS = 64 }; /* of a block */

/* How many instructions a warp executes in one turn at most, and what they and waiting
 * for their results are taken to last, in cycles. */
enum {
    WAVE_TURN_INSTS = 64,
    WAVE_INST_CYCLES = 4,
    WAVE_NEAR_CYCLES = 30, /* shared memory, barriers */
    WAVE_FAR_CYCLES = 400, /* global memory */
};

/* How a turn of a warp ended. */
enum wave_end {
    WAVE_RAN,   /* it can go on */
    WAVE_SLEPT, /* it can, but gave up its turn: it may wait for another warp in a loop */
    WAVE_WAITS, /* it waits for other warps */
    WAVE_ENDED, /* it has exited */
};

struct wave_turn {
    enum wave_end end;
    uint32_t cycles; /* estimated; 0: nothing was executed */
    bool wakes;      /* warps of its block that waited may go on */
};

/* Functions that return an int return 0, or -1 with err set, which ends the run. */
struct wave_ops {
    /* Starts the block with this rank in a cluster; NULL with err set. */
    void *(*open)(void *to, uint64_t cluster, uint32_t rank, unsigned *n_warps,
                  struct err *err);
    /* A turn of one of its warps. */
    int (*run)(void *to, void *block, unsigned warp, struct wave_turn *turn,
               struct err *err);
    /* The block has had its share of a sweep over all blocks; may be NULL. */
    int (*pause)(void *to, void *block, struct err *err);
    /* All its warps have exited; may be NULL. */
    void (*end)(void *to, void *block);
    /* All blocks of its cluster have ended. */
    int (*close)(void *to, void *block, struct err *err);
    /* No warp can go on, nor this one: sets err. */
    void (*stuck)(void *to, void *block, unsigned warp, struct err *err);
};

struct wave_block;
struct wave {
    const struct wave_ops *ops;
    void *to;
    uint64_t n_clusters;
    uint32_t cluster;  /* blocks each */
    uint64_t resident; /* clusters that run at once; 0: one */
    uint64_t holds;    /* clusters that the device holds, if that is more */

    /* The rest is zero at first. */
    struct wave_block **at; /* n blocks in flight, clusters together */
    uint64_t n, cap, next;  /* next: the cluster that starts next */
    unsigned idle_sweeps;   /* in a row, in which no block ended */
    bool progress, is_busy; /* of a sweep: a warp ran; a block did not sleep */
    struct wave_block *spare;
};

/* Takes over a block that was started elsewhere, before wave_run(). */
int wave_adopt(struct wave *v, void *block, unsigned n_warps, struct err *err);

/* Runs all blocks. When it fails, those in flight are left to the caller, who looks at
 * them by wave_in_flight(); wave_free() forgets them. */
int wave_run(struct wave *v, struct err *err);
void *wave_in_flight(const struct wave *v, uint64_t n); /* n < v->n; NULL: gone */
bool wave_has_ended(const struct wave *v, uint64_t n);
void wave_free(struct wave *v);

#endif
