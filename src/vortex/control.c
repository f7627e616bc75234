/* control.c - warp control: masks, splits and joins, barriers, starting warps.
 *
 * The front end decides what these instructions do; this file decides when the scheduler
 * sees it. The SFU executes them, and they reach the scheduler one cycle later; joins pass
 * one more register. The scheduler counts arrivals at barriers. wspawn waits until its
 * warp is the only active one, which the scheduler sees one cycle late (RTL:
 * is_single_warp).
 */
#include "vortex/stages.h"

enum {
    GLOBAL_CYCLES = 4, /* a barrier between cores: there and back, RTL's registers */
};

static void try_spawn(struct vx_core *k)
{
    struct vx_spawn *s = &k->sched.spawn;
    uint64_t at;

    if (!s->is_waiting || k->sched.active != 1u << s->warp)
        return;
    s->is_waiting = false;
    at = later(s->at, k->sched.last_end + 1) + 1;
    for (unsigned w = 0; w < s->n_warps && w < k->p->warps; w++) {
        vx_set_active(k, k->sched.active | 1u << w);
        vx_warp_set_ready(k, w, at);
        k->warp[w].wait = STALL_fetch;
    }
    vx_warp_set_ready(k, s->warp, at);
}

static void end_warp(struct vx_core *k, unsigned warp, uint64_t cycle)
{
    vx_set_active(k, k->sched.active & ~(1u << warp));
    k->sched.last_end = later(k->sched.last_end, cycle + 1);
    try_spawn(k);
}

static void open_barrier(struct vx_core *k, unsigned id, uint64_t cycle)
{
    for (uint32_t m = k->sched.barrier[id].warps; m; m &= m - 1)
        vx_warp_set_ready(k, (unsigned)__builtin_ctz(m), cycle);
    k->sched.barrier[id].warps = 0;
    k->sched.barrier[id].n = 0;
}

/* A core counts as arrived when all of its warps have; the last core opens the barrier on
 * all cores. */
static void arrive_at_global_barrier(struct vx_core *k, const struct uop *u,
                                     uint64_t cycle)
{
    unsigned id = u->dyn.barrier;

    k->sched.barrier[id].warps |= 1u << u->warp;
    if (k->sched.barrier[id].warps != k->sched.active ||
        ++*vortex_barrier_arrivals(k->gpu, id) < u->dyn.bar_warps)
        return;
    *vortex_barrier_arrivals(k->gpu, id) = 0;
    for (unsigned n = 0; vortex_core_at(k->gpu, n); n++) {
        open_barrier(vortex_core_at(k->gpu, n), id, cycle + GLOBAL_CYCLES);
        vortex_wake_core(k->gpu, n, cycle + GLOBAL_CYCLES);
    }
}

static void arrive_at_barrier(struct vx_core *k, const struct uop *u, uint64_t cycle)
{
    unsigned id = u->dyn.barrier;

    k->stats.barriers++;
    if (u->dyn.bar_kind == BAR_NONE) {
        vx_warp_set_ready(k, u->warp, cycle + 1);
        return;
    }
    k->warp[u->warp].wait = STALL_barrier;
    if (id & BARRIER_GLOBAL) {
        arrive_at_global_barrier(k, u, cycle);
        return;
    }
    k->sched.barrier[id].warps |= 1u << u->warp;
    if (++k->sched.barrier[id].n >= u->dyn.bar_warps)
        open_barrier(k, id, cycle + 1);
}

void vx_control_execute(struct vx_core *k, struct uop *u, uint64_t cycle)
{
    switch (u->dyn.inst->op) {
    case RISCV_wspawn:
        k->warp[u->warp].wait = STALL_barrier;
        k->sched.spawn = (struct vx_spawn){ true, (uint8_t)u->warp,
                                            (uint8_t)u->dyn.bar_warps, cycle + 1 };
        try_spawn(k);
        break;
    case RISCV_bar:
        arrive_at_barrier(k, u, cycle);
        break;
    case RISCV_join:
        vx_warp_set_ready(k, u->warp, cycle + 2);
        break;
    case RISCV_tmc:
        if (u->dyn.next_pc)
            vx_warp_set_ready(k, u->warp, cycle + 1);
        else
            end_warp(k, u->warp, cycle);
        break;
    default:
        vx_warp_set_ready(k, u->warp, cycle + 1);
    }
}
