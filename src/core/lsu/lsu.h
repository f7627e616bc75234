/* lsu.h - the load/store unit of an SM: coalescer, L1, shared memory, constants.
 *
 * It takes one instruction at a time from the operand stage and answers with its uop
 * when the last part of it is done: results written, or a store acknowledged. What it
 * cannot take waits in the latch before it.
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

/* What the LSU tells its SM. */
enum lsu_event_kind {
    LSU_DONE, /* all of its traffic has been answered, and its registers, if it has any,
               * are written; comes for every instruction */
    LSU_CHECKED, /* its addresses are translated, it can no longer fault; before the
                  * other, and only for accesses to memory after lsu_tell_checked() */
};
struct lsu_event {
    uop_id uop;
    uint8_t kind;    /* enum lsu_event_kind */
    bool has_result; /* LSU_DONE: scoreboards open with it */
};

struct lsu *lsu_new(const struct lsu_config *c, unsigned sm, struct uop *pool,
                    struct memory *memory, struct err *err);
void lsu_free(struct lsu *l);
void lsu_tell_checked(struct lsu *l); /* somebody wants LSU_CHECKED */

/* Bytes of the unified memory that shared memory takes while a kernel runs. */
void lsu_kernel_start(struct lsu *l, uint32_t shared_per_sm);

bool lsu_can_take(const struct lsu *l); /* an instruction of any sub-core */
bool lsu_has_room(const struct lsu *l, unsigned subcore); /* of this one (warp % 4) */
void lsu_take(struct lsu *l, struct uop *u, uint64_t cycle);

/* All up to and in this cycle: replies in, accesses on, events out. It comes before
 * lsu_take() of the cycle. All events must be taken before the next. */
bool lsu_tick(struct lsu *l, uint64_t cycle); /* true: there are events */
static inline bool lsu_event(struct lsu *l,
                             struct lsu_event *e); /* pops the next one */

/* The next cycle in which lsu_tick() can do something, as far as replies are known;
 * UINT64_MAX: none. */
uint64_t lsu_next(const struct lsu *l);
/* The SM sleeps: goes on alone through the cycles before end, up to one with events or,
 * if that is wanted, one in which there is room. That cycle, or the next one that could
 * be. It stays where it is unless memory works ahead. */
uint64_t lsu_run(struct lsu *l, uint64_t end, bool wants_room);
bool lsu_is_idle(const struct lsu *l); /* nothing in it at all */
const struct lsu_stats *lsu_stats(const struct lsu *l);
void lsu_dump(const struct lsu *l, struct buf *out);

enum { LSU_EVENTS = 1024 }; /* more than a tick makes */

/* What its SM asks in every cycle, and so without a call: a unit begins with this. */
struct lsu_front {
    uint64_t room_at; /* cycle from which it can take an instruction, if nothing is done
                       * before; UINT64_MAX: none; 0: any, there are queues */
    const struct lsu_event *events;
    uint32_t n_events, n_taken; /* of events; both 0 when all have been taken */
};
static inline uint64_t lsu_room_at(const struct lsu *l)
{
    return ((const struct lsu_front *)l)->room_at;
}
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
