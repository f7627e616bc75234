/* vortex.c - cores and memory under one clock.
 *
 * A cycle of a core is in plain.c, and with fewer questions in ahead.c. A core of the
 * latter in which nothing moved sleeps until the first cycle that any of its registers or
 * queues names (sleep.c). When no core names one, or none has committed anything for very
 * long, that is a deadlock.
 */
#include "vortex/vortex.h"

#include <stdlib.h>
#include <string.h>

#include "isa/spin.h"
#include "vortex/processor.h"
#include "vortex/stages.h"

enum {
    LOOK_CYCLES = 1 << 16,
    SHORT_LOOK = 128, /* with a limit on instructions */
};

const struct vortex_config *vortex_config(const struct vortex *v)
{
    return &v->config;
}

uint32_t *vortex_barrier_arrivals(struct vortex *v, unsigned barrier)
{
    return &v->arrivals[barrier];
}

struct vx_core *vortex_core_at(struct vortex *v, unsigned n)
{
    return n < v->n_cores ? v->core[n] : NULL;
}

void vortex_tell_taken(struct vx_core *k, const struct uop *u)
{
    const struct vx_listener *l = &k->gpu->listener;

    if (l->taken)
        l->taken(l->to, k->index, u, k->cycle);
}

/* Views count cycles from 1, through all launches. N_TRACE_STAGE: it has retired. */
void vortex_view_stage(struct vx_core *k, const struct uop *u, enum trace_stage stage)
{
    struct trace_inst i = {
        .kernel = k->gpu->n_launches,
        .block = k->index,
        .warp_of = u->warp,
        .sm = (uint16_t)k->index,
        .warp = u->warp,
        .dyn = &u->dyn,
        .source = k->launch.kernel,
        .key = k->index * k->uops.n + u->id,
    };
    uint64_t cycle = k->launch.before + k->cycle + 1;

    if (stage == N_TRACE_STAGE)
        trace_retire(k->launch.trace, &i, false, cycle);
    else
        trace_stage(k->launch.trace, &i, stage, cycle);
}

void vortex_set_trace(struct vortex *v, struct trace *t)
{
    v->trace = t;
}

void vortex_wake_core(struct vortex *v, unsigned core, uint64_t cycle)
{
    v->wake[core] = earlier(v->wake[core], cycle);
    v->until = earlier(v->until, cycle);
}

static bool core_is_busy(const struct vx_core *k)
{
    return (k->sched.active | k->n_pending) != 0;
}

struct vortex *vortex_new(const struct vortex_config *c, struct err *err)
{
    struct vortex *v = calloc(1, sizeof *v);

    if (!v) {
        err_memory(err, "a GPU");
        return NULL;
    }
    v->config = *c;
    v->core = calloc(c->core.cores, sizeof *v->core);
    v->wake = calloc(c->core.cores, sizeof *v->wake);
    if (c->issue->stats)
        v->issue_stats = calloc(1, c->issue->stats->size);
    if (c->hosted.scheme && c->hosted.scheme->stats)
        v->scheme_stats = calloc(1, c->hosted.scheme->stats->size);
    if (!v->core || !v->wake || (c->issue->stats && !v->issue_stats) ||
        (c->hosted.scheme && c->hosted.scheme->stats && !v->scheme_stats)) {
        err_memory(err, "a GPU");
        vortex_free(v);
        return NULL;
    }
    if (vx_memory_init(&v->memory, &v->config, err)) {
        vortex_free(v);
        return NULL;
    }
    for (; v->n_cores < c->core.cores; v->n_cores++) {
        v->core[v->n_cores] = vx_core_new(v, v->n_cores);
        if (!v->core[v->n_cores]) {
            err_memory(err, "a core");
            vortex_free(v);
            return NULL;
        }
    }
    return v;
}

void vortex_free(struct vortex *v)
{
    if (!v)
        return;
    for (unsigned n = 0; n < v->n_cores; n++)
        vx_core_free(v->core[n]);
    if (v->memory.cache)
        vx_memory_free(&v->memory);
    free(v->core);
    free(v->wake);
    free(v->issue_stats);
    free(v->scheme_stats);
    buf_free(&v->report);
    free(v);
}

void vortex_set_limits(struct vortex *v, const struct vortex_limits *l)
{
    v->limits = *l;
}

void vortex_set_listener(struct vortex *v, const struct vx_listener *l)
{
    v->listener = *l;
}

static int report_deadlock(struct vortex *v, uint64_t cycle, const char *why,
                           struct err *err)
{
    buf_clear(&v->report);
    buf_printf(&v->report, "cycle %llu: %s\n", (unsigned long long)cycle, why);
    for (unsigned n = 0; n < v->n_cores; n++) {
        const struct vx_core *k = v->core[n];

        if (!core_is_busy(k))
            continue;
        buf_printf(&v->report, "core %u: active warps 0x%x, %u instructions pending\n",
                   n, k->sched.active, k->n_pending);
        for (uint32_t m = k->sched.active; m; m &= m - 1) {
            unsigned w = (unsigned)__builtin_ctz(m);

            buf_printf(&v->report, "  warp %u: %u pending, fetch waits: %s\n", w,
                       k->warp[w].pending, stall_name(k->warp[w].wait));
        }
        vx_core_print_agenda(k, &v->report);
        k->issue->ops->dump(k->issue, &v->report);
    }
    return err_kind(err, ERR_DEADLOCK, "cycle %llu: deadlock: %s",
                    (unsigned long long)cycle, why);
}

/* The clock of all cores, and the state of the watchdog and limits. */
struct run {
    const struct kernel *kernel;
    uint64_t cycle, last; /* of the next turn; the last one that a core simulated */
    uint64_t look_at, insts, moved_at;
};

/* The cycle of the next look at the watchdog and limits. */
static uint64_t next_look_cycle(const struct vortex *v, uint64_t cycle)
{
    bool has_limit = watch_most(v->limits.watch) != UINT64_MAX;
    uint64_t at =
        cycle + earlier(has_limit ? SHORT_LOOK : LOOK_CYCLES, v->config.core.watchdog);

    return v->limits.max_cycles ? earlier(at, v->limits.max_cycles) : at;
}

/* Reports where the warps are, which cannot go on after that. */
static void report_where(struct vortex *v, const struct err *err)
{
    struct spin_block block[VX_MAX_CORES];
    size_t n = 0;

    for (unsigned k = 0; k < v->n_cores && n < VX_MAX_CORES; k++)
        if (v->core[k]->sched.active)
            block[n++] =
                (struct spin_block){ .stream = v->core[k]->launch.stream, .number = k };
    buf_clear(&v->report);
    buf_printf(&v->report, "%s\n", err->text);
    spin_report(block, n, 0, &v->report);
}

/* Ends the run before a cycle, for the reason in err; cores that sleep are brought up to
 * it. */
static int stop_run(struct vortex *v, struct run *r, uint64_t cycle,
                    const struct err *err)
{
    for (unsigned n = 0; n < v->n_cores; n++) {
        struct vx_core *k = v->core[n];

        if (!core_is_busy(k) || k->cycle + 1 >= cycle)
            continue;
        vx_core_sleep(k, cycle);
        k->cycle = cycle - 1;
        vx_ahead_catch_up(k, k->cycle);
    }
    r->last = cycle - 1;
    report_where(v, err);
    return -1;
}

static int ask_watch(struct vortex *v, const struct run *r, struct err *err)
{
    const struct watch_state s = { .kernel = r->kernel->name,
                                   .number = v->n_launches + 1,
                                   .warp_insts = r->insts,
                                   .cycles = v->stats.cycles + r->cycle };

    return watch_look(v->limits.watch, &s, err);
}

/* Instructions of this launch. */
static uint64_t count_insts(const struct vortex *v)
{
    uint64_t n_insts = 0;

    for (unsigned n = 0; n < v->n_cores; n++)
        n_insts += v->core[n]->stats.warp_insts;
    return n_insts;
}

static int look_at_limits(struct vortex *v, struct run *r, struct err *err)
{
    const struct vortex_limits *l = &v->limits;
    uint64_t insts;

    for (unsigned n = 0; n < v->n_cores; n++)
        vx_ahead_catch_up(v->core[n], v->core[n]->cycle);
    insts = count_insts(v);
    if (insts != r->insts) {
        r->insts = insts;
        r->moved_at = r->cycle;
    }
    r->look_at = next_look_cycle(v, r->cycle);
    if (r->cycle - r->moved_at > v->config.core.watchdog)
        return report_deadlock(v, r->cycle,
                               "nothing was committed for vortex.watchdog cycles", err);
    if (l->max_cycles && r->cycle >= l->max_cycles) {
        err_kind(err, ERR_LIMIT, "stopped at cycle %llu (--max-cycles)",
                 (unsigned long long)l->max_cycles);
        return stop_run(v, r, l->max_cycles, err);
    }
    if (!ask_watch(v, r, err))
        return 0;
    err_suffix(err, " in cycle %llu", (unsigned long long)r->cycle);
    return stop_run(v, r, r->cycle, err);
}

/* The cycle in which a core goes on after this one. */
static uint64_t wake_after(const struct vx_core *k)
{
    if (!core_is_busy(k))
        return NEVER;
    if (k->progress || k->is_plain)
        return k->cycle + 1;
    return vx_core_next(k);
}

/* Runs one core through its cycles before v->until, in which no other core acts. */
static int run_core(struct vortex *v, unsigned n)
{
    struct vx_core *k = v->core[n];
    uint64_t cycle = v->wake[n];

    do {
        if (vx_memory_next(&v->memory) <= cycle)
            vx_memory_run(&v->memory, cycle);
        INVARIANT(cycle >= k->cycle + 1);
        if (cycle != k->cycle + 1)
            vx_core_sleep(k, cycle);
        if (k->is_plain)
            vx_plain_tick(k, cycle);
        else
            vx_ahead_tick(k, cycle);
        cycle = wake_after(k);
    } while (cycle < v->until && !k->failed);
    v->wake[n] = cycle;
    return k->failed ? -1 : 0;
}

/* The next cycle in which a core other than n acts. */
static uint64_t next_wake_of_others(const struct vortex *v, unsigned n)
{
    uint64_t next = NEVER;

    for (unsigned i = 0; i < v->n_cores; i++)
        if (i != n)
            next = earlier(next, v->wake[i]);
    return next;
}

/* Cores take turns in the order of time, those of one cycle in their own order. */
static int run_turn(struct vortex *v, struct run *r)
{
    for (unsigned n = 0; n < v->n_cores; n++) {
        if (v->wake[n] > r->cycle)
            continue;
        v->until = earlier(next_wake_of_others(v, n), r->look_at);
        if (v->trace) /* wants events in the order of time */
            v->until = r->cycle + 1;
        if (run_core(v, n))
            return -1;
        r->last = later(r->last, v->core[n]->cycle);
    }
    return 0;
}

static bool any_core_is_busy(const struct vortex *v)
{
    for (unsigned n = 0; n < v->n_cores; n++)
        if (core_is_busy(v->core[n]))
            return true;
    return false;
}

static int run_cycles(struct vortex *v, struct run *r, struct err *err)
{
    for (;;) {
        if (run_turn(v, r))
            return -1;
        if (!any_core_is_busy(v))
            return 0;
        if (next_wake_of_others(v, v->n_cores) >= NEVER)
            return report_deadlock(v, r->last, "nothing can wake any warp", err);
        r->cycle = next_wake_of_others(v, v->n_cores);
        if (r->cycle >= r->look_at && look_at_limits(v, r, err))
            return -1;
    }
}

static void add_core_stats(struct vortex *v, struct vx_core *k)
{
    stat_add(&vortex_stat_group, &v->stats, &k->stats);
    for (unsigned c = 0; c < N_STALL; c++)
        v->stats.slot[c] += k->stats.slot[c];
    if (v->issue_stats && k->issue->stats)
        stat_add(v->config.issue->stats, v->issue_stats, k->issue->stats);
    if (v->scheme_stats && vortex_hosted_stats(k))
        stat_add(v->config.hosted.scheme->stats, v->scheme_stats,
                 vortex_hosted_stats(k));
}

/* Checks that every cycle of every core was charged once. */
static int check_slots(const struct vortex *v, struct err *err)
{
    uint64_t sum = 0;

    for (unsigned c = 0; c < N_STALL; c++)
        sum += v->stats.slot[c];
    if (sum == v->stats.core_cycles)
        return 0;
    return err_kind(err, ERR_WRONG, "%llu issue slots accounted for, expected %llu",
                    (unsigned long long)sum, (unsigned long long)v->stats.core_cycles);
}

/* Programs end by saving all counters for their host, mcycle first: Vortex's runtime shows
 * it as the program's cycles. For a program that does not save them, all cycles count. */
enum { SAVED_COUNTERS = 24 };
static uint64_t shown_cycles(const struct vortex *v, uint64_t all)
{
    uint64_t shown = 0;

    for (unsigned n = 0; n < v->n_cores; n++)
        if (v->core[n]->launch.n_counters >= SAVED_COUNTERS)
            shown = later(shown, v->core[n]->launch.mcycle);
    return shown ? shown : all;
}

/* Resets cores and memory. -1: a scheme does not fit, or out of memory. */
static int start_cores(struct vortex *v, struct kernel *kernel, struct err *err)
{
    vx_memory_reset(&v->memory);
    memset(v->arrivals, 0, sizeof v->arrivals);
    for (unsigned n = 0; n < v->n_cores; n++) {
        v->wake[n] = 0;
        if (vx_core_reset(v->core[n], kernel, err))
            return -1;
    }
    return 0;
}

static void close_streams(struct vortex *v, struct kernel *kernel)
{
    for (unsigned n = 0; n < v->n_cores; n++) {
        struct vx_core *k = v->core[n];

        if (k->launch.stream)
            kernel->ops->close(kernel, k->launch.stream);
        k->launch.stream = NULL;
    }
}

static void add_statistics(struct vortex *v, const struct run *r)
{
    for (unsigned n = 0; n < v->n_cores; n++) {
        struct vx_core *k = v->core[n];

        k->stats.core_cycles = k->cycle + 1;
        k->stats.cycles = 0;
        /* of a run that was stopped */
        k->stats.icache_reads -= vx_ahead_lookups(k, k->cycle + 1);
        k->stats.stall_ibuffer += vx_decode_waited(k);
        add_core_stats(v, k);
    }
    v->stats.cycles += r->last + 1;
    v->stats.host_cycles += shown_cycles(v, r->last + 1);
}

int vortex_run(struct vortex *v, struct kernel *kernel, struct err *err)
{
    struct run r = { .kernel = kernel, .look_at = next_look_cycle(v, 0) };
    int failed;

    if (kernel->n_blocks != v->n_cores)
        return err_set(err, "kernel %s is for %llu cores, the machine has %u",
                       kernel->name, (unsigned long long)kernel->n_blocks, v->n_cores);
    if (ask_watch(v, &r, err))
        return -1;
    if (start_cores(v, kernel, err)) {
        close_streams(v, kernel);
        return -1;
    }
    trace_kernel(v->trace, kernel, v->n_launches, v->stats.cycles + 1);
    failed = run_cycles(v, &r, err);
    if (v->limits.watch)
        v->limits.watch->insts += count_insts(v);
    add_statistics(v, &r);
    close_streams(v, kernel);
    v->n_launches++;
    return failed ? -1 : check_slots(v, err);
}

const char *vortex_report(const struct vortex *v)
{
    return buf_text(&v->report);
}

const struct vortex_stats *vortex_stats(struct vortex *v)
{
    return &v->stats;
}

const void *vortex_issue_stats(struct vortex *v)
{
    return v->issue_stats;
}

const void *vortex_scheme_stats(struct vortex *v)
{
    return v->scheme_stats;
}

uint64_t vortex_cycles(const struct vortex *v)
{
    return v->stats.host_cycles;
}

void vortex_set_counter_class(struct vortex *v, uint32_t counter_class)
{
    v->counter_class = counter_class;
}

uint32_t vortex_counter_class(const struct vortex *v)
{
    return v->counter_class;
}
