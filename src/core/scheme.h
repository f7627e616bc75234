/* scheme.h - the contract between the core and an issue scheme.
 *
 * A scheme holds the un-issued instructions of every warp of one SM (its window) and
 * decides, per warp, which of them is offered to the warp scheduler. It never sees the
 * SM, the caches or another scheme. The warp scheduler is separate and unmodified. The core
 * links a warp's window in program order, u->older and u->younger: when insert() is called
 * the instruction is in, when issued() is called it is out and still names its neighbours.
 *
 * Offers are kept, not polled. The core asks candidate() after the warp has issued; of a
 * warp that offers nothing, after anything happened to it (an instruction came into its
 * window, a barrier opened, or one was written back, unless HOLD_empty was the answer: then
 * there is nothing in its window); and of any after scheme_wake(), which a
 * scheme calls where an event makes a better offer or, but for an issue, more room.
 * Between these its answer must not change, except in tick(), after which it wakes what
 * changed.
 *
 * A scheme with dispatch() makes collectors its reservation stations: what it issues
 * waits there, after it has left the window, until dispatch() names it. The file's
 * operands are read meanwhile.
 *
 * In one cycle hooks are called in this order: written_back and operands_read, dispatch,
 * tick, candidate for woken warps, check, issued, insert. Adding a scheme is adding one file to
 * src/scheme: a table scheme_NAME; the file name is the registration.
 */
#ifndef LENO_CORE_SCHEME_H
#define LENO_CORE_SCHEME_H

#include "base/err.h"
#include "config/param.h"
#include "core/pending.h"
#include "core/uop.h"
#include "core/warpset.h"
#include "stats/stall.h"
#include "stats/stat.h"

enum { MAX_SUBCORES = 4 };

struct scheme;
struct core_shape;

/* Why a warp offers nothing: HOLD(name, the cause it is charged to). Waits for registers
 * are named by the core, which knows the producers; the rest are reasons that only the
 * scheme can know. */
#define SCHEME_HOLDS(HOLD)                                                           \
    HOLD(nothing, issued)    /* it offers offer.uop */                               \
    HOLD(empty, fetch)       /* its window is empty: the core says why */            \
    HOLD(data, scheme)       /* offer.uop waits for registers: the core says for   \
                              * whose; if for nobody's, the scheme is charged */ \
    HOLD(scoreboard, shared) /* the same, by scoreboards of its control word */      \
    HOLD(names, war)         /* older readers or writers, not yet issued */          \
    HOLD(order, order)       /* an older memory operation or branch */               \
    HOLD(structure, scheme)  /* no room in a structure of the scheme */              \
    HOLD(collectors, collectors)                                                     \
    HOLD(window, window) /* all in the window have issued and are not written */     \
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

/* With reservation stations, of an instruction: where its scheme takes its sources from,
 * and what it does with its results. */
struct capture {
    uop_id from[MAX_LISTED]; /* at issue, places of its list: whose result is
                              * captured; NO_UOP: none, the register file is read */
    uint64_t kept; /* when written: results that go into the register file, as bits in
                    * the order of what it writes */
};

/* A field of a structure that a scheme adds to an SM. Fields of one structure stand
 * together; those with the same count are of one entry. */
struct part {
    const char *structure; /* "issue buffer"; NULL behind the last part */
    const char *field;     /* "instruction" */
    uint64_t count;        /* in an SM */
    uint32_t bits;         /* of each */
};
enum { MAX_PARTS = 48 };

struct scheme_ops {
    const char *name;
    const char *summary;              /* one line, for leno list schemes */
    const char *paper;                /* "" for a baseline */
    const struct param_group *params; /* NULL: none; values are of its size */
    const struct stat_group *stats;   /* NULL: none */
    size_t state_size; /* of the struct that starts with struct scheme ... */
    size_t warp_size;  /* ... and ends with an array; of each warp's part of it */

    /* Once, before the first cycle; s->params, s->shape and s->stats are set. */
    int (*init)(struct scheme *s, struct err *err);
    void (*fini)(struct scheme *s); /* frees what init took */

    /* How many instructions of this warp may be fetched and inserted now. */
    unsigned (*room)(const struct scheme *s, unsigned warp);
    void (*insert)(struct scheme *s, struct uop *u);
    struct offer (*candidate)(struct scheme *s, unsigned warp);
    void (*issued)(struct scheme *s, struct uop *u);
    void (*written_back)(struct scheme *s, struct uop *u);

    /* Optional: what only the scheme can check of an instruction that issues, just before
     * issued(). -1 with err set ends the run. */
    int (*check)(struct scheme *s, const struct uop *u, struct err *err);

    /* Optional: a hook that is NULL is not called. */
    void (*warp_start)(struct scheme *s, unsigned warp);
    void (*operands_read)(struct scheme *s, struct uop *u);
    void (*resolved)(struct scheme *s, struct uop *u); /* a branch's target is known */
    void (*checked)(struct scheme *s, struct uop *u);  /* a memory operation's addresses
                                                        * are translated */
    void (*tick)(struct scheme *s, uint64_t cycle);    /* asked for with wants_tick */
    void (*warp_end)(struct scheme *s, unsigned warp);
    void (*dump)(const struct scheme *s, unsigned warp, struct buf *out);

    /* Optional: reservation stations. Takes the instruction of a sub-core that leaves for
     * its unit now, for one of these pipes (bits of u->pipe); NO_UOP: none. Asked again
     * and again in each cycle while s->ready has the sub-core's bit. */
    uop_id (*dispatch)(struct scheme *s, unsigned subcore, uint32_t pipes);

    /* Instructions of a warp that the window can hold, where that is more than a few:
     * the core keeps room for so many. NULL: a few. */
    unsigned (*window)(const void *params);

    /* Storage of one SM of this shape, part by part: fills at[], MAX_PARTS rows of zeros
     * the last of which is left so. cost/ adds them up. */
    void (*parts)(const void *params, const struct core_shape *shape, struct part *at);
};

/* The sizes a scheme may build on. */
struct core_shape {
    unsigned n_warps;    /* slots of the SM; warp w is on sub-core w % n_subcores */
    unsigned n_subcores; /* one scheduler each */
    bool has_ports; /* operands are read at issue, results forwarded: no collectors */
};

/* The base of every scheme's state. */
struct scheme {
    const struct scheme_ops *ops;
    const void *params; /* ops->params->size bytes */
    void *stats;        /* ops->stats->size bytes */
    const struct core_shape *shape;
    struct uop *pool;              /* uops by id */
    struct capture *capture;       /* the same; NULL without dispatch() */
    const struct pending *pending; /* by warp: registers with a pending write, whoever
                                    * renames them; kept by the core */
    struct warpset woken;          /* warps whose candidate() must be asked again */
    uint64_t cycle;                /* now */
    uint32_t ready;    /* sub-cores, as bits, that dispatch() must be asked for */
    bool wants_tick;   /* tick() is called every cycle while this is set */
    bool wants_reads;  /* operands_read() is called; set in init, or by dispatch() */
    bool wants_cycles; /* u->fetched and u->issued are kept; set in init */
    bool wants_checks; /* checked() is called; set in init */
    bool is_exposed;   /* nothing but control words protects: an operand read before it
                       * is forwarded is a violation, not a wait; set in init */
    bool renames;      /* registers are renamed: a version must have been written when
                       * it is read, not be the last that was; set in init, or by
                       * dispatch() */
    bool predicts;     /* fetch never waits for a branch; set in init */
    /* What it reads of instructions that not every program has; set in init (needs.h). */
    bool needs_control_words;         /* inst.control */
    bool needs_distances;             /* inst.distance */
    uint64_t wake_at[MAX_WARP_SLOTS]; /* wake the warp in that cycle; 0: none */
    uint64_t next_wake;               /* no later than the first of them */
};

/* Its state, all zero, at the beginning of a line of the host's cache; free() takes it.
 * NULL: out of memory. */
enum { SCHEME_ALIGN = 64 };
struct scheme *scheme_new(const struct scheme_ops *ops, unsigned n_warps);

/* What a cycle is charged to in which a warp offers nothing: a scheme's own reason, or the
 * registers with a pending write that o->uop names. */
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

static inline void scheme_wake(struct scheme *s, unsigned warp)
{
    warpset_add(&s->woken, warp);
}

/* Asks for candidate() of a warp in a later cycle, whatever happens until then. */
static inline void scheme_wake_at(struct scheme *s, unsigned warp, uint64_t cycle)
{
    if (!s->wake_at[warp] || cycle < s->wake_at[warp])
        s->wake_at[warp] = cycle;
    if (cycle < s->next_wake)
        s->next_wake = cycle;
}

#endif
