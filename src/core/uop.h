/* uop.h - an instruction on its way through an SM, and the index that names it.
 *
 * An SM keeps its instructions in a fixed pool; a uop lives from fetch to retirement.
 * Stages pass indices, so nothing is copied.
 */
#ifndef LENO_CORE_UOP_H
#define LENO_CORE_UOP_H

#include "isa/stream.h"

typedef uint16_t uop_id;
enum { NO_UOP = 0xffff, MAX_CHECKED = 40 };

/* Where it is. */
enum uop_stage {
    UOP_FREE,
    UOP_WINDOW,  /* fetched, held by the scheme */
    UOP_ISSUED,  /* in the latch before operand collection */
    UOP_COLLECT, /* in a collector */
    UOP_EXECUTE, /* in a unit or the LSU */
    UOP_DONE,    /* written back */
};

struct uop {
    struct dyn dyn;
    uop_id id;
    uint16_t warp;   /* slot in the SM */
    uint8_t stage;   /* enum uop_stage */
    uint8_t pipe;    /* enum pipe, from its class */
    uint8_t pending; /* operand reads, then memory parts, that it still waits for */
    bool redirects;  /* the next instruction is not the one behind it */
    bool reads_done; /* operands were read */
    bool ordered;    /* its place in memory order was checked */
    uop_id next;     /* of the warp's memory operations in program order */
    uint64_t fetched, issued, dispatched; /* cycles */
    uint32_t tag;                         /* the scheme's own */
    uint32_t n_checked;                   /* of source[] */
    uint32_t source[MAX_CHECKED]; /* version each source must have, in order of id */
    uint32_t source_rest;         /* sum of the versions of further sources */
    uint32_t version;             /* what it writes: sequence number + 1 */
};

#endif
