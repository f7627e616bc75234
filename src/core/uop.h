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
    const struct regset *reads, *writes; /* those that cause hazards on this machine */
    uop_id id;
    uop_id next_event; /* in the wheel */
    uop_id next_order; /* of the warp's memory operations, in program order */
    uint16_t warp;     /* slot in the SM */
    uint8_t stage;     /* enum uop_stage */
    uint8_t pipe;      /* enum pipe, from its class */
    uint8_t pending;   /* operand reads that a collector waits for */
    uint8_t slot;      /* the LSU's or the collector's own */
    bool redirects;    /* the next instruction is not the one behind it */
    bool partial;      /* lanes keep old values of what it writes */
    uint64_t fetched, issued, taken; /* cycles; taken: by a unit */
    uint64_t tag;                    /* the scheme's own */
    uint32_t version;                /* of what it writes: sequence number + 1 */
    uint32_t n_sources;              /* in source[]; then, if partial, of writes */
    uint32_t source[MAX_CHECKED]; /* versions it must find, in order of register id */
    uint32_t source_rest;         /* sum of the versions that have no room there */
    struct regset own[2];         /* reads, writes, where not the instruction's */
};

#endif
