/* async.h - work that an instruction starts and that goes on after it: bulk and tensor
 * copies, as a pipeline that times them needs to know them; and what instructions do to
 * barriers in shared memory, as a recording needs to know it.
 *
 * A front end moves the bytes when it executes the instruction; the pipeline says when they
 * have arrived, and only then are they counted on the copy's barrier (stream.h).
 */
#ifndef LENO_ISA_ASYNC_H
#define LENO_ISA_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/inst.h"
#include "isa/mbarrier.h"

enum copy_kind {
    COPY_LOAD,   /* from global to shared memory */
    COPY_STORE,  /* from shared to global memory */
    COPY_REDUCE, /* the same, combined with what is there */
    COPY_NEAR,   /* between shared memories of a cluster */
    COPY_COMMIT, /* no copy: the warp's stores since the last one form a group */
    COPY_SENT,   /* no bulk copy: words or arrivals for another block of the cluster */
    COPY_PHASE, /* no copy: what an instruction of INST_PHASE does, for who records it */
    COPY_MAP,   /* no copy: its tensor map is fetched ahead */
    COPY_NO_MAP, /* no copy: the SM forgets the tensor map */
    N_COPY_KIND
};

/* inst.product is the columns of a warpgroup's product / 8, 0: it is none; inst.products_left:
 * it waits until fewer groups of products are left, 0: it does not; inst.product_is: */
enum inst_product {
    PRODUCT_SHARED = 1, /* both factors are in shared memory */
    PRODUCT_ENDS = 2,   /* the last of a group */
};

/* INST_PHASE: an operation on a barrier in shared memory, or, without memory, on the registers
 * that a block's warps have given back. */
static inline bool inst_is_on_mbarrier(const struct inst *i)
{
    return i->flags & INST_PHASE && inst_is_memory(i);
}

/* Bytes of global memory that follow each other; 0: a line outside of its tensor. */
struct copy_run {
    uint64_t addr;
    uint32_t bytes;
};

enum { BARRIER_RANK = 24 }; /* see struct barrier_op */

/* What an instruction does to a barrier in shared memory or to the registers that warps share,
 * or a copy to a barrier when it ends. */
struct barrier_op {
    /* Address, with its block's rank in the cluster from bit 24 on; or registers per thread. */
    uint32_t barrier;
    uint8_t kind;   /* enum barrier_op_kind */
    uint16_t times; /* so many in a row */
    union {
        struct mbarrier_change change;
        uint64_t word;
        bool parity;
    };
};
enum barrier_op_kind {
    BARRIER_CHANGE,
    BARRIER_SET,    /* to the word */
    BARRIER_WAIT,   /* for the end of the phase of that parity */
    REGISTERS_GIVE, /* the warp keeps as many, and gives its block the rest */
    REGISTERS_TAKE, /* it waits until it can have as many */
    N_BARRIER_OP
};

/* A copy belongs to the stream that made it, up to stream_ops.end_copy(). */
struct copy {
    uint8_t kind;   /* enum copy_kind */
    bool is_tensor; /* a tensor map describes it */
    bool has_param; /* which is a parameter of the kernel */
    bool gave_up;   /* COPY_PHASE: its wait failed: the phase was not over */
    uint16_t warp;
    uint16_t to;  /* blocks of the cluster that it reports to, by rank, as bits; 0: only
                     * that of the warp */
    uint64_t seq; /* of its instruction */
    uint64_t map; /* where the tensor map is; 0: none, or not known */
    uint32_t bytes; /* in shared memory */
    uint32_t n_runs, n_ops;
    struct copy_run *run;
    struct barrier_op *op; /* when it ends; COPY_PHASE: when the instruction issues */
};

/* Into shared memory, with a barrier that counts its bytes? */
static inline bool copy_is_load(const struct copy *c)
{
    return c->kind == COPY_LOAD || c->kind == COPY_NEAR;
}

/* The number of shared memories that a bulk or tensor copy reads or writes. */
static inline unsigned copy_memories(const struct copy *c)
{
    if (c->kind == COPY_NEAR)
        return 2;
    return c->kind == COPY_LOAD && c->to ? (unsigned)__builtin_popcount(c->to) : 1;
}

#endif
