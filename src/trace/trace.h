/* trace.h - pipeline events on their way to a picture: none, a Konata log or Perfetto's
 * JSON.
 *
 * The core reports an instruction's stages as they begin; who listens decides what to
 * keep (kernels, blocks, SMs, warps, instructions, cycles). With no listener the core
 * calls nothing.
 *
 * What the core promises: cycles never go back from one call to the next (several SMs
 * report in one cycle), and the first is 1. A key names one instruction from its first
 * event to retire(); dyn is looked at during the call only, dyn->inst and source must
 * live as long as the instruction. Every instruction of a warp is reported, whatever
 * the cycle: a view counts them all, to number those it shows in program order.
 */
#ifndef LENO_TRACE_TRACE_H
#define LENO_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "isa/stream.h"

enum trace_stage {
    TRACE_FETCH,
    TRACE_DECODE,
    TRACE_WINDOW,  /* in the scheme's window */
    TRACE_ISSUE,   /* left it, before operand collection */
    TRACE_COLLECT, /* reads operands */
    TRACE_EXECUTE, /* in a unit; name by class */
    TRACE_MEMORY,  /* in the LSU; name by memory space */
    TRACE_WRITE,   /* written back */
    N_TRACE_STAGE
};

/* One dynamic instruction, named the same under every scheme. */
struct trace_inst {
    uint32_t kernel;   /* launch number */
    uint64_t block;    /* of the grid */
    uint32_t warp_of;  /* in the block */
    uint16_t sm, warp; /* slots */
    const struct dyn *dyn;
    const struct kernel *source; /* for the text */
    uint32_t key; /* small, dense: the slot of this instruction while it is in flight,
                   * sm * pool + uop */
};

struct trace;
struct trace_ops {
    void (*kernel)(struct trace *t, const struct kernel *k, uint32_t number,
                   uint64_t cycle);
    void (*stage)(struct trace *t, const struct trace_inst *i, enum trace_stage stage,
                  uint64_t cycle);
    void (*wait)(struct trace *t, const struct trace_inst *i, const char *cause,
                 uint64_t cycle); /* why it waits in the window, from now on; NULL:
                                   * it does not. Leaving the window ends it too */
    void (*depend)(struct trace *t, const struct trace_inst *i, uint64_t producer_seq,
                   uint64_t cycle); /* on an older one of its warp */
    void (*retire)(struct trace *t, const struct trace_inst *i, bool flushed,
                   uint64_t cycle); /* flushed: thrown away, or skipped */
    void (*counter)(struct trace *t, unsigned sm, const char *name, uint64_t value,
                    uint64_t cycle);                 /* value from now on */
    int (*finish)(struct trace *t, struct err *err); /* writes the file whole; frees */
};

enum { TRACE_RANGES = 16 };
struct trace_range {
    uint64_t first, last; /* both included */
};
struct trace_set {
    unsigned n; /* 0: everything */
    struct trace_range range[TRACE_RANGES];
};

struct trace {
    const struct trace_ops *ops;
    struct trace *next; /* several may listen */
    struct trace_set sms, warps, blocks, kernels;
    struct trace_range cycles; /* shown is what was in flight in one of these */
    struct trace_range insts;  /* ... and has one of these numbers in its warp */
    uint64_t n_shown;          /* instructions in the file so far */
};

/* Windows: "" or NULL for everything, else words KEY=RANGES in any order:
 * "sm=0,2 warps=0-3 cycles=1000-2000", "kernels=0 blocks=5 warps=0-1 insts=0-199".
 * With blocks= the warps are those of a block, else an SM's slots. */
int trace_window(struct trace *t, const char *window, struct err *err);

bool trace_has(const struct trace_set *set, uint64_t value);

/* Is this instruction's warp one of those looked at? The same for its whole life. */
bool trace_wants(const struct trace *t, const struct trace_inst *i);

/* A path that ends in .zst is compressed. NULL with *err set on failure. */
struct trace *trace_konata(const char *path, const char *window, struct err *err);
struct trace *trace_perfetto(const char *path, const char *window, struct err *err);

/* Short names, as in a Konata log, by the class and space of an instruction. Those of execution, and no others, contain an X. */
const char *trace_stage_name(enum trace_stage stage, uint8_t class, uint8_t space);

/* What the core calls: each tells every listener of a list, which may be NULL. */
void trace_kernel(struct trace *list, const struct kernel *k, uint32_t number,
                  uint64_t cycle);
void trace_stage(struct trace *list, const struct trace_inst *i, enum trace_stage stage,
                 uint64_t cycle);
void trace_wait(struct trace *list, const struct trace_inst *i, const char *cause,
                uint64_t cycle);
void trace_depend(struct trace *list, const struct trace_inst *i, uint64_t producer_seq,
                  uint64_t cycle);
void trace_retire(struct trace *list, const struct trace_inst *i, bool flushed,
                  uint64_t cycle);
void trace_counter(struct trace *list, unsigned sm, const char *name, uint64_t value,
                   uint64_t cycle);

/* Finishes and frees all of them, also those after one that fails. */
int trace_finish(struct trace *list, struct err *err);

#endif
