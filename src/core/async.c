/* async.c - what warps do with asynchronous work: operations on barriers in shared memory,
 * copies that they start, groups of these that they wait for. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "core/stages.h"

#define PARAM_OF struct async_params
const struct param_group async_param_group = PARAM_GROUP(
    "async", "barriers in shared memory, bulk and tensor copies", ASYNC_PARAMS);
#undef PARAM_OF

int async_init(struct sm *s, struct err *err)
{
    s->async = calloc(1, sizeof *s->async);
    if (!s->async ||
        !(s->async->warp = calloc(s->shape.n_warps, sizeof *s->async->warp)) ||
        !(s->async->group =
              calloc((size_t)s->shape.n_warps * ASYNC_GROUPS, sizeof *s->async->group)))
        return err_memory(err, "SM %u", s->index);
    async_forget(s);
    return 0;
}

void async_free(struct sm *s)
{
    if (s->async) {
        free(s->async->warp);
        free(s->async->group);
    }
    free(s->async);
}

void async_forget(struct sm *s)
{
    struct sm_async *a = s->async;

    a->queue = a->loads = a->stores = (struct tma_ring){ 0 };
    warpset_clear(&a->suspended);
    a->n_refused = 0;
    a->n_open = 0;
    a->n_maps = a->next_map = a->n_unsent = 0;
    a->n_free = TMA_OPS;
    for (unsigned k = 0; k < TMA_OPS; k++)
        a->free[k] = (uint16_t)(TMA_OPS - 1 - k);
    s->async_at = NEVER;
}

void async_warp_start(struct sm *s, unsigned warp)
{
    struct async_warp *a = &s->async->warp[warp];

    memset(a, 0, offsetof(struct async_warp, group)); /* no group is left */
    a->uop = a->refused = NO_UOP;
}

static struct stream *stream_of(const struct sm *s, const struct warp *w)
{
    return s->blocks.at[w->block].stream;
}

/* Asynchronous instructions need a front end that can be told when they take effect, and a
 * scheme under which an instruction that issues has its operands. */
static int refuse(const struct sm *s, const struct uop *u, const char *why,
                  struct err *err)
{
    const struct kernel *k = s->launch.kernel;
    struct buf text = { 0 };

    if (k->ops->text)
        k->ops->text(k, u->dyn.inst, &text);
    err_kind(err, ERR_UNSUPPORTED, "kernel %s: 0x%llx %s: %s", k->name,
             (unsigned long long)(u->dyn.inst->pc - k->first_pc), buf_text(&text), why);
    buf_free(&text);
    return -1;
}

static int check_can_time(const struct sm *s, const struct uop *u, struct err *err)
{
    const struct stream *stream = stream_of(s, &s->warp[u->warp]);

    if (!stream->ops->try_phase)
        return refuse(
            s, u,
            "traces, and recordings of earlier versions of leno record, do not hold "
            "asynchronous work; run the program itself",
            err);
    if (has_stations(s))
        return refuse(
            s, u,
            "asynchronous instructions cannot wait in reservation stations; use "
            "another scheme",
            err);
    return 0;
}

/* A warp goes on that was suspended, refused or waited for groups. */
static void end_wait(struct sm *s, unsigned warp)
{
    warp_set_wait(s, warp, WAIT_NONE);
    wake_warp(&s->wake, warp);
    wake_next(&s->wake);
}

/* A wait for a phase has its result. */
static void end_phase(struct sm *s, unsigned warp)
{
    struct async_warp *a = &s->async->warp[warp];
    struct uop *u = &s->pool[a->uop];

    warpset_drop(&s->async->suspended, warp);
    a->uop = NO_UOP;
    u->stage = UOP_WRITE;
    wheel_add(&s->events, u,
              later(s->cycle + 1, a->ready) + s->config.regfile.to_branch, s->cycle);
    fetch_go_on(s, warp);
    end_wait(s, warp);
}

/* Looks again at what a suspended warp waits for. Its instruction must have read its
 * operands, as far as anybody looks at that. */
static int look_again(struct sm *s, unsigned warp, struct err *err)
{
    struct async_warp *a = &s->async->warp[warp];
    const struct warp *w = &s->warp[warp];
    struct stream *stream = stream_of(s, w);
    int over;

    if (s->pool[a->uop].stage != UOP_READ)
        return 0;
    a->is_woken = false;
    over = stream->ops->try_phase(stream, w->index, s->cycle >= a->until, err);
    if (over > 0)
        end_phase(s, warp);
    else if (s->cycle >= a->until) /* recorded: nothing is known of what follows */
        a->until = s->cycle + s->config.async.suspend;
    return over < 0 ? -1 : 0;
}

static int look_at_suspended(struct sm *s, struct err *err)
{
    for (struct warpset m = s->async->suspended; warpset_any(&m);) {
        unsigned k = warpset_take(&m);
        const struct async_warp *a = &s->async->warp[k];

        if ((a->is_woken || a->until <= s->cycle) && look_again(s, k, err))
            return -1;
    }
    return 0;
}

void async_wake_block(struct sm *s, unsigned block)
{
    for (struct warpset m = s->async->suspended; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (s->warp[k].block == block)
            s->async->warp[k].is_woken = true;
    }
}

/* The queue has room again. */
static void take_refused(struct sm *s)
{
    struct sm_async *a = s->async;

    while (a->n_refused && tma_has_room(s)) {
        const struct tma_refused *r = &a->refused[a->first_refused];

        a->first_refused = (a->first_refused + 1) % (2 * MAX_ASYNC_WARPS);
        a->n_refused--;
        tma_take(s, r->warp, r->copy, r->row);
        if (r->uop == NO_UOP) {
            end_wait(s, r->warp);
            continue;
        }
        a->warp[r->warp].refused = NO_UOP;
        wheel_add(&s->events, &s->pool[r->uop], s->cycle + 1 + s->config.async.operands,
                  s->cycle);
    }
}

/* The first copy of a warp that is refused keeps its operands, if anybody waits for them;
 * otherwise its warp waits. */
static void refuse_copy(struct sm *s, const struct uop *u, struct copy *c)
{
    struct sm_async *a = s->async;
    bool keeps =
        has_ports(s) && s->scheme->wants_reads && a->warp[u->warp].refused == NO_UOP;
    unsigned at = (a->first_refused + a->n_refused++) % (2 * MAX_ASYNC_WARPS);

    INVARIANT(a->n_refused <= 2 * MAX_ASYNC_WARPS);
    a->refused[at] = (struct tma_refused){ c, u->warp, keeps ? u->id : NO_UOP, u->hot };
    if (keeps)
        a->warp[u->warp].refused = u->id;
    else
        warp_set_wait(s, u->warp, WAIT_TMA);
}

static void plan_next(struct sm *s)
{
    uint64_t next = earlier(tma_next(s), gpc_next(s));

    for (struct warpset m = s->async->suspended; warpset_any(&m);) {
        const struct async_warp *a = &s->async->warp[warpset_take(&m)];

        next = earlier(next, a->is_woken ? 0 : a->until);
    }
    s->async_at = next == NEVER ? NEVER : later(next, s->cycle + 1);
}

int async_tick(struct sm *s, struct err *err)
{
    if (gpc_tick(s, err) || tma_tick(s, err))
        return -1;
    take_refused(s);
    if (look_at_suspended(s, err))
        return -1;
    plan_next(s);
    return 0;
}

/* Groups of the warp that have not been read, after dropping those that have. */
static uint32_t count_groups(struct async_warp *a)
{
    while (a->n_groups && (int32_t)(a->group[a->first] - a->n_ended) <= 0) {
        a->first = (a->first + 1) % ASYNC_GROUPS;
        a->n_groups--;
    }
    return a->n_groups;
}

static void commit_group(struct async_warp *a, const struct inst *i)
{
    count_groups(a);
    a->n_groups += a->n_groups < ASYNC_GROUPS;
    a->group[(a->first + a->n_groups - 1) % ASYNC_GROUPS] = a->n_stores;
    a->board = i->control.read_barrier < N_SCOREBOARDS ? i->control.read_barrier
                                                       : i->control.write_barrier;
}

void async_end_store(struct sm *s, unsigned warp)
{
    struct async_warp *a = &s->async->warp[warp];

    a->n_ended++;
    if (s->warp[warp].wait == WAIT_GROUPS && count_groups(a) <= a->limit)
        end_wait(s, warp);
}

/* DEPBAR waits for groups if it names their scoreboard. */
static void wait_for_groups(struct sm *s, const struct uop *u)
{
    struct async_warp *a = &s->async->warp[u->warp];
    const struct inst *i = u->dyn.inst;
    bool all = a->board < N_SCOREBOARDS && i->depbar_all >> a->board & 1;

    if (!a->n_groups || (i->depbar != a->board && !all))
        return;
    a->limit = all ? 0 : i->depbar_max;
    if (count_groups(a) > a->limit)
        warp_set_wait(s, u->warp, WAIT_GROUPS);
}

/* The instruction waits for a unit that is free from a cycle on, and its warp with it. Returns
 * the cycle in which it starts. */
static uint64_t await_unit(struct sm *s, const struct uop *u, uint64_t free)
{
    struct warp *w = &s->warp[u->warp];

    w->hold = later(free, s->cycle);
    w->hold_cause = STALL_lsu;
    if (w->hold > s->cycle)
        wake_warp_at(&s->wake, u->warp, w->hold);
    return w->hold;
}

/* Words or arrivals on their way to other blocks of the cluster. */
static void send_to_blocks(struct sm *s, unsigned warp, struct copy *c)
{
    unsigned slot = s->warp[warp].block;

    s->blocks.at[slot].n_copies++;
    gpc_send_copy(s, slot, c, s->config.cluster.arrive);
}

static void start_copy(struct sm *s, struct uop *u)
{
    struct async_warp *a = &s->async->warp[u->warp];
    struct stream *stream = stream_of(s, &s->warp[u->warp]);
    struct copy *c = stream->ops->take_copy(stream, s->warp[u->warp].index, u->dyn.seq);
    struct err ignored;

    if (!c)
        return;
    if (c->kind == COPY_COMMIT || c->kind == COPY_MAP || c->kind == COPY_NO_MAP) {
        if (c->kind == COPY_COMMIT)
            commit_group(a, u->dyn.inst);
        else if (c->kind == COPY_MAP)
            tma_fetch_map(s, u->warp, c, u->hot);
        else
            tma_forget_map(s, c->map);
        stream->ops->end_copy(stream, c, &ignored);
        return;
    }
    if (c->kind == COPY_SENT) {
        send_to_blocks(s, u->warp, c);
        return;
    }
    a->n_stores += !copy_is_load(c);
    s->async->copy_free = await_unit(s, u, s->async->copy_free) + s->config.async.gap;
    if (tma_has_room(s) && !s->async->n_refused)
        tma_take(s, u->warp, c, u->hot);
    else
        refuse_copy(s, u, c);
    s->async_at = earlier(s->async_at, later(tma_next(s), s->cycle + 1));
}

static int begin_phase(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    const struct async_params *p = &s->config.async;
    struct sm_async *a = s->async;
    struct stream *stream = stream_of(s, w);
    int over = stream->ops->try_phase(stream, w->index, false, err);
    uint64_t start;

    if (over < 0)
        return -1;
    start = await_unit(s, u, a->phase_free);
    a->phase_done = start + p->phase_latency;
    a->phase_free = start + p->phase_interval;
    if (over) {
        struct copy *c = s->launch.kernel->cluster > 1
                             ? stream->ops->take_copy(stream, w->index, u->dyn.seq)
                             : NULL;

        if (c)
            send_to_blocks(s, u->warp, c);
        fetch_go_on(s, u->warp);
        return 0;
    }
    a->warp[u->warp].uop = u->id;
    a->warp[u->warp].until = s->cycle + p->suspend;
    a->warp[u->warp].ready = a->phase_done;
    a->warp[u->warp].is_woken = false;
    warpset_add(&a->suspended, u->warp);
    warp_set_wait(s, u->warp, WAIT_PHASE);
    s->async_at = earlier(s->async_at, a->warp[u->warp].until);
    return 0;
}

/* The warp gives registers to its block, or tries to take some. Recordings of earlier versions
 * hold what came of it. */
static int try_registers(struct sm *s, const struct warp *w, struct err *err)
{
    struct stream *stream = stream_of(s, w);

    if (stream->ops->try_phase &&
        stream->ops->try_phase(stream, w->index, true, err) < 0)
        return -1;
    fetch_go_on(s, (unsigned)(w - s->warp));
    return 0;
}

/* Cycles of a product in its unit: two columns per cycle, and the factors are read from
 * shared memory, which takes 64 rows of 32 bytes and as many columns, 128 bytes a cycle. */
static uint32_t product_cycles(const struct async_params *p, const struct inst *i)
{
    uint32_t columns = i->product * 8u, by_reads = columns / 4;

    if (i->product_is & PRODUCT_SHARED)
        by_reads += 16;
    else
        columns += 2 * p->product_registers;
    return by_reads > columns / 2 ? by_reads : columns / 2;
}

uint64_t async_take_product(struct sm *s, const struct uop *u, uint64_t *free,
                            uint64_t *issue)
{
    const struct async_params *p = &s->config.async;
    const struct inst *i = u->dyn.inst;
    struct async_warp *a = &s->async->warp[u->warp];
    uint32_t cycles = product_cycles(p, i);
    uint64_t start = later(s->cycle, *free),
             waiting = (uint64_t)p->product_queue * cycles;

    s->stats.products += i->product - 1u;
    *free = start + cycles;
    *issue = later(s->cycle + p->product_issue, *free > waiting ? *free - waiting : 0);
    check_product(s, u);
    if (i->product_is & PRODUCT_ENDS)
        a->product_end[a->n_products++ % ASYNC_GROUPS] =
            start + i->product * 4u + p->product_latency;
    return start;
}

/* WARPGROUP.DEPBAR: at most that many groups of products may be left. */
static void wait_for_products(struct sm *s, const struct uop *u)
{
    struct async_warp *a = &s->async->warp[u->warp];
    uint32_t left = u->dyn.inst->products_left - 1u;
    uint32_t n = a->n_products;

    if (n <= left || left >= ASYNC_GROUPS)
        return;
    check_waited(s, u->warp, n - left);
    await_unit(s, u, a->product_end[(n - 1 - left) % ASYNC_GROUPS]);
    s->warp[u->warp].hold_cause = STALL_compute;
}

int async_issue(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    const struct inst *i = u->dyn.inst;

    if (i->depbar < N_SCOREBOARDS || i->depbar_all)
        wait_for_groups(s, u);
    if (i->products_left)
        wait_for_products(s, u);
    s->async->warp[u->warp].n_stores += (i->flags & INST_ASYNC) != 0;
    if (!(i->flags & (INST_PHASE | INST_COPIES)))
        return 0;
    if (i->flags & INST_PHASE && !inst_is_on_mbarrier(i))
        return try_registers(s, w, err);
    if (check_can_time(s, u, err))
        return -1;
    if (i->flags & INST_PHASE)
        return begin_phase(s, w, u, err);
    start_copy(s, u);
    return 0;
}

void async_cut(struct sm *s)
{
    for (struct warpset m = s->async->suspended; warpset_any(&m);)
        s->async->warp[warpset_take(&m)].is_woken = true;
    plan_next(s);
}
