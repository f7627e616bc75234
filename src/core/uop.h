/* uop.h - an instruction on its way through an SM, and the index that names it.
 *
 * An SM keeps its instructions in a fixed pool; a uop lives from fetch to retirement.
 * Stages pass indices, so nothing is copied.
 */
#ifndef LENO_CORE_UOP_H
#define LENO_CORE_UOP_H

#include "isa/stream.h"

typedef uint16_t uop_id;
enum { NO_UOP = 0xffff };

/* Where it is. */
enum uop_stage {
    UOP_FREE,
    UOP_WINDOW,  /* fetched, held by the scheme */
    UOP_ISSUED,  /* in the latch before operand collection */
    UOP_COLLECT, /* in a collector */
    UOP_STATION, /* in one that is a reservation station, until it is dispatched */
    UOP_READ,    /* has its operands */
    UOP_EXECUTE, /* in a unit or the LSU */
    UOP_WRITE,   /* in a unit, nothing more to report until its result */
    UOP_DONE,    /* written back */
};

/* Kept in lines of the host's cache: what every stage looks at in the first, then the
 * lanes' addresses and what issue and results look at. */
enum { UOP_ALIGN = 64 };
struct uop {
    _Alignas(UOP_ALIGN) uop_id id;
    uop_id next_event; /* in the wheel */
    uint16_t warp;     /* slot in the SM */
    uint16_t version;  /* of what it writes */
    uint8_t stage;     /* enum uop_stage */
    uint8_t pipe;      /* enum pipe, from its class */
    bool redirects;    /* the next instruction is not the one behind it */
    bool partial;      /* lanes keep old values of what it writes */
    uint32_t pending;  /* memory parts that the LSU waits for */
    const struct inst
        *regs; /* sets of registers that cause hazards on this machine: the
                              * instruction itself, or its own narrowed copy */
    struct dyn dyn;
    /* Cycles; those after issue are known in advance, as far as they are. */
    uint64_t issued, entered, read; /* from the window, into a collector, operands */
    uint64_t taken, done;           /* by a unit, result written */
    uint64_t fetched;
    uint64_t tag;                /* the scheme's own */
    uop_id older, younger;       /* of the warp's instructions in the window, then of
                                  * those in stations */
    uop_id next_order;           /* of the warp's memory operations, in program order */
    uint16_t source[MAX_LISTED]; /* versions it must find, in the order of regs->list;
                                      * of a list that is not whole: the sum of them */
};

#endif
