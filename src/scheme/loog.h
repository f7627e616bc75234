/* loog.h - parameters, statistics and state of LOOG (loog.c, loog_memory.h). */
#ifndef LENO_SCHEME_LOOG_H
#define LENO_SCHEME_LOOG_H

#include "core/scheme.h"

enum {
    LOOG_MAX_UNITS = 64, /* one bit each in a word */
    LOOG_MAX_NAMES = 250,
    LOOG_MAX_ENTRIES = 64,
    LOOG_NO_NAME = 255
};

#define LOOG_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(units, 8, 2, LOOG_MAX_UNITS, "", "collector units per sub-core")            \
    NUM(entries, 4, 1, LOOG_MAX_ENTRIES, "inst", "instruction buffer per warp")     \
    ENUM(refill, 0, "empty|room",                                                   \
         "when the buffer is refilled: once empty, or whenever it has room")        \
    BOOL(rrs, true,                                                                 \
         "register renaming stack: results have names of their own, and a unit is " \
         "free once its instruction has left it")                                   \
    NUM(names, 12, 2, LOOG_MAX_NAMES, "", "rrs: names per sub-core")                \
    NUM(loads, 0, 0, LOOG_MAX_UNITS, "inst",                                        \
        "load queue per sub-core; 0: as many as units")                             \
    NUM(stores, 0, 0, LOOG_MAX_UNITS, "inst",                                       \
        "store queue per sub-core; 0: as many as units")                            \
    BOOL(early_branch, false,                                                       \
         "instructions after a branch may enter a unit once the branch has left "   \
         "its own, not only when it is resolved")
struct loog_params {
    LOOG_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { LOOG_REFILL_EMPTY, LOOG_REFILL_ROOM };

#define LOOG_STATS(STAT)                                                               \
    STAT(unit_cycles, "unit cycle", "",                                                \
         "cycles that collector units were in use, summed")                            \
    STAT(tag_cycles, "unit cycle", "", "of these, with a result still to be captured") \
    STAT(flight_cycles, "unit cycle", "",                                              \
         "of these, after the instruction had left its unit")                          \
    STAT(tag_waits, "warp inst", "", "instructions that waited for a result")          \
    STAT(no_unit, "warp inst", "", "instructions that found every unit in use")        \
    STAT(no_name, "warp inst", "", "rrs: instructions that found every name in use")   \
    STAT(queue_full, "warp inst", "", "memory operations that found their queue full") \
    STAT(captured, "register", "",                                                     \
         "registers captured from a result, not read from the file")                   \
    STAT(merges, "warp inst", "",                                                      \
         "partial results, merged with the value that the other lanes keep")           \
    STAT(filed, "register", "", "results written to the file")                         \
    STAT(unfiled, "register", "",                                                      \
         "results not written because a younger one had taken the register")           \
    STAT(loads_passed, "warp inst", "", "loads that left before an older store")       \
    STAT(stores_passed, "warp inst", "",                                               \
         "stores that left before an older memory operation")                          \
    STAT(memory_held, "warp inst", "",                                                 \
         "memory operations that had all operands but waited for an older one")
struct loog_stats {
    LOOG_STATS(STAT_FIELD)
};

/* A collector unit. */
struct loog_unit {
    uop_id uop;
    unsigned tags;     /* results still to be captured ... */
    unsigned address;  /* ... of these, the ones that make up a memory address */
    bool has_read;     /* has read its other sources from the register file */
    uint64_t since;    /* cycle in which the unit was taken ... */
    uint64_t left;     /* ... and in which its instruction left it */
    uint64_t complete; /* cycle in which the instruction had all its sources */
    uint64_t ready;    /* first cycle in which it may leave */
};

/* Units that capture the result with this name, as bits. */
struct loog_name {
    uint64_t waiting;
    uint64_t address; /* of these, the units that need it for an address */
};

/* Free units or names, the next one on top. */
struct loog_stack {
    unsigned n;
    uint8_t at[LOOG_MAX_NAMES];
};

struct loog_sub {
    struct warpset warps;
    uint64_t ready;                /* units whose instruction may leave ... */
    uint64_t ready_for[MAX_PIPES]; /* ... for this pipe */
    bool is_short; /* a warp was refused; all are asked again when anything is freed */
    unsigned loads, stores; /* free places in the queues */
    struct loog_stack units, names;
    struct loog_unit unit[LOOG_MAX_UNITS];
    struct loog_name name[LOOG_MAX_NAMES];
};

struct loog_warp {
    unsigned n;         /* instructions in the buffer, the warp's window ... */
    uop_id oldest;      /* ... from this one on */
    unsigned held;      /* instructions in units that have not left */
    unsigned under_way; /* issued and not yet written back */
    /* no further issue: an instruction that must run alone is in flight */
    bool is_closed;
    bool was_counted;  /* the buffer's oldest has been counted as finding no room */
    uint64_t branch;   /* number + 1 of an unresolved branch; 0: none */
    unsigned n_memory; /* memory operations that have not left ... */
    uint8_t memory[LOOG_MAX_UNITS]; /* ... their units, oldest first */
    /* instruction that will write it; NO_UOP: the value is in the register file */
    uop_id rat[N_REGID];
};

struct loog {
    struct scheme base;
    struct loog_sub sub[MAX_SUBCORES];
    struct loog_warp warp[];
};

#endif
