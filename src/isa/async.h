/* async.h - work that an instruction starts and that goes on after it: bulk and tensor
 * copies, as a pipeline that times them needs to know them.
 *
 * A front end moves the bytes when it executes the instruction; the pipeline says when they
 * have arrived, and only then are they counted on the copy's barrier (stream.h).
 */
#ifndef LENO_ISA_ASYNC_H
#define LENO_ISA_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/inst.h"

enum copy_kind {
    COPY_LOAD,   /* from global to shared memory */
    COPY_STORE,  /* from shared to global memory */
    COPY_REDUCE, /* the same, combined with what is there */
    COPY_NEAR,   /* between shared memories of a cluster */
    COPY_COMMIT, /* no copy: the warp's stores since the last one form a group */
    COPY_SENT,   /* no bulk copy: words or arrivals for another block of the cluster */
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

/* A copy belongs to the stream that made it, up to stream_ops.end_copy(). */
struct copy {
    uint8_t kind;   /* enum copy_kind */
    bool is_tensor; /* a tensor map describes it */
    uint16_t warp;
    uint16_t to;  /* blocks of the cluster that it reports to, by rank, as bits; 0: only
                     * that of the warp */
    uint64_t seq; /* of its instruction */
    uint32_t bytes; /* in shared memory */
    uint32_t n_runs;
    struct copy_run *run;
};

/* Into shared memory, with a barrier that counts its bytes? */
static inline bool copy_is_load(const struct copy *c)
{
    return c->kind == COPY_LOAD || c->kind == COPY_NEAR;
}

#endif
