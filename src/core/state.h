/* state.h - the state of an SM: the parts that its stages own, side by side.
 *
 * Each stage declares its part in its own header, which also says who may write it. What
 * no stage owns is here: warps, which every stage touches, and what is fixed when the SM
 * is made or a kernel starts. A scheme never sees any of it.
 */
#ifndef LENO_CORE_STATE_H
#define LENO_CORE_STATE_H

#include <stddef.h>

#include "core/async.h"
#include "core/block.h"
#include "core/check/check.h"
#include "core/collect.h"
#include "core/fetch.h"
#include "core/gpc.h"
#include "core/issue.h"
#include "core/narrow.h"
#include "core/ports.h"
#include "core/sm.h"
#include "core/unit.h"
#include "core/wake.h"

enum { WARP_ALIGN = 64 };
struct warp {
    /* perf: one host cache line with all that every instruction uses. */
    _Alignas(WARP_ALIGN) bool is_resident;
    bool has_ended;   /* the stream gives no more instructions */
    bool has_exited;  /* its last instruction has issued */
    bool is_held;     /* its last instruction is a closed barrier, reads the time or is
                         * on a barrier in shared memory */
    bool awaits_code; /* waits for the instruction cache */
    bool has_yielded; /* with its last instruction */
    uint8_t wait;     /* enum warp_wait */
    uint8_t hold_cause; /* enum stall, while hold lasts */
    uop_id branch;      /* fetch waits until it is resolved */
    struct uop_list window;
    uint16_t in_flight; /* fetched, not retired */
    struct filed filed;
    bool by_version;   /* it has left program order: see check_issued() */
    bool has_products; /* of a warpgroup, that it may not have waited for */
    uop_id order_first, order_last;  /* memory operations not yet performed */
    uint16_t loads, stores, atomics; /* issued, not answered */
    uint64_t hold;                   /* it offers nothing before this cycle */
    uint64_t fetch_at;               /* it fetches nothing before this cycle */
    uint64_t read_step; /* step of the last operand read by issued instructions */
    uint64_t n_named;   /* instructions whose sources' versions are named */
    /* Fetch, barriers. */
    _Alignas(WARP_ALIGN) struct ahead ahead;
    uint8_t block;     /* slot */
    uint8_t barrier;   /* WAIT_BARRIER: number of the barrier */
    uint8_t rest;      /* instructions of its last fetch, after what it is held by */
    uint8_t n_code;    /* groups of instructions found in the cache while held */
    bool is_acquiring; /* its fence is CCTL.IVALL: posted stores may go on */
    uint16_t index;    /* index in the block */
    uint16_t first_version; /* of its first instruction; versions keep growing */
    uint64_t next_seq;      /* instructions taken from its stream */
    uint64_t age;           /* in launch order */
    uint64_t next_pc;       /* PC of the next fetch; 0 = unknown */
    /* Used on some machines only. */
    struct uop_list held; /* in reservation stations */
    uint64_t yielded;     /* last cycle in which it yielded ... */
    uint64_t ready_since; /* ... and since when it is in the queue of gty */
    uint64_t overlap_end; /* until then a register may have two pending writes */
    uint64_t forwarded;   /* from then on all results reach all readers, with ports */
    bool has_overrun;     /* fetched after its last instruction (fetch.follow_decode) */
    const struct inst *barrier_at; /* WAIT_BARRIER: its instruction, for reports */
    /* Kept from warp to warp of a slot: versions keep growing, nothing is cleared. */
    _Alignas(WARP_ALIGN) struct reg_version reg[N_REGID];
    struct reg_writer wrote[N_REGID];    /* with ports */
    struct issue_note note[ISSUE_NOTES]; /* the last to issue, by number modulo this */
};
_Static_assert(offsetof(struct warp, ahead) == WARP_ALIGN, "one line");

/* A sub-core: one scheduler, its warps, collectors and units. */
enum { SUBCORE_ALIGN = 64 };
struct subcore {
    _Alignas(SUBCORE_ALIGN) uint32_t index; /* number of the sub-core in the SM ... */
    uint32_t self;                          /* ... and the same as a bit */
    struct subcore_latches latches;
    struct subcore_issue issue;
    struct subcore_collect collect;
    struct subcore_units units;
    struct subcore_memory memory;
    struct subcore_sched sched;
    struct port_state port;
};
_Static_assert(offsetof(struct subcore, issue.warps) == SUBCORE_ALIGN,
               "perf: a visit without issue needs one host cache line");

/* The running kernel. Written by sm.c when one starts or ends. */
struct sm_launch {
    struct kernel *kernel;
    uint32_t number;
    uint64_t key; /* of the kernel's name, for latencies */
};

struct sm {
    /* Fixed when the SM is made, or when a view is set. */
    struct sm_config config;
    const struct sm_core *core;
    struct unit_timing timing[N_INST_CLASS];
    uint8_t longest_way[N_INST_CLASS]
                       [N_WAYS]; /* of results to any reader, with ports */
    struct core_shape shape;
    unsigned index;
    bool is_plain; /* no stage between issue and result is of interest */

    uint64_t cycle;     /* now. Written by cycle.c, and when a block starts */
    uint64_t accounted; /* statistics are complete before this cycle */
    struct sm_wake wake;
    struct sm_launch launch;
    struct sm_blocks blocks;
    struct sm_fetch fetch;
    struct subcore sub[MAX_SUBCORES];
    struct sm_collect collect;
    struct sm_uops uops;
    struct sm_check check;
    struct sm_events events;
    struct sm_async *async;
    struct sm_gpc gpc;
    /* next cycle of async_tick(); NEVER: none. Written by async.c and gpc.c */
    uint64_t async_at;

    /* All stages change the warps and uops that they handle. */
    struct warp *warp;
    struct uop *pool;
    unsigned n_pool;

    struct memory *memory;
    struct memory_link *link; /* its own; cycle.c sets its clock */
    struct lsu *lsu;
    struct scheme *scheme;
    struct skip *skip; /* NULL: none */

    struct trace *trace; /* NULL: none */
    struct latency_table *latency;
    struct sm_hot *hot;    /* NULL: no counters per instruction */
    struct sm_stats stats; /* all stages count */
};

/* After the last uop that an instruction has used. */
static inline struct uop *sm_uops_end(const struct sm *s)
{
    return s->pool + s->n_pool - s->uops.n_fresh;
}

#endif
