/* scoreboard.h - the baseline's issue stage, also for stages that build on it. */
#ifndef LENO_VORTEX_SCOREBOARD_H
#define LENO_VORTEX_SCOREBOARD_H

#include "vortex/state.h"

enum {
    SB_FIFO = 2,  /* instructions that a register between arbiters holds */
    SB_SLICE = 8, /* warps that one arbiter takes; RTL: MAX_FANOUT */
    SB_SLICES = VX_MAX_WARPS / SB_SLICE,
    SB_ENTERING = 256,
};

struct sb_fifo {
    unsigned n;
    struct vx_latch p[SB_FIFO]; /* oldest first */
};

struct scoreboard {
    struct vx_issue base;
    struct scheme *scheme;
    uint64_t *unwritten; /* lent to the core's check */
    bool has_check;      /* the scheme checks instructions as they issue */
    struct core_shape shape;
    unsigned entry_cycles; /* from decode until an instruction can issue */
    struct {
        uop_id uop;
        uint64_t at;
    } entering[SB_ENTERING]; /* ring: in the instruction buffers, not offered yet */
    unsigned first, n;
    uint64_t enter_at; /* the first of them; NEVER: there is none */
    uint8_t n_entering[VX_MAX_WARPS];
    struct uop_list window[VX_MAX_WARPS]; /* of the scheme, by warp */
    struct pending *pending;              /* by warp, as scheme.pending */
    uint32_t dirty;                       /* warps whose offer must be asked again */
    uint32_t offers;                      /* warps that offer an instruction */
    uint32_t left; /* warps whose window got a free place in this cycle */
    uop_id offer[VX_MAX_WARPS];
    uint8_t cause[VX_MAX_WARPS]; /* stall reason of the others */
    unsigned n_slices, last_slice;
    unsigned last[SB_SLICES];        /* warp of a slice that issued last */
    struct sb_fifo slice[SB_SLICES]; /* issued instructions, with several slices */
    struct sb_fifo operands;         /* before or at the operand stage */
    bool is_reading;                 /* operands of the first one ... */
    uint64_t operand_at; /* ... which are read, or can be, in this cycle; NEVER: none */
};

int scoreboard_init(struct vx_issue *s, struct err *err);
void scoreboard_fini(struct vx_issue *s);
bool scoreboard_accepts(const struct vx_issue *s, unsigned warp);
void scoreboard_insert(struct vx_issue *s, struct uop *u);
void scoreboard_written(struct vx_issue *s, struct uop *u);
void scoreboard_checked(struct vx_issue *s, struct uop *u);
enum stall scoreboard_tick(struct vx_issue *s);
uint64_t scoreboard_next(const struct vx_issue *s);
void scoreboard_dump(const struct vx_issue *s, struct buf *out);

#endif
