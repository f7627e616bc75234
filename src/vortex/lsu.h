/* lsu.h - the state of a Vortex core's load/store unit. */
#ifndef LENO_VORTEX_LSU_H
#define LENO_VORTEX_LSU_H

#include "core/uop.h"
#include "vortex/params.h"
#include "vortex/queue.h"

enum {
    VX_LSU_QUEUE = 4,  /* requests before and in the coalescer: two buffers of two */
    VX_BATCHES = 16,   /* requests of the coalescer in flight, at most */
    VX_LSU_PLACES = 6, /* packets that fit between the unit and commit */
};

/* An access on its way to the coalescer, and the batches that it becomes; the instruction
 * of a store has committed by then. */
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

/* The coalescer's output register: words that the cache has not taken yet. */
struct vx_bus {
    uint8_t memory;  /* enum inst_memory */
    uint8_t n_words; /* 0: it is empty */
    uint8_t batch;   /* whose answers are waited for */
    uint32_t word[VX_MAX_THREADS];
    uint64_t at; /* the cache may take one from this cycle on; NEVER: it is empty */
};

/* Words that the coalescer sent at once, and whose answers it waits for. */
struct vx_batch {
    uop_id uop;
    uint8_t n_words; /* not answered yet */
    uint64_t at;     /* cycle of the last answer so far */
};

struct vx_lsu {
    struct vx_latch exec;
    uint64_t take_at; /* when ahead.c tries to take exec; NEVER: after another step */
    unsigned n_loads;
    uint64_t entry_at; /* the entry of the load answered last is free from this cycle */
    uint64_t
        fence_until; /* takes instructions from this cycle; NEVER: fence in flight */
    struct vx_request queue[VX_LSU_QUEUE]; /* to the coalescer, the first in it */
    unsigned first, n_queued;
    uint64_t send_at; /* the coalescer sends a batch; NEVER: none, or bus is taken */
    struct vx_bus bus;
    uint64_t sent[VX_LSU_QUEUE]; /* when the last requests left; NEVER: not yet */
    unsigned oldest;             /* of sent: the place of the next request */
    uint64_t coalescer, local;   /* free from this cycle; NEVER: bus is taken */
    unsigned word_shift;         /* bytes of a word, as a power of two */
    struct vx_batch batch[VX_BATCHES];
    uint32_t busy; /* of them, as bits */
    unsigned n_busy, max_busy;
    struct vx_queue answers;
};

#endif
