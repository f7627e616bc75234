/* kept.h - what a stream has given of a warp, kept by a test. */
#ifndef LENO_TESTS_KEPT_H
#define LENO_TESTS_KEPT_H

#include <stdlib.h>

#include "check.h"
#include "isa/stream.h"

struct kept_warp {
    struct dyn *at;
    struct inst *inst; /* copies: the module is gone when they are compared */
    uint64_t (*addr)[WARP_LANES];
    size_t n, cap;
};

static inline void keep(struct kept_warp *w, const struct dyn *d)
{
    if (w->n == w->cap) {
        w->cap = w->cap ? 2 * w->cap : 64;
        w->at = realloc(w->at, w->cap * sizeof *w->at);
        w->inst = realloc(w->inst, w->cap * sizeof *w->inst);
        w->addr = realloc(w->addr, w->cap * sizeof *w->addr);
        assert_non_null(w->at);
        assert_non_null(w->inst);
        assert_non_null(w->addr);
    }
    w->at[w->n] = *d;
    w->inst[w->n] = *d->inst;
    if (d->space != SPACE_NONE)
        addresses_spread(&d->addr, w->addr[w->n]);
    w->n++;
}

#endif
