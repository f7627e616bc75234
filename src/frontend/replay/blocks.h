/* blocks.h - open blocks of a replayed kernel, in whatever file format. */
#ifndef LENO_REPLAY_BLOCKS_H
#define LENO_REPLAY_BLOCKS_H

#include "frontend/replay/codec.h"
#include "frontend/replay/places.h"
#include "frontend/replay/polls.h"
#include "frontend/replay/values.h"

struct replayed;

struct replayed_warp {
    struct decoder d;
    void *page;     /* holds what d reads; the format's own */
    uint32_t piece; /* its number among the block's, from 1; 0: none yet */
};

struct replayed_values {
    struct value_decoder d;
    void *page;
    uint32_t piece; /* whose values d reads */
};

struct replayed_block {
    struct stream stream; /* first */
    struct replayed *of;
    struct replayed_block *next, **link; /* open blocks of the kernel */
    uint64_t number;
    struct replayed_async *async;   /* phases.c; NULL: nothing so far */
    struct replayed_values *values; /* by warp; NULL: not requested yet */
    struct replayed_warp warps[];
};

/* A kernel as its formats extend it. */
struct replayed {
    struct kernel base; /* first */
    struct inst_table table;
    struct places places; /* of its instructions */
    struct polls polls;
    bool has_async; /* instructions have what they do asynchronously */
    struct replayed_block *open;
    uint64_t next;    /* block after the last one opened */
    const char *file; /* for messages */

    /* Moves a warp to its next piece, initially the first: 1, 0 (none left) or -1. */
    int (*next_piece)(struct replayed_block *b, unsigned warp, struct err *err);
    /* Moves its values to the same piece: 0 or -1. */
    int (*follow)(struct replayed_block *b, unsigned warp, struct err *err);
    void (*release)(struct replayed *r, void *page);
    const uint8_t *kinds; /* enum value_kind by number; NULL: there are no values */
};

/* The parts of struct kernel_ops that are the same for all. After a cut the rest is not
 * replayed: it was executed when it was recorded. */
struct replayed_block *replayed_open(struct replayed *r, uint64_t block,
                                     struct err *err);
void replayed_close(struct kernel *k, struct stream *s);
void replayed_text(const struct kernel *k, const struct inst *i, struct buf *out);
void replayed_where(const struct kernel *k, const struct inst *i,
                    struct kernel_where *w);
void replayed_cut(struct kernel *k);

/* Closes its blocks and frees its table and name. */
void replayed_free(struct replayed *r);

/* Checks dimensions and fills in what follows from them. */
int replayed_shape(struct replayed *r, struct err *err);

#endif
