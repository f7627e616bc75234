/* lsu.h - the load/store unit of an SM: coalescer, L1, shared memory, constants.
 *
 * It takes one instruction at a time from the operand stage and reports its uop when
 * the last part of it is done: results written, or a store acknowledged. An instruction
 * that it cannot take waits in the latch before it.
 */
#ifndef LENO_CORE_LSU_H
#define LENO_CORE_LSU_H

#include "base/err.h"
#include "config/param.h"
#include "core/uop.h"
#include "mem/memory.h"
#include "stats/stat.h"

struct lsu;
struct lsu_config; /* core/lsu/params.h: l1, shared, lsu, const groups */
struct lsu_stats;  /* core/lsu/stats.h */

/* Events that the LSU reports to its SM. */
enum lsu_event_kind {
    /* all its traffic is answered and its registers, if any, are written; comes for
     * every instruction */
    LSU_DONE,
    /* its addresses are translated and it can no longer fault; comes before
     * LSU_DONE, and only for accesses to memory after lsu_tell_checked() */
    LSU_CHECKED,
    LSU_COPIED,  /* a reply to the TMA unit's operation `uop` */
    LSU_SETTLED, /* stores of the warp in place `uop` are answered (lsu_await_stores) */
};
struct lsu_event {
    uop_id uop;
    uint8_t kind;    /* enum lsu_event_kind */
    bool has_result; /* LSU_DONE: clears scoreboards */
};

struct lsu *lsu_new(const struct lsu_config *c, unsigned sm, struct uop *pool,
                    struct memory *memory, struct err *err);
/* The same unit, simulated cycle by cycle (plain.c): the specification, slower. It must
 * be ticked in every cycle. */
struct lsu *lsu_new_plain(const struct lsu_config *c, unsigned sm, struct uop *pool,
                          struct memory *memory, struct err *err);
void lsu_tell_checked(struct lsu *l); /* asks for LSU_CHECKED events */

/* A kernel, as far as the unit depends on it. */
struct lsu_kernel {
    uint32_t shared;      /* bytes that all blocks of an SM need */
    uint32_t block_warps; /* warps per block */
    uint32_t blocks;      /* blocks that fit on an SM */
    uint64_t n_blocks;    /* of the grid */
    bool has_clusters;
};
/* Divides the unified memory and lays out local memory for a kernel. */
void lsu_kernel_start(struct lsu *l, const struct lsu_kernel *k);

/* An instruction after which loads must see other SMs' stores (INST_BYPASS_L1 of a
 * fence): L1 forgets its lines, where l1.fences says so. */
void lsu_empty_l1(struct lsu *l);

/* With l1.posted stores are done before they are answered. True if answers to stores of this
 * warp are outstanding; then LSU_SETTLED follows. */
bool lsu_await_stores(struct lsu *l, unsigned warp);
bool lsu_is_settled(const struct lsu *l); /* all stores are answered */

bool lsu_can_take(const struct lsu *l); /* an instruction of any sub-core */
struct hot_table;
void lsu_set_hot(struct lsu *l, struct hot_table *t); /* counts into it, too */
const struct lsu_stats *lsu_stats(const struct lsu *l);

/* What each form of the unit does in its own way; functions of the same names follow. */
struct lsu_form {
    void (*free)(struct lsu *l);
    /* True if it can take an instruction of this sub-core (warp % 4). */
    bool (*has_room)(const struct lsu *l, unsigned subcore);
    void (*take)(struct lsu *l, struct uop *u, uint64_t cycle);
    /* Does everything up to and including this cycle: replies in, accesses on, events
     * out. It precedes take() of the cycle. All events must be taken before the next
     * call. True: there are events. */
    bool (*tick)(struct lsu *l, uint64_t cycle);
    /* The next cycle in which tick() can do something, as far as replies are known;
     * NEVER or later: none. */
    uint64_t (*next)(const struct lsu *l);
    /* The SM sleeps: the LSU goes on alone through the cycles before end, up to one
     * with events or, if wanted, one in which it has room. Returns that cycle, or the
     * next in which there could be one. It stays where it is unless memory works
     * ahead. */
    uint64_t (*run)(struct lsu *l, uint64_t end, bool wants_room);
    bool (*is_idle)(const struct lsu *l); /* it is completely empty */
    void (*dump)(const struct lsu *l, struct buf *out);
};

enum { LSU_EVENTS = 1024 }; /* more than one tick produces */

/* What its SM asks in every cycle (perf: inlined, so struct lsu begins with these
 * fields). */
struct lsu_front {
    const struct lsu_form *form;
    /* first cycle in which it can take an instruction, if nothing is done before;
     * UINT64_MAX: none; 0: any, there are queues */
    uint64_t room_at;
    const struct lsu_event *events;
    uint32_t n_events,
        /* number of events and of those taken; both 0 when all have been taken */
        n_taken;
};
static inline const struct lsu_form *lsu_form(const struct lsu *l)
{
    return ((const struct lsu_front *)l)->form;
}

static inline void lsu_free(struct lsu *l)
{
    if (l)
        lsu_form(l)->free(l);
}
static inline bool lsu_has_room(const struct lsu *l, unsigned subcore)
{
    return lsu_form(l)->has_room(l, subcore);
}
static inline void lsu_take(struct lsu *l, struct uop *u, uint64_t cycle)
{
    lsu_form(l)->take(l, u, cycle);
}
static inline bool lsu_tick(struct lsu *l, uint64_t cycle)
{
    return lsu_form(l)->tick(l, cycle);
}
static inline uint64_t lsu_next(const struct lsu *l)
{
    return lsu_form(l)->next(l);
}
static inline uint64_t lsu_run(struct lsu *l, uint64_t end, bool wants_room)
{
    return lsu_form(l)->run(l, end, wants_room);
}
static inline bool lsu_is_idle(const struct lsu *l)
{
    return lsu_form(l)->is_idle(l);
}
static inline void lsu_dump(const struct lsu *l, struct buf *out)
{
    lsu_form(l)->dump(l, out);
}
static inline uint64_t lsu_room_at(const struct lsu *l)
{
    return ((const struct lsu_front *)l)->room_at;
}
/* Takes the next event. */
static inline bool lsu_event(struct lsu *l, struct lsu_event *e)
{
    struct lsu_front *f = (struct lsu_front *)l;

    if (f->n_taken == f->n_events) {
        f->n_taken = f->n_events = 0;
        return false;
    }
    *e = f->events[f->n_taken++ % LSU_EVENTS];
    return true;
}

#endif
