/* unit.c - dispatch, the units but the LSU, and commit.
 *
 * An instruction with its operands is in a staging register, then in the dispatch buffer
 * of its unit. Both take a new one only every second cycle (RTL: toggle buffers). What a
 * unit does takes a fixed time; the cycle in which its result is at the commit stage is
 * worked out when the unit takes it. Commit takes one packet a cycle from the units in
 * turn; the issue stage sees it two cycles later. Until then nobody does, as a rule, so it
 * is not gone through before, unless somebody needs a place there or counts.
 *
 * Results that find the commit stage busy queue there; a unit with several of them takes
 * nothing more (RTL: a few registers on the way).
 *
 * An instruction of which it is sure, as it leaves the operands, that nothing will hold it
 * up before its unit goes there at once, in that unit's time.
 */
#include <string.h>

#include "vortex/state.h"

enum {
    ALU_CYCLES = 2,  /* result register, arbiter */
    MUL_CYCLES = 2,  /* the same behind the multiplier */
    FPU_CYCLES = 1,  /* output register */
    SFU_CYCLES = 3,  /* result register, arbiter, gather */
    BRANCH_SEEN = 3, /* from the ALU to the scheduler */
    MAX_FANOUT = 8,  /* RTL: more lanes need a register before the SFU's packets */
    OUT = 8,         /* results that may wait for commit */
    TO_UNIT = 2,     /* from the operands: staging register, dispatch buffer */
};

/* Beside the bits of dispatch buffers, that of the staging register. */
static const uint32_t staged = 1u << N_VX_EX;

static void stage_tick(struct vx_core *k)
{
    uint64_t *const stalls[N_VX_EX] = { &k->stats.stall_alu, &k->stats.stall_lsu,
                                        &k->stats.stall_sfu, &k->stats.stall_fpu };
    struct vx_latch *d;
    unsigned ex;

    if (k->stage.at > k->cycle)
        return;
    INVARIANT(k->stage.uop != NO_UOP);
    ex = k->flight[k->stage.uop].ex;
    d = &k->dispatch[ex];
    if (d->uop != NO_UOP || d->free_at > k->cycle) {
        ++*stalls[ex];
        return;
    }
    d->uop = k->stage.uop;
    d->at = k->cycle + 1;
    k->dispatched = (k->dispatched | 1u << ex) & ~staged;
    k->stage.uop = NO_UOP;
    k->stage.free_at = k->cycle + 1;
    k->progress = true;
}

/* The unit has taken it, for so many cycles. */
static void taken(struct vx_core *k, struct vx_latch *d, unsigned cycles)
{
    vortex_taken(k, &k->pool[d->uop]);
    vx_view(k, &k->pool[d->uop],
            k->flight[d->uop].ex == VX_LSU ? TRACE_MEMORY : TRACE_EXECUTE);
    k->dispatched &= ~(1u << (d - k->dispatch));
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

    memcpy(k->cycles, cycles, sizeof k->cycles);
}

/* ALU or FPU, in a cycle of now or later. */
static void compute_start(struct vx_core *k, const struct uop *u, uint64_t cycle)
{
    const struct vx_flight *f = &k->flight[u->id];
    bool is_branch = f->unit == UNIT_BRANCH;
    uint64_t seen = (is_branch & f->stalls) ? cycle + BRANCH_SEEN : VX_NEVER, *at;

    k->stats.branches += is_branch;
    at = &k->warp[u->warp].ready_at; /* VX_NEVER, of a warp that waits for a branch */
    *at = earlier(*at, seen);
    k->next_ready = earlier(k->next_ready, seen);
    k->n_fpu += f->ex == VX_FPU;
    vx_out_add(k, (enum vx_ex)f->ex, u->id, cycle + k->cycles[f->unit]);
}

static void alu_take(struct vx_core *k, struct vx_latch *d)
{
    compute_start(k, &k->pool[d->uop], k->cycle);
    taken(k, d, 1);
}

static void fpu_take(struct vx_core *k, struct vx_latch *d)
{
    vx_commit_until(k, k->cycle);
    /* A place that was left in this cycle is seen to be free in the next. */
    if (k->n_fpu + (k->fpu_freed == k->cycle) >= k->p->fpu_queue)
        return;
    compute_start(k, &k->pool[d->uop], k->cycle);
    taken(k, d, 1);
}

/* The memory scheduler looks at it a cycle later. */
static void lsu_start(struct vx_core *k, const struct uop *u, uint64_t cycle)
{
    struct vx_lsu *l = &k->lsu;

    l->exec.uop = u->id;
    l->exec.at = l->take_at = cycle + 1;
}

/* Nothing is before it, and what its unit has by now only becomes less until it comes: the
 * next one is two cycles behind. Where somebody looks on, it goes step by step. (Packets
 * of the LSU never are as many as hold it up.) */
static bool goes_straight(const struct vx_core *k, unsigned ex)
{
    const struct vx_latch *d = &k->dispatch[ex];
    const bool has_room[N_VX_EX] = {
        [VX_ALU] = true,
        [VX_LSU] = k->lsu.exec.uop == NO_UOP,
        [VX_FPU] = k->n_fpu < k->p->fpu_queue,
    };

    return has_room[ex] & !k->is_watched & (d->uop == NO_UOP) &
           (d->free_at <= k->cycle + 1) & (k->out[ex].n < OUT);
}

void vx_stage_push(struct vx_core *k, struct uop *u)
{
    unsigned ex = k->flight[u->id].ex;

    k->stats.issued++;
    k->progress = true;
    if (!goes_straight(k, ex)) {
        k->stage.uop = u->id;
        k->stage.at = k->cycle + 1;
        k->stage.free_at = VX_NEVER;
        k->dispatched |= staged;
        return;
    }
    k->stage.free_at = k->cycle + 2;
    if (ex == VX_LSU)
        lsu_start(k, u, k->cycle + TO_UNIT);
    else
        compute_start(k, u, k->cycle + TO_UNIT);
}

/* Groups of lanes go through the SFU one after another, those without any not at all. */
static unsigned sfu_packets(const struct vx_core *k, uint32_t mask)
{
    unsigned lanes = k->p->sfu_lanes, n = 0;

    for (unsigned l = 0; l < k->p->threads; l += lanes)
        n += (mask >> l & (lanes < 32 ? (1u << lanes) - 1 : ~0u)) != 0;
    return n ? n : 1;
}

static void sfu_take(struct vx_core *k, struct vx_latch *d)
{
    struct uop *u = &k->pool[d->uop];
    struct vx_flight *f = vx_flight(k, u);
    unsigned n = sfu_packets(k, u->dyn.mask);
    unsigned step = k->p->threads > MAX_FANOUT && n > 1 ? 2 : 1;
    uint64_t last = k->cycle + n * step;

    /* CSRs of the FPU: the warp has nothing else under way. */
    if (f->unit == UNIT_CSR && f->stalls && k->warp[u->warp].pending > 1)
        return;
    f->n_parts = f->n_commits = (uint8_t)n;
    for (unsigned i = 1; i <= n; i++)
        vx_out_add(k, VX_SFU, u->id, k->cycle + i * step + SFU_CYCLES);
    if (f->unit == UNIT_WCTL)
        vx_control(k, u, last + 1);
    else if (f->stalls)
        vx_warp_ready(k, u->warp, last + 1);
    taken(k, d, n * step);
}

static void lsu_take(struct vx_core *k, struct vx_latch *d)
{
    if (k->lsu.exec.uop != NO_UOP)
        return;
    lsu_start(k, &k->pool[d->uop], k->cycle);
    taken(k, d, 1);
}

static void unit_tick(struct vx_core *k)
{
    static void (*const take[N_VX_EX])(struct vx_core *,
                                       struct vx_latch *) = { alu_take, lsu_take,
                                                              sfu_take, fpu_take };

    for (uint32_t m = k->dispatched & ~staged; m; m &= m - 1) {
        unsigned ex = (unsigned)__builtin_ctz(m);
        struct vx_latch *d = &k->dispatch[ex];

        if (d->at > k->cycle)
            continue;
        if (k->out[ex].n >= OUT)
            vx_commit_until(k, k->cycle);
        if (k->out[ex].n < OUT)
            take[ex](k, d);
    }
}

/* Units take what their buffers hold, these what is staged. */
void vx_dispatch_tick(struct vx_core *k)
{
    unit_tick(k);
    if (k->dispatched & staged)
        stage_tick(k);
}

static void commit(struct vx_core *k, unsigned ex, uint64_t cycle)
{
    uop_id id = vx_queue_pop(&k->out[ex]);
    const struct uop *u = &k->pool[id];

    bool is_fpu = ex == VX_FPU;

    INVARIANT(k->flight[id].n_commits && (!is_fpu || k->n_fpu));
    k->commit_last = ex;
    k->progress = true;
    k->n_fpu -= is_fpu;
    k->fpu_freed = is_fpu ? cycle : k->fpu_freed;
    if (--k->flight[id].n_commits)
        return;
    vx_view(k, u, TRACE_WRITE);
    k->stats.warp_insts++;
    k->stats.thread_insts += vx_lanes(k, u->dyn.mask);
    k->stats.divergent += u->dyn.mask != k->full;
    INVARIANT(k->written[(cycle + VX_SETTLE) % 4] == NO_UOP);
    k->written[(cycle + VX_SETTLE) % 4] = id;
    k->n_written++;
}

static void commit_next(struct vx_core *k)
{
    uint32_t ready = 0, behind;
    uint64_t cycle = k->out_at, next = VX_NEVER;

    for (unsigned ex = 0; ex < N_VX_EX; ex++)
        ready |= (uint32_t)(k->out[ex].at <= cycle) << ex;
    behind = ready & ~1u << k->commit_last;
    commit(k, (unsigned)__builtin_ctz(behind ? behind : ready), cycle);
    for (unsigned ex = 0; ex < N_VX_EX; ex++)
        next = earlier(next, k->out[ex].at);
    k->out_at = later(next, cycle + 1);
}

/* Commits up to that cycle, one in each. */
void vx_commit_until(struct vx_core *k, uint64_t cycle)
{
    while (k->out_at <= cycle)
        commit_next(k);
}

static void hear(struct vx_core *k, uop_id *at)
{
    struct uop *u = &k->pool[*at];

    INVARIANT(k->n_written);
    *at = NO_UOP;
    k->n_written--;
    k->issue->ops->written(k->issue, u);
    vx_retire(k, u);
    k->progress = true;
}

/* The issue stage hears of a commit; and when it will of the next, one that had to be gone
 * through before perhaps. */
void vx_settle_tick(struct vx_core *k)
{
    uop_id *at = &k->written[k->cycle % 4];

    vx_commit_until(k, k->cycle - k->commit_lag);
    if (*at != NO_UOP)
        hear(k, at);
    k->settle_at = later(k->out_at, k->out_at + k->commit_lag); /* VX_NEVER stays */
    for (uint64_t next = k->cycle + VX_SETTLE; k->n_written && next > k->cycle; next--)
        if (k->written[next % 4] != NO_UOP)
            k->settle_at = earlier(k->settle_at, next);
}
