/* rig.h - small programs as a front end shows them, run on a machine, with a note of
 * what happened to every instruction.
 *
 * A program is a list of instructions that compute nothing: registers, class, addresses
 * and where to go next are all that a pipeline sees. Warps may have different programs.
 * Barriers are kept as a front end keeps them: a stream stops behind one until the
 * others have come.
 */
#ifndef LENO_TESTS_CYCLE_RIG_H
#define LENO_TESTS_CYCLE_RIG_H

#include "analysis/hybrid.h"
#include "isa/stream.h"
#include "sim/gpu.h"

enum {
    RIG_PC = 0x10000,
    RIG_WARPS = 128, /* of a block */
    RIG_CODES = 8,   /* different programs of a kernel */
    RIG_SETS = 64,   /* settings of a run */
    RIG_COPIES = 32, /* of a block, that have not ended */
    RIG_NEVER = 4096 /* a jump that is always taken */
};

struct rig_op {
    struct inst inst;
    char name[12];
    uint32_t active;            /* lanes that fetch it */
    uint32_t mask;              /* of those, lanes whose guard holds */
    uint64_t base, lane, round; /* address = base + lane n x lane + round x round */
    int target;                 /* place it may jump to; -1: none */
    unsigned times;             /* how often it does; RIG_NEVER: always */
    uint64_t takers;            /* of the first 64 warps, as bits: which do; of an exit:
                                 * which end there, if not all are named */
    uint8_t mark;               /* enum redundancy */
    uint8_t shape;          /* enum value_shape of its result, which is the same ... */
    bool by_warp, by_round; /* ... but for these, in all warps and executions */
    uint8_t barrier, bar_kind;
    uint16_t bar_warps; /* try: copies that must have ended */
    uint32_t copied;    /* tma: bytes, from base on */
    uint64_t map;       /* of tma: where its tensor map is, ... */
    bool has_param;     /* which is a parameter */
};

struct rig_code {
    struct rig_op *op;
    unsigned n, room;
    bool is_together; /* distances may cross jumps: a warp's lanes never part here */
};

struct rig_kernel {
    struct kernel base;
    struct rig_code code[RIG_CODES];
    unsigned n_codes;
    uint8_t code_of[RIG_WARPS]; /* by warp of a block */
    bool has_no_exit;           /* programs just stop */
    bool is_recorded;           /* streams know what follows a barrier */
    unsigned n_open;            /* blocks opened and not closed */
    unsigned rows;              /* of a plane; 0: one */
    unsigned planes;            /* of a block; 0: one */
    uint8_t *marks;
    uint64_t n_opened;
};

struct rig_op *rig_add(struct rig_code *c); /* zeroed, mask full, no target */
void rig_finish(struct rig_kernel *k);      /* PCs, exits, indices; before a run */
/* Names operands by distance, with instructions inserted where that takes some. */
void rig_convert(struct rig_code *c, const struct naming *naming);
void rig_free(struct rig_kernel *k); /* what it holds */

/* Operands: a run of n registers from an id of isa/inst.h. */
void rig_reads(struct rig_op *o, unsigned id, unsigned n);
void rig_writes(struct rig_op *o, unsigned id, unsigned n);

/* An operation by its name in the text files; NULL if there is none. */
struct rig_kind {
    const char *name;
    uint8_t class, space, bytes;
    uint16_t flags;
    bool has_dst;
    uint8_t memory; /* where it is not what its class has */
};
const struct rig_kind *rig_kind(const char *name);
const struct rig_kind *rig_kind_at(unsigned n);
struct rig_op *rig_add_kind(struct rig_code *c, const struct rig_kind *kind);
void rig_make_copy(struct rig_op *o); /* a load into shared memory, asynchronously */

/* What became of an instruction; cycles, 0: not yet. */
struct rig_note {
    uint64_t window, issue, collect, start, write, retire;
    const char *cause; /* why it waited in the cycle before its issue; NULL: unknown */
    const char *wait;  /* as last told */
    uint64_t wait_from;
    uint32_t n_window, n_issue, n_retire;
    const struct inst *inst;
    bool waits;      /* a barrier that waits */
    bool arrives;    /* a barrier to which the warp has come, to wait or not */
    uint8_t barrier; /* of it: the number */
    bool is_partial; /* not all lanes execute it */
    bool is_empty;   /* none does */
};

struct rig_warp {
    struct rig_note *note;
    unsigned n, room;
};

struct rig_issue {
    uint64_t cycle;
    uint32_t block, warp, sm, slot, seq, unused;
};

/* A run: machine in, notes out. */
struct rig_run {
    const char *gpu, *scheme; /* scheme NULL: the machine's own */
    const char *set[RIG_SETS];
    unsigned n_set;
    bool is_quiet; /* no notes */
    uint64_t max_cycles;

    struct err err; /* code 0: it ran to its end */
    uint64_t cycles;
    unsigned n_subcores, n_sms;
    bool atomic_blocks;
    /* With ports, control words let an instruction issue while its registers have pending
     * writes, if they are written in order; the upper half of a wide product's addend is
     * read so many cycles later. */
    bool may_overlap;
    unsigned late_half;
    struct rig_warp *warp; /* block x warps of a block + warp */
    unsigned n_warps, per_block;
    struct rig_issue *issue; /* in order */
    unsigned n_issue, issue_room;
    struct sm_stats stats; /* of all SMs */
    struct buf report, json;
};

/* False if not even a machine could be made; the words are in err. */
bool rig_go(struct rig_run *r, struct rig_kernel *k);
void rig_run_free(struct rig_run *r);

#endif
