/* sanitize.h - findings of a grid that is executed without timing: accesses to freed memory,
 * past the end of allocations, reads of memory that nobody wrote, barriers that threads of a
 * block come to at different places. Races are found beside (isa/races.h).
 *
 * A finding is a defect of the program, never a guess: accesses whose effect is not followed
 * (bulk copies, clusters) make memory count as written.
 */
#ifndef LENO_SASS_SANITIZE_H
#define LENO_SASS_SANITIZE_H

#include "base/shadow.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/state.h"
#include "isa/races.h"

enum finding_kind {
    FINDING_FREED,
    FINDING_PADDING,
    FINDING_OUTSIDE,        /* a fault, and neither of these */
    FINDING_OUTSIDE_SHARED, /* the same in shared memory */
    FINDING_OUTSIDE_LOCAL,  /* and in local memory */
    FINDING_UNSET,          /* global memory */
    FINDING_UNSET_SHARED,   /* shared memory */
    FINDING_BARRIER,
};

/* An instruction, or two; one example of them. */
struct finding {
    enum finding_kind kind;
    struct race_side side[2]; /* the access; a barrier's has both places */
    uint64_t addr;            /* in shared memory: an offset */
    unsigned bytes;
    struct shadow_block block; /* of memory, as it was then */
    uint64_t times;            /* threads and executions */
};

struct sanitizer {
    struct shadow *shadow; /* of the launches' device memory */
    struct finding *at;
    size_t n, cap;
};
void sanitizer_free(struct sanitizer *s);

/* A block begins, of whose shared memory nothing is written, and ends. */
void sanitize_open(struct sass_block *b);
/* Nothing more is known of what was written: a launch that is not followed. */
void sanitize_lose(struct sanitizer *s);

/* A warp has executed an instruction. */
void sanitize_note(struct sass_warp *w, const struct sass_inst *i, const struct dyn *d);
/* An access that faults: to freed memory, past an end, or elsewhere. */
void sanitize_fault(struct sass_warp *w, const struct sass_inst *i, unsigned lane,
                    struct memory_access what, uint64_t addr);
/* Lanes come to __syncthreads() at pc; others of the block may have come to it elsewhere. */
void sanitize_barrier(struct sass_warp *w, uint32_t mask, uint64_t pc);
/* A deadlock: this lane waits at pc, and others for it at __syncthreads(). */
void sanitize_stuck(struct sass_warp *w, unsigned lane, uint64_t pc);
#endif
