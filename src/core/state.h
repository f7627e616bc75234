/* state.h - the inside of an SM, shared by its stages (stages.h). A scheme never sees it.
 */
#ifndef LENO_CORE_STATE_H
#define LENO_CORE_STATE_H

#include <stddef.h>

#include "base/bits.h"
#include "core/narrow.h"
#include "core/ports.h"
#include "core/sm.h"

enum {
    MAX_BLOCK_SLOTS = 64,
    UNIT_LATCHES = 2, /* cycles at a unit's input and output, with collectors */
    WHEEL = 4096,     /* cycles ahead that an event may lie */
    NO_EVENT = 0, /* the pool's first, which nobody gets, so that it may be fetched */
    N_BLOCK_BARRIERS = 16,
    VERSION_WORDS = 65536 / 64, /* a bit for each version of 16 bits */
    MAX_AHEAD = 1 << 14         /* of the window's oldest: versions have 16 bits */
};

_Static_assert(MAX_BANKS <= 16, "sm.writes has a bit for each bank");

/* For the bit of a warp in its sub-core; the bit behind it, in turn, is the first. */
enum { NOBODY = 2 * MAX_SUBCORE_WARPS - 1 };

enum warp_wait { WAIT_NONE, WAIT_BARRIER, WAIT_FENCE, WAIT_ATOMIC, WAIT_EXIT };

/* What a warp offered when it was last asked: the mask in which it stands, by cause if it
 * offers nothing, by pipe if it does; in none that counts from its issue until it is asked
 * again. */
enum { FILED_OFFER = N_STALL, N_FILED = N_STALL + N_PIPE, UNFILED = N_FILED };
_Static_assert(N_FILED <= 32, "a word has a bit for each mask");
struct filed {
    uop_id uop;  /* NO_UOP: none */
    uint8_t key; /* enum stall, or FILED_OFFER + enum pipe, or UNFILED */
    bool yield;
};

/* Instructions of a warp that its front end has executed and fetch has not taken yet.
 * Executing several at a time keeps a warp's registers in the host's caches. */
enum { AHEAD = 8 };
struct ahead {
    uint8_t first, n;
    bool has_ended; /* the stream gave its last */
    uop_id at[AHEAD];
};

/* An instruction that has issued: what a violation tells of it, when it may have retired. */
enum { ISSUE_NOTES = 16 };
struct issue_note {
    const struct inst *inst; /* NULL: none */
    uint32_t seq, cycle;     /* the lower half */
};

enum { WARP_ALIGN = 64 };
struct warp {
    /* One line of the host's cache: what every instruction touches. */
    _Alignas(WARP_ALIGN) bool is_resident;
    bool has_ended;     /* the stream gives no more */
    bool has_exited;    /* its last instruction was issued */
    bool at_barrier;    /* a barrier was fetched that has not opened */
    bool awaits_code;   /* from the instruction cache */
    bool has_yielded;   /* with its last instruction */
    uint8_t wait;       /* enum warp_wait */
    uint8_t hold_cause; /* enum stall, with hold */
    uop_id branch;      /* fetch waits until it is resolved */
    struct uop_list window;
    uint16_t in_flight; /* fetched, not retired */
    struct filed filed;
    bool by_version;                 /* it has left program order; see check_issued() */
    uop_id order_first, order_last;  /* memory operations not yet performed */
    uint16_t loads, stores, atomics; /* issued, not answered */
    uint64_t hold;                   /* offers nothing before this cycle */
    uint64_t fetch_at;               /* fetches nothing before this cycle */
    uint64_t read_step;              /* step of the last read of those issued */
    uint64_t n_named; /* instructions whose sources' versions are named */
    /* Fetch, barriers. */
    _Alignas(WARP_ALIGN) struct ahead ahead;
    uint8_t block;          /* slot */
    uint8_t barrier;        /* WAIT_BARRIER: which */
    uint16_t index;         /* in the block */
    uint16_t first_version; /* of its registers; they go on rising from warp to warp */
    uint64_t next_seq;      /* instructions taken from its stream */
    uint64_t age;           /* launch order */
    uint64_t next_pc;       /* of the next fetch; 0 = not known */
    /* Some machines only. */
    struct uop_list held;    /* in reservation stations */
    uint64_t yielded;        /* the cycle in which it has, ... */
    uint64_t ready_since;    /* ... and since which it is in the queue of gty */
    struct regset unwritten; /* !by_version: results of those issued, to be written */
    /* Kept from warp to warp of a slot: versions go on rising, nothing is cleared. */
    _Alignas(WARP_ALIGN) struct reg_version {
        uint16_t newest; /* of the youngest fetched writer */
        uint16_t held;   /* what the register holds */
    } reg[N_REGID];
    struct reg_writer wrote[N_REGID];    /* ports */
    struct issue_note note[ISSUE_NOTES]; /* the last to issue, by number modulo this */
};
_Static_assert(offsetof(struct warp, ahead) == WARP_ALIGN, "one line");

struct block_slot {
    bool is_used;
    struct stream *stream;
    uint64_t index; /* in the grid */
    uint32_t n_warps, n_exited, n_done;
    struct warpset warps;
    uint16_t arrived[N_BLOCK_BARRIERS];
    uint16_t expected[N_BLOCK_BARRIERS]; /* 0 = all that have not exited */
    uint64_t counted; /* cycle in which the last arrival has been counted */
};

/* With renaming, of 64 versions: those with a pending write, and by what kind of unit. */
struct version_bits {
    uint64_t pending, far, near;
};

/* A memory operation with its operands that waits, in its collector, for the latch before
 * the LSU. */
struct mem_waiter {
    uop_id uop;
    uint64_t issued;
    uint64_t ready; /* step in which it could leave */
};

/* An instruction in its latch that no collector is in sight for. */
struct latched {
    uop_id uop;
    uint8_t subcore;
    uint64_t issued;
};

/* A cycle that does not come. Vectors of numbers are compared with their signs. */
#define NEVER (UINT64_MAX / 2)

enum { SUBCORE_ALIGN = 64 };
struct subcore {
    _Alignas(SUBCORE_ALIGN) uint32_t index; /* among the SM's, ... */
    uint32_t self;                          /* ... the same as a bit */
    uint32_t latched; /* pipes whose latch holds one with no collector in sight */
    unsigned last;    /* bit of the warp issued last; NOBODY: none */
    uint64_t keys;    /* masks below with any warp, as bits */
    uint64_t
        latches_free;  /* cycle from which all latches take another, but for latched */
    uint64_t offering; /* warps with an offer, as bits. Not beside keys: compilers would
                            * make one access of both, just after one of them is written */
    uint64_t *slot;    /* its cycles in the statistics */
    enum stall cause;  /* what they go to ... */
    uint64_t since;    /* ... from this one on */
    uint64_t warps;    /* resident, as bits */
    uint64_t retry;    /* nothing it offers is taken before; see sm.blocked */
    uint64_t last_entry;         /* step of the last entry into a collector */
    uint64_t filed[N_FILED + 1]; /* warps, as bits, by filed.key */
    /* Of each pipe. Times of collection are in steps; see collect.c. */
    uint64_t latch_free[N_PIPE]; /* cycle from which its latch takes another, ... */
    uint64_t exec_free[N_PIPE];  /* ... the latch before the unit, ... */
    uint64_t unit_free[N_PIPE];  /* ... and the unit */
    uint64_t *collector_free; /* steps, in order; UINT64_MAX: until the LSU takes one */
    uint64_t mem_at;          /* cycle from which the LSU may take what is ... */
    uop_id mem_exec;          /* ... in the latch before it; NO_UOP: none */
    uint64_t mem_issued;      /* when that was */
    struct mem_waiter *mem_wait; /* ring of as many as there are collectors */
    unsigned mem_first, n_mem_wait;
    uint64_t read_free[MAX_BANKS]; /* step from which a bank serves a read */
    /* Some schedulers and machines. */
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
    uint64_t next;      /* first cycle that it has not been through */
    uint64_t wake;      /* the next in which it has something to do, replies apart */
    uint64_t accounted; /* statistics are complete before this cycle */
    bool progress;      /* something happened in this cycle */

    struct kernel *kernel;
    uint32_t kernel_number;
    uint64_t kernel_key; /* of its name, for latencies */
    unsigned max_blocks, n_blocks;
    uint64_t ages;
    struct block_slot block[MAX_BLOCK_SLOTS];

    struct warp *warp;
    unsigned n_warps; /* resident */
    struct warpset resident;
    struct warpset dirty;       /* whose offer must be asked again */
    struct warpset fetchable;   /* whose next instruction may be fetched now */
    struct warpset timed;       /* that wait for a cycle: hold or fetch_at */
    uint64_t next_timed;        /* no later than the first of them */
    struct warpset stream_wait; /* whose stream waits for other warps */
    struct warpset opened;      /* whose barrier has opened in this cycle */
    struct warpset skip_wait;   /* whose fetch the redundancy eliminator holds back */
    unsigned last_fetched;
    unsigned fetch_latch; /* warp fetched for and not yet decoded; n = none */
    struct subcore sub[MAX_SUBCORES];
    unsigned step_shift;               /* log2 of regfile.steps */
    uint64_t *collector_free;          /* of all sub-cores */
    struct mem_waiter *mem_wait;       /* of all sub-cores */
    unsigned skew;                     /* bits of a warp that count for its banks */
    uint8_t bank_of[2 * 256];          /* of register + (warp & skew) */
    uint16_t writes[64][MAX_SUBCORES]; /* by cycle mod 64: banks that take a unit's
                                        * result, as bits */
    struct latched entry[MAX_SUBCORES * N_PIPE]; /* in the order of issue */
    unsigned n_entry;
    uint32_t memory_out; /* sub-cores with something in the latch before the LSU */
    uint64_t memory_at;  /* cycle from which the LSU may take one of it, with room */
    uint32_t touched;    /* sub-cores to be looked at: something has changed */
    uint32_t blocked;    /* sub-cores with offers that only wait for latches, ... */
    uint64_t next_retry; /* ... none of which is free before this cycle */

    struct uop *pool;
    uint64_t (*lists)[WARP_LANES]; /* lent to its uops, for uneven addresses */
    unsigned n_pool, n_free;
    uop_id *free_list;
    struct pending *pending;       /* by warp: registers with a pending write */
    struct version_bits *versions; /* renaming: VERSION_WORDS per warp; else NULL */
    struct narrow *narrow;         /* where hazards are switched off; else NULL */

    uop_id wheel[WHEEL];            /* events by cycle, linked; NO_EVENT: no more */
    uint64_t wheel_set[WHEEL / 64]; /* buckets that are not empty */
    uint8_t results[WHEEL];         /* result buses taken, by cycle */
    unsigned n_events;

    struct memory *memory;
    struct lsu *lsu;
    uint64_t lsu_at; /* cycle from which the LSU has something to do */
    struct scheme *scheme;
    struct skip *skip;
    bool has_values; /* its streams give them, for the eliminator and its claims */
    const char *unchecked;     /* why its claims are not checked; NULL: they are */
    const char *was_unchecked; /* the same of any kernel so far */
    struct trace *trace;
    struct latency_table *latency;
    struct sm_stats stats;
    struct icache *icache;
    bool has_icache; /* it is not perfect */
    bool is_plain;   /* nobody asks for stages between issue and result */
};

#endif
