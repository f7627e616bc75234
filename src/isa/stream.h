/* stream.h - what a front end gives a pipeline: each warp's instructions, in program
 * order, executed as they are taken.
 *
 * The front end owns registers, memory and divergence; taking an instruction executes
 * it. Timing decides when, the front end decides what. A warp's stream stops at a
 * barrier until the other warps have reached theirs in program order. The caller provides
 * each dyn with room for a list of addresses.
 */
#ifndef LENO_ISA_STREAM_H
#define LENO_ISA_STREAM_H

#include "base/buf.h"
#include "base/err.h"
#include "base/watch.h"
#include "isa/addresses.h"
#include "isa/async.h"
#include "isa/inst.h"
#include "isa/turns.h"
#include "isa/value.h"
#include "isa/where.h"

/* One executed instruction of one warp. */
struct dyn {
    const struct inst *inst;
    uint64_t seq;     /* per warp, from 0 */
    uint64_t next_pc; /* PC of the warp's next instruction; 0: there is none */
    uint32_t active;  /* lanes that fetched it */
    uint32_t mask;    /* of those, the lanes whose guard is true */
    uint8_t space;    /* enum inst_space; generic addresses are already resolved */
    uint8_t barrier;  /* CLASS_barrier: number of the barrier */
    uint8_t bar_kind; /* enum bar_kind */
    /* set by the pipeline: the next one is not that after it in the code */
    bool redirects;
    uint16_t bar_warps;    /* warps that the barrier waits for; 0 = all live ones */
    struct addresses addr; /* memory operations: addresses of the lanes in mask */
    /* if the stream is asked for values. Recordings have them only where all lanes
     * are active, and have digests only of computed uniform values and of those
     * marked redundant; all other digests are unique */
    struct value value;
};

enum bar_kind {
    BAR_SYNC,   /* arrive and wait */
    BAR_ARRIVE, /* arrive and go on */
    BAR_NONE,   /* neither, in this execution */
};

enum { BAR_CLUSTER = 16 }; /* dyn.barrier: that of the cluster */

/* dyn.addr of SPACE_SHARED: in shared memory of another block of the cluster, its rank + 1 is
 * in the bits from this one on. */
enum { SHARED_OF_OTHERS = 24 };

enum stream_status {
    STREAM_INST,  /* *dyn is filled in */
    STREAM_WAIT,  /* the warp waits for other warps; ask again later */
    STREAM_END,   /* the warp has exited */
    STREAM_ERROR, /* *err tells the reason */
};

/* Do two memory operations of a warp touch a common byte, in any lanes? Local memory is
 * private to each lane. Where addresses are unknown, the space decides: the whole of
 * texture and surface space counts as one location, and an operation without a space
 * overlaps every other. */
bool dyn_overlap(const struct dyn *a, const struct dyn *b);

/* Must two memory operations of a warp stay in order? */
static inline bool dyn_conflict(const struct dyn *a, const struct dyn *b)
{
    return inst_may_conflict(a->inst, b->inst) && dyn_overlap(a, b);
}

/* How long a result may take, for stall reasons: some units have a fixed latency,
 * memory does not. */
enum late_result {
    LATE_NOT,
    LATE_NEAR, /* shared memory, constants, exchanges between lanes */
    LATE_FAR,  /* L1 and beyond, textures */
};
static inline enum late_result dyn_late(const struct dyn *d)
{
    const struct inst *i = d->inst;

    if (!i->is_late)
        return LATE_NOT;
    return i->memory & INST_READS && d->space != SPACE_SHARED && d->space != SPACE_NONE
               ? LATE_FAR
               : LATE_NEAR;
}

/* Blocks may be started in any order; a started block has warps 0 .. n_warps - 1. */
struct stream;
struct stream_ops {
    enum stream_status (*next)(struct stream *s, unsigned warp, struct dyn *dyn,
                               struct err *err);
    /* Takes several instructions: the same as taking them one by one until *n are in
     * dyn[0], dyn[1] and so on, there are no more, or the warp waits at a barrier among
     * them (instructions after it may depend on other warps). Sets *n to the number
     * taken; STREAM_INST: at least one. NULL: the stream gives them one by one. */
    enum stream_status (*run)(struct stream *s, unsigned warp, struct dyn *const *dyn,
                              unsigned *n, struct err *err);
    /* The warp's instruction of this number (INST_TIME) reads the time in this cycle, so
     * many nanoseconds after cycle 0. If the stream is timed, this comes before the next
     * one is taken, or those that need it wait (STREAM_WAIT). NULL: it is known already. */
    void (*tell_time)(struct stream *s, unsigned warp, uint64_t seq, uint64_t cycle,
                      uint64_t ns);
    /* The warp's last instruction (INST_PHASE) takes effect now: 1; 0: it waits for a phase
     * that is not over, ask again, unless it gives up: then its result is that it is not;
     * -1 with err set. NULL: the stream cannot be timed. */
    int (*try_phase)(struct stream *s, unsigned warp, bool gives_up, struct err *err);
    /* What the instruction of this number (INST_COPIES) started; NULL: nothing. */
    struct copy *(*take_copy)(struct stream *s, unsigned warp, uint64_t seq);
    /* A copy that reports to blocks of a cluster has arrived at the one with this rank: 0, or
     * -1 with err set. */
    int (*tell_copy)(struct stream *s, struct copy *c, unsigned rank, struct err *err);
    /* All bytes of a copy have arrived: 0, or -1 with err set. It is gone then. */
    int (*end_copy)(struct stream *s, struct copy *c, struct err *err);
};
/* Untimed: other warps run next as this waits for nothing, near or far memory, or sleeps */
enum stream_turn { STREAM_GOES_ON, STREAM_TURN, STREAM_NEAR, STREAM_FAR, STREAM_SLEPT };
struct stream {
    const struct stream_ops *ops;
    unsigned n_warps;
    uint8_t turn;      /* enum stream_turn, after next() */
    bool wants_values; /* the opener asks for dyn.value */
    bool is_timed;     /* the opener tells the time; see tell_time() */
    bool wants_async;  /* who does not time it asks take_copy() what each instruction of
                        * INST_PHASE or INST_COPIES did; all is done at once */
    bool is_recorded;  /* no instruction depends on other warps */
    uint32_t sm;       /* is_timed: number of the SM that the block runs on */
};

/* A launched kernel. A machine opens its blocks when it has room for them, in any order and
 * interleaved; each is closed when its warps have ended. */
struct kernel;
struct kernel_ops {
    struct stream *(*open)(struct kernel *k, uint64_t block, struct err *err);
    void (*close)(struct kernel *k, struct stream *s);
    /* Appends the text of an instruction, for pipeline views and reports; may be NULL. */
    void (*text)(const struct kernel *k, const struct inst *i, struct buf *out);
    /* An instruction's place in the source, as far as it is known; may be NULL. */
    void (*where)(const struct kernel *k, const struct inst *i, struct kernel_where *w);
    /* The loops of its code, which the caller frees. -1: not known; NULL: never. */
    int (*loops)(const struct kernel *k, struct kernel_loops *l, struct err *err);
    /* Finds the redundant instructions of its code, once, and sets marks. -1 with
     * ERR_UNSUPPORTED, or NULL: its streams know neither redundancy nor values. */
    int (*mark)(struct kernel *k, struct err *err);
    /* Ends it early: streams give no more instructions, n_blocks is the number opened so
     * far, and the front end can execute the rest, if it has to. NULL: it cannot be. */
    void (*cut)(struct kernel *k);
    /* Before the first block is opened, for several SMs (isa/turns.h); may be NULL. From then
     * on each part's beginning is told, and each window's end with its last part that counts. */
    int (*share)(struct kernel *k, unsigned n_sms, const struct kernel_turns *turns,
                 struct err *err);
    void (*begin_part)(struct kernel *k, unsigned sm, uint64_t number);
    void (*end_window)(struct kernel *k, uint64_t last);
};
struct kernel {
    const struct kernel_ops *ops;
    const char *name;
    uint64_t n_blocks; /* who opens them may make it smaller: no more are opened */
    uint32_t grid[3], block[3];
    uint32_t threads;   /* per block */
    uint32_t lanes;     /* per warp; 0: WARP_LANES */
    uint32_t registers; /* per thread */
    uint32_t shared;    /* bytes per block */
    uint32_t resident;  /* blocks to run at once where none is timed; 0: not known */
    uint32_t holds;     /* the same, if they wait for others: what the device holds */
    uint32_t cluster;   /* blocks that must be resident together; 1: no clusters */
    uint32_t cluster_shape[3]; /* the same in x, y and z */
    uint64_t first_pc;         /* lowest address of its code, origin of printed PCs */
    bool is_parallel; /* different blocks may be used by different threads at once */
    bool lacks_control_words; /* inst.control of its instructions is meaningless */
    /* enum redundancy by place after first_pc; NULL: not analysed */
    const uint8_t *marks;
    uint64_t n_marks;
    uint64_t number;     /* of the launch, from 1; 0: not known */
    struct watch *watch; /* for who executes all of it without timing; may be NULL */
};

/* An instruction's place after first_pc; some files have instructions of length 0. */
static inline uint64_t kernel_place(const struct kernel *k, const struct inst *i)
{
    return i->length ? (i->pc - k->first_pc) / i->length : UINT64_MAX;
}

/* The result of ops->mark() for an instruction. */
static inline enum redundancy kernel_mark(const struct kernel *k, const struct inst *i)
{
    uint64_t n = kernel_place(k, i);

    return n < k->n_marks ? (enum redundancy)k->marks[n] : NOT_REDUNDANT;
}

/* Appends " (a.cu:12)", if the source line of the instruction is known. */
void kernel_put_line(const struct kernel *k, const struct inst *i, struct buf *out);

static inline uint32_t kernel_warps(const struct kernel *k)
{
    uint32_t lanes = k->lanes ? k->lanes : WARP_LANES;

    return (k->threads + lanes - 1) / lanes;
}

/* The block with this rank in cluster number c; a block without a cluster forms one of
 * its own. Clusters and ranks count x first. */
static inline uint64_t kernel_cluster_block(const struct kernel *k, uint64_t c,
                                            uint32_t rank)
{
    const uint32_t *size = k->cluster_shape, *grid = k->grid;
    uint64_t x, y, z;

    if (k->cluster < 2)
        return c;
    x = c % (grid[0] / size[0]) * size[0] + rank % size[0];
    c /= grid[0] / size[0];
    y = c % (grid[1] / size[1]) * size[1] + rank / size[0] % size[1];
    z = c / (grid[1] / size[1]) * size[2] + rank / size[0] / size[1];
    return (z * grid[1] + y) * grid[0] + x;
}

static inline enum stream_status stream_next(struct stream *s, unsigned warp,
                                             struct dyn *dyn, struct err *err)
{
    return s->ops->next(s, warp, dyn, err);
}

/* Does the warp wait at this barrier for other warps? */
static inline bool dyn_waits(const struct dyn *d)
{
    return d->bar_kind == BAR_SYNC && d->inst->class == CLASS_barrier;
}

/* stream_ops.run for a stream that gives instructions one by one; .next for one that was
 * cut: there are no more. */
enum stream_status stream_run_each(struct stream *s, unsigned warp,
                                   struct dyn *const *dyn, unsigned *n,
                                   struct err *err);
enum stream_status stream_next_none(struct stream *s, unsigned warp, struct dyn *dyn,
                                    struct err *err);

/* Takes several instructions from any stream. */
static inline enum stream_status stream_run(struct stream *s, unsigned warp,
                                            struct dyn *const *dyn, unsigned *n,
                                            struct err *err)
{
    return (s->ops->run ? s->ops->run : stream_run_each)(s, warp, dyn, n, err);
}

#endif
