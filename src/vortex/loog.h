/* loog.h - collector units, alias table and buffers of the LOOG issue stage. */
#ifndef LENO_VORTEX_LOOG_H
#define LENO_VORTEX_LOOG_H

#include "vortex/loog_stats.h"
#include "vortex/state.h"

enum {
    LOOG_UNITS = 128,
    LOOG_NO_UNIT = LOOG_UNITS, /* of an instruction without a result: never read */
    LOOG_IBUFFER = 64,
};

/* Where an operand comes from; units are numbers from 0 on. */
enum { FROM_RF = -1, IS_THERE = -2 };

struct cu {
    uop_id uop;
    bool is_lsu;
    uint32_t war; /* older units that have still to read the register it writes */
    uint32_t warp, rd;
    uint32_t n_wait; /* missing operands */
    uint32_t unread; /* of them, those to be read from the register file, as bits */
    uint32_t behind; /* of a memory operation: the next one of its warp; 0: none yet */
    int16_t from[3]; /* a unit, FROM_RF or IS_THERE */
    uint32_t uuid;
    uint64_t since;
};

/* The place of a result: the collector unit itself, or an entry of the renaming stack. */
struct holder {
    uint32_t mask;
    bool is_load;
    uint64_t since;
};

/* Units that have still to read a register from the register file, and units that may not
 * write it before that. */
struct loog_users {
    uint32_t readers, writers;
};

enum { LOOG_FREE_CYCLES = 2 }; /* from a unit's last use until it is free */
/* Decoded instructions, of all warps or of one. */
struct loog_buffer {
    unsigned first, n;
    uint64_t head_at; /* the first can be allocated; NEVER: there is none */
    unsigned n_gone;  /* allocated, their places not free before this cycle: */
    uint64_t gone_at;
    uop_id uop[LOOG_IBUFFER];
    uint64_t at[LOOG_IBUFFER]; /* can be allocated */
};

/* Freed in a cycle: at most two units, as bits, and an entry of the renaming stack. */
struct loog_freed {
    uint32_t cus;
    uint16_t n_cus;
    uint16_t entry; /* from 1 on; 0: none */
};

/* The units of a warp's undispatched instructions, oldest first: a doubly linked ring
 * through an element of the warp itself. */
struct loog_order {
    uint16_t next[LOOG_CUS + VX_MAX_WARPS], before[LOOG_CUS + VX_MAX_WARPS];
};

struct loog {
    struct vx_issue base;
    struct loog_params p;
    bool has_rrs;
    uint32_t top;          /* largest number of an instruction */
    uint32_t quarter_bits; /* of a number, below those that tell its quarter */
    unsigned n_cus, n_units;
    uint32_t all_cus;                    /* as bits ... */
    uint64_t all_units[LOOG_UNITS / 64]; /* ... and these */

    struct loog_buffer ibuffer[VX_MAX_WARPS];
    unsigned last_buffer;
    uint64_t alloc_at; /* earliest cycle of the next allocation ... */
    uint64_t try_at;   /* ... and of one for which there is an instruction */

    /* Units as bits (perf: no two that change in one cycle are neighbours, as compilers
     * would load them together and wait for their stores). */
    uint32_t allocated;
    unsigned n_allocated, n_used; /* units, entries */
    uint32_t undispatched;
    unsigned n_partial; /* results in flight without all lanes */
    uint32_t complete;
    uint32_t waiting[VX_MAX_WARPS]; /* undispatched, by warp */
    uint32_t completing;            /* complete from the next cycle on */
    struct loog_freed freed[4];     /* by the cycle's last two bits */
    uint32_t held;    /* not dispatched before older ones have read (WAR) ... */
    enum stall cause; /* first stall reason of units; N_STALL: to be found */
    uint32_t behind;  /* ... or before an older memory operation */
    uint32_t wanting; /* with operands to be read from the register file */
    uint32_t able;    /* with the stack: could be dispatched in the last cycle */
    uint32_t lsu;     /* undispatched memory operations */
    uint32_t came;    /* the last unit allocated ... */
    uint64_t came_at; /* ... in this cycle ... */
    int16_t renamed;  /* ... and the unit that its result register named before */
    uint16_t last_lsu[VX_MAX_WARPS]; /* the youngest memory operation */
    struct cu cu[LOOG_CUS];
    struct loog_order order;
    struct holder holder[LOOG_UNITS + 1];
    /* Collector units that wait for a result. Indexed by values of rat and from, so the
     * first two are unused. */
    uint32_t readers[2 + LOOG_UNITS + 1];
    uint64_t used[LOOG_UNITS / 64 + 1];
    int16_t rat[VX_MAX_WARPS][VX_REGS];
    struct loog_users users[VX_MAX_WARPS][VX_REGS];
    uint32_t uuid[VX_MAX_WARPS];
    int16_t unit_of[VX_POOL];  /* unit of an instruction's result */
    unsigned last_cu;          /* allocated last, for turns */
    uint8_t row[LOOG_CUS + 1]; /* by number of units: the statistic used_0 and so on */

    unsigned port;    /* the unit that has the port, or had it last */
    unsigned state;   /* operand of that unit to be read next, from 1 on */
    unsigned left;    /* operands after it, as bits */
    uint64_t port_at; /* it is read in this cycle; NEVER: the port is idle */
    uint32_t blocked; /* enum loog_blocked of the last cycle, for cycles slept */
};

static inline struct loog_stats *loog_stats_of(struct loog *s)
{
    return s->base.stats;
}

/* Units that wait for the result that rat names. */
static inline uint32_t *loog_readers(struct loog *s, int16_t from)
{
    return &s->readers[from - IS_THERE];
}

/* The set, or nothing (perf: without a branch). */
static inline uint32_t only_if(bool condition, uint32_t set)
{
    return -(uint32_t)condition & set;
}

/* Numbers wrap around from the top to 1: those of the first quarter are younger than those
 * of the last. */
static inline unsigned loog_quarter(const struct loog *s, uint32_t uuid)
{
    return uuid >> s->quarter_bits;
}

/* Why allocation waits; in the order of the statistics. */
enum loog_blocked { NOT_BLOCKED, NO_CU, NO_RRS, NO_UUID, NO_LANES };

/* loog_parts.c: storage, without and with the renaming stack */
void loog_parts(const struct vortex_config *c, struct part *at);
void loog_rrs_parts(const struct vortex_config *c, struct part *at);

/* loog_operands.c: the port reads an operand; it chooses one of these units */
void loog_port_tick(struct loog *s);
void loog_give_port(struct loog *s, uint32_t wanting, uint64_t cycle);
void loog_written(struct vx_issue *base, struct uop *u);

/* loog_alloc.c: the instruction buffer, and units taken and released */
bool loog_accepts(const struct vx_issue *base, unsigned warp);
void loog_insert(struct vx_issue *base, struct uop *u);
void loog_free_cu(struct loog *s, unsigned c);
void loog_free_entry(struct loog *s, unsigned entry);
void loog_allocate(
    struct loog *s); /* a unit is free: unless something else blocks it */
void loog_count_blocked(struct loog *s, uint64_t cycles);
uint64_t loog_alloc_next(const struct loog *s); /* next cycle with work */

#endif
