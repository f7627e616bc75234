/* turbulence.h - the state of TURBULENCE: of each warp a ring of results, the window that
 * fills it, and a file of registers that are accessed in order.
 */
#ifndef LENO_SCHEME_TURBULENCE_H
#define LENO_SCHEME_TURBULENCE_H

#include "core/scheme.h"

enum { MAX_WINDOW = 16, MAX_DISTANCE = 32, MAX_SPAN = 32, MAX_RING = 64 };
_Static_assert(MAX_DISTANCE + MAX_SPAN <= MAX_RING, "a word has a bit for each slot");

#define TURBULENCE_PARAMS(NUM, ENUM, BOOL)                                             \
    NUM(window, 8, 1, MAX_WINDOW, "inst", "instructions of a warp to choose from")     \
    NUM(max_distance, 8, 1, MAX_DISTANCE, "inst", "distance that an operand can name") \
    NUM(span, 24, 1, MAX_SPAN, "inst",                                                 \
        "from the oldest in the window on; the ring has max_distance more")            \
    BOOL(masks, true,                                                                  \
         "the window keeps instructions' lanes, so a branch need not issue last")      \
    BOOL(release_at_issue, false,                                                      \
         "a branch lets younger instructions go when it issues, as in GPGPU-Sim")      \
    ENUM(isa, 0, "hybrid|relay",                                                       \
         "far operands by register number, or relayed (which is not built)")
struct turbulence_params {
    TURBULENCE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { ISA_HYBRID, ISA_RELAY };

#define TURBULENCE_STATS(STAT)                                                     \
    STAT(inserted, "warp inst", "", "instructions that entered the window")        \
    STAT(free, "warp inst", "", "of them, without a register number: in no order") \
    STAT(by_distance, "operand", "", "source registers named by distance")         \
    STAT(by_number, "operand", "", "source registers named by number")             \
    STAT(in_ring, "operand", "", "result registers that no number names")          \
    STAT(in_file, "operand", "", "result registers with a number")                 \
    STAT(relays, "warp inst", "",                                                  \
         "relay instructions that a program without register numbers needed at least")
struct turbulence_stats {
    TURBULENCE_STATS(STAT_FIELD)
};

/* What an instruction is, as far as its order is concerned, in bits. */
enum {
    FORM_ANY = 1,
    FORM_NUMBER = 2, /* accesses the register file, or stands for one that does */
    FORM_LOAD = 4,
    FORM_STORE = 8,
    FORM_BRANCH = 16,
    FORM_SYNC = 32,
};

/* How the program's distances have turned out wrong. */
enum fault { FAULT_NONE, FAULT_UNMARKED, FAULT_PRODUCER, FAULT_LANES, FAULT_RING_ONLY };

/* An instruction's place in the ring, from its arrival until another one takes it. */
struct slot {
    uint64_t at;      /* which instruction of the warp, as counted here */
    uint64_t seq;     /* and in the program */
    uint64_t turn;    /* FORM_NUMBER: how many have one before it */
    uint64_t sources; /* slots whose results it needs ... */
    uint64_t names;   /* ... or must not overtake: the same register */
    uint8_t form;
    uint8_t behind; /* forms that it must not pass */
    uint8_t n_near; /* sources that it finds in the ring */
    uint8_t fault;
    uint16_t reg; /* of the fault */
};

/* A register, as of the youngest instruction in the window. Instructions are counted from
 * 1; 0: none. */
struct reg {
    uint64_t writer;     /* that wrote it last */
    uint64_t filed;      /* that wrote it last by number */
    uint64_t sent, come; /* number: last that issued, and was written */
    uint32_t mask;       /* lanes of the writer */
    uint32_t only_ring;  /* lanes whose value no register has */
    uint32_t relayed;    /* how often a program of relays had passed it on by now */
};

/* Of a warp. Sets of slots are bits. */
struct book {
    uint64_t unwritten;     /* whose results are to come; of them, ... */
    uint64_t next;          /* instruction to come */
    uint64_t next_seq;      /* the same, in the program */
    uint64_t turn, n_turns; /* FORM_NUMBER: issued, inserted */
    uint64_t branch;        /* issued and not resolved; 0: none */
    uint32_t n;             /* in the window, from oldest on */
    uop_id oldest;
    struct slot slot[MAX_RING];
    struct reg reg[N_REGID];
};

struct turbulence {
    struct scheme base;
    unsigned ring; /* slots of a warp */
    struct book book[];
};

static inline const struct turbulence_params *params(const struct scheme *s)
{
    return s->params;
}

static inline unsigned slot_of(const struct scheme *s, uint64_t at)
{
    return (unsigned)(at % ((const struct turbulence *)s)->ring);
}

static inline struct book *book_of(struct scheme *s, unsigned warp)
{
    return &((struct turbulence *)s)->book[warp];
}

static inline uint64_t slot_bit(unsigned slot)
{
    return (uint64_t)1 << slot;
}

/* Is a source named by distance, a result in the ring alone? By their places in the
 * list. */
static inline bool is_near(const struct scheme *s, const struct inst *i, unsigned k)
{
    unsigned d = i->distance[k];

    return d <= params(s)->max_distance && (d || k >= i->list.n_reads);
}

/* Where the ring has the result of the instruction so far before this one; NULL: it has
 * not. Instructions that an eliminator drops take no slot, so it may be nearer. */
static inline const struct slot *slot_back(const struct scheme *s, const struct book *b,
                                           const struct slot *e, unsigned distance)
{
    for (unsigned k = distance; k; k--) {
        const struct slot *p = &b->slot[slot_of(s, e->at - k)];

        if (e->at > k && p->at == e->at - k && p->seq == e->seq - distance)
            return p;
    }
    return NULL;
}

#endif
