/* loog.h - collector units, alias table and buffers of the LOOG issue stage. */
#ifndef LENO_VORTEX_LOOG_H
#define LENO_VORTEX_LOOG_H

#include "vortex/loog_stats.h"
#include "vortex/state.h"

enum {
    LOOG_UNITS = 128,
    LOOG_NO_UNIT =
        LOOG_UNITS, /* of a result that there is not: what is said of it is lost */
    LOOG_IBUFFER = 64,
};

/* Where an operand comes from; units are numbers from 0 on. */
enum { FROM_RF = -1, IS_THERE = -2 };

struct cu {
    uop_id uop;
    bool is_lsu;
    uint32_t war; /* older units that have still to read what this one writes */
    uint32_t warp, rd;
    uint32_t n_wait; /* operands that are not there */
    uint32_t unread; /* those of them that the register file has, as bits */
    uint32_t behind; /* its warp's next memory operation, if this is one; 0: none yet */
    int16_t from[3]; /* a unit, FROM_RF or IS_THERE */
    uint32_t uuid;
    uint64_t since;
};

/* What holds a result: the collector unit itself, or an entry of the renaming stack. */
struct holder {
    uint32_t mask;
    bool is_load;
    uint64_t since;
};

/* Units that have still to read a register from the file, and those that may not write it
 * before others have. */
struct loog_users {
    uint32_t readers, writers;
};

enum { LOOG_FREE_CYCLES = 2 }; /* from a unit's last use until it is free */
/* Decoded instructions, of all warps or of one. */
struct loog_buffer {
    unsigned first, n;
    uint64_t head_at; /* the first has come through; NEVER: there is none */
    unsigned n_gone;  /* allocated, their places not free before ... */
    uint64_t gone_at;
    uop_id uop[LOOG_IBUFFER];
    uint64_t at[LOOG_IBUFFER]; /* come through */
};

/* What becomes free in a cycle: units as bits, two at most, and an entry of the renaming
 * stack. */
struct loog_freed {
    uint32_t cus;
    uint16_t n_cus;
    uint16_t entry; /* from 1 on; 0: none */
};

/* The instructions of a warp that wait in units, oldest first, are a ring of units that
 * begins and ends at a place of the warp's own. */
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
    uint64_t alloc_at; /* the next allocation, at the earliest ... */
    uint64_t try_at;   /* ... and with an instruction that has come through */

    /* Units as bits. No two that change in one cycle lie side by side: compilers would
     * load them together, which waits for stores to them one by one. */
    uint32_t allocated;
    unsigned n_allocated, n_used; /* units, entries */
    uint32_t undispatched;
    unsigned n_partial; /* results under way that do not have all lanes */
    uint32_t complete;
    uint32_t waiting[VX_MAX_WARPS]; /* undispatched, by warp */
    uint32_t completing;            /* complete from the next cycle on */
    struct loog_freed freed[4];     /* by the cycle's last two bits */
    uint32_t held;    /* may not be dispatched before older ones have read ... */
    enum stall cause; /* what keeps units; N_STALL: to be found */
    uint32_t behind;  /* ... or before an older memory operation is */
    uint32_t wanting; /* with operands to be read from the register file */
    uint32_t able;    /* with the stack: could be dispatched in the last cycle */
    uint32_t lsu;     /* undispatched memory operations */
    uint32_t came;    /* the last unit allocated ... */
    uint64_t came_at; /* ... in this cycle ... */
    int16_t renamed;  /* ... and who had the name of its result before */
    uint16_t last_lsu[VX_MAX_WARPS]; /* the youngest memory operation */
    struct cu cu[LOOG_CUS];
    struct loog_order order;
    struct holder holder[LOOG_UNITS + 1];
    /* Collector units that wait for a result, which lie behind two for nobody's: what
     * rat has, and from, is a place here. */
    uint32_t readers[2 + LOOG_UNITS + 1];
    uint64_t used[LOOG_UNITS / 64 + 1];
    int16_t rat[VX_MAX_WARPS][VX_REGS];
    struct loog_users users[VX_MAX_WARPS][VX_REGS];
    uint32_t uuid[VX_MAX_WARPS];
    int16_t unit_of[VX_POOL];  /* of an instruction: the unit of its result */
    unsigned last_cu;          /* allocated, for turns */
    uint8_t row[LOOG_CUS + 1]; /* of a number of units: its row of used_0 and so on */

    unsigned port;    /* the unit that has it, or had it last */
    unsigned state;   /* operand of the port's unit to be read next, from 1 on */
    unsigned left;    /* those that come then, as bits */
    uint64_t port_at; /* it is read in this cycle; NEVER: nobody has the port */
    uint32_t blocked; /* statistics of the last cycle, for those slept through */
};

static inline struct loog_stats *loog_stats_of(struct loog *s)
{
    return s->base.stats;
}

/* Who waits for what rat names. */
static inline uint32_t *loog_readers(struct loog *s, int16_t from)
{
    return &s->readers[from - IS_THERE];
}

/* The set, or nothing; without a branch, which a host would guess badly. */
static inline uint32_t only_if(bool condition, uint32_t set)
{
    return -(uint32_t)condition & set;
}

/* Numbers go round, 1 to the top and 1 again: those of the first quarter come behind those
 * of the last. */
static inline unsigned loog_quarter(const struct loog *s, uint32_t uuid)
{
    return uuid >> s->quarter_bits;
}

/* The next one behind the last that is in the set, which is not empty. */
static inline unsigned loog_in_turn(uint32_t set, unsigned last)
{
    uint32_t behind = last < 31 ? set & ~0u << (last + 1) : 0;

    return (unsigned)__builtin_ctz(behind ? behind : set);
}

/* Why allocation waits, in the order of statistics. */
enum loog_blocked { NOT_BLOCKED, NO_CU, NO_RRS, NO_UUID, NO_LANES };

/* loog_parts.c: storage, without and with the renaming stack */
void loog_parts(const struct vortex_config *c, struct part *at);
void loog_rrs_parts(const struct vortex_config *c, struct part *at);

/* loog_operands.c: an operand is read; the port chooses among these in that cycle */
void loog_port_tick(struct loog *s);
void loog_give_port(struct loog *s, uint32_t wanting, uint64_t cycle);
void loog_written(struct vx_issue *base, struct uop *u);

/* loog_alloc.c: the instruction buffer, and units taken and released */
bool loog_accepts(const struct vx_issue *base, unsigned warp);
void loog_insert(struct vx_issue *base, struct uop *u);
void loog_free_cu(struct loog *s, unsigned c);
void loog_free_entry(struct loog *s, unsigned entry);
void loog_allocate(
    struct loog *s); /* there is a free unit: if nothing else blocks it */
void loog_count_blocked(struct loog *s, uint64_t cycles);
uint64_t loog_alloc_next(const struct loog *s); /* a cycle with something to do */

#endif
