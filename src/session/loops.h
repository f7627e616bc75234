/* loops.h - which loops of a run's kernels unroll.factor unrolled, and why not the others. */
#ifndef LENO_SESSION_LOOPS_H
#define LENO_SESSION_LOOPS_H

#include "base/buf.h"
#include "frontend/sass/unroll/unroll.h"

struct loop_row {
    char kernel[64]; /* its name, cut */
    struct unrolled_loop loop;
};

struct loop_list {
    struct loop_row *row; /* each loop of each kernel once, by the last launch */
    size_t n;
};

/* 0, or -1 with err set: out of memory. */
int loops_note(struct loop_list *l, const struct sass_unrolled *u, struct err *err);
void loops_free(struct loop_list *l);

/* How many of them were unrolled. */
size_t loops_unrolled(const struct loop_list *l);
/* A line per loop, and how many were unrolled. */
void loops_text(const struct loop_list *l, struct buf *out);
/* An array of objects. */
void loops_json(const struct loop_list *l, struct buf *out);

#endif
