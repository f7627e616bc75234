/* unit.c - dispatch, the units except the LSU, and commit.
 *
 * An instruction with its operands is in a staging register, then in the dispatch buffer
 * of its unit. Both accept a new one only every second cycle (RTL: toggle buffers). A unit
 * takes a fixed number of cycles; the cycle in which its result is at the commit stage is
 * worked out when the unit takes the instruction. Commit takes one packet per cycle from
 * the units in turn, after an idle cycle from the first; the issue stage sees it two cycles
 * later.
 *
 * Where a product or quotient meets another result of the ALU, that goes first (RTL: the
 * ALU's arbiter goes by priority).
 *
 * Results that find the commit stage busy queue there; a unit with several of them takes
 * nothing more (RTL: a few registers on the way).
 *
 * These are the steps; plain.c and ahead.c say in which cycle each of them is taken.
 */
#include <string.h>

#include "vortex/stages.h"

enum {
    ALU_CYCLES = 2,  /* result register, arbiter */
    MUL_CYCLES = 2,  /* the same after the multiplier */
    FPU_CYCLES = 1,  /* output register */
    SFU_CYCLES = 3,  /* result register, arbiter, gather */
    BRANCH_SEEN = 3, /* from the ALU to the scheduler */
    MAX_FANOUT = 8,  /* RTL: more lanes need a register before the SFU's packets */
};

uint64_t *vx_stage_stalls(struct vx_core *k)
{
    uint64_t *const stalls[N_VX_EX] = { &k->stats.stall_alu, &k->stats.stall_lsu,
                                        &k->stats.stall_sfu, &k->stats.stall_fpu };

    return stalls[k->flight[k->dispatch.stage.uop].ex];
}

void vx_stage_push(struct vx_core *k, struct uop *u)
{
    INVARIANT(k->dispatch.stage.uop == NO_UOP);
    k->stats.issued++;
    k->progress = true;
    if (!k->is_plain && vx_ahead_go_straight(k, u))
        return;
    k->dispatch.stage.uop = u->id;
    k->dispatch.stage.at = k->cycle + 1;
    k->dispatch.stage.free_at = NEVER;
    k->dispatch.held |= VX_STAGED;
}

void vx_stage_dispatch(struct vx_core *k)
{
    unsigned ex = k->flight[k->dispatch.stage.uop].ex;
    struct vx_latch *d = &k->dispatch.buffer[ex];

    INVARIANT(k->dispatch.stage.uop != NO_UOP && k->dispatch.stage.at <= k->cycle);
    if (d->uop != NO_UOP || d->free_at > k->cycle) {
        ++*vx_stage_stalls(k);
        return;
    }
    d->uop = k->dispatch.stage.uop;
    d->at = k->cycle + 1;
    k->dispatch.held = (k->dispatch.held | 1u << ex) & ~VX_STAGED;
    k->dispatch.stage.uop = NO_UOP;
    k->dispatch.stage.free_at = k->cycle + 1;
    k->progress = true;
}

/* The unit has taken what is in its dispatch buffer, which is busy for so many cycles. */
static void leave_buffer(struct vx_core *k, struct vx_latch *d, unsigned cycles)
{
    vortex_tell_taken(k, &k->pool[d->uop]);
    vx_view_stage(k, &k->pool[d->uop],
                  k->flight[d->uop].ex == VX_LSU ? TRACE_MEMORY : TRACE_EXECUTE);
    k->dispatch.held &= ~(1u << (d - k->dispatch.buffer));
    d->uop = NO_UOP;
    d->free_at = k->cycle + cycles;
    k->progress = true;
}

void vx_unit_reset(struct vx_core *k)
{
    const struct vortex_params *p = k->p;
    const uint32_t cycles[N_RISCV_UNIT] = {
        [UNIT_ALU] = ALU_CYCLES,
        [UNIT_BRANCH] = ALU_CYCLES,
        [UNIT_MUL] = p->imul + MUL_CYCLES,
        [UNIT_DIV] = p->idiv + MUL_CYCLES,
        [UNIT_FMA] = p->fma + FPU_CYCLES,
        [UNIT_FDIV] = p->fdiv + FPU_CYCLES,
        [UNIT_FSQRT] = p->fsqrt + FPU_CYCLES,
        [UNIT_FCVT] = p->fcvt + FPU_CYCLES,
        [UNIT_FNCP] = p->fncp + FPU_CYCLES,
    };

    memcpy(k->dispatch.cycles, cycles, sizeof k->dispatch.cycles);
}

VX_STEP void vx_unit_start(struct vx_core *k, const struct uop *u, uint64_t cycle)
{
    const struct vx_flight *f = &k->flight[u->id];
    bool is_branch = f->unit == UNIT_BRANCH;
    uint64_t seen = (is_branch & f->stalls) ? cycle + BRANCH_SEEN : NEVER, *at;

    at = &k->warp[u->warp].ready_at; /* NEVER, of a warp that waits for a branch */
    *at = earlier(*at, seen);
    k->sched.next_ready = earlier(k->sched.next_ready, seen);
    k->dispatch.n_fpu += f->ex == VX_FPU;
    vx_commit_add_by(k, (enum vx_ex)f->ex, u->id, cycle + k->dispatch.cycles[f->unit],
                     is_branch | (f->unit == UNIT_ALU));
}

/* Number of groups of lanes with an active one; each takes the SFU for itself. */
static unsigned sfu_packets(const struct vx_core *k, uint32_t mask)
{
    unsigned lanes = k->p->sfu_lanes, n = 0;

    for (unsigned l = 0; l < k->p->threads; l += lanes)
        n += (mask >> l & (lanes < 32 ? (1u << lanes) - 1 : ~0u)) != 0;
    return n ? n : 1;
}

/* Starts the SFU: its packets, its effect on warps. Returns for how long it is busy. */
static unsigned sfu_start(struct vx_core *k, struct uop *u)
{
    struct vx_flight *f = vx_flight(k, u);
    unsigned n = sfu_packets(k, u->dyn.mask);
    unsigned step = k->p->threads > MAX_FANOUT && n > 1 ? 2 : 1;
    uint64_t last = k->cycle + n * step;

    if (u->dyn.inst->flags & INST_TIME)
        vx_fetch_tell_time(k, u);
    f->n_parts = f->n_commits = (uint8_t)n;
    for (unsigned i = 1; i <= n; i++)
        vx_commit_add(k, VX_SFU, u->id, k->cycle + i * step + SFU_CYCLES);
    if (f->unit == UNIT_WCTL)
        vx_control_execute(k, u, last + 1);
    else if (f->stalls)
        vx_warp_set_ready(k, u->warp, last + 1);
    return n * step;
}

/* CSRs of the FPU wait until the warp has nothing else in flight, which is seen one cycle
 * after the last commit has settled (RTL: VX_pending_instr counts in two registers). */
static bool sfu_accepts(const struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = &k->flight[u->id];
    const struct vx_warp *w = &k->warp[u->warp];

    if (f->unit != UNIT_CSR || !f->stalls)
        return true;
    return w->pending <= 1 && w->fewer_at < k->cycle;
}

bool vx_unit_accepts(const struct vx_core *k, unsigned ex)
{
    if (k->commit.out[ex].n >= VX_RESULTS)
        return false;
    switch (ex) {
    case VX_LSU:
        return k->lsu.exec.uop == NO_UOP;
    case VX_SFU:
        return sfu_accepts(k, &k->pool[k->dispatch.buffer[ex].uop]);
    case VX_FPU: /* a place that was left in this cycle is seen to be free in the next */
        return k->dispatch.n_fpu + (k->dispatch.fpu_freed == k->cycle) <
               k->p->fpu_queue;
    default:
        return true;
    }
}

void vx_unit_take(struct vx_core *k, unsigned ex)
{
    struct vx_latch *d = &k->dispatch.buffer[ex];
    struct uop *u = &k->pool[d->uop];
    unsigned cycles = 1;

    if (ex == VX_LSU)
        vx_lsu_start(k, u, k->cycle);
    else if (ex == VX_SFU)
        cycles = sfu_start(k, u);
    else
        vx_unit_start(k, u, k->cycle);
    leave_buffer(k, d, cycles);
}

unsigned vx_commit_choose(const struct vx_core *k, uint64_t cycle)
{
    bool was_idle = k->commit.last_at + 1 != cycle;
    unsigned last = was_idle ? vx_idle_turn(N_VX_EX, k->commit.last) : k->commit.last;
    uint32_t ready = 0, after;

    for (unsigned ex = 0; ex < N_VX_EX; ex++)
        ready |= (uint32_t)(k->commit.out[ex].at <= cycle) << ex;
    after = ready & ~1u << last;
    return (unsigned)__builtin_ctz((after ? after : ready) | 1u << N_VX_EX);
}

/* The next commit comes in a later cycle. */
static void set_next_commit(struct vx_core *k, uint64_t cycle)
{
    uint64_t next = NEVER;

    for (unsigned ex = 0; ex < N_VX_EX; ex++)
        next = earlier(next, k->commit.out[ex].at);
    k->commit.out_at = later(next, cycle + 1);
}

VX_STEP void vx_commit_packet(struct vx_core *k, unsigned ex, uint64_t cycle)
{
    uop_id id = vx_queue_pop(&k->commit.out[ex]);
    const struct uop *u = &k->pool[id];
    bool is_fpu = ex == VX_FPU;

    INVARIANT(k->flight[id].n_commits && (!is_fpu || k->dispatch.n_fpu));
    set_next_commit(k, cycle);
    k->commit.last = ex;
    k->commit.last_at = cycle;
    k->progress = true;
    k->dispatch.n_fpu -= is_fpu;
    k->dispatch.fpu_freed = is_fpu ? cycle : k->dispatch.fpu_freed;
    if (--k->flight[id].n_commits)
        return;
    vx_view_stage(k, u, TRACE_WRITE);
    k->stats.warp_insts++;
    k->stats.branches += k->flight[id].unit == UNIT_BRANCH;
    k->stats.thread_insts += vx_count_lanes(k, u->dyn.mask);
    k->stats.divergent += u->dyn.mask != k->full;
    INVARIANT(k->commit.written[(cycle + VX_SETTLE) % 4] == NO_UOP);
    k->commit.written[(cycle + VX_SETTLE) % 4] = id;
    k->commit.n_written++;
}

VX_STEP void vx_commit_settle(struct vx_core *k)
{
    uop_id *at = &k->commit.written[k->cycle % 4];
    struct uop *u;

    if (*at == NO_UOP)
        return;
    INVARIANT(k->commit.n_written);
    u = &k->pool[*at];
    *at = NO_UOP;
    k->commit.n_written--;
    k->issue->ops->written(k->issue, u);
    vx_retire_uop(k, u);
    k->progress = true;
}
