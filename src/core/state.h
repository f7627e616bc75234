/* state.h - the state of an SM, shared by its stages (stages.h). A scheme never sees
 * it.
 */
#ifndef LENO_CORE_STATE_H
#define LENO_CORE_STATE_H

#include <stddef.h>

#include "base/agenda.h"
#include "base/bits.h"
#include "core/narrow.h"
#include "core/ports.h"
#include "core/sm.h"
#include "core/wake.h"

enum {
    MAX_BLOCK_SLOTS = 64,
    UNIT_LATCHES = 2, /* cycles at a unit's input and output, with collectors */
    WHEEL = 4096,     /* how many cycles ahead an event may lie */
    NO_EVENT = 0,     /* the pool's first uop, which is never used */
    N_BLOCK_BARRIERS = 16,
    VERSION_WORDS = 65536 / 64, /* one bit per 16-bit version */
    MAX_AHEAD = 1 << 14         /* of the window's oldest: versions have 16 bits */
};

_Static_assert(MAX_BANKS <= 16, "sm.writes has a bit for each bank");

/* In place of a warp's bit in its sub-core; the next bit in turn is the first. */
enum { NOBODY = 2 * MAX_SUBCORE_WARPS - 1 };

enum warp_wait { WAIT_NONE, WAIT_BARRIER, WAIT_FENCE, WAIT_ATOMIC, WAIT_EXIT };

/* What a warp last offered: the mask in which it is filed, by stall reason if it offers
 * nothing, by pipe if it does; UNFILED from its issue until it is asked again. */
enum { FILED_OFFER = N_STALL, N_FILED = N_STALL + N_PIPE, UNFILED = N_FILED };
_Static_assert(N_FILED <= 32, "a word has a bit for each mask");
struct filed {
    uop_id uop;  /* NO_UOP: none */
    uint8_t key; /* enum stall, or FILED_OFFER + enum pipe, or UNFILED */
    bool yield;
};

/* Instructions of a warp that its front end has executed and fetch has not taken yet.
 * (perf: executing several at a time keeps a warp's registers in the host's caches) */
enum { AHEAD = 8 };
struct ahead {
    uint8_t first, n;
    bool has_ended; /* the stream has given its last instruction */
    uop_id at[AHEAD];
};

/* An issued instruction, kept for reports of violations after it may have retired. */
enum { ISSUE_NOTES = 16 };
struct issue_note {
    const struct inst *inst; /* NULL: none */
    uint32_t seq, cycle;     /* lower half */
};

enum { WARP_ALIGN = 64 };
struct warp {
    /* perf: one host cache line with all that every instruction uses. */
    _Alignas(WARP_ALIGN) bool is_resident;
    bool has_ended;     /* the stream gives no more instructions */
    bool has_exited;    /* its last instruction has issued */
    bool at_barrier;    /* it has fetched a barrier that has not opened */
    bool awaits_code;   /* waits for the instruction cache */
    bool has_yielded;   /* with its last instruction */
    uint8_t wait;       /* enum warp_wait */
    uint8_t hold_cause; /* enum stall, while hold lasts */
    uop_id branch;      /* fetch waits until it is resolved */
    struct uop_list window;
    uint16_t in_flight; /* fetched, not retired */
    struct filed filed;
    bool by_version;                 /* it has left program order: see check_issued() */
    uop_id order_first, order_last;  /* memory operations not yet performed */
    uint16_t loads, stores, atomics; /* issued, not answered */
    uint64_t hold;                   /* it offers nothing before this cycle */
    uint64_t fetch_at;               /* it fetches nothing before this cycle */
    uint64_t read_step; /* step of the last operand read by issued instructions */
    uint64_t n_named;   /* instructions whose sources' versions are named */
    /* Fetch, barriers. */
    _Alignas(WARP_ALIGN) struct ahead ahead;
    uint8_t block;          /* slot */
    uint8_t barrier;        /* WAIT_BARRIER: number of the barrier */
    uint16_t index;         /* index in the block */
    uint16_t first_version; /* of its first instruction; versions keep growing */
    uint64_t next_seq;      /* instructions taken from its stream */
    uint64_t age;           /* in launch order */
    uint64_t next_pc;       /* PC of the next fetch; 0 = unknown */
    /* Used on some machines only. */
    struct uop_list held; /* in reservation stations */
    uint64_t yielded;     /* last cycle in which it yielded ... */
    uint64_t ready_since; /* ... and since when it is in the queue of gty */
    /* Kept from warp to warp of a slot: versions keep growing, nothing is cleared. */
    _Alignas(WARP_ALIGN) struct reg_version {
        uint16_t newest; /* version of the youngest fetched writer */
        uint16_t held;   /* version that the register holds */
    } reg[N_REGID];
    struct reg_writer wrote[N_REGID];    /* with ports */
    struct issue_note note[ISSUE_NOTES]; /* the last to issue, by number modulo this */
};
_Static_assert(offsetof(struct warp, ahead) == WARP_ALIGN, "one line");

struct block_slot {
    bool is_used;
    struct stream *stream;
    uint64_t index; /* index in the grid */
    uint32_t n_warps, n_exited, n_done;
    struct warpset warps;
    uint16_t arrived[N_BLOCK_BARRIERS];
    uint16_t expected[N_BLOCK_BARRIERS]; /* 0 = all warps that have not exited */
    uint64_t counted; /* cycle in which the last arrival was counted */
};

/* With renaming, of 64 versions: those with a pending write, and by what kind of
 * unit. */
struct version_bits {
    uint64_t pending, far, near;
};

/* A memory operation with all operands that waits in its collector for the latch before
 * the LSU. */
struct mem_waiter {
    uop_id uop;
    uint64_t issued;
    uint64_t ready; /* first step in which it could leave */
};

/* An instruction in its latch with no collector in sight. */
struct latched {
    uop_id uop;
    uint8_t subcore;
    uint64_t issued;
};

enum { SUBCORE_ALIGN = 64 };
struct subcore {
    _Alignas(SUBCORE_ALIGN) uint32_t index; /* number of the sub-core in the SM ... */
    uint32_t self;                          /* ... and the same as a bit */
    uint32_t latched;      /* pipes whose latch has no collector in sight */
    unsigned last;         /* bit of the warp issued last; NOBODY: none */
    uint64_t keys;         /* non-empty masks in filed, as bits */
    uint64_t latches_free; /* first cycle with all latches free, but for latched */
    uint64_t offering;   /* warps with an offer, as bits (perf: away from keys, 036) */
    uint64_t *slot;      /* its cycles in the statistics, by stall reason */
    enum stall cause;    /* the reason that cycles are charged to ... */
    uint64_t since;      /* ... from this one on */
    uint64_t warps;      /* resident warps, as bits */
    uint64_t retry;      /* no offer is taken before this cycle: see sm_wake.blocked */
    uint64_t last_entry; /* step of the last entry into a collector */
    uint64_t filed[N_FILED + 1]; /* warps, as bits, by filed.key */
    /* Per pipe. Times of collection are in steps: see collect.c. */
    uint64_t latch_free[N_PIPE]; /* first cycle in which its latch is free, ... */
    uint64_t exec_free[N_PIPE];  /* ... the latch before the unit is, ... */
    uint64_t unit_free[N_PIPE];  /* ... and the unit */
    uint64_t *collector_free; /* steps, rising; UINT64_MAX: until the LSU takes one */
    uint64_t mem_at;     /* first cycle in which the LSU may take the instruction ... */
    uop_id mem_exec;     /* ... in the latch before it; NO_UOP: none */
    uint64_t mem_issued; /* cycle in which that one issued */
    struct mem_waiter *mem_wait; /* a ring of as many places as collectors */
    unsigned mem_first, n_mem_wait;
    uint64_t read_free[MAX_BANKS]; /* first step in which a bank serves a read */
    /* Used by some schedulers and machines only. */
    uint64_t was_able, able_at; /* gty: warps that could issue, in this cycle */
    unsigned turn;              /* strict round robin */
    uint64_t active;            /* two-level */
    struct port_state port;
};

struct sm {
    struct sm_config config;
    const struct sm_core *core;
    struct unit_timing timing[N_INST_CLASS];
    struct core_shape shape;
    unsigned index;
    uint64_t cycle;
    uint64_t accounted; /* statistics are complete before this cycle */
    struct sm_wake wake;

    struct kernel *kernel;
    uint32_t kernel_number;
    uint64_t kernel_key; /* of its name, for latencies */
    unsigned max_blocks, n_blocks;
    uint64_t ages;
    struct block_slot block[MAX_BLOCK_SLOTS];

    struct warp *warp;
    unsigned n_warps; /* resident */
    struct warpset resident;
    struct warpset stream_wait; /* warps whose stream waits for other warps */
    struct warpset opened;      /* warps whose barrier has opened in this cycle */
    struct warpset skip_wait;   /* warps whose fetch the eliminator holds back */
    unsigned last_fetched;
    unsigned fetch_latch; /* warp fetched for and not yet decoded; n_slots = none */
    struct subcore sub[MAX_SUBCORES];
    unsigned step_shift;         /* log2 of regfile.steps */
    uint64_t *collector_free;    /* for all sub-cores */
    struct mem_waiter *mem_wait; /* for all sub-cores */
    unsigned skew;               /* bits of a warp number that affect its banks */
    uint8_t bank_of[2 * 256];    /* by register + (warp & skew) */
    uint16_t writes
        [64]
        [MAX_SUBCORES]; /* by cycle mod 64: banks that take a unit's result, as bits */
    struct latched entry[MAX_SUBCORES * N_PIPE]; /* in issue order */
    unsigned n_entry;
    uint32_t memory_out; /* sub-cores with an instruction in the latch before the LSU */

    struct uop *pool;
    uint64_t (*lists)[WARP_LANES]; /* provided to its uops, for uneven addresses */
    unsigned n_pool, n_free;
    uop_id *free_list;
    struct pending *pending;       /* per warp: registers with a pending write */
    struct version_bits *versions; /* renaming: VERSION_WORDS per warp; else NULL */
    struct narrow *narrow;         /* if hazards are switched off; else NULL */

    uop_id wheel[WHEEL];            /* events by cycle, linked; NO_EVENT: end */
    uint64_t wheel_set[WHEEL / 64]; /* non-empty buckets */
    uint8_t results[WHEEL];         /* result buses in use, by cycle */
    unsigned n_events;

    struct memory *memory;
    struct lsu *lsu;
    struct scheme *scheme;
    struct skip *skip;
    bool has_values; /* its streams give values, for the eliminator and its claims */
    const char *unchecked;     /* why its claims are not checked; NULL: they are */
    const char *was_unchecked; /* the same for any kernel so far */
    struct trace *trace;
    struct latency_table *latency;
    struct sm_stats stats;
    struct icache *icache;
    bool has_icache; /* false: perfect */
    bool is_plain;   /* no stage between issue and result is of interest */
};

#endif
