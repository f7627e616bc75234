/* block.h - blocks and warps that are resident in an SM; their barriers, waits, ends. */
#ifndef LENO_CORE_BLOCK_H
#define LENO_CORE_BLOCK_H

#include "core/uop.h"
#include "core/warpset.h"

struct sm;

enum { MAX_BLOCK_SLOTS = 64, N_BLOCK_BARRIERS = 16 };

enum warp_wait {
    WAIT_NONE,
    WAIT_BARRIER,
    WAIT_FENCE,
    WAIT_ATOMIC,
    WAIT_EXIT,
    WAIT_PHASE,   /* of a barrier in shared memory */
    WAIT_TMA,     /* for room in the queue of copies */
    WAIT_GROUPS,  /* for groups of copies */
    WAIT_CLUSTER, /* at the barrier of its cluster */
};

struct block_slot {
    bool is_used;
    struct stream *stream;
    uint64_t index;  /* index in the grid */
    uint64_t begins; /* when it comes to the SM */
    uint32_t n_warps, n_exited, n_done;
    struct warpset warps;
    uint16_t arrived[N_BLOCK_BARRIERS];
    uint16_t expected[N_BLOCK_BARRIERS]; /* 0 = all warps that have not exited */
    uint64_t counted;  /* cycle in which the last arrival was counted */
    uint32_t n_copies; /* that have not ended */
};

/* Written by block.c; the number of blocks that fit, and the end of a kernel, by
 * sm.c. */
struct sm_blocks {
    struct warpset resident; /* warps */
    unsigned n, max;         /* blocks: resident, and how many fit at a time */
    unsigned n_warps;        /* resident */
    uint64_t next_age;       /* of the next warp, in launch order */
    uint64_t idle, ended;    /* core.turns: cycles without a block; the first of them */
    uint64_t begins;         /* when the first of the present blocks comes */
    bool
        is_cut; /* the kernel ends early: barriers do not wait for those who never come */
    struct block_slot at[MAX_BLOCK_SLOTS];
};

void block_arrive(struct sm *s, struct uop *u); /* at a barrier */
void block_exit(struct sm *s, unsigned warp);
void warp_check_done(struct sm *s, unsigned warp);
void block_check_end(struct sm *s, struct block_slot *b);
/* Is memory traffic of a warp outstanding that a fence waits for? If so, warp_settle() is
 * called when this changes. */
bool warp_awaits_traffic(struct sm *s, unsigned warp);
/* A fence issues: its warp goes on when its traffic is done, and after some time. */
void warp_begin_fence(struct sm *s, struct warp *w, const struct uop *u);
void warp_settle(struct sm *s, unsigned warp); /* a fence or atomic may be satisfied */

#endif
