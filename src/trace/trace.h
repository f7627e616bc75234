/* trace.h - pipeline events on their way to a picture: none, a Konata log or Perfetto's
 * JSON.
 *
 * The core reports an instruction's stages as they begin; who listens decides what to
 * keep (SM, warps, cycles). With no listener the core calls nothing.
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
    TRACE_MEMORY,  /* in the LSU */
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
                 uint64_t cycle); /* why it waits in the window, from now on */
    void (*depend)(struct trace *t, const struct trace_inst *i, uint64_t producer_seq,
                   uint64_t cycle);
    void (*retire)(struct trace *t, const struct trace_inst *i, bool flushed,
                   uint64_t cycle);
    void (*counter)(struct trace *t, unsigned sm, const char *name, uint64_t value,
                    uint64_t cycle);
    int (*finish)(struct trace *t, struct err *err); /* writes the file whole; frees */
};
struct trace {
    const struct trace_ops *ops;
    struct trace *next;   /* several may listen */
    uint64_t first, last; /* cycles it wants */
    uint64_t sms, warps;  /* as bits; SM 63 stands for all above */
};

/* Windows: "" or NULL for everything, else "sm=0,2 warps=0-3 cycles=1000-2000". */
int trace_window(struct trace *t, const char *window, struct err *err);
struct trace *trace_konata(const char *path, const char *window, struct err *err);
struct trace *trace_perfetto(const char *path, const char *window, struct err *err);

static inline bool trace_wants(const struct trace *t, unsigned sm, unsigned warp,
                               uint64_t cycle)
{
    return cycle >= t->first && cycle <= t->last && t->sms >> (sm > 63 ? 63 : sm) & 1 &&
           t->warps >> warp & 1;
}

#endif
