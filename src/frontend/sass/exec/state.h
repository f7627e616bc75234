/* state.h - architectural state of a running grid, shared by the exec_*.c files.
 *
 * A warp's lanes are split into groups that run together: one current group (active,
 * pc), the others parked with a program counter and a reason each. Registers are kept
 * as rows of 32 lanes. Row 0 is RZ, row n + 1 is Rn, so that (uint8_t)(n + 1) finds
 * the row of any source; the rows after the last named register are spare.
 */
#ifndef LENO_SASS_STATE_H
#define LENO_SASS_STATE_H

#include <pthread.h>

#include "frontend/sass/exec/exec.h"

#define ALL_LANES 0xffffffffu

/* Generic windows: bits 32.. of an address that means shared or local memory. */
#define SHARED_WINDOW 0x00007a0000000000ull
#define LOCAL_WINDOW  0x00007b0000000000ull
/* Where constant bank 0, which holds the parameters, seems to lie in global memory. */
#define BANK_WINDOW 0x00007c0000000000ull

enum { N_BARRIERS = 16, N_BREGS = 16, MAX_WARPS = 32 };
enum { ROW_BYTES = WARP_LANES * sizeof(uint32_t) };

enum lane_state {
    LANE_RUN,       /* in the current group, or parked and able to run */
    LANE_BSYNC,     /* waits at BSYNC for barrier register lane_wait */
    LANE_WARPSYNC,  /* waits for the lanes of lane_wait */
    LANE_EXCLUSIVE, /* the same, and goes on with them alone */
    LANE_COLLECT,   /* waits at WARPSYNC.COLLECTIVE */
    LANE_BARRIER,   /* waits at block barrier lane_wait */
    LANE_EXITED,
};

/* What every instruction looks at is in the first two lines of the host's cache, which
 * come together; most of the rest is for warps that part, or for instructions that are
 * rare. */
enum { STATE_ALIGN = 128 };
struct sass_warp {
    /* The first line tells what comes next ... */
    _Alignas(STATE_ALIGN) struct sass_block *block;
    union {
        uint32_t (*rows[4])[WARP_LANES]; /* by enum opd_way */
        struct {
            void *none;
            uint32_t (*r)[WARP_LANES]; /* registers; see above */
            uint32_t (*u)[WARP_LANES]; /* uniform ones; all lanes of a row are equal */
            uint32_t (*scalars)[WARP_LANES]; /* of the launch; see scalars.c */
        };
    };
    uint64_t pc;      /* of the current group */
    uint64_t seq;     /* instructions executed */
    uint32_t active;  /* the current group; 0: none is chosen */
    uint32_t repeats; /* lanes that execute a BSYNC or WARPSYNC once more */
    /* ... the second whether it is executed, the third is for branches and barriers. */
    struct dyn *dyn; /* being filled, or NULL */
    union {
        struct {
            uint32_t p[N_PRED];  /* lanes in which the predicate holds; p[7] all */
            uint32_t up[N_PRED]; /* ALL_LANES or 0; up[7] all */
        };
        uint32_t guards[2 * N_PRED]; /* both */
    };
    uint32_t exited;   /* lanes done, or that never existed */
    uint32_t parked;   /* lanes able to run, not in the current group */
    uint32_t deferred; /* of parked: the lanes parked last, a group still */
    uint32_t yielded;  /* of parked: those that executed YIELD and have not run since */
    uint32_t waiting;  /* lanes in a waiting state */
    uint32_t barred;   /* of waiting: the lanes at block barriers */
    uint32_t loops;    /* backward branches since a turn was given */
    uint32_t spins;    /* the same since lanes last met, yields too */
    uint64_t picked;   /* seq of the first instruction of lanes from the pool */
    uint32_t restored; /* as bits: barriers whose mask was restored, not made by BSSY */
    uint32_t came_last; /* the group that came last to a WARPSYNC */
    uint32_t index;     /* in the block */
    bool slept;         /* gave up its turn: yield, sleep, spinning */
    bool rests; /* all of it waits at block barrier rest_at; see converge_rest() */
    uint8_t rest_at;
    bool collects;        /* all lanes of a WARPSYNC.COLLECTIVE execute it once more */
    bool red_and, red_or; /* results of the last BAR.RED, and ... */
    uint8_t red_op;       /* ... POPC, AND, OR: which of them it asked for */
    uint32_t red_count;
    uint32_t cluster_lanes; /* arrived at the cluster's barrier */
    uint8_t *local;         /* 32 lanes of local_size bytes; NULL until used */
    /* if timed: what reads the time or works on a barrier, and has yet to issue */
    const struct sass_inst *late;
    uint32_t n_registers,
        wants_registers; /* per thread; 0: wants none; exec_maxreg.c */
    uint64_t sync_pc;    /* of the BSYNC that lanes came to last, and had to wait */
    uint8_t lane_state[WARP_LANES];
    uint32_t lane_group[WARP_LANES]; /* WARPSYNC.EXCLUSIVE: runs with these only */
    /* From here on nothing is cleared at first but what the module names of barriers and
     * return addresses: the rest is not read before it is written. */
    uint32_t b[N_BREGS];         /* convergence barriers: see converge.c */
    uint32_t rpc[2][WARP_LANES]; /* return address register, low and high word */
    uint32_t lane_wait[WARP_LANES];
    uint64_t lane_pc[WARP_LANES];
    uint64_t lane_parked[WARP_LANES];   /* seq when it was parked: who waits longest */
    uint64_t collect_pc[WARP_LANES];    /* where a lane goes on after ENDCOLLECTIVE */
    uint32_t collect_group[WARP_LANES]; /* and its group then */
    uint8_t unused[STATE_ALIGN];        /* for the rule below */
};

/* First lines an even number of pairs apart would share a half of the caches' sets. */
_Static_assert(sizeof(struct sass_warp) / STATE_ALIGN % 2, "an odd number of pairs");

/* How an operation on a barrier in shared memory is executed. */
enum sass_phase {
    PHASE_EARLY, /* before it issues: if timed, only its addresses are found */
    PHASE_TRY,   /* it takes effect; a wait may be asked again */
    PHASE_LAST,  /* the same, and a wait gives up */
};

/* A block barrier: who has come, who must come. */
struct sass_barrier {
    bool red_false;            /* BAR.RED: a predicate was false */
    uint32_t expected;         /* threads; 0 = every live thread of the block */
    uint32_t red_count;        /* BAR.RED: predicates that held */
    uint32_t warps;            /* warps that have come with all their lanes */
    uint32_t come;             /* threads counted: 32 for each of those */
    uint32_t lanes[MAX_WARPS]; /* lanes of each warp that have come */
    uint64_t first_pc;         /* where the first came, and which thread it was: */
    uint32_t first_thread;     /* for sanitize.h */
};

struct sass_block {
    _Alignas(STATE_ALIGN) struct stream stream; /* first */
    struct sass_grid *grid;
    struct sass_warp *warps;
    struct err *err;         /* of the call in progress */
    uint64_t steps;          /* is_timed: instructions executed */
    struct race_block *race; /* NULL: nobody looks for races */
    uint32_t id[3];
    uint32_t n_threads, n_warps;
    uint32_t all_warps, done_warps; /* as bits: those that exist, those that ended */
    uint8_t *shared;
    uint32_t shared_size;         /* as a GPU allocates it: whole units */
    struct sass_cluster *cluster; /* NULL: alone */
    uint32_t rank, cluster_warps; /* in it; warps arrived at its barrier */
    uint32_t used_barriers;       /* as bits: those that somebody has come to */
    struct sass_time told;        /* stream.is_timed: the last time told */
    uint32_t free_registers;   /* per thread of one warp, given back; exec_maxreg.c */
    uint32_t n_opened;         /* barriers that let warps go on, so far */
    uint8_t phase;             /* enum sass_phase */
    bool phase_waits;          /* what takes effect waits for a phase */
    struct sass_copy *copying; /* if timed: the one that is executed; else NULL */
    struct sass_copy *copies;  /* if timed: those that have not ended */
    uint8_t *shared_set; /* sanitize.h: a bit per byte that was written; or NULL */
    struct sass_block *next_ended;
    size_t bytes;                             /* of its memory */
    struct sass_barrier barriers[N_BARRIERS]; /* last: those not in use hold anything */
};

/* Handler of each opcode, NULL where it cannot be executed; the same for AVX2. */
extern exec_fn *const sass_handlers[N_SASS_OP];
extern exec_fn *const sass_handlers_wide[N_SASS_OP];

struct sass_grid {
    struct sass_launch launch;
    enum sass_arch arch;
    uint64_t n_blocks;
    uint32_t n_threads;               /* per block */
    uint32_t shared_size, local_size; /* bytes, bytes per lane */
    uint32_t n_rows;                  /* of registers: RZ and those that are named */
    uint32_t n_urows;                 /* of uniform ones, spare ones too */
    struct regset unset;              /* what a warp must find cleared */
    uint8_t *bank0; /* parameters and driver area, one copy for all blocks */
    uint32_t bank0_size;
    struct sass_bank bank[8];       /* what the kernel sees */
    uint32_t (*spread)[WARP_LANES]; /* scalars as rows; see scalars.c */
    struct sass_run_stats *stats;   /* of sass_run(), or of who counts; may be NULL */
    uint64_t time;                  /* counts instructions: clock registers */
    bool is_rest;                   /* a pipeline has executed a part of it, and ... */
    struct sass_time reached;       /* ... came so far; 0 if there was none */
    uint64_t look_at, most;         /* when sass_run() asks the watch, and must stop */
    bool is_stopped;                /* by it */
    bool counts_each;               /* stats has counts of each instruction */
    uint64_t heap, heap_used;       /* device heap for malloc() */
    uint32_t cluster_size;          /* blocks */
    const struct sass_inst **tried; /* stream.wants_async: waits for phases so far */
    uint32_t n_tried;
    struct sass_cluster *clusters; /* those with blocks in flight */
    struct sass_kept *kept, own;   /* the launch's, or its own */
    pthread_mutex_t lock;          /* for what is kept */
    struct views *views;  /* of global memory; NULL: blocks see what is there */
    struct view_sm *view; /* the same by SM */
};

#define LANES(l) for (unsigned l = 0; l < WARP_LANES; l++)

#endif
