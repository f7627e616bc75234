/* sms.c - SMs and memory under one clock.
 *
 * Memory works ahead of the SMs (mem/lead.h), so that each SM goes through a window of
 * cycles alone (window.c), and then memory through the same cycles. Within
 * its window an SM sleeps until the first cycle of its agenda (core/wake.h); if all sleep
 * and memory is idle, the clock jumps to the first cycle in which one of them wakes. When
 * nothing can ever wake an SM, or nothing was issued for very long, that is a deadlock,
 * and the report lists every agenda and every warp.
 */
#include "sim/sms.h"

#include <stdlib.h>

#include "base/agenda.h"
#include "base/cycles.h"
#include "base/invariant.h"
#include "isa/spin.h"
#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "sim/clusters.h"
#include "sim/hot.h"
#include "sim/window.h"

enum {
    LOOK_CYCLES = 1 << 16 /* of an SM, between looks at limits and the watch */
};

/* The next cycle in which anything happens, at least end; NEVER or later: none. */
static uint64_t next_cycle(const struct sms *g, const struct run *r, uint64_t end)
{
    uint64_t next = earlier(memory_next(g->memory), r->cluster_at);

    for (unsigned k = 0; k < g->n_sms; k++) {
        next = earlier(next, g->takes[k]);
        next = earlier(next, sm_wakes(g->sm[k]));
    }
    return next < end ? end : next;
}

/* How far the kernel is, for a report. */
static void put_state(struct sms *g, const struct run *r, const char *why)
{
    buf_clear(&g->base.report);
    buf_printf(&g->base.report, "kernel %s, cycle %llu, %llu of %llu blocks done: %s\n",
               r->kernel->name, (unsigned long long)r->cycle,
               (unsigned long long)r->n_done, (unsigned long long)r->kernel->n_blocks,
               why);
}

static int report_deadlock(struct sms *g, const struct run *r, const char *why,
                           struct err *err)
{
    struct buf where = { 0 };

    put_state(g, r, why);
    for (unsigned k = 0; k < g->n_sms; k++) {
        if (!sm_blocks(g->sm[k]))
            continue;
        sm_dump(g->sm[k], &g->base.report);
        if (!where.len)
            sm_put_stuck(g->sm[k], &where);
    }
    memory_dump(g->memory, &g->base.report);
    err_kind(err, ERR_DEADLOCK, "kernel %s, cycle %llu: deadlock: %s%s%s",
             r->kernel->name, (unsigned long long)r->cycle, why, where.len ? "; " : "",
             buf_text(&where));
    buf_free(&where);
    return -1;
}

static uint64_t count_insts(const struct sms *g)
{
    uint64_t n = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n += sm_insts(g->sm[k]);
    return n;
}

uint64_t sms_insts(const struct gpu *gpu)
{
    return count_insts((const struct sms *)gpu);
}

/* Where the warps are. They cannot go on after that. */
static void put_where(struct sms *g, const struct run *r)
{
    struct spin_block *block = NULL;
    size_t n = 0, n_blocks = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n_blocks += sm_blocks(g->sm[k]);
    if (n_blocks)
        block = calloc(n_blocks, sizeof *block);
    for (unsigned k = 0; k < g->n_sms && block; k++)
        for (unsigned i = 0; i < sm_blocks(g->sm[k]); i++, n++) {
            block[n].stream = sm_stream(g->sm[k], i, &block[n].number);
            block[n].source = r->kernel;
        }
    if (n && r->cycle > r->last)
        buf_printf(&g->base.report, "no block has ended for %llu cycles\n",
                   (unsigned long long)(r->cycle - (r->last ? r->last : r->start)));
    if (block)
        spin_report(block, n, r->kernel->first_pc, &g->base.report);
    free(block);
}

/* The run ends before a cycle, for the reason in err. Nothing happens between the last
 * window and that cycle, but SMs and memory sleep up to it, if the kernel has begun. */
static int stop_run(struct sms *g, struct run *r, uint64_t cycle, struct err *err)
{
    struct err ignored;

    if (r->next_block)
        window_run(g, r, cycle, &ignored);
    if (memory_lead(g->memory))
        memory_run(g->memory, cycle, cycle);
    r->cycle = cycle;
    put_state(g, r, err->text);
    put_where(g, r);
    err_prefix(err, "kernel %s", r->kernel->name);
    return err_suffix(err, ", %llu of %llu blocks done", (unsigned long long)r->n_done,
                      (unsigned long long)r->kernel->n_blocks);
}

static int ask_watch(struct sms *g, const struct run *r, struct err *err)
{
    const struct watch_state s = { .kernel = r->kernel->name,
                                   .number = g->base.stats.kernels + 1,
                                   .blocks_done = r->n_done,
                                   .blocks = r->kernel->n_blocks,
                                   .warp_insts = r->insts - r->first_insts,
                                   .cycles = r->cycle };

    return watch_look(g->base.limits.watch, &s, err);
}

/* Several times a second; with a limit on instructions after every window. */
static uint64_t next_look(const struct sms *g, uint64_t cycle)
{
    bool has_limit = watch_most(g->base.limits.watch) != UINT64_MAX;

    return cycle + (has_limit ? 1 : LOOK_CYCLES / g->n_sms);
}

/* Now and then: the watch, and whether anything still issues. */
static int check_progress(struct sms *g, struct run *r, struct err *err)
{
    uint64_t now = count_insts(g);

    r->look_at = next_look(g, r->cycle);
    if (now != r->insts) {
        r->insts = now;
        r->issued_at = r->cycle;
    }
    if (r->cycle - r->issued_at > g->base.machine->gpu.watchdog)
        return report_deadlock(g, r, "nothing was issued for gpu.watchdog cycles", err);
    if (!ask_watch(g, r, err))
        return 0;
    err_suffix(err, " in cycle %llu", (unsigned long long)r->cycle);
    return stop_run(g, r, r->cycle, err);
}

/* How far SMs may run on their own. A view wants its events in the order of time. */
static uint64_t window_of(const struct sms *g, const struct run *r)
{
    unsigned lead = memory_lead(g->memory);

    if (g->base.trace || !lead)
        return 1;
    return r->kernel->cluster > 1 ? earlier(lead, gpc_window(&g->base.machine->cluster))
                                  : lead;
}

/* The last cycle is the one before --max-cycles: as many have been simulated then. */
static uint64_t last_end(const struct sms *g)
{
    return g->base.limits.max_cycles ? g->base.limits.max_cycles + g->base.hidden
                                     : UINT64_MAX;
}

static int stop_at_limit(struct sms *g, struct run *r, struct err *err)
{
    err_kind(err, ERR_LIMIT, "stopped at cycle %llu (--max-cycles)",
             (unsigned long long)g->base.limits.max_cycles);
    return stop_run(g, r, last_end(g), err);
}

/* The cycle in which the kernel reaches its cap; UINT64_MAX: none that is known. */
static uint64_t cap_cycle(const struct sms *g, const struct run *r)
{
    const struct gpu_limits *l = &g->base.limits;

    if (r->is_cut || !r->kernel->ops->cut || r->kernel->cluster > 1)
        return UINT64_MAX;
    if (l->cap_insts && count_insts(g) - r->first_insts >= l->cap_insts)
        return r->cycle;
    return l->cap_cycles ? r->start + l->cap_cycles : UINT64_MAX;
}

/* No more is fetched, and no more blocks are started. */
static void cut_kernel(struct sms *g, struct run *r)
{
    r->is_cut = true;
    r->kernel->ops->cut(r->kernel);
    for (unsigned k = 0; k < g->n_sms; k++)
        sm_cut(g->sm[k], r->cycle);
}

/* The pace of a kernel, for --sample. */
static void mark_pace(struct sms *g, const struct run *r, struct pace_mark *mark)
{
    const struct memory_stats *m = memory_stats(g->memory);
    uint64_t skipped = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        skipped += sm_stats(g->sm[k])->skipped;
    *mark = (struct pace_mark){
        .cycle = r->cycle - r->start,
        .blocks = r->n_done,
        .insts = count_insts(g) - r->first_insts + skipped - r->first_skipped,
        .filled = m->l2_read_misses + m->l2_writes - m->l2_write_hits,
        .bus = m->dram_busy,
        .ticks = m->dram_ticks,
    };
}

static void begin_pace(struct sms *g, struct run *r, unsigned resident)
{
    struct pace_mark start;

    mark_pace(g, r, &start);
    r->first_skipped = start.insts;
    start.insts = 0;
    g->base.pace = (struct pace){ .goal = g->base.limits.sample_goal / 100.0,
                                  .blocks = r->kernel->n_blocks,
                                  .wave = resident,
                                  .sectors = memory_l2_sectors(g->memory),
                                  .line = LINE_SECTORS,
                                  .warps = kernel_warps(r->kernel),
                                  .sector_ticks = memory_sector_ticks(g->memory) };
    pace_begin(&g->base.pace, &start);
}

/* After a window: are enough blocks timed? Those beyond are not started. */
static void look_at_pace(struct sms *g, struct run *r)
{
    struct pace *p = &g->base.pace;
    struct pace_mark mark;

    if (!g->base.limits.sample_goal || r->kernel->cluster > 1 ||
        !pace_is_due(p, r->n_done))
        return;
    mark_pace(g, r, &mark);
    pace_note(p, &mark, r->next_block);
    r->kernel->n_blocks = p->timed;
}

/* All SMs and memory are at the same cycle: statistics up to there. */
static int tick_clock(struct sms *g, struct run *r, struct err *err)
{
    const struct gpu_clock *c = &g->base.clock;
    const struct gpu_moment at = { r->cycle - g->base.hidden, g->base.stats.kernels + 1,
                                   r->kernel->name };

    r->tick_at = r->cycle + c->every;
    for (unsigned n = 0; n < g->n_sms; n++)
        sm_account(g->sm[n], r->cycle);
    return c->tick(c->to, &g->base, &at, err);
}

/* SMs without blocks send the stores of those that have ended. */
static void go_on(struct sms *g, uint64_t end)
{
    for (unsigned k = 0; k < g->n_sms; k++)
        sm_go_on(g->sm[k], end);
}

static bool is_settled(const struct sms *g)
{
    unsigned k = 0;

    while (k < g->n_sms && sm_is_settled(g->sm[k]))
        k++;
    return k == g->n_sms;
}

/* After the last block of a kernel its stores go on to memory, before anything else is
 * launched. This takes no time that counts. */
static int settle(struct sms *g, struct run *r, struct err *err)
{
    uint64_t window = memory_lead(g->memory) ? memory_lead(g->memory) : 1;
    uint64_t end = r->cycle;

    while (!is_settled(g)) {
        uint64_t from = end;

        end = from + window;
        if (!memory_lead(g->memory))
            memory_tick(g->memory, from);
        go_on(g, end);
        if (memory_lead(g->memory))
            memory_run(g->memory, from, end);
        if (end - r->cycle > g->base.machine->gpu.watchdog)
            return report_deadlock(g, r, "stores are not answered", err);
    }
    g->settled = end;
    return 0;
}

/* The cycle in which a kernel begins: not before the stores of the last one are answered. */
static uint64_t begin_cycle(struct sms *g)
{
    uint64_t begin =
        g->base.stats.cycles + g->base.hidden + g->base.machine->gpu.launch_cycles;
    uint64_t hidden = g->settled > begin ? g->settled - begin : 0;

    for (unsigned k = 0; hidden && k < g->n_sms; k++)
        sm_hide(g->sm[k], hidden);
    g->base.hidden += hidden;
    return begin + hidden;
}

static int run_cycles(struct sms *g, struct run *r, struct err *err)
{
    uint64_t window = window_of(g, r), most = last_end(g);
    bool has_lead = memory_lead(g->memory) != 0;

    while (r->n_done < r->kernel->n_blocks) {
        uint64_t from = r->cycle, cap = cap_cycle(g, r);
        uint64_t end = earlier(from + window, most);

        if (from >= most)
            return stop_at_limit(g, r, err);
        if (from >= cap) {
            cut_kernel(g, r);
            continue;
        }
        end = earlier(end, cap);
        if (!has_lead)
            memory_tick(g->memory, from);
        if (window_run(g, r, end, err)) {
            r->cycle = end; /* SMs before the one that failed are there */
            return -1;
        }
        if (r->n_done == r->kernel->n_blocks)
            end = r->last + 1;
        go_on(g, end);
        if (has_lead)
            memory_run(g->memory, from, end);
        r->cycle = r->n_done == r->kernel->n_blocks ? end : next_cycle(g, r, end);
        INVARIANT(r->cycle >= end && r->n_done <= r->next_block);
        if (r->cycle >= NEVER) {
            r->cycle = end;
            return report_deadlock(g, r, "nothing can wake any warp", err);
        }
        look_at_pace(g, r);
        if (r->cycle >= r->tick_at && tick_clock(g, r, err))
            return -1;
        if (r->cycle >= r->look_at && check_progress(g, r, err))
            return -1;
    }
    return 0;
}

static int start_kernel(struct sms *g, struct run *r, struct err *err)
{
    const struct kernel_ops *ops = r->kernel->ops;
    unsigned fit = 0;

    if (r->kernel->cluster > 1 && !g->clusters && !(g->clusters = clusters_new(g, err)))
        return -1;
    if (ops->share && ops->share(r->kernel, g->n_sms, window_turns(g, r), err))
        return -1;
    for (unsigned k = 0; k < g->n_sms; k++) {
        fit = sm_kernel_start(g->sm[k], r->kernel, (uint32_t)g->base.stats.kernels,
                              r->cycle, err);
        if (!fit)
            return -1;
        g->takes[k] = r->cycle;
    }
    r->wave = (uint64_t)fit * g->n_sms;
    if (r->kernel->cluster > 1 && clusters_start(g->clusters, r, fit, err))
        return -1;
    if (g->base.limits.sample_goal)
        begin_pace(g, r, fit * g->n_sms);
    return 0;
}

/* Every slot of every cycle was charged, once. */
static int check_slots(const struct sms *g, struct err *err)
{
    for (unsigned n = 0; n < g->n_sms; n++) {
        const struct sm_stats *t = sm_stats(g->sm[n]);
        uint64_t sum = 0;

        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            for (unsigned c = 0; c < N_STALL; c++)
                sum += t->slot[k][c];
        if (sum != g->base.stats.cycles * g->base.machine->core.subcores)
            return err_kind(err, ERR_WRONG,
                            "SM %u: %llu issue slots accounted for, expected %llu", n,
                            (unsigned long long)sum,
                            (unsigned long long)(g->base.stats.cycles *
                                                 g->base.machine->core.subcores));
    }
    return 0;
}

/* Counters per instruction of a kernel that has ended; their sums are checked. */
static int take_hot(struct sms *g, struct kernel *k, bool is_whole, struct err *err)
{
    struct gpu_result *r;
    int failed;

    for (unsigned n = 0; n < g->n_sms; n++)
        sm_end_hot(g->sm[n]);
    failed = hot_profile_add(g->base.hot, k, &g->hot, err);
    if (failed || !is_whole)
        return failed;
    r = gpu_result_new(&g->base, err);
    if (!r)
        return -1;
    failed = hot_profile_check(g->base.hot, r, err);
    gpu_result_free(r);
    return failed;
}

int sms_run(struct gpu *gpu, struct kernel *k, struct err *err)
{
    struct sms *g = sms_of(gpu);
    struct run r = { .kernel = k, .cycle = begin_cycle(g) };
    int failed;

    r.start = r.issued_at = r.cycle;
    r.look_at = next_look(g, r.cycle);
    r.tick_at = r.cluster_at = UINT64_MAX;
    r.insts = r.first_insts = count_insts(g);
    if (ask_watch(g, &r, err))
        return err_prefix(err, "kernel %s", k->name);
    trace_kernel(g->base.trace, k, (uint32_t)g->base.stats.kernels, r.cycle);
    if (memory_lead(g->memory)) /* it has gone on since the last kernel */
        memory_run(g->memory, r.cycle, r.cycle);
    failed = (g->base.clock.every && tick_clock(g, &r, err)) ||
             start_kernel(g, &r, err) || run_cycles(g, &r, err) || settle(g, &r, err);
    g->base.stats.cycles = r.cycle - g->base.hidden;
    for (unsigned n = 0; n < g->n_sms; n++)
        sm_account(g->sm[n], r.cycle);
    if (g->base.hot && take_hot(g, k, !failed, failed ? NULL : err))
        failed = -1;
    for (unsigned n = 0; n < g->n_sms; n++)
        sm_kernel_end(g->sm[n]);
    memory_kernel_end(g->memory);
    if (g->base.limits.sample_goal)
        mark_pace(g, &r, &g->base.pace.now);
    if (g->crew)
        crew_end_kernel(g->crew);
    if (g->base.clock.every && tick_clock(g, &r, failed ? NULL : err))
        failed = -1;
    g->base.stats.kernels += !failed;
    g->base.stats.capped += !failed && r.is_cut;
    if (g->base.limits.watch)
        g->base.limits.watch->insts += count_insts(g) - r.first_insts;
    return failed ? -1 : check_slots(g, err);
}
