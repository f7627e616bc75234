/* state.h - architectural state: memory with its decoded code, warps, cores, a launch.
 *
 * A register is a row of lanes. Rows 0 to 31 are x0 to x31, 32 to 63 are f0 to f31, and
 * writes to x0 go to a row that is never read, so that no handler tests for it.
 */
#ifndef LENO_RISCV_STATE_H
#define LENO_RISCV_STATE_H

#include <string.h>

#include "frontend/riscv/decode.h"
#include "frontend/riscv/riscv.h"

enum { CODE_PAGE = 4096, PAGE_INSTS = CODE_PAGE / 4, N_CODE_PAGES = 1 << 20 };

/* Decoded instructions of a page of code; NULL: not decoded yet. */
struct code_page {
    const struct riscv_inst *at[PAGE_INSTS];
};

/* Decoded instructions are never freed before the memory is: pipelines hold pointers. */
struct code_chunk;

struct riscv_memory {
    uint8_t *bytes; /* all 4 GiB, and one more page for accesses across the end */
    struct code_page **pages;
    struct code_chunk *chunks;
};

/* A split whose lanes have not all reached their join. */
struct ipdom {
    uint32_t all;   /* lanes that met the split */
    uint32_t other; /* those whose turn is second */
    uint32_t pc;    /* where they begin */
    bool is_second; /* their turn has come */
};

/* What traps need (programs with a tohost only). */
enum { MCSR_BASE = 0x300, N_MCSR = 0x60 };
struct machine_mode {
    uint32_t csr[N_MCSR]; /* 0x300 .. 0x35f */
    uint8_t privilege;    /* 3: machine, 0: user */
    bool is_trapped; /* mcause is that of a trap, and of none that a program calls */
};

/* A read of a counter that the timing model has not performed yet. */
enum { RISCV_MAX_READS = 8 };
struct riscv_read {
    const struct riscv_inst *inst;
    uint64_t seq;
    uint32_t mask; /* lanes that get the value */
};

struct riscv_core;
struct riscv_warp {
    struct riscv_core *core;
    uint32_t pc, mask; /* of the next instruction; lanes */
    uint32_t n_lanes;
    uint32_t index;
    uint64_t seq;
    uint8_t fflags, frm;
    uint8_t n_ipdom;
    struct ipdom ipdom[WARP_LANES];
    uint32_t reserved;                /* lanes with a reservation (lr.w) ... */
    uint32_t reservation[WARP_LANES]; /* ... for this address */
    struct machine_mode machine;
    unsigned n_reads; /* reads of counters that are not performed yet */
    struct riscv_read reads[RISCV_MAX_READS];
    uint32_t r[N_ROW][WARP_LANES];
};

struct riscv_barrier {
    uint32_t warps; /* that wait */
    uint32_t n;     /* that have arrived */
};

struct riscv_launched;
struct riscv_core {
    struct stream stream; /* first */
    struct riscv_launched *launched;
    struct code_page **pages; /* of its memory */
    uint32_t index;
    uint32_t full;            /* lanes of a warp */
    uint32_t active, waiting; /* warps; those of them that a barrier or wspawn holds */
    uint32_t spinning;        /* warps that jump to where they are, for ever */
    uint32_t mscratch;        /* one for all warps, as in the hardware */
    /* mscratch was written: no longer the address of the arguments */
    bool is_scratch_written;
    bool lacks_arguments; /* the program asked for arguments, but there are none */
    struct {
        bool is_pending;
        uint32_t caller, n, pc;
    } spawn;
    struct riscv_barrier barrier[RISCV_MAX_WARPS];
    uint8_t *local;
    uint32_t local_bytes;
    uint64_t warp_insts, thread_insts;
    struct riscv_warp warp[]; /* stream.n_warps of them */
};

struct riscv_launched {
    struct kernel base; /* first */
    struct riscv_launch launch;
    struct riscv_memory *memory;
    struct riscv_core *core[RISCV_MAX_CORES]; /* NULL: not open */
    uint64_t arrived[RISCV_MAX_WARPS];        /* cores that wait at a global barrier */
    uint64_t closed;                          /* cores that were open */
    bool is_watched; /* stores must be checked: a tohost, or reservations */
    bool is_over;    /* the program ended itself: the end has all but the counts */
    struct riscv_result end;
    uint64_t warp_insts, thread_insts; /* of cores that are closed */
    struct buf console[RISCV_CONSOLES];
};

/* exec_system.c: the instruction needs a counter, or replaces one, that is not read yet. */
bool riscv_awaits_counter(const struct riscv_warp *w, const struct riscv_inst *i);
/* exec_system.c: see stream_ops. Reads the counter as the timing model has it now. */
void riscv_tell_time(struct stream *s, unsigned warp, uint64_t seq, uint64_t cycle,
                     uint64_t ns);

/* Everything that a handler changes, it changes here; *dyn has its common part already.
 * The warp's pc is that of the next instruction. */
typedef int exec_fn(struct riscv_warp *w, const struct riscv_inst *i, struct dyn *dyn,
                    struct err *err);
/* The head of a handler, rv_id; few use all arguments. */
#define HANDLER(id)                                                 \
    int rv_##id(__attribute__((unused)) struct riscv_warp *w,       \
                __attribute__((unused)) const struct riscv_inst *i, \
                __attribute__((unused)) struct dyn *dyn,            \
                __attribute__((unused)) struct err *err)
extern exec_fn *const riscv_handlers[N_RISCV_OP];
#define OP(id, name, match, mask, operands, class, unit, flags) exec_fn rv_##id;
#include "frontend/riscv/ops.def"
#undef OP

/* Lanes are worked on some at a time, as a host's vector holds them; rows have room. */
enum { TOGETHER = 4 };

/* Stores the values of active lanes in their row. */
static inline void keep_active(uint32_t *row, const uint32_t v[TOGETHER],
                               uint32_t active)
{
    uint32_t all[TOGETHER];

    memcpy(all, row, sizeof all);
    for (size_t n = 0; n < TOGETHER; n++)
        all[n] = active & 1u << n ? v[n] : all[n];
    memcpy(row, all, sizeof all);
}

/* The lane that provides a value where there can be only one: the highest. */
static inline unsigned reference_lane(const struct riscv_warp *w)
{
    return 31u - (unsigned)__builtin_clz(w->mask);
}

/* Bare-metal tests have traps, programs for Vortex do not. */
static inline bool riscv_has_traps(const struct riscv_warp *w)
{
    return w->core->launched->launch.tohost != 0;
}

/* Host pointers to local memory and to all memory. */
struct riscv_places {
    uint8_t *local, *bytes;
    uint32_t local_bytes;
};
static inline struct riscv_places riscv_places(const struct riscv_core *c)
{
    return (struct riscv_places){ c->local, c->launched->memory->bytes,
                                  c->local_bytes };
}

static inline uint8_t *riscv_at(const struct riscv_places *p, uint32_t addr)
{
    uint32_t off = addr - RISCV_LOCAL;

    return off < p->local_bytes ? p->local + off : p->bytes + addr;
}

static inline uint8_t *riscv_bytes(const struct riscv_core *c, uint32_t addr)
{
    struct riscv_places p = riscv_places(c);

    return riscv_at(&p, addr);
}

/* memory.c: the decoded instruction at pc, NULL if it is none. */
const struct riscv_inst *riscv_code_decode(struct riscv_memory *m, uint32_t pc);
/* Forgets decoded instructions whose words have changed. */
void riscv_code_refresh(struct riscv_memory *m);

/* core.c */
struct riscv_core *riscv_core_new(struct riscv_launched *l, uint32_t index,
                                  struct err *err);
void riscv_core_free(struct riscv_core *c);
void riscv_end_program(struct riscv_launched *l, const struct riscv_result *end);

/* exec_simt.c: a wspawn takes effect when its caller is alone; to be called whenever a
 * warp has ended. */
void riscv_try_spawn(struct riscv_core *c);

/* exec_memory.c: a store that tohost or a reservation must notice. */
int riscv_stored(struct riscv_warp *w, uint32_t addr, uint32_t value, unsigned n,
                 struct err *err);

/* exec_system.c: ERR_UNSUPPORTED, or a trap where the program has them; what a store to
 * tohost means. */
int riscv_illegal(struct riscv_warp *w, uint32_t pc, uint32_t word, struct err *err);
int riscv_tell_host(struct riscv_warp *w, uint32_t value, struct err *err);

#endif
