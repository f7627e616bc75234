/* turbulence.h - the state of TURBULENCE: per warp a ring of results, the window that
 * fills it, and a register file that is accessed in order.
 */
#ifndef LENO_SCHEME_TURBULENCE_H
#define LENO_SCHEME_TURBULENCE_H

#include "base/cycles.h"
#include "core/scheme.h"

enum { MAX_WINDOW = 16, MAX_DISTANCE = 32, MAX_SPAN = 32, MAX_RING = 64 };
_Static_assert(MAX_DISTANCE + MAX_SPAN <= MAX_RING, "a word has a bit for each slot");

#define TURBULENCE_PARAMS(NUM, ENUM, BOOL)                                             \
    NUM(window, 8, 1, MAX_WINDOW, "inst", "instructions per warp to choose from")      \
    NUM(max_distance, 8, 1, MAX_DISTANCE, "inst",                                      \
        "largest distance that an operand can name")                                   \
    NUM(span, 24, 1, MAX_SPAN, "inst",                                                 \
        "reach of the window, counted from its oldest instruction; the ring has "      \
        "max_distance more slots")                                                     \
    BOOL(masks, true,                                                                  \
         "the window keeps each instruction's lanes, so a branch need not issue "      \
         "last")                                                                       \
    BOOL(release_at_issue, false,                                                      \
         "instructions after a branch may issue once the branch has issued, as in "    \
         "GPGPU-Sim")                                                                  \
    ENUM(isa, 0, "hybrid|relay",                                                       \
         "far operands by register number, or relayed by inserted moves")              \
    ENUM(order, 0, "all|sources",                                                      \
         "who accesses the register file in program order: all that name a register, " \
         "or only those that read one")                                                \
    ENUM(convert, 2, "runs|joins|moves",                                               \
         "operands have distances within straight code; also where all ways agree; "   \
         "also by inserted instructions where they free more than they cost")
struct turbulence_params {
    TURBULENCE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { ISA_HYBRID, ISA_RELAY };
enum { ORDER_ALL, ORDER_SOURCES };

#define TURBULENCE_STATS(STAT)                                                    \
    STAT(inserted, "warp inst", "", "instructions that entered the window")       \
    STAT(moves, "warp inst", "", "of these, inserted by the converter")           \
    STAT(free, "warp inst", "", "of these, without a register number: unordered") \
    STAT(by_distance, "operand", "", "source registers named by distance")        \
    STAT(by_number, "operand", "", "source registers named by number")            \
    STAT(in_ring, "operand", "", "result registers that no number names")         \
    STAT(in_file, "operand", "", "result registers with a number")
struct turbulence_stats {
    TURBULENCE_STATS(STAT_FIELD)
};

/* Kinds of instructions, as far as order is concerned, as bits. */
enum {
    FORM_NUMBER = 1, /* accesses the register file in order, or is ordered like that */
    FORM_LOAD = 2,
    FORM_STORE = 4,
    FORM_BRANCH = 8,
    FORM_SYNC = 16,
};

/* Ways in which the distances of a program can be wrong. */
enum fault { FAULT_NONE, FAULT_UNMARKED, FAULT_PRODUCER, FAULT_LANES, FAULT_RING_ONLY };

/* An instruction's place in the ring, from insertion until the slot is reused. (perf: a host
 * cache line) */
struct slot {
    _Alignas(SCHEME_ALIGN) uint64_t at; /* number in its warp, as counted here */
    uint64_t seq;                       /* sequence number in the program */
    /* FORM_NUMBER instructions that must issue first: all before it if it is one itself,
     * otherwise up to the last that reads what it writes (WAR) */
    uint64_t turn;
    uint64_t sources; /* slots whose results it needs ... */
    uint64_t names; /* ... or must not overtake, because they write the same register */
    uint64_t waiters; /* slots that need its own result, or must not overtake it */
    uint64_t behind;  /* slots that it must not pass while they are in the window */
    uop_id uop;
    uint16_t reg; /* register that the fault concerns */
    uint8_t form;
    uint8_t fault;
    uint8_t farthest; /* how far before it the oldest slot is that it reads; 0: none */
};
_Static_assert(sizeof(struct slot) == SCHEME_ALIGN && MAX_RING <= UINT8_MAX, "slot");

/* A register, as of the youngest instruction in the window. Instructions are numbered
 * from 1; 0 means none. */
struct reg {
    uint64_t writer;     /* instruction that wrote it last */
    uint64_t filed;      /* instruction that wrote it last by number */
    uint64_t readers;    /* FORM_NUMBER instructions up to the last that reads it */
    uint64_t sent, come; /* by number: last write that issued, last that completed */
    uint32_t mask;       /* lanes that the writer wrote */
    uint32_t only_ring;  /* lanes whose value is in the ring only */
};

/* State of one warp. Sets of slots are bits. */
struct book {
    uint64_t unwritten;     /* slots with a pending result */
    uint64_t next;          /* number of the next instruction */
    uint64_t next_seq;      /* its sequence number in the program */
    uint64_t turn, n_turns; /* FORM_NUMBER: how many have issued, and were inserted */
    uint64_t branch;        /* branch that has issued but not resolved; 0: none */
    uint64_t window;        /* instructions that have not issued; of these: */
    uint64_t loads, stores, branches, syncs;
    uint64_t open;         /* those that wait for no other slot */
    struct regset touched; /* registers with a state, in reg */
    struct slot slot[MAX_RING];
    struct reg reg[N_REGID];
};

struct turbulence {
    struct scheme base;
    unsigned ring; /* slots per warp */
    struct book book[];
};

static inline const struct turbulence_params *params_of(const struct scheme *s)
{
    return s->params;
}

/* Where the slot of an instruction is kept. That of the one `ring` before it has its slot
 * in the hardware, but stays here for longer: has_slot() knows. (perf: no division) */
static inline unsigned slot_of(uint64_t at)
{
    return (unsigned)(at % MAX_RING);
}

static inline struct book *book_of(struct scheme *s, unsigned warp)
{
    return &((struct turbulence *)s)->book[warp];
}

static inline unsigned window_size(const struct book *b)
{
    return (unsigned)__builtin_popcountll(b->window);
}

static inline uint64_t slot_bit(unsigned slot)
{
    return (uint64_t)1 << slot;
}

/* Does the ring still have the slot of an instruction? */
static inline bool has_slot(const struct scheme *s, const struct book *b, uint64_t at)
{
    return b->next <= at + ((const struct turbulence *)s)->ring;
}

/* Is operand k of the list near: a source named by distance, or a result in the ring
 * only? */
static inline bool is_near(const struct scheme *s, const struct inst *i, unsigned k)
{
    return inst_is_near(i, k, (unsigned)params_of(s)->max_distance);
}

/* The slot of the instruction `distance` before this one; NULL if the ring no longer
 * has it. Dropped instructions take no slot, so it may be fewer slots away. */
static inline const struct slot *slot_back(const struct scheme *s, const struct book *b,
                                           const struct slot *e, unsigned distance)
{
    for (unsigned k = distance; k; k--) {
        const struct slot *p = &b->slot[slot_of(e->at - k)];

        if (e->at > k && has_slot(s, b, e->at - k) && p->seq == e->seq - distance)
            return p;
    }
    return NULL;
}

#endif
