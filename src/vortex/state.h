/* state.h - the state of a Vortex core, by stage.
 *
 * A register between stages holds the cycle from which its content is valid, so a stage
 * compares cycles. Where a path has no choices left (a unit's latency, a cache hit), the
 * cycle at its end is computed at its start, in either model.
 */
#ifndef LENO_VORTEX_STATE_H
#define LENO_VORTEX_STATE_H

#include "base/bits.h"
#include "base/cycles.h"
#include "frontend/riscv/decode.h"
#include "trace/trace.h"
#include "vortex/issue.h"
#include "vortex/lsu.h"
#include "vortex/queue.h"
#include "vortex/stats.h"
#include "vortex/vortex.h"

enum {
    VX_REGS = 64,      /* 32 integer, 32 float */
    VX_POOL = 512,     /* more instructions than a core holds outside of windows */
    VX_BARRIERS = 256, /* by their number, the global ones in the upper half */
    VX_SETTLE = 2,     /* from a commit to its effect on the issue stage */
    VX_RESULTS = 8,    /* results of a unit that may wait for commit */
    VX_TO_CACHE = 2,   /* from the scheduler to the instruction cache's bus */
    VX_RESPONSES = 2,  /* of the instruction cache that may wait for decode ... */
    VX_STALLED = 3,    /* ... and with one in its second stage, which stops the first */
    VX_IN_CACHE = 4,   /* places for fetches there, in all */
    VX_VERSION_WORDS = 1024, /* of a bitmap of versions of a warp */
};

/* Units with a dispatch buffer of their own, in the order of commit's arbiter. */
enum vx_ex { VX_ALU, VX_LSU, VX_SFU, VX_FPU, N_VX_EX };
/* In vx_dispatch.held, beside the bits of dispatch buffers, the staging register. */
#define VX_STAGED (1u << N_VX_EX)

/* An instruction in flight: what this pipeline keeps besides its struct uop. */
struct vx_flight {
    uint8_t unit;          /* enum riscv_unit */
    uint8_t n_src, src[3]; /* registers to be read; 0 after the last */
    uint8_t rd;            /* 0: nothing is written */
    bool stalls;           /* its warp is scheduled again only when it has executed */
    uint8_t ex;            /* enum vx_ex */
    uint8_t n_parts;       /* packets of its result ... */
    uint8_t n_answers, n_commits; /* ... not answered by memory, not committed yet */
    bool is_local;                /* accesses local memory */
    uop_id order_next;   /* next memory operation of the warp in program order */
    bool in_window;      /* a hosted scheme may offer it */
    bool is_mixed;       /* lanes expect different versions */
    uint32_t version;    /* of its result */
    uint32_t expects[3]; /* versions of its sources; sums over lanes if mixed */
    uint32_t replaces;   /* with renaming: version that lanes of its result keep */
};

struct vx_warp {
    uint64_t ready_at; /* scheduled not before this cycle; NEVER: until executed */
    uint32_t versions; /* given out so far */
    uint32_t pending;  /* fetched and not committed ... */
    uint64_t fewer_at; /* ... which last became fewer in this cycle */
    enum stall wait;   /* why it is not scheduled */
    uint32_t n_reads;  /* instructions in flight that read a counter ... */
    bool is_held;      /* ... of which one must execute before the warp goes on */
    uop_id order_first, *order_end; /* memory operations not performed yet */
};

/* A wspawn that waits until its warp is the only active one. */
struct vx_spawn {
    bool is_waiting;
    uint8_t warp, n_warps;
    uint64_t at;
};

/* The warp scheduler. */
struct vx_sched {
    uint32_t active, ready; /* warps; those that may be scheduled now */
    uint32_t ready_next;    /* those that decode lets go on in the next cycle */
    unsigned n_active;      /* warps in active */
    uint64_t next_ready;    /* no later than the first cycle that makes one ready */
    uint64_t last_end;      /* cycle from which fewer warps were active */
    struct vx_spawn spawn;
    struct {
        uint32_t warps;
        uint32_t n;
    } barrier[VX_BARRIERS];
};

/* Fetches, from the scheduler through the instruction cache to decode. */
struct vx_fetch {
    uint64_t counted;         /* waits at decode are counted before this cycle */
    bool is_staged;           /* the first one asked is in the cache's first stage */
    uint64_t left_at;         /* the last one went there in this cycle */
    bool predicts;            /* does not wait for branches (scheme.predicts) */
    bool looks_ahead;         /* ahead.c may look up fetches before their cycle ... */
    uint64_t looked_at[2];    /* ... and did so last for these two cycles */
    struct vx_queue asked;    /* sent to the instruction cache, not looked up yet */
    struct vx_queue arriving; /* at decode ... */
    uint64_t taken_at[2];     /* ... which took the last ones in these cycles */
};

/* From the operands to the units. */
struct vx_dispatch {
    struct vx_latch stage;           /* the staging register, after the operands */
    struct vx_latch buffer[N_VX_EX]; /* dispatch buffers, before units */
    uint32_t held;                   /* which of these hold an instruction */
    uint32_t cycles[N_RISCV_UNIT]; /* of units that compute, from dispatch to commit */
    unsigned n_fpu;                /* instructions in the FPU */
    uint64_t fpu_freed;            /* cycle in which one last left it */
};

struct vx_commit {
    struct vx_queue out[N_VX_EX]; /* packets at the commit stage, or on their way */
    uint64_t out_at;              /* no later than the next commit */
    uint64_t settle_at; /* no later than the issue stage hears of a commit (ahead.c) */
    unsigned last;      /* unit whose packet was committed last, ... */
    uint64_t last_at;   /* ... in this cycle */
    uop_id written[4];  /* commits on their way to the issue stage, by cycle; NO_UOP */
    unsigned n_written;
};

/* Versions of registers, by warp: of all lanes, or of each lane where they differ. */
struct vx_versions {
    uint32_t *all, *lane;
};

/* An instruction in a report, which may have left the pipeline. */
struct vx_party {
    const struct inst *inst; /* NULL: not known */
    uint64_t seq, issued;    /* NEVER: not issued */
};

/* Registers as check.c follows them. */
struct vx_follow {
    bool renames;              /* versions are kept apart (scheme.renames) */
    struct vx_versions newest; /* of the youngest write fetched ... */
    struct vx_versions held;   /* ... and of the write that the register file holds */
    struct vx_party *writer; /* of each register: the instruction that wrote it last */
    uint64_t *unwritten;     /* with renaming, by warp: versions, as bits */
};

/* Instructions in flight: which of vx_core.pool are free. */
struct vx_uops {
    unsigned n, n_free;
    uop_id *free_list;
    uint64_t (*lists)[WARP_LANES]; /* lent to them for addresses */
};

struct vx_launch {
    struct stream *stream;
    struct kernel *kernel;
    struct trace *trace; /* the pipeline view; NULL: none */
    uint64_t before;     /* cycles of earlier launches */
    uint64_t mcycle;     /* as the program last read it ... */
    uint32_t n_counters; /* ... and how many other counters since */
};

struct vx_memory;
struct vx_socket;
struct vx_core {
    struct vortex *gpu;
    const struct vortex_params *p;
    struct vx_memory *memory;
    struct vx_socket *socket; /* whose caches it uses */
    unsigned index;
    uint64_t cycle;
    bool progress; /* something happened in this cycle */
    bool failed;   /* *err says why */
    bool is_plain; /* runs plain.c: a view or a listener is told of every step */
    struct err *err;
    uint32_t full;      /* lanes of a warp */
    unsigned n_pending; /* instructions fetched and not committed */

    struct vx_launch launch;
    struct vx_sched sched;
    struct vx_fetch fetch;
    struct vx_issue *issue;
    struct vx_hosted hosted;
    struct vx_dispatch dispatch;
    struct vx_commit commit;
    struct vx_lsu lsu;
    struct vx_uops uops;
    struct vx_warp warp[VX_MAX_WARPS];
    struct uop *pool;
    struct vx_follow check;

    enum stall cause; /* of the issue slot in the last cycle */
    struct vortex_stats stats;

    struct vx_flight flight[]; /* by uop, uops.n */
};

static inline void vx_set_active(struct vx_core *k, uint32_t warps)
{
    k->sched.active = warps;
    k->sched.n_active = (unsigned)__builtin_popcount(warps);
}

/* Number of lanes (perf: usually all). */
static inline unsigned vx_count_lanes(const struct vx_core *k, uint32_t mask)
{
    return mask == k->full ? k->p->threads : bits_set(mask);
}

/* The input that an arbiter in turn takes for the last one after a cycle in which none
 * asked: with two, four or eight inputs the highest, so that the lowest goes next (RTL:
 * VX_rr_arbiter has tables for these numbers, which name the highest by default). */
static inline unsigned vx_idle_turn(unsigned n_inputs, unsigned last)
{
    return n_inputs == 2 || n_inputs == 4 || n_inputs == 8 ? n_inputs - 1 : last;
}

/* The member of a set that comes next in turn after the last one; the set is not empty. */
static inline unsigned vx_next_in_turn(uint32_t set, unsigned last)
{
    uint32_t after = last < 31 ? set & ~0u << (last + 1) : 0;

    return (unsigned)__builtin_ctz(after ? after : set);
}

static inline struct vx_flight *vx_flight(struct vx_core *k, const struct uop *u)
{
    return &k->flight[u->id];
}

/* vortex.c: the processor of the core */
const struct vortex_config *vortex_config(const struct vortex *v);
uint32_t vortex_counter_class(const struct vortex *v);
struct vx_core *vortex_core_at(struct vortex *v, unsigned n); /* NULL: no such core */
/* The number of cores that have arrived at a global barrier. */
uint32_t *vortex_barrier_arrivals(struct vortex *v, unsigned barrier);
/* Tells the listener that a unit has taken the instruction. */
void vortex_tell_taken(struct vx_core *k, const struct uop *u);
/* The core acts in that cycle at the latest. */
void vortex_wake_core(struct vortex *v, unsigned core, uint64_t cycle);

/* Tells the pipeline view which stage an instruction is in. */
void vortex_view_stage(struct vx_core *k, const struct uop *u, enum trace_stage stage);
static inline void vx_view_stage(struct vx_core *k, const struct uop *u,
                                 enum trace_stage stage)
{
    if (k->launch.trace)
        vortex_view_stage(k, u, stage);
}

/* scoreboard.c: counters of the scheme it hosts; NULL: none */
const void *vortex_hosted_stats(const struct vx_core *k);

#endif
