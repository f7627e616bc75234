/* lsu.h - the state of a Vortex core's load/store unit. */
#ifndef LENO_VORTEX_LSU_H
#define LENO_VORTEX_LSU_H

#include "core/uop.h"
#include "vortex/params.h"
#include "vortex/queue.h"

enum {
    VX_LSU_QUEUE = 3,  /* requests that fit before and in the coalescer */
    VX_BATCHES = 16,   /* requests of the coalescer in flight, at most */
    VX_LSU_PLACES = 6, /* packets that fit between the unit and commit */
};

/* An access on its way to the coalescer, and what that will make of it; a store's
 * instruction is over by then. */
struct vx_request {
    uop_id uop;
    uint8_t memory; /* enum inst_memory */
    uint8_t sent;   /* its place in vx_lsu.sent */
    uint8_t n_batches, n_sent;
    uint8_t n_words[VX_MAX_THREADS]; /* of each batch */
    uint8_t next;                    /* word of the next batch */
    uint32_t word[VX_MAX_THREADS];   /* an address in each, batch by batch */
    uint64_t at;                     /* there from this cycle on */
};

/* What the coalescer sent at once and waits for. */
struct vx_batch {
    uop_id uop;
    uint8_t n_words; /* not answered yet */
    uint64_t at;     /* cycle of the last answer so far */
};

struct vx_lsu {
    struct vx_latch exec;
    uint64_t take_at; /* it is tried to take that; NEVER: others must move first */
    unsigned n_loads;
    uint64_t entry_at; /* the entry of the load answered last is free from this cycle */
    uint64_t fence_until; /* taken again from this cycle; NEVER: fence under way */
    struct vx_request queue[VX_LSU_QUEUE]; /* to the coalescer, the first in it */
    unsigned first, n_queued;
    uint64_t send_at; /* the coalescer sends something; NEVER: there is nothing */
    uint64_t sent[VX_LSU_QUEUE]; /* when the last requests had left; NEVER: not yet */
    unsigned oldest;             /* of them, the next one's place */
    uint64_t coalescer, local;   /* free from this cycle */
    unsigned word_shift;         /* bytes of a word, as a power of two */
    struct vx_batch batch[VX_BATCHES];
    uint32_t busy; /* of them, as bits */
    unsigned n_busy, max_busy;
    uint64_t batch_freed; /* cycle in which one was last answered */
    struct vx_queue answers;
};

#endif
