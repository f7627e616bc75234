/* flow.h - the control flow of a piece of static code: blocks, dominators, live
 * registers and innermost loops.
 *
 * A front end says where each instruction may go; the rest follows from that and from
 * the registers it reads and writes. All of it is per thread: diverged lanes follow the
 * same graph, each on its own.
 */
#ifndef LENO_ANALYSIS_FLOW_H
#define LENO_ANALYSIS_FLOW_H

#include "base/err.h"
#include "isa/inst.h"

enum flow_kind {
    FLOW_NEXT,   /* continues after it */
    FLOW_BRANCH, /* to target, or with may_pass after it */
    /* to target, and returns after it; without a target, to code that may read any
     * register */
    FLOW_CALL,
    FLOW_RETURN, /* to after any call that has a target; if there is none, anywhere */
    FLOW_END,    /* the thread ends */
};

struct flow_inst {
    const struct inst *inst;
    enum flow_kind kind;
    bool may_pass; /* a guard may suppress it: its destinations may keep their values */
    uint32_t target; /* FLOW_BRANCH: an index; FLOW_CALL: one, or NO_TARGET */
    /* The predicate that alone decides if it is executed: 1 + its register id, negative if
     * it must be false. 0: always executed, or something else decides too. */
    int16_t guard;
};
#define NO_TARGET UINT32_MAX

struct flow_block {
    uint32_t first, end; /* instructions; end is after the last */
    uint32_t next[2];    /* blocks: after it, and the target of its branch; NO_TARGET */
    uint32_t dominator;  /* nearest; NO_TARGET: the first block, or unreachable */
    bool is_reached;
    struct regset live_in, live_out;
};

struct flow {
    const struct flow_inst *code; /* the caller's */
    uint32_t n_insts, n_blocks;
    struct flow_block *block;
    uint32_t *block_of; /* by instruction */
    uint32_t *order;    /* reached blocks, each before those it dominates */
    uint32_t n_order;
};

/* The code begins at instruction 0. A target outside of it is an error. */
struct flow *flow_new(const struct flow_inst *code, uint32_t n, struct err *err);
void flow_free(struct flow *f);

bool flow_dominates(const struct flow *f, uint32_t a, uint32_t b); /* blocks */

/* A natural loop: its header dominates all of it, and it is left and entered again only
 * there. Innermost: no other loop's header is in it. */
struct flow_loop {
    uint32_t header;
    uint32_t n_blocks;
    uint32_t *block; /* in the order of their addresses */
};
struct flow_loops {
    struct flow_loop *loop; /* by header */
    uint32_t n;
};
int flow_find_loops(const struct flow *f, struct flow_loops *l, struct err *err);
/* The same with loops that have others in them. */
int flow_find_all_loops(const struct flow *f, struct flow_loops *l, struct err *err);
void flow_loops_free(struct flow_loops *l);
bool flow_in_loop(const struct flow_loop *l, uint32_t block);

#endif
