/* loops.h - what became of the loops of a run's kernels under unroll.factor. */
#ifndef LENO_CLI_LOOPS_H
#define LENO_CLI_LOOPS_H

#include "base/buf.h"
#include "frontend/sass/unroll.h"

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

/* A line a loop, and how many were unrolled. */
void loops_text(const struct loop_list *l, struct buf *out);
/* An array of objects. */
void loops_json(const struct loop_list *l, struct buf *out);

#endif
