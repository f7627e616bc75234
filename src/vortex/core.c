/* core.c - makes and resets a core; the parts of a cycle that both models share. */
#include <stdlib.h>
#include <string.h>

#include "vortex/processor.h"
#include "vortex/stages.h"

/* Number of versions to keep: of each register, and of each of its lanes. */
static size_t versions_count(const struct vx_core *k)
{
    return (size_t)k->p->warps * (k->p->threads + 1) * VX_REGS;
}

static void versions_new(const struct vx_core *k, struct vx_versions *v)
{
    v->all = calloc(versions_count(k), sizeof *v->all);
    v->lane = v->all + (size_t)k->p->warps * VX_REGS;
}

static void versions_reset(const struct vx_core *k, struct vx_versions *v)
{
    memset(v->all, 0, versions_count(k) * sizeof *v->all);
}

static void issue_stop(struct vx_core *k)
{
    if (!k->issue->ops)
        return;
    if (k->issue->ops->fini)
        k->issue->ops->fini(k->issue);
    free(k->issue->stats);
}

void vx_core_free(struct vx_core *k)
{
    if (!k)
        return;
    if (k->issue)
        issue_stop(k);
    free(k->issue);
    free(k->pool);
    free(k->uops.lists);
    free(k->uops.free_list);
    free(k->check.newest.all);
    free(k->check.held.all);
    free(k->check.writer);
    free(k);
}

/* Most instructions in flight, including those in the window of a hosted scheme. */
static unsigned pool_size(const struct vortex_config *c)
{
    const struct vx_hosted *h = &c->hosted;

    if (!h->scheme || !h->scheme->window)
        return VX_POOL;
    return VX_POOL + c->core.warps * h->scheme->window(h->params);
}

static bool pool_new(struct vx_core *k, unsigned n)
{
    k->uops.n = n;
    k->pool = calloc(n, sizeof *k->pool);
    k->uops.lists = calloc(n, sizeof *k->uops.lists);
    k->uops.free_list = calloc(n, sizeof *k->uops.free_list);
    if (!k->pool || !k->uops.lists || !k->uops.free_list)
        return false;
    for (unsigned id = 0; id < n; id++)
        k->pool[id].dyn.addr.list = k->uops.lists[id];
    return true;
}

struct vx_core *vx_core_new(struct vortex *v, unsigned index)
{
    unsigned n_pool = pool_size(&v->config);
    struct vx_core *k = calloc(1, sizeof *k + n_pool * sizeof *k->flight);

    if (!k)
        return NULL;
    k->gpu = v;
    k->p = &v->config.core;
    k->memory = &v->memory;
    k->socket = &v->memory.socket[index / k->p->socket];
    k->index = index;
    k->hosted = v->config.hosted;
    k->full = v->config.core.threads < 32 ? (1u << v->config.core.threads) - 1 : ~0u;
    k->issue = calloc(1, v->config.issue->state_size);
    versions_new(k, &k->check.newest);
    versions_new(k, &k->check.held);
    k->check.writer = calloc((size_t)k->p->warps * VX_REGS, sizeof *k->check.writer);
    if (!pool_new(k, n_pool) || !k->issue || !k->check.newest.all ||
        !k->check.held.all || !k->check.writer) {
        vx_core_free(k);
        return NULL;
    }
    return k;
}

static int issue_start(struct vx_core *k, struct err *err)
{
    const struct vx_issue_ops *ops = k->gpu->config.issue;

    issue_stop(k);
    memset(k->issue, 0, ops->state_size);
    k->issue->ops = ops;
    k->issue->core = k;
    k->issue->params = k->gpu->config.issue_params;
    if (ops->stats) {
        k->issue->stats = calloc(1, ops->stats->size);
        if (!k->issue->stats)
            return err_memory(err, "the statistics of a scheme");
    }
    return ops->init ? ops->init(k->issue, err) : 0;
}

static void reset_warps(struct vx_core *k)
{
    for (unsigned w = 0; w < VX_MAX_WARPS; w++) {
        k->warp[w].order_first = NO_UOP;
        k->warp[w].order_end = &k->warp[w].order_first;
        k->warp[w].wait = STALL_fetch;
    }
}

static void reset_pool(struct vx_core *k)
{
    for (unsigned n = 0; n < k->uops.n; n++) {
        k->pool[n].id = (uop_id)n;
        k->pool[n].stage = UOP_FREE;
        k->uops.free_list[n] = (uop_id)(k->uops.n - 1 - n);
    }
    k->uops.n_free = k->uops.n;
}

int vx_core_reset(struct vx_core *k, struct kernel *kernel, struct err *err)
{
    struct vx_core fresh = {
        .gpu = k->gpu,
        .p = k->p,
        .memory = k->memory,
        .socket = k->socket,
        .index = k->index,
        .full = k->full,
        .uops = k->uops,
        .pool = k->pool,
        .issue = k->issue,
        .check = k->check,
        .hosted = k->hosted,
        .err = err,
    };

    *k = fresh;
    k->check.renames = false;
    k->check.unwritten = NULL;
    memset(k->flight, 0, k->uops.n * sizeof *k->flight);
    versions_reset(k, &k->check.newest);
    versions_reset(k, &k->check.held);
    memset(k->check.writer, 0, (size_t)k->p->warps * VX_REGS * sizeof *k->check.writer);
    vx_set_active(k, 1);
    k->cycle = UINT64_MAX; /* the next one is 0 */
    k->launch.kernel = kernel;
    k->launch.trace = k->gpu->trace;
    k->is_plain = k->launch.trace || k->gpu->listener.taken || k->p->eager;
    k->launch.before = k->gpu->stats.cycles;
    k->launch.n_counters = 0;
    k->dispatch.fpu_freed = k->commit.out_at = k->commit.settle_at = NEVER;
    k->dispatch.stage.uop = NO_UOP;
    k->cause = STALL_idle;
    for (unsigned n = 0; n < 4; n++)
        k->commit.written[n] = NO_UOP;
    vx_ahead_reset(k);
    vx_unit_reset(k);
    vx_lsu_reset(k);
    k->fetch.asked.at = k->fetch.arriving.at = k->lsu.answers.at = NEVER;
    for (unsigned ex = 0; ex < N_VX_EX; ex++) {
        k->dispatch.buffer[ex].uop = NO_UOP;
        k->commit.out[ex].at = NEVER;
    }
    reset_warps(k);
    reset_pool(k);
    if (issue_start(k, err))
        return -1;
    k->launch.stream = kernel->ops->open(kernel, k->index, err);
    if (!k->launch.stream)
        return -1;
    k->launch.stream->is_timed = true;
    return 0;
}

/* Stall reason of a core whose window is empty. */
static enum stall front_cause(const struct vx_core *k)
{
    enum stall cause = k->n_pending ? STALL_drain : STALL_idle;

    for (uint32_t m = k->sched.active; m; m &= m - 1) {
        enum stall of = k->warp[__builtin_ctz(m)].wait;

        cause = of < cause ? of : cause;
    }
    return cause;
}

void vx_core_begin_cycle(struct vx_core *k, uint64_t cycle)
{
    k->cycle = cycle;
    k->progress = false;
    k->sched.ready |= k->sched.ready_next;
    k->sched.ready_next = 0;
}

void vx_core_issue(struct vx_core *k)
{
    k->cause = k->issue->ops->tick(k->issue);
    if (k->cause == STALL_fetch)
        k->cause = front_cause(k);
    k->stats.slot[k->cause]++;
    k->stats.warp_cycles += k->sched.n_active;
}
