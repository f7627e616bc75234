/* inst.h - one static instruction as every front end shows it and every pipeline sees
 * it: class, registers read and written, control word, and facts about it that every
 * room needs.
 */
#ifndef LENO_ISA_INST_H
#define LENO_ISA_INST_H

#include "isa/regset.h"

/* The kind of unit that executes it: CLASS(id, contents). A machine maps each class to
 * a pipe, a latency and an interval. */
#define INST_CLASSES(CLASS)                                             \
    CLASS(none, "NOP and the like: no unit")                            \
    CLASS(int, "32-bit integer, logic, moves, predicates")              \
    CLASS(imul, "integer multiply-add")                                 \
    CLASS(imul_wide, "the same with a 64-bit result or its upper half") \
    CLASS(fp32, "single precision add, multiply, multiply-add")         \
    CLASS(fcmp, "single precision compare, select, minimum")            \
    CLASS(fp64, "double precision")                                     \
    CLASS(half, "packed fp16 and bf16")                                 \
    CLASS(half_mma, "HFMA2.MMA: packed halves in the matrix pipe")      \
    CLASS(sfu, "special functions: MUFU")                               \
    CLASS(conv, "conversions between formats, bit counts")              \
    CLASS(tensor, "matrix products")                                    \
    CLASS(tensor_small, "matrix products of half the size: HMMA.1688")  \
    CLASS(tensor_fp64, "matrix products in double precision")           \
    CLASS(uniform, "the scalar datapath")                               \
    CLASS(sreg, "special registers: S2R")                               \
    CLASS(vote, "votes")                                                \
    CLASS(shuffle, "lanes exchange: shuffle, match, reductions")        \
    CLASS(load, "loads")                                                \
    CLASS(store, "stores")                                              \
    CLASS(atomic, "atomics and reductions in memory")                   \
    CLASS(ldc, "loads from a constant bank")                            \
    CLASS(texture, "textures")                                          \
    CLASS(branch, "may change the program counter or the active lanes") \
    CLASS(barrier, "waits for other warps")                             \
    CLASS(fence, "orders memory")                                       \
    CLASS(misc, "the rest")                                             \
    CLASS(uniform_move, "the scalar datapath's moves: UMOV, ULDC")      \
    CLASS(exit, "ends threads: EXIT, KILL")

enum inst_class {
#define CLASS(id, help) CLASS_##id,
    INST_CLASSES(CLASS)
#undef CLASS
        N_INST_CLASS
};

enum inst_space {
    SPACE_NONE,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_GENERIC,
    SPACE_TEXTURE
};

/* Does it give the same result in every warp of a block? Known from the code alone
 * (analysis/redundancy.h). */
enum redundancy {
    REDUNDANT,          /* yes */
    REDUNDANT_BY_SHAPE, /* yes, in blocks whose numbers in x repeat from warp to warp */
    REDUNDANT_BY_PLANE, /* yes, in blocks whose numbers in x and in y do */
    NOT_REDUNDANT,      /* not known to */
    N_REDUNDANCY
};

/* The scheduling bits that NVIDIA's compiler puts into each instruction. */
struct inst_control {
    uint8_t stall; /* cycles before the warp's next issue */
    bool yield;    /* prefer another warp */
    /* 0..5, 7 = none: released when the result is written back */
    uint8_t write_barrier;
    uint8_t read_barrier; /* 0..5, 7 = none: released when the sources are read */
    uint8_t wait_mask;    /* barriers that must be clear */
    uint8_t reuse;        /* operand reuse cache, bit 0 = a */
};

enum { MAX_SRC = 6, MAX_DST = 2, NO_DEPBAR = 7 };

/* An operand in general registers, for the register file's ports. A register that
 * always reads as zero does not count. */
struct inst_operand {
    uint8_t reg;  /* first register */
    uint8_t n;    /* number of consecutive registers */
    uint8_t slot; /* 0, 1, 2: which reuse cache; 3: none */
    uint8_t at;   /* sources: index of the first in the list of reads */
    bool again;   /* sources: named before with as many registers, so read only once */
};

/* What it does to memory that a program can write; constant banks do not count. */
enum inst_memory {
    INST_READS = 1,
    INST_WRITES = 2,
    INST_ATOMIC = 4, /* reads and writes in one step; reductions too */
    INST_ORDERS = 8, /* fences and barriers: no memory operation passes them */
};

enum fence_scope { FENCE_BLOCK, FENCE_GPU, FENCE_SYSTEM };
enum inst_flag {
    INST_EXIT = 1,       /* ends lanes */
    INST_CONTROL = 2,    /* the next instruction may be elsewhere */
    INST_BYPASS_L1 = 4,  /* must see other SMs' stores; CCTL.IVALL: later loads must */
    INST_SYNC = 8,       /* nothing of its warp may pass it: barriers, fences, exits */
    INST_ASYNC = 16,     /* its registers do not wait for its memory traffic */
    INST_SETS_PRED = 32, /* writes a predicate */
    INST_REDO = 64, /* idempotent (analysis/idempotence.h); unset if not analysed */
    INST_CONVERGE = 128, /* lanes reconverge: BSYNC */
    INST_TIME = 256,     /* reads the time of its issue; later ones wait (stream.h) */
    INST_INSERTED = 512, /* not in the program: a pass has inserted it */
    INST_PHASE = 1024,   /* on what warps share (isa/async.h): executed as it issues */
    INST_COPIES = 2048,  /* starts a bulk copy, or commits some (isa/async.h) */
    INST_COUNTS = 4096,  /* adds one: shared memory takes lanes of one word together */
};

struct inst {
    uint64_t pc;
    uint16_t op;    /* the front end's own opcode number */
    uint8_t class;  /* enum inst_class */
    uint8_t space;  /* enum inst_space */
    uint8_t bytes;  /* memory operations: bytes per lane; fences: enum fence_scope */
    uint8_t length; /* length of its encoding in bytes */
    uint16_t flags; /* enum inst_flag */
    uint8_t memory; /* enum inst_memory */
    uint8_t depbar; /* waits until this barrier (0..5; NO_DEPBAR) ... */
    uint8_t depbar_max; /* ... has at most this count */
    uint8_t depbar_all; /* and until these barriers have count 0 */
    uint8_t product, product_is, products_left; /* of a warpgroup: isa/async.h */
    uint8_t n_src, n_dst, n_written; /* inst_index(): registers of its results */
    bool is_late, is_plain; /* inst_index(): variable latency; only computes (inst.c) */
    uint8_t n_once;         /* inst_index(): sources that are not named before, ... */
    uint8_t once[MAX_SRC];  /* ... the first register of each */
    struct inst_operand dst[MAX_DST], src[MAX_SRC];
    struct inst_control control;
    struct regset reads, writes;

    /* The register sets combined, for quick checks; inst_index() fills them in. */
    struct regset touches; /* reads and writes */
    struct reglist list;

    /* Per member of the list, if has_distances (analysis/distance.h). Source: how many
     * instructions before it its producer always is; 0: not constant. Result: how many
     * instructions after it its last reader is; 0: no reader. */
    bool has_distances;
    uint8_t distance[MAX_LISTED];
};
enum { DISTANCE_FAR = 255 }; /* of a result: unknown, or farther away than that */
/* To be called once the sets and operands are complete. */
void inst_index(struct inst *i);

/* What instructions of a class do to memory (enum inst_memory). A front end adds what
 * only the opcode tells, such as copies and surface accesses. */
uint8_t inst_class_memory(enum inst_class class);

static inline bool inst_is_memory(const struct inst *i)
{
    return i->memory & (INST_READS | INST_WRITES);
}

/* Reads memory without changing it: loads, textures. */
static inline bool inst_is_load(const struct inst *i)
{
    return (i->memory & (INST_READS | INST_WRITES)) == INST_READS;
}

/* Writes memory, whether or not it also reads it: stores, atomics, copies. */
static inline bool inst_writes_memory(const struct inst *i)
{
    return i->memory & INST_WRITES;
}

static inline bool inst_is_atomic(const struct inst *i)
{
    return i->memory & INST_ATOMIC;
}

/* A copy from global to shared memory that continues after its instruction has
 * issued. */
static inline bool inst_is_copy(const struct inst *i)
{
    return i->flags & INST_ASYNC;
}

/* Fences and barriers. */
static inline bool inst_orders_memory(const struct inst *i)
{
    return i->memory & INST_ORDERS;
}

/* Must two memory operations of a warp stay in order if they touch the same byte? */
static inline bool inst_may_conflict(const struct inst *a, const struct inst *b)
{
    return (a->memory | b->memory) & INST_WRITES && inst_is_memory(a) &&
           inst_is_memory(b);
}

/* May later instructions depend on its target? Not where lanes reconverge: each
 * instruction has its own mask. */
static inline bool inst_is_branch(const struct inst *i)
{
    return (i->flags & (INST_CONTROL | INST_CONVERGE)) == INST_CONTROL;
}

/* The upper half of a wide integer product's addend, if it is no other source as well;
 * N_REGID: there is none. */
static inline unsigned inst_late_source(const struct inst *i)
{
    const struct inst_operand *c = &i->src[i->n_src ? i->n_src - 1 : 0];
    unsigned reg = c->reg + 1u;

    if (i->class != CLASS_imul_wide || !i->n_src || c->n < 2)
        return N_REGID;
    for (const struct inst_operand *o = i->src; o < c; o++)
        if (reg - o->reg < o->n)
            return N_REGID;
    return reg;
}

static inline bool inst_converges(const struct inst *i)
{
    return i->flags & INST_CONVERGE;
}

/* No instruction of its warp may pass it, in either direction. */
static inline bool inst_is_sync(const struct inst *i)
{
    return i->flags & INST_SYNC;
}

/* Does it only write registers? Loads count too. */
static inline bool inst_computes(const struct inst *i)
{
    return !(i->flags & (INST_EXIT | INST_CONTROL | INST_SYNC | INST_ASYNC)) &&
           !(i->memory & (INST_WRITES | INST_ORDERS)) && i->class != CLASS_branch &&
           i->class != CLASS_misc && i->list.is_whole && i->list.n_writes;
}

/* Is operand k of the list near: a source named by a distance of at most max, or a result
 * that is not read from farther away? */
static inline bool inst_is_near(const struct inst *i, unsigned k, unsigned max)
{
    return i->distance[k] <= max && (i->distance[k] || k >= i->list.n_reads);
}

/* Copies the distances for the registers that it shares with another instruction. */
void inst_take_distances(struct inst *i, const struct inst *from);

#endif
