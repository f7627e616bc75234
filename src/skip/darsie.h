/* darsie.h - parameters, statistics and state of DARSIE (darsie.c, darsie_path.h,
 * darsie_registers.h, darsie_table.h).
 */
#ifndef LENO_SKIP_DARSIE_H
#define LENO_SKIP_DARSIE_H

#include "skip/common.h"

enum {
    DARSIE_MAX_REGISTERS = 64, /* one bit each in a word */
    DARSIE_MAX_ENTRIES = 64,
    DARSIE_MAX_PORTS = 16,
    DARSIE_MAX_RESULTS =
        8,             /* most registers an instruction can write and still be shared */
    DARSIE_PRIVATE = 0 /* in a map: the warp's own register */
};

#define DARSIE_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(entries, 8, 1, DARSIE_MAX_ENTRIES, "", "PC skip table per block")             \
    NUM(ports, 2, 0, DARSIE_MAX_PORTS, "",                                            \
        "PCs looked up per cycle in the skip tables of an SM; 0: unlimited")          \
    NUM(registers, 32, 1, DARSIE_MAX_REGISTERS, "register",                           \
        "vector registers per block for shared results; fewer if the block would "    \
        "not fit on an SM otherwise")                                                 \
    BOOL(own_file, false,                                                             \
         "shared registers are in a file of their own, so all of them are always "    \
         "available")                                                                 \
    BOOL(conditional, true,                                                           \
         "also skip instructions that are redundant only in blocks of certain "       \
         "shapes, where the shape fits")                                              \
    BOOL(loads, true, "loads are skipped as well")                                    \
    BOOL(ignore_store, false, "stores leave loads in the skip table")                 \
    BOOL(no_cf_sync, false,                                                           \
         "ideal: warps wait for each other neither at branches nor for registers, "   \
         "and registers and entries never run out")                                   \
    BOOL(sync_only, false,                                                            \
         "warps wait for each other at branches, and nothing is skipped "             \
         "(SILICON-SYNC)")                                                            \
    NUM(copy_cycles, 1, 0, 64, "cycle",                                               \
        "per shared register that a warp copies when it leaves the majority path")    \
    BOOL(predicates, false, "instructions that write predicates are skipped as well") \
    BOOL(uniform, true,                                                               \
         "instructions that write uniform registers are skipped as well")             \
    BOOL(conflicts, true, "followers read the banks of shared registers")
struct darsie_params {
    DARSIE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define DARSIE_STATS(STAT)                                                             \
    STAT(definitely, "warp inst", "", "skipped: redundant in any block")               \
    STAT(conditionally, "warp inst", "", "skipped: redundant in blocks of this shape") \
    STAT(uniform, "warp inst", "", "of the skipped: the same value in all lanes")      \
    STAT(affine, "warp inst", "", "of the skipped: affine values")                     \
    STAT(unstructured, "warp inst", "", "of the skipped: values without a pattern")    \
    STAT(skipped_loads, "warp inst", "", "of the skipped: loads")                      \
    STAT(led, "warp inst", "", "executed by a leader for the others")                  \
    STAT(vector, "warp inst", "", "executed: not redundant in this block")             \
    STAT(off_path, "warp inst", "",                                                    \
         "executed: redundant, but the warp is off the majority path or has "          \
         "inactive lanes")                                                             \
    STAT(unshared, "warp inst", "",                                                    \
         "executed: redundant, but of a kind that is not shared (stores, control, "    \
         "predicates)")                                                                \
    STAT(alone, "warp inst", "",                                                       \
         "executed: redundant, but no register or entry was free")                     \
    STAT(leader_waits, "warp inst", "", "waits for a leader's result")                 \
    STAT(port_waits, "warp inst", "", "waits for a port of the skip table")            \
    STAT(register_waits, "warp inst", "",                                              \
         "waits for all warps to arrive because no register is free")                  \
    STAT(                                                                              \
        name_waits, "warp inst", "",                                                   \
        "waits for older instructions that touch the register (reservation stations)") \
    STAT(branch_waits, "warp inst", "", "waits at a branch for the other warps")       \
    STAT(branch_syncs, "", "", "branches at which warps waited for each other")        \
    STAT(minority, "warp", "", "warps that left the majority path as a whole")         \
    STAT(diverged, "warp", "", "warps that left it because they diverged")             \
    STAT(copied, "register", "",                                                       \
         "shared registers copied by warps that left the majority path")               \
    STAT(copy_waits, "warp inst", "", "waits for such copies")                         \
    STAT(invalidated, "", "",                                                          \
         "loads removed from a skip table by stores and the like")                     \
    STAT(replaced, "", "", "entries removed from a full skip table")
struct darsie_stats {
    DARSIE_STATS(STAT_FIELD)
};

/* Where a warp is, as seen by the other warps of its block. */
enum darsie_sync {
    DARSIE_FREE,
    DARSIE_BRANCHING, /* a branch is in flight ... */
    DARSIE_ARRIVED,   /* ... is resolved, and other warps have not arrived yet */
};

struct darsie_warp {
    /* barriers passed, and instructions since the last one: on the majority path
     * equal positions are equal instructions */
    uint64_t position;
    uint64_t path;   /* digest of the path taken since then */
    uint64_t branch; /* number of the branch ... */
    uint64_t target; /* ... and its target; at a barrier: the barrier's PC */
    uint8_t sync;    /* enum darsie_sync */
    uint8_t barrier; /* 1 + the barrier of the block that it waits at, or 0 */
    /* waits for a leader, for registers or for its own older instructions */
    bool waits;
    bool has_copies; /* it has left the majority path and copies what it shared ... */
    uint64_t copied_at;   /* ... until this cycle */
    bool is_looked_up;    /* its next instruction had a port before its fetch */
    uint8_t map[N_REGID]; /* 1 + the shared register, or DARSIE_PRIVATE */
    struct skip_use use;  /* is_strict only */
};

enum darsie_state {
    DARSIE_EMPTY,
    DARSIE_LED,    /* the leader has not written yet */
    DARSIE_SHARED, /* the leader has written (LeaderWB) */
    DARSIE_MEETS,  /* no register was free: warps wait until all of them have arrived */
    DARSIE_ALONE,  /* they have, and no register is free: each executes it */
};

/* An entry of the PC skip table. */
struct darsie_entry {
    uint8_t state; /* enum darsie_state */
    uint8_t n_results;
    bool is_load, is_global;
    uint8_t at[DARSIE_MAX_RESULTS]; /* shared registers, one per register it writes */
    uint64_t pc, position, path;
    uint64_t age;
    uint64_t seq;  /* the leader's instruction ... */
    uint16_t warp; /* ... and warp */
};

struct darsie_block {
    struct warpset warps;    /* warps that have not ended */
    struct warpset majority; /* of these, the warps on the majority path */
    uint64_t barriers;       /* barriers of the block that have opened */
    uint64_t free;           /* free shared registers, as bits */
    /* number of maps and in-flight instructions that use it */
    uint16_t users[DARSIE_MAX_REGISTERS];
    struct darsie_entry entry[DARSIE_MAX_ENTRIES];
};

struct darsie {
    struct skip base;
    enum redundancy weakest; /* mark of instructions that are redundant here */
    unsigned registers;      /* shared registers per block in this kernel */
    bool is_off;             /* there are no registers to share */
    uint64_t ages;
    uint64_t port_cycle; /* cycle in which n_ports are in use, for ... */
    unsigned n_ports;
    uint64_t port[DARSIE_MAX_PORTS]; /* ... these PCs */
    uint64_t *held;                  /* per uop: shared registers it holds, as bits */
    struct darsie_warp warp[MAX_WARP_SLOTS];
    struct darsie_block block[MAX_WARP_SLOTS];
};

static inline const struct darsie_params *darsie_params(const struct darsie *d)
{
    return d->base.params;
}

/* Number of entries in a block's skip table. */
static inline unsigned darsie_entries(const struct darsie *d)
{
    const struct darsie_params *p = darsie_params(d);

    return p->no_cf_sync ? DARSIE_MAX_ENTRIES : p->entries;
}

/* Number of slots of a block (skip_keep()): one per register for its last writer, then
 * one per entry for its leader. */
static inline unsigned darsie_slots(const struct darsie *d)
{
    return darsie_params(d)->registers + darsie_entries(d);
}

static inline struct darsie_stats *darsie_stats(struct darsie *d)
{
    return d->base.stats;
}

static inline struct darsie_block *darsie_block(struct darsie *d, unsigned warp)
{
    return &d->block[d->base.block_of[warp]];
}

#endif
