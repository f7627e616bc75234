/* exec_simt.c - Vortex's own instructions: masks, warps, barriers, votes, shuffles.
 *
 * As the hardware of Vortex 2.1 to 2.3 does them: of the two sides of a split the
 * larger one goes first, the taken one if they are equal; the second side starts after
 * the split, so that the branch there takes it down its own path.
 */
#include "frontend/riscv/state.h"

static uint32_t all_lanes(const struct riscv_warp *w)
{
    return w->n_lanes < 32 ? (1u << w->n_lanes) - 1 : ~0u;
}

/* Active lanes whose predicate, bit 0 of rs1, holds. */
static uint32_t lanes_that_hold(const struct riscv_warp *w, const struct riscv_inst *i)
{
    const uint32_t *p = w->r[i->rs1];
    uint32_t lanes = 0;

    for (unsigned l = 0; l < w->n_lanes; l++)
        lanes |= (p[l] & 1u) << l;
    return (i->negates ? ~lanes : lanes) & w->mask;
}

static void write_all(struct riscv_warp *w, const struct riscv_inst *i, uint32_t value)
{
    for (uint32_t m = w->mask; m; m &= m - 1)
        w->r[i->rd][__builtin_ctz(m)] = value;
}

void riscv_try_spawn(struct riscv_core *c)
{
    if (!c->spawn.is_pending || c->active != 1u << c->spawn.caller)
        return;
    c->spawn.is_pending = false;
    c->waiting &= ~(1u << c->spawn.caller);
    for (unsigned k = 0; k < c->spawn.n; k++) {
        struct riscv_warp *w = &c->warp[k];

        if (k == c->spawn.caller)
            continue;
        w->pc = c->spawn.pc;
        w->mask = 1;
        c->active |= 1u << k;
    }
}

static void open_barrier(struct riscv_core *c, struct riscv_barrier *b)
{
    c->waiting &= ~b->warps;
    *b = (struct riscv_barrier){ 0 };
}

/* A core has arrived at a global barrier when all its warps have; the last core
 * releases all of them. */
static void try_global(struct riscv_core *c, unsigned n, uint32_t n_cores)
{
    struct riscv_launched *l = c->launched;
    uint64_t *arrived = &l->arrived[n];

    if (c->barrier[n].warps != c->active)
        return;
    *arrived |= (uint64_t)1 << c->index;
    if ((uint32_t)__builtin_popcountll(*arrived) < n_cores)
        return;
    for (uint64_t m = *arrived; m; m &= m - 1) {
        struct riscv_core *other = l->core[__builtin_ctzll(m)];

        open_barrier(other, &other->barrier[n]);
    }
    *arrived = 0;
}

HANDLER(tmc)
{
    struct riscv_core *c = w->core;
    w->mask = w->r[i->rs1][reference_lane(w)] & all_lanes(w);
    if (!w->mask)
        c->active &= ~(1u << w->index);
    return 0;
}

HANDLER(wspawn)
{
    struct riscv_core *c = w->core;
    unsigned lane = reference_lane(w);
    uint32_t n = w->r[i->rs1][lane];

    if (c->spawn.is_pending)
        return err_kind(err, ERR_DEADLOCK,
                        "core %u: warp %u's wspawn at 0x%llx while warp %u's waits",
                        c->index, w->index, (unsigned long long)i->inst.pc,
                        c->spawn.caller);
    c->spawn.is_pending = true;
    c->spawn.caller = w->index;
    c->spawn.n = n < c->stream.n_warps ? n : c->stream.n_warps;
    c->spawn.pc = w->r[i->rs2][lane];
    c->waiting |= 1u << w->index;
    dyn->bar_warps = (uint16_t)c->spawn.n;
    riscv_try_spawn(c);
    return 0;
}

HANDLER(split)
{
    uint32_t taken = lanes_that_hold(w, i), other = w->mask & ~taken;
    write_all(w, i, w->n_ipdom);
    if (!taken || !other)
        return 0;
    if (w->n_ipdom == sizeof w->ipdom / sizeof *w->ipdom)
        return err_kind(err, ERR_FAULT, "split at 0x%llx: more than %u without a join",
                        (unsigned long long)i->inst.pc, w->n_ipdom);
    if (__builtin_popcount(other) > __builtin_popcount(taken)) {
        uint32_t first = other;

        other = taken;
        taken = first;
    }
    w->ipdom[w->n_ipdom++] =
        (struct ipdom){ .all = w->mask, .other = other, .pc = w->pc };
    w->mask = taken;
    return 0;
}

HANDLER(join)
{
    struct ipdom *top;
    if (w->r[i->rs1][reference_lane(w)] == w->n_ipdom)
        return 0;
    if (!w->n_ipdom)
        return err_kind(err, ERR_FAULT, "join at 0x%llx: without a split",
                        (unsigned long long)i->inst.pc);
    top = &w->ipdom[w->n_ipdom - 1];
    if (top->is_second) {
        w->mask = top->all;
        w->n_ipdom--;
        return 0;
    }
    top->is_second = true;
    w->mask = top->other;
    w->pc = top->pc;
    return 0;
}

HANDLER(bar)
{
    struct riscv_core *c = w->core;
    unsigned lane = reference_lane(w);
    uint32_t id = w->r[i->rs1][lane], n = w->r[i->rs2][lane];
    unsigned at = id & (RISCV_MAX_WARPS - 1);
    struct riscv_barrier *b = &c->barrier[at];
    dyn->barrier = (uint8_t)(at | (id >> 31 ? BARRIER_GLOBAL : 0));
    dyn->bar_warps = (uint16_t)n;
    dyn->bar_kind = n == 1 ? BAR_NONE : BAR_SYNC;
    if (n == 1)
        return 0;
    b->warps |= 1u << w->index;
    b->n++;
    c->waiting |= 1u << w->index;
    if (id >> 31)
        try_global(c, at, n);
    else if (b->n >= (n ? n : c->stream.n_warps)) /* the counter of 0 - 1 wraps */
        open_barrier(c, b);
    return 0;
}

HANDLER(pred)
{
    uint32_t lanes = lanes_that_hold(w, i);
    if (!lanes)
        lanes = w->r[i->rs2][reference_lane(w)] & all_lanes(w);
    if (!lanes)
        return err_kind(err, ERR_FAULT,
                        "pred at 0x%llx: no lane holds, none to restore",
                        (unsigned long long)i->inst.pc);
    w->mask = lanes;
    return 0;
}

#define VOTE(id, value)                         \
    HANDLER(vote_##id)                          \
    {                                           \
        uint32_t lanes = lanes_that_hold(w, i); \
                                                \
        write_all(w, i, (value));               \
        return 0;                               \
    }

VOTE(all, lanes == w->mask)
VOTE(any, lanes != 0)
VOTE(uni, !lanes || lanes == w->mask)
VOTE(ballot, lanes)

/* The source lane of a shuffle. how: six bits each of distance, clamp and mask of the
 * segment; a lane outside of its segment is itself. */
static unsigned shuffle_source(unsigned op, unsigned lane, uint32_t how)
{
    int l = (int)lane, distance = how & 63, clamp = how >> 6 & 63;
    int segment = how >> 12 & 63;
    int first = l & segment, last = first | (clamp & ~segment), from;

    switch (op) {
    case RISCV_shfl_up:
        from = l - distance;
        return (unsigned)(from >= first ? from : l);
    case RISCV_shfl_down:
        from = l + distance;
        break;
    case RISCV_shfl_bfly:
        from = l ^ distance;
        break;
    default:
        from = first | (distance & ~segment);
    }
    return (unsigned)(from <= last ? from : l);
}

static int shuffle_lanes(struct riscv_warp *w, const struct riscv_inst *i)
{
    uint32_t value[WARP_LANES];

    for (unsigned l = 0; l < w->n_lanes; l++) {
        unsigned from = shuffle_source(i->inst.op, l, w->r[i->rs2][l]);

        value[l] = w->r[i->rs1][from < w->n_lanes ? from : l];
    }
    for (uint32_t m = w->mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        w->r[i->rd][l] = value[l];
    }
    return 0;
}

#define SHUFFLE(id)                 \
    HANDLER(shfl_##id)              \
    {                               \
        return shuffle_lanes(w, i); \
    }

SHUFFLE(up)
SHUFFLE(down)
SHUFFLE(bfly)
SHUFFLE(idx)
