/* window.c - SMs through a window of cycles, one after another.
 *
 * Blocks are given out in the order of time, one per SM and cycle, as in Accel-Sim; in one
 * cycle SMs take turns (gpu.block_order).
 */
#include "sim/window.h"

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/memory.h"
#include "mem/params.h"
#include "sim/clusters.h"

bool window_has_block(const struct sms *g, const struct run *r, unsigned sm,
                      uint64_t next)
{
    return next < r->kernel->n_blocks && sm_has_room(g->sm[sm]);
}

static bool takes_blocks(const struct sms *g, const struct run *r, unsigned sm)
{
    return window_has_block(g, r, sm, r->next_block);
}

/* When a block that an SM is given in this cycle comes to it: blocks of the
 * grid start one after another, and the place of another one is not free at once. A slice
 * of a GPU has its share of the former. */
uint64_t window_arrival_cycle(const struct sms *g, const struct run *r, uint64_t block,
                              uint64_t cycle)
{
    const struct machine *m = g->base.machine;
    uint64_t all =
        m->memory.dram.for_sms > m->gpu.sms ? m->memory.dram.for_sms : m->gpu.sms;
    uint64_t turn =
        r->start + block * m->gpu.grid_hundredths * all / (100 * m->gpu.sms);

    uint64_t gap = m->gpu.block_gap - earlier(m->gpu.block_gap, m->core.block_start);

    return block < r->wave ? turn : later(turn, cycle + 1 + gap);
}

int window_place(struct sms *g, const struct run *r, unsigned sm, uint64_t block,
                 uint64_t cycle, struct err *err)
{
    struct stream *s = r->kernel->ops->open(r->kernel, block, err);

    if (!s)
        return -1;
    INVARIANT(sm_has_room(g->sm[sm]));
    sm_start_block(g->sm[sm], s, block, cycle + 1,
                   window_arrival_cycle(g, r, block, cycle));
    return 0;
}

/* One SM through the cycles before end, or up to one in which it can take a block. */
static int run_sm(struct sms *g, struct run *r, unsigned k, uint64_t end,
                  struct err *err)
{
    struct sm *s = g->sm[k];
    unsigned before;

    do {
        before = sm_blocks(s);
        if (sm_run(s, g->takes[k] < end ? g->takes[k] + 1 : end, err))
            return -1;
        if (sm_blocks(s) == before)
            return 0;
        INVARIANT(sm_blocks(s) < before); /* blocks only end in a run */
        r->n_done += before - sm_blocks(s);
        r->last = sm_cycle(s) > r->last ? sm_cycle(s) : r->last;
        if (takes_blocks(g, r, k) && g->takes[k] == UINT64_MAX)
            g->takes[k] = sm_cycle(s);
    } while (sm_blocks(s));
    return 0;
}

unsigned window_first_taker(const struct sms *g, uint64_t end)
{
    unsigned best = g->n_sms, k = g->first_sm;

    for (unsigned i = 0; i < g->n_sms; i++) {
        if (g->takes[k] < end && (best == g->n_sms || g->takes[k] < g->takes[best]))
            best = k;
        k = k + 1 == g->n_sms ? 0 : k + 1;
    }
    return best;
}

void window_pass_turn(struct sms *g, unsigned sm)
{
    if (g->base.machine->gpu.block_order == GPU_BLOCK_NEXT)
        g->first_sm = (sm + 1) % g->n_sms;
}

/* SMs that can take a block stop there, and the one that stopped first gets the next:
 * blocks are given out in the order of time. */
static int run_each(struct sms *g, struct run *r, uint64_t end, struct err *err)
{
    uint64_t number = g->n_sms;
    unsigned k;

    for (k = 0; k < g->n_sms; k++) {
        if (!sm_blocks(g->sm[k]))
            continue;
        window_begin_part(r, k, k);
        if (run_sm(g, r, k, end, err))
            return -1;
    }
    while ((k = window_first_taker(g, end)) < g->n_sms) {
        if (takes_blocks(g, r, k)) {
            if (window_place(g, r, k, r->next_block++, g->takes[k], err))
                return -1;
            window_pass_turn(g, k);
            g->takes[k] += g->base.machine->gpu.block_cycles;
        }
        if (!takes_blocks(g, r, k))
            g->takes[k] = UINT64_MAX;
        window_begin_part(r, k, number++);
        if (run_sm(g, r, k, end, err))
            return -1;
    }
    return 0;
}

/* A view, and a memory that goes cycle by cycle, want SMs one after another; so does a
 * second-level TLB, which they share. */
static bool has_threads(const struct sms *g, const struct run *r)
{
    return g->crew && r->kernel->is_parallel && r->kernel->cluster < 2 &&
           !g->base.trace && memory_lead(g->memory) &&
           !memory_parameters(g->memory)->tlb.enabled;
}

const struct kernel_turns *window_turns(const struct sms *g, const struct run *r)
{
    static const struct kernel_turns always = { NULL, NULL };

    return has_threads(g, r) ? crew_turns(g->crew) : &always;
}

/* More than one SM has work in this window: for one alone, waking threads takes longer. */
static bool threads_pay(const struct sms *g, const struct run *r)
{
    uint64_t n = r->kernel->n_blocks - r->next_block;

    for (unsigned k = 0; n < 2 && k < g->n_sms; k++)
        n += sm_blocks(g->sm[k]) != 0;
    return n > 1;
}

int window_run(struct sms *g, struct run *r, uint64_t end, struct err *err)
{
    uint64_t last = UINT64_MAX;
    bool is_shared = has_threads(g, r) && threads_pay(g, r);
    int failed = r->kernel->cluster > 1 ? clusters_run(g->clusters, r, end, err)
                 : is_shared            ? crew_run(g->crew, r, end, &last, err)
                                        : run_each(g, r, end, err);

    if (r->kernel->ops->end_window)
        r->kernel->ops->end_window(r->kernel, last);
    if (g->base.hot)
        hot_reserve(&g->hot.memory, hot_index_size(&g->hot.index));
    return failed;
}
