/* coalesce.h - the lanes of one instruction as transactions of memory. */
#ifndef LENO_MEM_COALESCE_H
#define LENO_MEM_COALESCE_H

#include "isa/addresses.h"

enum { MAX_TRANSACTIONS = 128, MAX_LANE_BYTES = 16 };

struct transaction {
    uint64_t line;   /* its address */
    uint32_t words;  /* of the line, touched in every byte */
    uint16_t bytes;  /* touched */
    uint8_t sectors; /* as bits */
    uint8_t lanes;   /* the most that touch one word of it */
};

/* One instruction: the addresses of the lanes in mask. What is asked of it is in one byte:
 * of several the compiler would read two at once that were just written one by one. */
struct lane_access {
    const struct addresses *addr;
    uint32_t mask;
    uint32_t bytes; /* of a lane */
    bool lines : 1; /* a transaction is a line, not a sector */
    bool join : 1;  /* those to sectors of a line may share an entry, if all that they
                     * touch is whole words: it has the sectors and words of all */
    bool atomic : 1;
    bool split : 1; /* atomics: lanes on one byte need a transaction each */
};

/* Fills in up to MAX_TRANSACTIONS entries, by falling address; how many. Each distinct sector
 * (or line) that a lane touches is in exactly one, or, for atomics that are split, in as
 * many as lanes meet in one of its bytes. */
unsigned coalesce(const struct lane_access *a, struct transaction *out);

/* Local memory: word w of a thread is beside word w of its neighbours, so that a warp
 * whose lanes use the same offset touches whole lines. Makes addresses, one row of 32
 * for each word of an access. */
struct local_layout {
    uint64_t base;
    uint32_t threads; /* of the whole machine */
    uint32_t first;   /* number of the warp's first thread */
};
unsigned coalesce_local(const struct local_layout *l, const struct lane_access *a,
                        struct transaction *out);

#endif
