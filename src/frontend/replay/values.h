/* values.h - results in a recording, as far as redundancy eliminators ask for them:
 * their shape, and which results of an instruction are equal. docs/formats.md has the
 * bytes.
 *
 * A result that may be compared has a name: a block, mostly the one in which it came
 * first, and which of the different results of its instruction it is there. A constant
 * has the same name in every block; a result that depends on the block number is named
 * after its own block, or after the first one with the same number in x. So the bytes
 * of most blocks are the same and compress to almost nothing. Of other results only the
 * shape is kept; when replayed they are equal to no other.
 */
#ifndef LENO_REPLAY_VALUES_H
#define LENO_REPLAY_VALUES_H

#include "frontend/replay/bytes.h"
#include "isa/stream.h"

/* What is kept of the results of a static instruction, where all lanes are on. */
enum value_kind {
    KEEP_NOTHING,      /* it writes no register */
    KEEP_SHAPE,        /* they are not compared */
    KEEP_UNIFORM_NAME, /* the shape, and the name of those that are uniform */
    KEEP_NAME,         /* both: other warps may share them */
};

/* The kernel has marks. Must be at least what eliminators read (skip/common.h). */
enum value_kind value_kind(const struct kernel *k, const struct inst *i);

/* A mark as it is in a file, or from a file. Files had two kinds of redundancy at first: 2
 * is not redundant there, 3 is by plane. */
enum redundancy mark_recoded(enum redundancy mark);

static inline bool value_is_kept(const struct dyn *d, enum value_kind kind)
{
    return kind != KEEP_NOTHING && (d->active & d->mask) == UINT32_MAX;
}

static inline bool value_has_name(enum value_kind kind, uint8_t shape)
{
    return kind == KEEP_NAME || (kind == KEEP_UNIFORM_NAME && shape == VALUE_UNIFORM);
}

/* Four bits per result: its shape, and how its name follows from the last one of its
 * instruction in the warp. Results with the same bits as the last one of their
 * instruction (initially 0), and no number, are only counted: the other bits of the
 * next written byte have the count. */
enum value_byte {
    BYTE_SHAPE = 3, /* as a shape: no result, the count ends here */
    BYTE_STEP_SHIFT = 2,
    BYTE_RUN_SHIFT = 4,
    BYTE_RUN_MAX = 15, /* this many, plus a number that follows */
    BYTE_SAID = 15,
};
enum value_step {
    STEP_SAME,  /* the same; at first, the first of block 0 */
    STEP_NEXT,  /* the next of that block; at first, the first of this block */
    STEP_COUNT, /* a number: which of that block; at first, of the block named last */
    STEP_BLOCK, /* two: the block, 0 to 7 a corner, others and 8; which of that block */
};

/* Blocks that have some of the numbers in x, y and z of this one (bits 0, 1, 2) and 0 for
 * the others: 7 is this one. */
enum { N_CORNERS = 8, THIS_BLOCK = 7 };

struct value_name {
    uint32_t block;
    uint32_t count; /* from 1; 0: there is none yet */
};

/* The state of a warp that both sides keep. */
struct value_last {
    struct value_name name;
    uint8_t said;
};
struct value_state {
    uint32_t corner[N_CORNERS];
    uint32_t named;          /* the block that was named last */
    uint64_t run;            /* counted: not yet written, or still to come */
    struct value_last *last; /* by number of the instruction */
};

void value_begin(struct value_state *s, const struct kernel *k, uint64_t block);

/* The name that STEP_SAME or STEP_NEXT leads to. */
struct value_name value_step_to(const struct value_state *s, uint32_t number,
                                enum value_step step);

/* The block that STEP_COUNT takes. */
static inline uint32_t value_block(const struct value_state *s, uint32_t number)
{
    return s->last[number].name.count ? s->last[number].name.block : s->named;
}

/* ---- writing ---- */

struct value_map {
    struct value_entry *at;
    size_t n, cap; /* cap: a power of two, or 0 */
};

/* How many different results each instruction has had in a block. */
struct value_counts {
    uint32_t *at; /* by number of the instruction */
    uint32_t n;
};

/* A block's part: results that other blocks do not use. */
struct value_block {
    struct value_map map;
    struct value_counts counts;
};

/* A warp's; what it executed last is held back, as codec.h does. */
struct value_encoder {
    struct value_state s;
    uint32_t n_last;
    bool holds;    /* a result */
    bool is_usual; /* it is only counted */
    uint8_t said;
    struct buf numbers; /* after it */
    struct buf out;
};

/* A kernel's. */
struct value_writer {
    const struct kernel *k;
    struct value_map uniform;   /* results that any block may have again */
    struct value_counts counts; /* of block 0 */
};

/* The next instruction of a warp. All is zero at first but for k; value_begin(&e->s). */
int value_put(struct value_writer *w, struct value_block *b, struct value_encoder *e,
              uint32_t number, const struct dyn *d, struct err *err);
/* Makes out complete up to the instruction held. */
void value_cut(struct value_encoder *e);
void value_end(struct value_encoder *e);
void value_encoder_free(struct value_encoder *e);
void value_block_free(struct value_block *b);
void value_writer_free(struct value_writer *w);

/* ---- reading ---- */

struct value_decoder {
    struct value_state s;
    struct reader r; /* the piece */
    bool has_byte;   /* one was read, and is for the result after the run */
    uint8_t said;    /* by it */
    uint64_t apart;  /* a digest that no other warp has */
};

/* Continues with the next piece. */
void value_turn(struct value_decoder *v, struct reader r);

/* Sets d->value; false: not what the encoder writes. */
bool value_get(struct value_decoder *v, enum value_kind kind, uint32_t number,
               struct dyn *d);

#endif
