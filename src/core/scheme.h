/* scheme.h - the contract between the core and an issue scheme.
 *
 * A scheme holds the un-issued instructions of every warp of one SM (its window) and
 * decides, per warp, which of them is offered to the warp scheduler. It never sees the
 * SM, the caches or another scheme. The warp scheduler is separate and unmodified. The
 * core links a warp's window in program order, u->older and u->younger: when insert()
 * is called the instruction is in, when issued() is called it is out and still names
 * its neighbours.
 *
 * Offers are kept, not polled. The core calls candidate() after the warp has issued;
 * for a warp that offers nothing, after anything happened to it (an instruction entered
 * its window, a barrier opened, or an instruction was written back, unless the answer
 * was HOLD_empty: then its window is empty); and for any warp after scheme_wake(),
 * which a scheme calls when an event makes a better offer possible or, except for an
 * issue, more room (scheme_wake_offer(): a better offer only). Between these calls the
 * answer must not change, except in tick(), after which the scheme wakes the warps
 * concerned.
 *
 * A scheme with dispatch() uses the collectors as reservation stations: an issued
 * instruction has left the window and waits there until dispatch() returns it. Operands
 * in the register file are read meanwhile.
 *
 * In one cycle hooks are called in this order: written_back and operands_read,
 * dispatch, tick, candidate for woken warps, check, issued, insert. A scheme is one file
 * in src/scheme with a table scheme_NAME; the file name is the registration.
 */
#ifndef LENO_CORE_SCHEME_H
#define LENO_CORE_SCHEME_H

#include "analysis/hybrid.h"
#include "base/err.h"
#include "config/param.h"
#include "core/part.h"
#include "core/pending.h"
#include "core/shape.h"
#include "core/uop.h"
#include "core/warpset.h"
#include "stats/stall.h"
#include "stats/stat.h"

struct scheme;

/* Why a warp offers nothing: HOLD(name, the stall reason charged). Stalls on registers
 * are named by the core, which knows the producers; if there is none, the scheme is
 * charged. The others are reasons that only the scheme can know. */
#define SCHEME_HOLDS(HOLD)                                                            \
    HOLD(nothing, issued)    /* it offers offer.uop */                                \
    HOLD(empty, fetch)       /* its window is empty: the core says why */             \
    HOLD(data, scheme)       /* offer.uop waits for registers */                      \
    HOLD(scoreboard, shared) /* the same, by scoreboards of its control word */       \
    HOLD(names, war)         /* older readers or writers that have not issued */      \
    HOLD(order, order)       /* an older memory operation or branch */                \
    HOLD(structure, scheme)  /* no room in a structure of the scheme */               \
    HOLD(collectors, collectors)                                                      \
    HOLD(window, window) /* everything in the window has issued but is not written */ \
    HOLD(stall_count, stall_count)
enum hold {
#define HOLD(name, cause) HOLD_##name,
    SCHEME_HOLDS(HOLD)
#undef HOLD
        N_HOLD
};

/* What a warp offers, or why it offers nothing. */
struct offer {
    uop_id uop;   /* with HOLD_nothing, HOLD_data and HOLD_scoreboard */
    uint8_t hold; /* enum hold */
    bool yield;   /* another warp should come first after it */
};

static inline struct offer offer_uop(uop_id id)
{
    return (struct offer){ id, HOLD_nothing, false };
}

static inline struct offer offer_none(enum hold why)
{
    return (struct offer){ NO_UOP, (uint8_t)why, false };
}

static inline struct offer offer_data(uop_id waits)
{
    return (struct offer){ waits, HOLD_data, false };
}

/* With reservation stations, per instruction: where its scheme takes its sources from,
 * and what it does with its results. */
struct capture {
    uop_id from[MAX_LISTED]; /* at issue, places of its list: whose result is
                              * captured; NO_UOP: none, the register file is read */
    uint64_t kept; /* when written: results that go into the register file, as bits in
                    * the order of what it writes */
};

struct scheme_ops {
    const char *name;
    const char *summary;              /* one line, for leno list schemes */
    const char *paper;                /* "" for a baseline */
    const struct param_group *params; /* NULL: none; values are of its size */
    const struct stat_group *stats;   /* NULL: none */
    /* size of the struct that starts with struct scheme and may end with an array ... */
    size_t state_size;
    size_t warp_size;  /* ... of one element per warp, of this size */
    bool wants_pipes;  /* free_pipes and first are used; it ticks while it offers */
    bool wants_cycles; /* u->fetched and u->issued are valid */
    bool flushes;      /* nothing is decoded after a redirect until it issues */
    /* init may set `renames`, `is_exposed`. (perf: stages that are compiled with a scheme
     * which sets neither do not ask) */
    bool may_rename, may_be_exposed;

    /* Called once, before the first cycle; s->params, s->shape and s->stats are set. */
    int (*init)(struct scheme *s, struct err *err);
    void (*fini)(struct scheme *s); /* frees what init allocated */

    /* How many instructions of this warp may be fetched and inserted now. */
    unsigned (*room)(const struct scheme *s, unsigned warp);
    void (*insert)(struct scheme *s, struct uop *u);
    struct offer (*candidate)(struct scheme *s, unsigned warp);
    void (*issued)(struct scheme *s, struct uop *u);
    void (*written_back)(struct scheme *s, struct uop *u);

    /* Optional: checks that only the scheme can make of an instruction that issues,
     * just before issued(). -1 with err set ends the run. */
    int (*check)(struct scheme *s, const struct uop *u, struct err *err);

    /* Optional hooks: one that is NULL is not called. */
    void (*warp_start)(struct scheme *s, unsigned warp);
    void (*operands_read)(struct scheme *s, struct uop *u);
    void (*resolved)(struct scheme *s, struct uop *u); /* a branch's target is known */
    void (*checked)(struct scheme *s, struct uop *u);  /* a memory operation's addresses
                                                        * are translated */
    void (*tick)(struct scheme *s, uint64_t cycle);    /* called if wants_tick is set */
    void (*warp_end)(struct scheme *s, unsigned warp);
    void (*dump)(const struct scheme *s, unsigned warp, struct buf *out);

    /* Optional: reservation stations. Returns the instruction of a sub-core that leaves
     * for its unit now, for one of these pipes (bits of u->pipe); NO_UOP: none. Called
     * repeatedly in each cycle while s->ready has the sub-core's bit. */
    uop_id (*dispatch)(struct scheme *s, unsigned subcore, uint32_t pipes);
    /* It knows that an instruction whose result is known (u->reused, skip.h) captures
     * nothing and is not dispatched: written_back() follows its issue. */
    bool takes_known;

    /* The number of instructions of a warp that the window can hold, if that is more
     * than a few: the core reserves room for them. NULL: a few. */
    unsigned (*window)(const void *params);

    /* Storage per SM of this shape, part by part: fills at[], which has MAX_PARTS rows
     * of zeros, and leaves the last row zero. cost/ adds them up. */
    void (*parts)(const void *params, const struct core_shape *shape, struct part *at);
    /* How programs must name their operands; NULL: by register. Programs are converted
     * before they run (analysis/hybrid.h). */
    struct naming (*naming)(const void *params);
};

/* The base of every scheme's state. */
struct scheme {
    const struct scheme_ops *ops;
    const void *params; /* ops->params->size bytes */
    void *stats;        /* ops->stats->size bytes */
    const struct core_shape *shape;
    struct uop *pool;        /* uops by id */
    struct capture *capture; /* indexed by uop; NULL without dispatch() */
    /* per warp: registers with a pending write, regardless of renaming; kept by the
     * core */
    const struct pending *pending;
    struct warpset woken;   /* warps whose candidate() must be called again ... */
    struct warpset roomier; /* ... and, of these, those whose room() must be */
    /* warps at a barrier or fence, or with an atomic in flight: their offers are not
     * asked for; kept by the core */
    struct warpset waiting;
    uint64_t cycle; /* now */
    uint32_t ready; /* sub-cores, as bits, for which dispatch() must be called ... */
    uint32_t ready_pipes[MAX_SUBCORES]; /* ... for some of these pipes, as bits */
    bool wants_tick;   /* tick() is called every cycle while this is set */
    bool wants_reads;  /* operands_read() is called; set in init, or by dispatch() */
    bool wants_checks; /* checked() is called; set in init */
    /* with ops->wants_pipes; candidate() is called when they change, and writes first */
    uint32_t free_pipes[MAX_SUBCORES]; /* as bits */
    struct warpset first; /* warps whose offers issue first, beside each other */
    /* only control words protect: an operand read too early is a violation; set in init */
    bool is_exposed;
    bool renames;   /* any written version may be read; set in init, or by dispatch() */
    bool is_refill; /* insert(): it was fetched while its warp waited at a barrier */
    bool predicts;  /* fetch never waits for a branch; set in init */
    /* Facts about instructions that it reads and not every program has; set in init
     * (needs.h). */
    bool needs_control_words;         /* inst.control */
    bool needs_distances;             /* inst.distance */
    uint64_t wake_at[MAX_WARP_SLOTS]; /* cycle in which to wake the warp; 0: none */
    struct warpset late;              /* warps with such a cycle */
    uint64_t next_wake;               /* no later than the first of them */
};

/* A scheme's table: a constant when the stages are compiled with it (sim/fused.c). */
#ifdef FUSED_OPS
extern const struct scheme_ops FUSED_OPS;
#define SCHEME_OPS(s) ((void)(s), &FUSED_OPS)
#else
#define SCHEME_OPS(s) ((s)->ops)
#endif

/* Allocates the state of a scheme or an eliminator, all zero and aligned to a host cache
 * line, as a struct uop in it must be; release it with free(). NULL: out of memory. */
enum { SCHEME_ALIGN = 64 };
void *scheme_new_state(size_t bytes);
struct scheme *scheme_new(const struct scheme_ops *ops, unsigned n_warps);

/* The stall reason charged for a warp that offers nothing: the scheme's own, or that of
 * the registers with a pending write that o->uop names. */
static inline enum stall scheme_hold_cause(const struct scheme *s,
                                           const struct offer *o)
{
    static const uint8_t causes[N_HOLD] = {
#define HOLD(name, cause) STALL_##cause,
        SCHEME_HOLDS(HOLD)
#undef HOLD
    };
    const struct uop *u = &s->pool[o->uop];

    if (o->hold == HOLD_data)
        return pending_cause(&s->pending[u->warp], u->dyn.inst);
    if (o->hold == HOLD_scoreboard)
        return pending_scoreboard_cause(&s->pending[u->warp], u->dyn.inst);
    return o->hold < N_HOLD ? (enum stall)causes[o->hold] : STALL_scheme;
}

/* A better offer of the warp is possible, and no more room. */
static inline void scheme_wake_offer(struct scheme *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

static inline void scheme_wake(struct scheme *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
    warpset_add(&s->roomier, warp);
}

/* Asks for candidate() of a warp in a later cycle, whatever happens until then. */
static inline void scheme_wake_at(struct scheme *s, unsigned warp, uint64_t cycle)
{
    if (!s->wake_at[warp] || cycle < s->wake_at[warp])
        s->wake_at[warp] = cycle;
    warpset_add(&s->late, warp);
    if (cycle < s->next_wake)
        s->next_wake = cycle;
}

#endif
