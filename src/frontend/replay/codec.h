/* codec.h - one warp's executed instructions as bytes, and back. docs/formats.md has the
 * bytes; this is the only code that knows them.
 *
 * Both sides keep the same little state, from which the usual instruction follows: the
 * one after the last, in the same lanes, all of whose guards hold. A run of such
 * instructions is one byte. Bytes may be cut into pieces between any two instructions;
 * the state continues.
 */
#ifndef LENO_REPLAY_CODEC_H
#define LENO_REPLAY_CODEC_H

#include <stddef.h>

#include "base/buf.h"
#include "frontend/replay/table.h"
#include "isa/stream.h"

enum {
    CODEC_SLOTS = 16, /* remembered address patterns, by instruction number */
    CODEC_PAD = 384,  /* readable bytes that must follow a piece */
};

struct codec_pattern {
    uint64_t base;
    int64_t stride;
};

struct codec_state {
    uint32_t active;
    uint32_t mask; /* the last that was neither active nor 0 */
    uint64_t seq;
    uint64_t base; /* of the last memory operation */
    struct codec_pattern slots[CODEC_SLOTS];
};

struct encoder {
    struct codec_state s;
    struct dyn held;           /* is written once its successor is known */
    uint64_t addr[WARP_LANES]; /* its lanes' */
    uint32_t held_number;      /* TABLE_NONE: nothing is held */
    uint32_t run;              /* usual instructions not yet written */
    bool has_begun;
    bool has_async; /* what the instruction held does asynchronously: */
    struct buf async;
    struct buf out;
};

/* e is all zero at first, and is freed by encode_free(). */
void encode_begin(struct encoder *e);
void encode_free(struct encoder *e);

/* The next instruction, whose number in the table is given. */
void encode_inst(struct encoder *e, const struct inst_table *t, uint32_t number,
                 const struct dyn *d);
/* What it does asynchronously, as bytes: of every instruction of INST_PHASE. */
void encode_async(struct encoder *e, const struct buf *bytes);

/* Makes out complete up to the instruction held. */
void encode_cut(struct encoder *e);
void encode_end(struct encoder *e, const struct inst_table *t);

enum decode_status {
    DECODE_INST,
    DECODE_END,  /* of the warp */
    DECODE_MORE, /* set p and end to the next piece */
    DECODE_BAD,  /* not what the encoder writes */
};

/* perf: all but the slots is in one cache line of the host. */
struct decoder {
    _Alignas(64) const uint8_t *p;
    const uint8_t *end; /* CODEC_PAD bytes follow it */
    uint32_t at;        /* number of the next instruction; TABLE_NONE: none */
    uint32_t run;       /* usual instructions left of the last token */
    bool has_begun;
    struct codec_state s;
    /* What the last instruction does asynchronously: in the piece. */
    struct codec_async {
        const uint8_t *p;
        uint32_t n;
        bool is_there;
    } async;
};
_Static_assert(offsetof(struct decoder, s.slots) <= 64, "the first line");

/* Initially d is all zero except for p and end. */
void decode_begin(struct decoder *d);

/* As stream_ops.run: the next *n instructions, or as many as there are, but no more after one
 * with d->async, which the caller takes. A status other than DECODE_INST says why there are
 * fewer. */
enum decode_status decode_run(struct decoder *d, const struct inst_table *t,
                              struct dyn *const *dyn, unsigned *n);

#endif
