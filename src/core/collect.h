/* collect.h - operand collection and the way from issue to a unit: state, and what other
 * stages call (collect.c, station.c; the alternative is in ports.h).
 *
 * Times of collection are in steps: see collect.c.
 */
#ifndef LENO_CORE_COLLECT_H
#define LENO_CORE_COLLECT_H

#include "base/err.h"
#include "core/params.h"
#include "core/ports.h"
#include "core/scheme.h"

struct sm;
struct subcore;
struct warp;

enum { UNIT_LATCHES = 2 }; /* cycles at a unit's input and output, with collectors */

/* Of a sub-core: the latches between issue and collectors, one per pipe. Written by
 * collect.c; issue.c asks in every cycle if all are free. */
struct subcore_latches {
    uint32_t waiting;  /* pipes whose latch has no collector in sight */
    uint64_t all_free; /* first cycle with all latches free, but for `waiting` */
};

/* Of a sub-core. Written by collect.c. */
struct subcore_collect {
    uint64_t last_entry; /* step of the last entry into a collector */
    uint64_t *free; /* collectors: steps, rising; UINT64_MAX: until the LSU takes one */
    uint64_t latch_free[N_PIPE];   /* first cycle in which a pipe's latch is free */
    uint64_t read_free[MAX_BANKS]; /* first step in which a bank serves a read */
};

/* Of a sub-core, per pipe. Written by collect.c or ports.c. */
struct subcore_units {
    uint64_t input_free[N_PIPE]; /* first cycle in which the latch before a unit ... */
    uint64_t free[N_PIPE];       /* ... and the unit is free */
};

/* A memory operation with all operands that waits in its collector for the latch before
 * the LSU. */
struct mem_waiter {
    uop_id uop;
    uint64_t issued;
    uint64_t ready; /* first step in which it could leave */
};

/* Of a sub-core: the latch before the LSU and the operations that wait for it. Written
 * by collect.c or ports.c. */
struct subcore_memory {
    uint64_t at;     /* first cycle in which the LSU may take the instruction ... */
    uop_id uop;      /* ... in the latch; NO_UOP: none */
    uint64_t issued; /* cycle in which that one issued */
    /* a ring of as many places as collectors; choose.c: collectors by number */
    struct mem_waiter *wait;
    unsigned first_wait, n_wait;
};

/* An instruction in its latch with no collector in sight. */
struct latched {
    uop_id uop;
    uint8_t subcore;
    uint64_t issued;
};

/* Written by collect.c, except that unit.c clears `writes` of a cycle that has passed,
 * and ports.c too marks sub-cores in memory_out. */
struct sm_collect {
    unsigned step_shift; /* log2 of regfile.steps */
    unsigned skew;       /* bits of a warp number that affect its banks */
    unsigned n_latched;  /* number of latched ... */
    uint32_t memory_out; /* sub-cores, as bits, with one in the latch before the LSU */
    uint8_t bank_of[2 * 256]; /* by register + (warp & skew) */
    /* by cycle mod 64: banks that take a unit's result, as bits */
    uint16_t writes[64][MAX_SUBCORES];
    /* ... instructions, in issue order */
    struct latched latched[MAX_SUBCORES * N_PIPE];
    uint64_t *free;          /* for all sub-cores */
    struct mem_waiter *wait; /* for all sub-cores */
};
_Static_assert(MAX_BANKS <= 16, "sm_collect.writes has a bit for each bank");

int collect_issue(struct sm *s, struct subcore *c, struct warp *w, struct uop *u,
                  struct err *err);
/* The LSU took the instruction of this sub-core. */
int collect_taken(struct sm *s, struct subcore *c, struct err *err);
/* Takes the unit: decides when it starts; returns the cycle of the result. */
uint64_t collect_take_unit(struct sm *s, struct subcore *c, struct uop *u,
                           uint64_t leave);
/* regfile.choice=lowest (choose.c): an instruction enters the lowest free collector,
 * which it can leave in step `ready`; those that can leave in a step do; is any filled? */
void choose_enter(struct sm *s, struct subcore *c, const struct uop *u, uint64_t ready);
int choose_leave(struct sm *s, uint64_t step, struct err *err);
bool choose_is_busy(const struct sm *s);
/* pipe_order: instructions that wait in latches, and the next cycle to call it. */
int collect_tick(struct sm *s, struct err *err);
uint64_t collect_next(const struct sm *s, const struct subcore *c);
/* Queues a read after step `entry`; returns the step in which it is served. */
uint64_t collect_read(struct sm *s, struct subcore *c, const struct uop *u,
                      unsigned reg, uint64_t entry);
/* An instruction leaves in this step, for its unit or for the LSU. */
void collect_unit(struct sm *s, struct subcore *c, struct uop *u, uint64_t leave);
void collect_lsu(struct sm *s, struct subcore *c, uop_id id, uint64_t issued,
                 uint64_t leave);

/* Collectors as reservation stations (station.c). */
int station_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err);
int station_tick(struct sm *s, struct err *err);

#endif
