/* state.h - the inside of an SM, shared by the stages (sm fetch issue collect unit block
 * check .c). A scheme never sees it.
 */
#ifndef LENO_CORE_STATE_H
#define LENO_CORE_STATE_H

#include <stddef.h>

#include "base/hash.h"
#include "core/sm.h"

enum {
    MAX_BLOCK_SLOTS = 64,
    MAX_COLLECTORS = 64,
    MAX_BANKS = 16,
    WHEEL = 2048, /* cycles ahead that an event may lie */
    N_BLOCK_BARRIERS = 16
};

enum warp_wait { WAIT_NONE, WAIT_BARRIER, WAIT_FENCE, WAIT_ATOMIC, WAIT_EXIT };

struct warp {
    bool is_resident;
    bool has_ended;  /* the stream gives no more */
    bool has_exited; /* its last instruction was issued */
    bool at_barrier; /* a barrier was fetched that has not opened */
    uint8_t wait;    /* enum warp_wait */
    uint8_t barrier; /* WAIT_BARRIER: which */
    uint8_t block;   /* slot */
    uint16_t index;  /* in the block */
    uint16_t subcore, bit;
    uint32_t in_flight;               /* fetched, not retired */
    uint32_t loads, stores, atomics;  /* issued, not answered */
    uint64_t next_pc;                 /* of the next fetch; 0 = not known */
    uint64_t age;                     /* launch order */
    uint64_t hold;                    /* offers nothing before this cycle */
    uint64_t fetch_at;                /* fetches nothing before this cycle */
    uint64_t unissued_base, unissued; /* fetched, not issued: bit n = base + n */
    uint64_t next_seq;                /* instructions taken from its stream */
    uint64_t last_seq;                /* of its last instruction; has_ended */
    uop_id branch;                    /* fetch waits until it is resolved */
    uop_id order_first, order_last;   /* memory operations not yet performed */
    /* Kept from warp to warp of a slot: versions go on rising, nothing is cleared. */
    uint16_t first_version;
    struct reg_version {
        uint16_t newest; /* of the youngest fetched writer */
        uint16_t held;   /* what the register holds */
    } reg[N_REGID];
};

/* What a warp offered when it was last asked, as it stands in the masks. */
struct filed {
    uop_id uop;    /* NO_UOP: none, for this cause */
    uint8_t cause; /* enum stall */
    uint8_t pipe;
    bool yield;
};

/* Instructions of a warp that its front end has executed and fetch has not taken yet.
 * Executing several at a time keeps a warp's registers in the host's caches. */
enum { AHEAD = 8 };
struct dyn_head { /* a struct dyn without its addresses */
    _Alignas(struct dyn) uint8_t bytes[offsetof(struct dyn, addr)];
};
struct ahead {
    uint8_t first, n;
    bool has_ended; /* the stream gave its last */
    struct dyn_head at[AHEAD];
    uint64_t addr[AHEAD][WARP_LANES]; /* of those that have any */
};

struct block_slot {
    bool is_used;
    struct stream *stream;
    uint64_t index; /* in the grid */
    uint32_t n_warps, n_exited, n_done;
    uint64_t warps; /* slots, as bits */
    uint16_t arrived[N_BLOCK_BARRIERS];
    uint16_t expected[N_BLOCK_BARRIERS]; /* 0 = all that have not exited */
};

struct bank {
    uint64_t written; /* cycle in which its port was taken by a write */
    uint16_t *queue;  /* collector << 4 | operand: a ring of bank_queue */
    uint16_t first, n;
};

struct collector {
    uop_id uop;
    uint8_t pending; /* reads */
};

struct subcore {
    uint32_t offering, caused; /* pipes, causes with a bit set below */
    uint64_t offers[N_PIPE];   /* warps (bits of this sub-core) that offer for a pipe */
    uint64_t causes[N_STALL];  /* the others, by cause */
    uint64_t warps;            /* resident, as bits */
    unsigned last;             /* bit of the warp issued last; 64 = none */
    enum stall cause;          /* what its cycles go to ... */
    uint64_t since;            /* ... from this one on */
    unsigned turn;             /* strict round robin */
    uint64_t active;           /* two-level */
    uint32_t latched, out;     /* pipes whose latch before collection, before the unit
                                 * is taken */
    uop_id latch[N_PIPE], exec[N_PIPE];
    uint64_t unit_free[N_PIPE];    /* cycle from which the unit takes the next */
    uint64_t collecting, gathered; /* collectors in use; of those, with all operands */
    uint32_t reading;              /* banks with reads waiting */
    struct collector collector[MAX_COLLECTORS];
    struct bank bank[MAX_BANKS];
    uint64_t bank_free[MAX_BANKS]; /* ports: cycle from which a read is served */
    uint16_t reuse[3];             /* ports: register and warp in each reuse slot */
    uint64_t issue_free;           /* the issue port is taken until then */
    bool fma_turn;
};

struct sm {
    struct sm_config config;
    struct unit_timing timing[N_INST_CLASS];
    struct core_shape shape;
    unsigned index;
    uint64_t cycle;
    uint64_t accounted; /* statistics are complete before this cycle */
    bool progress;      /* something happened in this cycle */

    struct kernel *kernel;
    uint32_t kernel_number;
    uint64_t kernel_key; /* of its name, for latencies */
    unsigned max_blocks, n_blocks;
    uint64_t ages;
    struct block_slot block[MAX_BLOCK_SLOTS];

    struct warp *warp;
    struct ahead *ahead; /* of each slot */
    struct dyn scratch;  /* being executed */
    struct filed filed[MAX_WARP_SLOTS];
    uint8_t sub_of[MAX_WARP_SLOTS], bit_of[MAX_WARP_SLOTS]; /* of a slot */
    unsigned n_warps;                                       /* resident */
    uint64_t resident;                                      /* slots, as bits */
    uint64_t dirty;       /* whose offer must be asked again */
    uint64_t fetchable;   /* whose next instruction may be fetched now */
    uint64_t timed;       /* that wait for a cycle: hold or fetch_at */
    uint64_t next_timed;  /* no later than the first of them */
    uint64_t stream_wait; /* whose stream waits for other warps */
    uint64_t skip_wait;   /* whose fetch the redundancy eliminator holds back */
    unsigned last_fetched;
    unsigned fetch_latch; /* warp fetched for and not yet decoded; n = none */
    struct subcore sub[MAX_SUBCORES];
    unsigned bank_queue; /* a power of two that holds all reads of all collectors */
    uint16_t *queues;    /* of all banks */
    uint8_t bank_of[2 * 256]; /* of register + warp */
    uint32_t
        collects;     /* sub-cores where something can move between latches and units */
    uint32_t outs;    /* sub-cores with something in a latch before a unit */
    uint32_t offered; /* sub-cores with some offer */
    uint32_t touched; /* sub-cores whose offers or causes have changed */

    struct uop *pool;
    unsigned n_pool, n_free;
    uop_id *free_list;
    struct inst *own; /* one a uop where hazards are switched off; else NULL */

    uop_id wheel[WHEEL];            /* events by cycle */
    uint64_t wheel_set[WHEEL / 64]; /* buckets that are not empty */
    uint8_t results[WHEEL];         /* result buses taken, by cycle */
    unsigned n_events;

    struct memory *memory;
    struct lsu *lsu;
    uint64_t lsu_at; /* cycle from which the LSU has something to do */
    struct scheme *scheme;
    struct skip *skip;
    struct trace *trace;
    struct latency_table *latency;
    struct sm_stats stats;
    struct icache *icache;
    bool has_icache; /* it is not perfect */
};

static inline uint64_t bit64(unsigned n)
{
    return (uint64_t)1 << n;
}

/* For tests: does this part (a sub-core, or beyond: memory, fetch) refuse in this cycle?
 * One time in four; whoever is refused comes again in the next cycle. */
enum { CHAOS_MEMORY = MAX_SUBCORES, CHAOS_FETCH };
static inline bool chaos(struct sm *s, unsigned part)
{
    if (!s->config.core.chaos)
        return false;
    if (hash_mix(s->cycle * 64 + s->index * 8 + part + s->config.core.chaos * 977) & 3)
        return false;
    s->progress = true;
    return true;
}

/* fetch.c */
int fetch_tick(struct sm *s, struct err *err);
void fetch_wake(struct sm *s); /* warps that the skipper held back and lets go */
void fetch_refresh(struct sm *s, unsigned warp); /* may it be fetched for now? */

/* issue.c */
void issue_refresh(struct sm *s, unsigned warp); /* asks the scheme, files the answer */
int issue_tick(struct sm *s, struct err *err);
void issue_account(struct sm *s, uint64_t cycle); /* slots up to this cycle */

/* sched.c: which of the warps that could issue does; both as bits of the sub-core. */
unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able);

/* collect.c, ports.c: operands */
int collect_tick(struct sm *s, struct err *err);
bool ports_free(const struct sm *s, const struct subcore *c, const struct uop *u);
int ports_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err);

/* unit.c */
int unit_tick(struct sm *s, struct err *err);
int unit_start(struct sm *s, struct subcore *c, struct uop *u, struct err *err);
void wheel_add(struct sm *s, uop_id id, uint64_t cycle);
int writeback_tick(struct sm *s, struct err *err);
int uop_written(struct sm *s, struct uop *u, struct err *err);
void uop_retire(struct sm *s, struct uop *u);

/* block.c */
void block_arrive(struct sm *s, struct uop *u);
void block_exit(struct sm *s, unsigned warp);
void warp_check_done(struct sm *s, unsigned warp);
void warp_settle(struct sm *s, unsigned warp); /* a fence or atomic may be satisfied */
void warp_timer(struct sm *s, uint64_t cycle, unsigned warp);

/* check.c: 0, or -1 with the violation in err */
void check_fetched(struct sm *s, struct uop *u);
void check_dropped(struct sm *s, struct uop *u); /* as if written at once */
int check_operand(struct sm *s, const struct uop *u, const struct inst_operand *o,
                  struct err *err);
int check_others(struct sm *s, const struct uop *u, struct err *err);
int check_all(struct sm *s, const struct uop *u, struct err *err);
int check_written(struct sm *s, const struct uop *u, struct err *err);
int check_performed(struct sm *s, struct uop *u, struct err *err);

/* view.c: what a pipeline view is told; nothing when nobody listens */
void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage);
void view_wait(struct sm *s, unsigned warp, enum stall cause);
void view_retire(struct sm *s, const struct uop *u);
void view_warps(struct sm *s); /* their number has changed */

#endif
