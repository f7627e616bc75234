/* coalesce.h - turns the lanes of one instruction into memory transactions. */
#ifndef LENO_MEM_COALESCE_H
#define LENO_MEM_COALESCE_H

#include "isa/addresses.h"

enum { MAX_TRANSACTIONS = 128, MAX_LANE_BYTES = 32, MAX_LOCAL_BYTES = 16 };

struct transaction {
    uint64_t line;   /* address of the line */
    uint32_t words;  /* words of the line that are touched completely */
    uint16_t bytes;  /* number of bytes touched */
    uint8_t sectors; /* as bits */
    uint8_t lanes;   /* the most lanes on one of its words */
};

/* One instruction: the addresses of the lanes in mask. (perf: the flags share a byte;
 * the compiler would read two that were just written one by one) */
struct lane_access {
    const struct addresses *addr;
    uint32_t mask;
    uint32_t bytes; /* per lane */
    bool lines : 1; /* transactions are lines, not sectors */
    /* sectors of a line may share an entry if only whole words are touched; it has
     * the sectors and words of all */
    bool join : 1;
    bool atomic : 1;
    bool split : 1; /* atomics: lanes on the same byte need a transaction each */
};

/* Fills in up to MAX_TRANSACTIONS entries by falling address and returns their number.
 * Each distinct sector (or line) that a lane touches is in exactly one entry or, for
 * atomics that are split, in as many as the most lanes on one of its bytes. */
unsigned coalesce_lanes(const struct lane_access *a, struct transaction *out);

/* Local memory: word w of a thread is next to word w of its neighbours, so that a warp
 * whose lanes use the same offset touches whole lines. Makes addresses, one row of 32
 * per word of an access. */
struct local_layout {
    uint64_t base;
    uint32_t threads; /* threads of the whole GPU */
    uint32_t first;   /* number of the warp's first thread */
};
unsigned coalesce_local(const struct local_layout *l, const struct lane_access *a,
                        struct transaction *out);

#endif
