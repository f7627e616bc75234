/* base.h - what the two forms of the load/store unit share: configuration, caches,
 * statistics, and the arithmetic of an access. Nothing here knows about time.
 *
 * plain.c is the specification and goes cycle by cycle; fast.h has the form that works
 * ahead. Each begins with a struct lsu.
 */
#ifndef LENO_CORE_LSU_BASE_H
#define LENO_CORE_LSU_BASE_H

#include "core/lsu/l1.h"
#include "core/lsu/lsu.h"
#include "core/lsu/meet.h"
#include "core/lsu/params.h"
#include "core/lsu/remote.h"
#include "core/lsu/stats.h"
#include "mem/cache.h"
#include "mem/coalesce.h"
#include "mem/packet.h"
#include "mem/tlb.h"
#include "stats/hot.h"

enum {
    LSU_SUBCORES = 4,
    LSU_MAX_QUEUE = 64,
    LSU_MAX_WARPS = 128, /* places of an SM */
    LSU_MAX_BANKS = 32,
    LSU_PIPE_SLOTS = 256, /* more than any latency of a pipe */
    LSU_LATE_PARTS = 512, /* parts that are finished, with latency left */
    LSU_MISSES = 1024 + 4,
    LSU_CLIENTS = 5,
};

/* Where results come from. */
enum { CLIENT_SHARED, CLIENT_TEXTURE, CLIENT_CONST, CLIENT_GLOBAL, CLIENT_L1 };

/* Destination of a memory reply, in the upper bits of its id. */
enum { FOR_L1 = 0, FOR_UOP = 1 << 28, FOR_CONST = 2 << 28, FOR_NOBODY = 3 << 28 };
enum { FOR_TMA = 4 << 28, FOR_STORE = 5 << 28 };
#define FOR_MASK (7u << 28)
/* A part of an instruction that ends in this cycle. */
struct late {
    uint64_t at;
    uop_id uop;
};

/* Instructions that only wait: shared memory, textures. */
struct pipe_slot {
    uint64_t ready;
    uop_id uop;
};

/* Where the instructions from one sub-core wait for the unit (lsu.queue). */
struct lsu_queue {
    uop_id ring[LSU_MAX_QUEUE];
    uint32_t head, n;
};

/* With l1.posted: parts of stores that have not been answered, by place of their warp. */
struct lsu_posted {
    uint32_t n, of_warp[LSU_MAX_WARPS];
    bool is_awaited[LSU_MAX_WARPS]; /* LSU_SETTLED is wanted */
};

struct lsu {
    struct lsu_front front;
    uint64_t cycle;     /* last cycle that is done completely */
    uint64_t lone_free; /* the next store of one line may go on (l1.lone_store) */
    struct memory *memory;
    const struct memory_link *link; /* link from memory */
    struct uop *pool;
    struct cache *l1, *constant;
    struct l1_stores stores; /* on their way into L1 */
    uint16_t sm;
    bool tell_checked; /* LSU_CHECKED is wanted */
    uint32_t n_open;   /* instructions taken and not done */
    uint32_t l1_ways;
    uint32_t bank_shift; /* shift from an address to its bank of L1 */
    /* port cycles of a fill, by number of sectors */
    uint32_t fill_cycles[LINE_SECTORS + 1];
    struct lsu_stats stats;
    struct hot_table *hot; /* counters per instruction; NULL: none */
    struct lsu_config c;
    struct lsu_remote remote;
    struct lsu_posted posted;
    uint32_t block_warps, local_blocks; /* lsu.local_map = blocks: per block, per SM */
    const struct tlb_params *tlb_params;
    struct tlb tlb;
    struct lsu_event events[LSU_EVENTS];
};

/* What a form is made from. */
struct lsu_made_from {
    const struct lsu_config *c;
    unsigned sm;
    struct uop *pool;
    struct memory *memory;
};
int lsu_init(struct lsu *l, const struct lsu_made_from *from, struct err *err);
void lsu_fini(struct lsu *l);

/* Parts of the deadlock report. */
void lsu_dump_counts(const struct lsu *l, unsigned in_l1, unsigned misses,
                     struct buf *out);
void lsu_dump_latch(const struct lsu *l, uop_id u, unsigned gone, unsigned n,
                    struct buf *out);

void lsu_add_event(struct lsu *l, uop_id u, enum lsu_event_kind kind, bool has_result);
/* A part of a store of this warp has been answered. */
void lsu_settle_store(struct lsu *l, unsigned warp);
/* All parts of an instruction are done in the current cycle. */
void lsu_complete_inst(struct lsu *l, const struct uop *u);
/* An instruction is taken. */
void lsu_count_inst(struct lsu *l, struct uop *u, uint64_t cycle);

/* True if it accesses memory by transactions: not shared memory, constants, textures. */
static inline bool lsu_is_memory(const struct uop *u)
{
    return u->dyn.space != SPACE_NONE && u->dyn.space != SPACE_SHARED &&
           u->dyn.space != SPACE_CONST && u->dyn.space != SPACE_TEXTURE;
}
static inline bool lsu_bypasses_l1(const struct lsu *l, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    return i->class == CLASS_atomic || !l->l1_ways ||
           (i->class == CLASS_load &&
            (i->flags & INST_BYPASS_L1 ||
             (l->c.l1.skip_global && u->dyn.space == SPACE_GLOBAL)));
}
/* Of these, instructions that take no time in L1 either. */
static inline bool lsu_passes_beside_l1(const struct lsu *l, const struct uop *u)
{
    return l->c.l1.bypass == L1_BYPASS_BESIDE && lsu_bypasses_l1(l, u);
}
/* The transactions of its lanes, which u->pending counts; join: sectors of a line share one. */
unsigned lsu_make_transactions(struct lsu *l, struct uop *u, bool bypass, bool join,
                               struct transaction *tx);
/* The lines of constants that its lanes touch; later: cycles before they are looked up, which
 * different addresses take. */
unsigned lsu_make_constants(const struct lsu *l, struct uop *u, struct transaction *tx,
                            unsigned *later);
/* The cycle, this or a later one, from which on its transactions may go on. */
uint64_t lsu_enter_at(struct lsu *l, const struct uop *u, const struct transaction *tx,
                      unsigned n, uint64_t cycle);

/* Accesses of shared memory that its lanes need, one per cycle. */
unsigned lsu_count_shared(struct lsu *l, const struct uop *u);
/* Latency of an instruction with this many accesses of shared memory. */
uint64_t lsu_shared_latency(const struct lsu *l, const struct uop *u, unsigned n);
/* Instructions that the pipe of shared memory can hold. */
uint32_t lsu_shared_limit(const struct lsu *l);

/* A lookup of a line of constants. */
struct constant_lookup {
    bool has_failed;            /* try again */
    bool is_sent;               /* the request must be sent */
    uint32_t latency;           /* otherwise the part ends after so many cycles ... */
    bool waits;                 /* ... unless it waits for an earlier miss */
    struct mem_request request; /* a miss */
};
void lsu_look_up_constant(struct lsu *l, const struct uop *u, uint64_t line,
                          struct constant_lookup *o);

static inline unsigned l1_bank(const struct lsu *l, uint64_t addr)
{
    return (unsigned)(addr >> l->bank_shift) & (l->c.l1.banks - 1);
}
/* Latency after the lookup for the last of n lines of a load, and with it for the
 * instruction: later instructions lose nothing. */
static inline uint16_t l1_more_latency(const struct lsu *l, const struct uop *u,
                                       uint32_t n, bool is_last)
{
    bool has_more = is_last && u->dyn.inst->class == CLASS_load;

    return (uint16_t)(has_more ? (n - 1) * l->c.l1.line_quarters / 4 : 0);
}

#endif
