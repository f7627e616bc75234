/* uop.h - an instruction on its way through an SM, and its index.
 *
 * An SM keeps its instructions in a fixed pool; a uop lives from fetch to retirement.
 * Stages pass indices, so nothing is copied.
 */
#ifndef LENO_CORE_UOP_H
#define LENO_CORE_UOP_H

#include <stddef.h>

#include "base/invariant.h"
#include "isa/stream.h"

typedef uint16_t uop_id;
enum { NO_UOP = 0xffff };

/* The stage it is in. */
enum uop_stage {
    UOP_FREE,
    UOP_WINDOW,  /* fetched, held by the scheme */
    UOP_ISSUED,  /* in the latch before operand collection */
    UOP_COLLECT, /* in a collector */
    UOP_STATION, /* in a reservation station, until it is dispatched */
    UOP_READ,    /* has its operands */
    UOP_EXECUTE, /* in a unit or the LSU */
    UOP_WRITE,   /* in a unit, with nothing to report until its result */
    UOP_DONE,    /* written back */
};

/* perf: aligned to host cache lines. The first line, up to the addresses in dyn, is all
 * that most instructions use: little of an SM is in those caches when it is needed. */
enum { UOP_ALIGN = 64 };
struct uop {
    _Alignas(UOP_ALIGN) uop_id id;
    uop_id next_event; /* in the wheel */
    uint16_t version;  /* version of the registers it writes */
    uint16_t tag;      /* the scheme's own */
    uint8_t warp;      /* slot in the SM */
    uint8_t stage;     /* enum uop_stage */
    uint8_t pipe;      /* enum pipe, from its class */
    bool partial;      /* some lanes keep the old values of its destinations */
    /* Neighbours in its warp's window, then in stations; NO_UOP: none. Without stations,
     * once it has issued, the lower half of that cycle instead. */
    union {
        uop_id older;
        uint16_t issued_low;
    };
    uop_id younger;
    uint16_t replaces[FEW_WRITES]; /* versions in its destinations, if there are few */
    struct dyn dyn; /* dyn.inst has the registers that cause hazards on this machine */
    bool reused;    /* its result is known, with a redundancy eliminator */
    /* Memory operations, which need only a second line: */
    uop_id next_order; /* the warp's next memory operation in program order */
    uint32_t hot;      /* with has_hot(): its row of counters */
    union {
        struct {
            uint32_t pending;  /* parts that the LSU waits for */
            uint32_t lsu_took; /* lower half of the cycle in which the LSU took it */
        };
        uint64_t done; /* others: cycle in which the result is written */
    };
    /* Cycles; those after issue are computed in advance as far as possible. Valid for
     * memory operations: issued. For all: issued and fetched, if scheme_ops.wants_cycles;
     * the others, unless sm.is_plain. */
    uint64_t issued;  /* left the window */
    uint64_t taken;   /* by a unit */
    uint64_t entered; /* a collector */
    uint64_t read;    /* all operands */
    uint64_t fetched;
    /* Versions that its sources must have, in the order of inst->list, then those in its
     * destinations if there are too many for `replaces`. If the list is not whole: only
     * the sum of the sources' versions. */
    uint16_t source[MAX_LISTED];
    /* perf: first lines an even number of lines apart would share half of the caches' sets */
    uint8_t gap[UOP_ALIGN];
};
_Static_assert(offsetof(struct uop, dyn.addr) == UOP_ALIGN, "in the first line");

/* Fetched and not yet written back. */
static inline bool uop_is_in_flight(const struct uop *u)
{
    return u->stage != UOP_FREE && u->stage != UOP_DONE;
}
_Static_assert(offsetof(struct uop, issued) < 2 * UOP_ALIGN, "in the second");
_Static_assert(sizeof(struct uop) / UOP_ALIGN % 2, "an odd number of lines");

/* Some instructions of a warp in program order, linked by older and younger. */
struct uop_list {
    uop_id oldest, youngest; /* NO_UOP: it is empty */
};

/* Adds one after all others. */
static inline void uop_list_add(struct uop_list *l, struct uop *pool, struct uop *u)
{
    INVARIANT((l->oldest == NO_UOP) == (l->youngest == NO_UOP));
    u->older = l->youngest;
    u->younger = NO_UOP;
    INVARIANT(u->older == NO_UOP || pool[u->older].younger == NO_UOP);
    *(u->older == NO_UOP ? &l->oldest : &pool[u->older].younger) = u->id;
    l->youngest = u->id;
}

/* Removes one, which keeps the links to its neighbours. True: an older one is left. */
static inline bool uop_list_drop(struct uop_list *l, struct uop *pool,
                                 const struct uop *u)
{
    uop_id *before = u->older == NO_UOP ? &l->oldest : &pool[u->older].younger;
    uop_id *after[] = { &pool[u->younger].older, &l->youngest };

    INVARIANT(*before == u->id && *after[u->younger == NO_UOP] == u->id);
    *before = u->younger;
    /* perf: both are equally likely, so no branch */
    *after[u->younger == NO_UOP] = u->older;
    return u->older != NO_UOP;
}

#endif
