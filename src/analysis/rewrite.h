/* rewrite.h - a program with instructions inserted, for passes that try some. */
#ifndef LENO_ANALYSIS_REWRITE_H
#define LENO_ANALYSIS_REWRITE_H

#include "analysis/hybrid.h"

int insertions_add(struct insertions *s, struct insertion i); /* -1: no memory */
/* By place; of a place those that jumps skip first; otherwise in the order in which they
 * were added. */
void insertions_sort(struct insertions *s);

struct rewritten {
    size_t n;
    struct code_line *line; /* with instructions of its own */
    struct inst *inst;
    /* Instruction that it is, that it is inserted before, or that it follows if jumps skip
     * it: executed as often as that. */
    uint32_t *origin;
    bool *is_inserted;
    bool *is_target; /* jumps lead there, or unknown ways */
    uint32_t *at;    /* by place of the original: where that instruction is */
};

/* A jump back and the code between. */
struct code_loop {
    size_t first, last;
};
/* May its way in and its way back be made to agree? It is entered from above and by the
 * jump back only, with all lanes together. */
bool loop_can_align(const struct code_line *code, size_t n, const struct code_loop *l);

/* relay.c: hybrid_plan() for NAMING_RELAY. */
int relay_plan(const struct code_line *code, size_t n, unsigned max_distance,
               struct insertions *to, struct err *err);

/* plan: sorted. -1: no memory. */
int rewrite_make(struct rewritten *r, const struct code_line *code, size_t n,
                 const struct insertions *plan, struct err *err);
void rewrite_free(struct rewritten *r);

#endif
