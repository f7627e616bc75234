/* uop.h - an instruction on its way through an SM, and the index that names it.
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

/* Kept in lines of the host's cache. The first, up to the addresses in dyn, is all that is
 * touched of most instructions: little of an SM is in those caches when it is needed. */
enum { UOP_ALIGN = 64 };
struct uop {
    _Alignas(UOP_ALIGN) uop_id id;
    uop_id next_event;     /* in the wheel */
    uint16_t warp;         /* slot in the SM */
    uint16_t version;      /* of what it writes */
    uint8_t stage;         /* enum uop_stage */
    uint8_t pipe;          /* enum pipe, from its class */
    bool redirects;        /* the next instruction is not the one behind it */
    bool partial;          /* lanes keep old values of what it writes */
    uop_id older, younger; /* in its warp's window, then in stations; NO_UOP: none */
    uint16_t replaces[FEW_WRITES]; /* versions that it must find where it writes ... */
    struct dyn dyn; /* its inst has the sets of registers that cause hazards here */
    bool reused;    /* its result is known; if there is a redundancy eliminator */
    /* Memory operations, which need no more than a second line: */
    uop_id next_order; /* of the warp's, in program order */
    uint32_t pending;  /* parts that the LSU waits for */
    /* Cycles; those after issue are known in advance, as far as they are. */
    uint64_t taken;  /* by a unit: of memory operations, or all, as the last ones, if
                      * anybody asks for stages */
    uint64_t issued; /* from the window: of memory operations, or all
                      * (scheme.wants_cycles) */
    uint64_t entered, read, done; /* into a collector, operands, result written */
    uint64_t fetched;             /* scheme.wants_cycles */
    uint64_t tag;                 /* the scheme's own */
    /* ... if there are few of them, else here, behind those of its sources; in the order
     * of inst->list. Of a list that is not whole: the sum of the sources' alone. */
    uint16_t source[MAX_LISTED];
    uint8_t gap[UOP_ALIGN]; /* first lines an even number of lines apart would share a
                             * half of the caches' sets */
};
_Static_assert(offsetof(struct uop, dyn.addr) == UOP_ALIGN, "in the first line");
_Static_assert(offsetof(struct uop, issued) < 2 * UOP_ALIGN, "in the second");
_Static_assert(sizeof(struct uop) / UOP_ALIGN % 2, "an odd number of lines");

/* Some instructions of a warp in program order, linked by older and younger. */
struct uop_list {
    uop_id oldest, youngest; /* NO_UOP: it is empty */
};

/* One more, behind all others. */
static inline void uop_list_add(struct uop_list *l, struct uop *pool, struct uop *u)
{
    INVARIANT((l->oldest == NO_UOP) == (l->youngest == NO_UOP));
    u->older = l->youngest;
    u->younger = NO_UOP;
    INVARIANT(u->older == NO_UOP || pool[u->older].younger == NO_UOP);
    *(u->older == NO_UOP ? &l->oldest : &pool[u->older].younger) = u->id;
    l->youngest = u->id;
}

/* One less, which still says what its neighbours were. True: an older one is left. */
static inline bool uop_list_drop(struct uop_list *l, struct uop *pool,
                                 const struct uop *u)
{
    uop_id *before = u->older == NO_UOP ? &l->oldest : &pool[u->older].younger;
    uop_id *behind[] = { &pool[u->younger].older, &l->youngest };

    INVARIANT(*before == u->id && *behind[u->younger == NO_UOP] == u->id);
    *before = u->younger;
    *behind[u->younger == NO_UOP] = u->older; /* one as often as the other: no branch */
    return u->older != NO_UOP;
}

#endif
