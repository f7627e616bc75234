/* darsie.h - parameters, statistics and state of DARSIE (darsie.c, darsie_registers.h,
 * darsie_table.h).
 */
#ifndef LENO_SKIP_DARSIE_H
#define LENO_SKIP_DARSIE_H

#include "skip/common.h"

enum {
    DARSIE_MAX_REGISTERS = 64, /* a bit each in a word */
    DARSIE_MAX_ENTRIES = 64,
    DARSIE_MAX_PORTS = 16,
    DARSIE_MAX_RESULTS = 8, /* registers of an instruction that can be shared */
    DARSIE_PRIVATE = 0      /* in a map: the register itself */
};

#define DARSIE_PARAMS(NUM, ENUM, BOOL)                                                  \
    NUM(entries, 8, 1, DARSIE_MAX_ENTRIES, "", "PC skip table of a block")              \
    NUM(ports, 2, 0, DARSIE_MAX_PORTS, "",                                              \
        "PCs that are looked up in the skip tables of an SM a cycle; 0: any number")    \
    NUM(registers, 32, 1, DARSIE_MAX_REGISTERS, "register",                             \
        "vector registers of a block for shared results; fewer if that would keep a "   \
        "block from an SM")                                                             \
    BOOL(                                                                               \
        own_file, false,                                                                \
        "shared registers are in a file of their own, so there are always all of them") \
    BOOL(conditional, true,                                                             \
         "what is redundant in blocks of some shapes is skipped where the shape fits")  \
    BOOL(loads, true, "loads are skipped as well")                                      \
    BOOL(ignore_store, false, "stores leave loads in the skip table")                   \
    BOOL(no_cf_sync, false,                                                             \
         "ideal: warps wait for each other neither at branches nor for registers, of "  \
         "which, and of entries, there are always enough")                              \
    BOOL(predicates, false, "instructions that write predicates are skipped as well")   \
    BOOL(uniform, true,                                                                 \
         "instructions that write uniform registers are skipped as well")               \
    BOOL(conflicts, true, "followers read the banks of shared registers")
struct darsie_params {
    DARSIE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define DARSIE_STATS(STAT)                                                             \
    STAT(definitely, "warp inst", "", "skipped: redundant in any block")               \
    STAT(conditionally, "warp inst", "", "skipped: redundant in blocks of this shape") \
    STAT(uniform, "warp inst", "", "of the skipped: the same value in all lanes")      \
    STAT(affine, "warp inst", "", "of the skipped: values that rise evenly")           \
    STAT(unstructured, "warp inst", "", "of the skipped: values without a pattern")    \
    STAT(skipped_loads, "warp inst", "", "of the skipped: loads")                      \
    STAT(led, "warp inst", "", "executed by a leader for the others")                  \
    STAT(vector, "warp inst", "", "executed: not redundant in this block")             \
    STAT(off_path, "warp inst", "",                                                    \
         "executed: redundant, but the warp is not on the majority path or has lanes " \
         "off")                                                                        \
    STAT(unshared, "warp inst", "",                                                    \
         "executed: redundant, but of a kind that is not shared: stores, control, "    \
         "predicates")                                                                 \
    STAT(alone, "warp inst", "",                                                       \
         "executed: redundant, but no register or entry is free")                      \
    STAT(leader_waits, "warp inst", "", "waits for a leader's result")                 \
    STAT(port_waits, "warp inst", "", "waits for a port of the skip table")            \
    STAT(register_waits, "warp inst", "",                                              \
         "waits for all warps to arrive, as no register is free")                      \
    STAT(                                                                              \
        name_waits, "warp inst", "",                                                   \
        "waits for older instructions that touch the register (reservation stations)") \
    STAT(branch_waits, "warp inst", "", "waits at a branch for the other warps")       \
    STAT(branch_syncs, "", "", "branches at which warps have waited for each other")   \
    STAT(minority, "warp", "", "warps that left the majority path as a whole")         \
    STAT(diverged, "warp", "", "warps that left it with their lanes parted")           \
    STAT(copied, "register", "", "shared registers copied by warps that left")         \
    STAT(invalidated, "", "",                                                          \
         "loads taken out of a skip table by stores and the like")                     \
    STAT(replaced, "", "", "entries taken out of a full skip table")
struct darsie_stats {
    DARSIE_STATS(STAT_FIELD)
};

/* Where a warp is, as far as others of its block are concerned. */
enum darsie_sync {
    DARSIE_FREE,
    DARSIE_BRANCHING, /* a branch is under way ... */
    DARSIE_ARRIVED,   /* ... is resolved, and others are not there yet */
};

struct darsie_warp {
    uint64_t position; /* barriers, and behind them instructions since the last: on the
                        * majority path equal numbers are equal instructions */
    uint64_t path;     /* a digest of the way it took since */
    uint64_t barriers; /* behind which it is */
    uint64_t branch;   /* number of the branch, and ... */
    uint64_t target;   /* ... where it leads */
    uint8_t sync;      /* enum darsie_sync */
    bool waits; /* for a leader, for registers or for its own older instructions */
    uint8_t map[N_REGID]; /* 1 + the shared register; DARSIE_PRIVATE */
    struct skip_use use;  /* is_strict only */
};

enum darsie_state {
    DARSIE_EMPTY,
    DARSIE_LED,    /* its leader has not written */
    DARSIE_SHARED, /* its leader has (LeaderWB) */
    DARSIE_MEETS,  /* no register was free: warps wait for all of them to arrive */
    DARSIE_ALONE,  /* they have, and there is none: each executes it */
};

/* Of the PC skip table. */
struct darsie_entry {
    uint8_t state; /* enum darsie_state */
    uint8_t n_results;
    bool is_load, is_global;
    uint8_t
        at[DARSIE_MAX_RESULTS]; /* shared registers, in the order of what it writes */
    uint64_t pc, position, path;
    uint64_t age;
    uint64_t seq;  /* its leader's instruction ... */
    uint16_t warp; /* ... and warp */
};

struct darsie_block {
    struct warpset warps;                 /* that have not ended */
    struct warpset majority;              /* of them, on the majority path */
    uint64_t barriers;                    /* behind which the first of them is */
    uint64_t free;                        /* shared registers, as bits */
    uint16_t users[DARSIE_MAX_REGISTERS]; /* maps and instructions under way */
    struct darsie_entry entry[DARSIE_MAX_ENTRIES];
};

struct darsie {
    struct skip base;
    bool has_shape;     /* conditionally redundant is redundant, in this kernel */
    unsigned registers; /* of a block, in this kernel */
    bool is_off;        /* there are none */
    uint64_t ages;
    uint64_t port_cycle; /* in which n_ports are in use, for ... */
    unsigned n_ports;
    uint64_t port[DARSIE_MAX_PORTS]; /* ... these PCs */
    uint64_t *held;                  /* by uop: shared registers, as bits */
    struct darsie_warp warp[MAX_WARP_SLOTS];
    struct darsie_block block[MAX_WARP_SLOTS];
};

static inline const struct darsie_params *darsie_params(const struct darsie *d)
{
    return d->base.params;
}

/* Entries of a block's skip table. */
static inline unsigned darsie_entries(const struct darsie *d)
{
    const struct darsie_params *p = darsie_params(d);

    return p->no_cf_sync ? DARSIE_MAX_ENTRIES : p->entries;
}

/* Slots of a block (skip_keep()): one for each register, who wrote it last, then one for
 * each entry, its leader. */
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
