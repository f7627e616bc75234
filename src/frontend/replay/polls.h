/* polls.h - what a warp does between a failed wait for a phase and its next try.
 *
 * How often a wait fails depends on timing. So recordings have waits as if each were over
 * at its first try, and, per try, what follows if it is not: replay inserts that as often as
 * the pipeline says. Known are loops as compilers make them,
 *
 *       A: try    @failed BRA B    M: ...          B: try    @failed BRA B    BRA M
 *
 * or with A and B the same try: a few instructions that access no memory, in all lanes of the
 * wait or in none. Other lanes of the warp, if it has parted, may have a turn meanwhile; in the
 * recording they have it after the wait.
 */
#ifndef LENO_REPLAY_POLLS_H
#define LENO_REPLAY_POLLS_H

#include "frontend/replay/bytes.h"
#include "frontend/replay/table.h"
#include "isa/stream.h"

enum { POLL_STEPS = 16, POLL_TRAIL = 4 * POLL_STEPS, POLLS_MAX = 4096 };

/* Instructions between two tries, or from a try to where its wait ends. */
struct poll_path {
    bool is_known;
    uint8_t n;
    struct poll_step {
        uint32_t number; /* of the instruction */
        bool runs;       /* in the lanes of the wait; else its guard holds in none */
    } step[POLL_STEPS];
};
/* A try: B, or A. */
struct poll {
    uint32_t number; /* of the instruction */
    uint32_t next;   /* of the try after it, when it fails */
    bool is_told;    /* to who records the replay */
    struct poll_path fail, done;
};
/* Of a kernel. */
struct polls {
    struct poll *at;
    uint32_t n, cap;
};

void polls_free(struct polls *p);
struct poll *polls_find(const struct polls *p, uint32_t number);
/* The try after one of a wait that begins with `first`; NULL: not all is known. */
struct poll *polls_next(const struct polls *p, const struct poll *first,
                        const struct poll *at);
void polls_put(const struct polls *p, struct buf *out);
int polls_get(struct polls *p, struct reader *r, const struct inst_table *t,
              struct err *err);

/* Executed step of a path that leads to a PC, by a warp whose wait is w. */
void poll_fill(const struct poll_path *p, uint32_t step, const struct inst_table *t,
               uint64_t leads_to, const struct dyn *w, struct dyn *d);

/* ---- writing ---- */

/* What a warp has executed since a failed wait, which may turn out to be a poll. */
struct poll_trail {
    uint32_t n;    /* 0: there was none; else the first try comes first */
    uint32_t last; /* the last try */
    bool is_done;  /* it has succeeded */
    bool
        is_over; /* the whole is replaced by what is executed if the first try succeeds */
    uint32_t number[POLL_TRAIL];
    struct dyn dyn[POLL_TRAIL];
    uint64_t list[WARP_LANES]; /* of the tries */
    struct buf async;          /* what they do, as bytes */
};

enum poll_verdict {
    POLL_GOES_ON, /* the instruction is part of the trail now */
    POLL_ENDS, /* it comes after the trail, which is no poll, or replaced if it was one */
};

void poll_begin(struct poll_trail *t, uint32_t number, const struct dyn *d,
                const struct buf *async);
/* The next instruction; async: what it does, no bytes: nothing. */
enum poll_verdict poll_pass(struct poll_trail *t, uint32_t number, const struct dyn *d,
                            const struct buf *async, struct polls *p);
/* What instruction k of the trail does asynchronously. */
const struct buf *poll_async(struct poll_trail *t, uint32_t k);

#endif
