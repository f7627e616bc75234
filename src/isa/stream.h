/* stream.h - what a front end gives a pipeline: each warp's instructions, in program
 * order, executed as they are taken.
 *
 * The front end owns registers, memory and divergence; taking an instruction executes
 * it. Timing decides when, the front end decides what. A warp's stream stops at a
 * barrier until the other warps have reached theirs in program order.
 */
#ifndef LENO_ISA_STREAM_H
#define LENO_ISA_STREAM_H

#include "base/err.h"
#include "isa/inst.h"

enum { WARP_LANES = 32 };

/* One executed instruction of one warp. */
struct dyn {
    const struct inst *inst;
    uint64_t seq;     /* per warp, from 0 */
    uint64_t next_pc; /* of the warp's next instruction; 0 when there is none */
    uint32_t active;  /* lanes that fetched it */
    uint32_t mask;    /* of those, lanes whose guard held */
    uint64_t addr[WARP_LANES]; /* memory operations: per lane of mask */
    uint8_t space;             /* enum inst_space; generic already resolved */
};

enum stream_status {
    STREAM_INST,  /* *dyn is filled in */
    STREAM_WAIT,  /* the warp waits for other warps; ask again later */
    STREAM_END,   /* the warp has exited */
    STREAM_ERROR, /* *err says why */
};

/* Blocks are started in any order; a started block has warps 0 .. n_warps - 1. */
struct stream;
struct stream_ops {
    enum stream_status (*next)(struct stream *s, unsigned warp, struct dyn *dyn,
                               struct err *err);
};
struct stream {
    const struct stream_ops *ops;
    unsigned n_warps;
};

static inline enum stream_status stream_next(struct stream *s, unsigned warp,
                                             struct dyn *dyn, struct err *err)
{
    return s->ops->next(s, warp, dyn, err);
}

#endif
