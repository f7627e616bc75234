/* async.h - asynchronous work of an SM: barriers in shared memory, and bulk and tensor copies
 * (tma.c); state, and what stages call (async.c).
 *
 * An operation on a barrier takes effect when it issues. A wait for a phase that is not over
 * suspends its warp until a copy ends the phase, or for async.suspend cycles: after these it
 * looks again, and gives up if the phase is not over then. So arrivals of other warps are
 * seen late, and the end of a copy is seen at once, as on an H200 (tests/h200/async.txt).
 *
 * A copy goes through the TMA unit, of which an SM has one. Its bytes are counted on its
 * barrier when the last of them has arrived. UTMACMDFLUSH makes a group of the copies to
 * global memory that a warp has started, LDGDEPBAR one of its LDGSTS; DEPBAR waits until at
 * most so many groups are left that have not been read from shared memory, or have not
 * arrived there.
 */
#ifndef LENO_CORE_ASYNC_H
#define LENO_CORE_ASYNC_H

#include "config/param.h"
#include "core/uop.h"
#include "core/warpset.h"

#define ASYNC_PARAMS(NUM, ENUM, BOOL)                                                  \
    NUM(phase_latency, 20, 1, 256, "cycle",                                            \
        "from the issue of an operation on a barrier in shared memory to its result")  \
    NUM(phase_interval, 1, 1, 256, "cycle", "between two of them, per SM")             \
    NUM(suspend, 128, 1, 2048, "cycle",                                                \
        "for how long a wait for a phase suspends its warp before it looks again")     \
    NUM(operands, 0, 0, 256, "cycle",                                                  \
        "from the issue of a copy to the release of its operands")                     \
    NUM(gap, 1, 1, 256, "cycle", "between the issues of two copies, per SM")           \
    NUM(product_queue, 7, 1, 16, "inst",                                               \
        "products of warpgroups that wait before the matrix unit of a sub-core")       \
    NUM(product_issue, 16, 1, 256, "cycle", "between the issues of two of them")       \
    NUM(product_latency, 30, 1, 1000, "cycle",                                         \
        "from the start of a product to the end of its group, beside its columns / 2") \
    NUM(product_registers, 4, 0, 256, "cycle",                                         \
        "that a product takes in addition, if one factor is in registers")             \
    NUM(queue, 7, 1, 16, "copy",                                                       \
        "copies that the TMA unit holds before they are sent")                         \
    NUM(start, 16, 1, 1000, "cycle", "from a copy's issue to its first request")       \
    NUM(map, 8, 0, 1000, "cycle",                                                      \
        "the same, in addition, if a tensor map describes it that the SM has")         \
    BOOL(param_maps, false,                                                            \
         "an SM gets tensor maps that are parameters in const.l2_latency; off: from "  \
         "L2, as those in global memory")                                              \
    NUM(rate, 128, 1, 128, "B", "of copies into shared memory, per cycle")             \
    NUM(least, 1, 1, 1000, "cycle", "that a copy to global memory takes in the unit")  \
    NUM(finish, 16, 1, 1000, "cycle",                                                  \
        "from a copy's last reply to its bytes on the barrier")                        \
    NUM(read_finish, 16, 1, 1000, "cycle",                                             \
        "from the last request of a copy to global memory to the end of its group")
struct async_params {
    ASYNC_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group async_param_group;

struct sm;
struct warp;

enum { ASYNC_GROUPS = 16, TMA_OPS = 256, TMA_MAPS = 64, MAX_ASYNC_WARPS = 128 };

/* Of a warp, from its start. */
struct async_warp {
    uop_id uop;     /* suspended in a wait for a phase; NO_UOP: none */
    uop_id refused; /* its copy waits for room, and so do its operands; NO_UOP: none */
    bool is_woken;  /* it looks again in the next cycle */
    uint8_t board, limit;       /* of groups: scoreboard; DEPBAR waits for that many */
    uint64_t until;             /* of the suspended: it gives up then */
    uint64_t ready;             /* its result is there then, if not later */
    uint32_t n_stores, n_ended; /* copies that groups are made of: started, ended */
    uint32_t first, n_groups;   /* of those in group[] */
    uint32_t n_products, n_waited; /* groups so far: ended, and waited for */
    uint32_t n_arrivals;           /* at the barrier of its cluster */
    /* Groups that have not been read: how many stores had started with each, a ring. A
     * group that finds it full joins the last one. */
    uint32_t group[ASYNC_GROUPS];
    uint64_t product_end[ASYNC_GROUPS]; /* of groups, the last ones */
};

/* Products of a warpgroup that end together: the registers that they write. For check/. */
struct product_group {
    struct regset writes;
    uint64_t last;   /* number of the last product, and one; 0: there is none */
    uint32_t number; /* of the group in its warp */
};

/* A copy in the unit, or on its way. */
struct tma_op {
    struct copy *copy;
    struct stream *stream;
    uint64_t at;        /* first cycle of its requests; at last, cycle of its end */
    uint32_t run, done; /* the next request: run, and bytes of it that are sent */
    uint64_t began;     /* cycle of its first request; at last, end of its requests */
    uint32_t in_flight; /* requests that are not answered */
    uint32_t row;       /* of the counters per instruction (core/hot.h) */
    uint16_t warp;      /* slot */
    uint8_t block;      /* slot */
    bool is_sent;
};

/* A tensor map that the unit has, or is fetching. */
struct tma_map {
    uint64_t addr;
    uint64_t
        ready; /* copies can use it from this cycle on; NEVER: memory has not answered */
    uint32_t row; /* as in struct tma_op */
    uint8_t
        block; /* slot of the block that asked memory, which stays until it answers */
    uint8_t sent, in_flight; /* bytes asked for; requests that are not answered */
};

/* A copy that finds the queue full. */
struct tma_refused {
    struct copy *copy;
    uint16_t warp; /* slot */
    uop_id uop;    /* keeps its operands; NO_UOP: its warp waits */
    uint32_t row;  /* as in struct tma_op */
};

struct tma_ring {
    uint16_t at[TMA_OPS];
    uint32_t first, n;
};

/* Written by async.c and tma.c. */
struct sm_async {
    struct async_warp *warp;
    struct product_group *group;   /* ASYNC_GROUPS per warp, by number */
    struct warpset suspended;      /* in waits for phases */
    uint64_t phase_free;           /* next operation on a barrier */
    uint64_t copy_free;            /* next issue of a copy */
    uint64_t phase_done;           /* result of the last one */
    uint64_t send_at;              /* next request of the unit */
    uint32_t debt;                 /* bytes asked for beyond async.rate */
    struct tma_ring queue;         /* not completely sent */
    struct tma_ring loads, stores; /* ending, in the order of their ends */
    struct tma_refused refused[2 * MAX_ASYNC_WARPS]; /* a ring */
    uint32_t first_refused, n_refused;
    uint16_t free[TMA_OPS];
    uint32_t n_free, n_open;
    struct tma_op op[TMA_OPS];
    struct tma_map map[TMA_MAPS]; /* of this kernel; the oldest makes room */
    uint32_t n_maps, next_map;
    uint32_t n_unsent; /* requests for maps that memory has yet to take */
};

int async_init(struct sm *s, struct err *err);
void async_free(struct sm *s);
/* A kernel is over; a warp starts. */
void async_forget(struct sm *s);
void async_warp_start(struct sm *s, unsigned warp);

/* An instruction of INST_PHASE or INST_COPIES, or a DEPBAR, issues. */
int async_issue(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* A product of a warpgroup takes its unit, which is free from *free on: the cycle in which
 * it starts. *issue: the cycle from which on another can issue. */
uint64_t async_take_product(struct sm *s, const struct uop *u, uint64_t *free,
                            uint64_t *issue);
/* The cycle of async_tick() that s->async_at names has come. */
int async_tick(struct sm *s, struct err *err);
/* The kernel ends early: nothing waits any longer. */
void async_cut(struct sm *s);

/* For tma.c: a copy into shared memory of a block, or one of a warp's stores, has ended. */
void async_wake_block(struct sm *s, unsigned block);
void async_end_store(struct sm *s, unsigned warp);

/* The TMA unit (tma.c). row: of the instruction that starts the copy. */
bool tma_has_room(const struct sm *s);
void tma_take(struct sm *s, unsigned warp, struct copy *c, uint32_t row);
/* Fetches a copy's tensor map for a warp, unless the unit has it; the unit forgets one. */
void tma_fetch_map(struct sm *s, unsigned warp, const struct copy *c, uint32_t row);
void tma_forget_map(struct sm *s, uint64_t addr);
/* Its part of a cycle: ends of copies, then one request. */
int tma_tick(struct sm *s, struct err *err);
/* A reply to one of its requests. */
void tma_reply(struct sm *s, unsigned op);
/* The next cycle in which it does something. */
uint64_t tma_next(const struct sm *s);

#endif
