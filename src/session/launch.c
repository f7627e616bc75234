/* launch.c - one launch: unrolled, then timed, executed, recorded or studied. */
#include "session/launch.h"

#include <math.h>

#include "base/seconds.h"
#include "frontend/sass/exec/kernel.h"
#include "frontend/sass/unroll/convert.h"
#include "session/counts.h"
#include "session/launches.h"
#include "session/race_report.h"
#include "session/recording.h"
#include "session/study.h"
#include "sim/pace.h"

/* The launch as a kernel, whose instructions are counted if the hook counts them. */
static struct kernel *make_kernel(const struct launch_hook *h,
                                  const struct sass_launch *l,
                                  struct sass_run_stats *stats, struct err *err)
{
    struct kernel *k = sass_kernel_new(l, err);

    *stats = (struct sass_run_stats){ 0 };
    if (!k || !h->counts)
        return k;
    inst_counts_attach(h->counts, l, stats);
    sass_kernel_count(k, stats);
    return k;
}

/* Executes what is left of a kernel that has reached its cap. */
static int run_rest(struct launch_hook *h, struct kernel *k,
                    struct sass_run_stats stats, struct err *err)
{
    uint64_t cycle = gpu_now(h->gpu);
    struct sass_time reached = { cycle, sm_cycle_ns(h->machine->memory.dram.core_clock,
                                                    cycle) };
    int failed;

    stats.warp_insts = stats.longest = 0;
    failed = sass_kernel_run_rest(k, &reached, &stats, err);
    h->rest_insts = stats.warp_insts;
    h->rest_longest = stats.longest;
    return failed;
}

static uint64_t cycles_to_ns(const struct launch_hook *h, double cycles)
{
    return (uint64_t)(cycles * 1e6 / (double)h->machine->memory.dram.core_clock);
}

void launch_estimate(const struct gpu *g, uint64_t cycles, struct sample_launch *l)
{
    const struct pace *p = gpu_pace(g);
    struct pace_rest rest = pace_predict(p, l->warp_insts - p->now.insts, l->longer);

    l->timed_insts = p->now.insts;
    l->cycles = round((double)cycles + rest.cycles); /* as --stats has it: --resume */
    l->half_width = round(rest.half_width);
    l->blocks = p->timed;
    l->is_cut = pace_is_cut(p);
    l->is_unstable = pace_is_unstable(p);
}

static void note_estimate(struct launch_hook *h, uint64_t cycles, uint64_t longest)
{
    uint64_t timed = gpu_pace(h->gpu)->now.insts;

    h->sampled = (struct sample_launch){ .warp_insts = timed + h->rest_insts,
                                         .longer = h->rest_longest > longest
                                                       ? h->rest_longest - longest
                                                       : 0 };
    launch_estimate(h->gpu, cycles, &h->sampled);
    h->rest_ns = cycles_to_ns(h, h->sampled.cycles - (double)cycles);
}

static int run_timed(struct launch_hook *h, const struct sass_launch *l,
                     struct driver_cost *cost, struct err *err)
{
    uint64_t before = gpu_cycle(h->gpu), insts = gpu_insts(h->gpu);
    struct sass_run_stats stats;
    struct kernel *k = make_kernel(h, l, &stats, err);
    uint64_t n_blocks;
    int failed;

    if (!k)
        return -1;
    h->rest_insts = h->rest_ns = h->rest_longest = 0;
    n_blocks = k->n_blocks;
    failed = gpu_run(h->gpu, k, err);
    *cost = (struct driver_cost){
        .warp_insts = gpu_insts(h->gpu) - insts,
        .blocks = n_blocks,
        .nanoseconds = (gpu_cycle(h->gpu) - before) * 1000000u /
                       h->machine->memory.dram.core_clock,
    };
    if (!failed && sass_kernel_is_cut(k))
        failed = run_rest(h, k, stats, err);
    h->is_capped = sass_kernel_is_cut(k) && !h->is_sampled;
    h->rest_ns = h->rest_insts;
    if (h->is_sampled)
        note_estimate(h, gpu_cycle(h->gpu) - before, sass_kernel_longest(k));
    cost->nanoseconds += h->rest_ns;
    sass_kernel_free(k);
    return failed;
}

/* Records the kernel, or counts its redundant instructions; either executes it. */
static int run_drained(const struct launch_hook *h, const struct sass_launch *l,
                       struct driver_cost *cost, struct err *err)
{
    struct replay_counts counts = { 0 };
    struct sass_run_stats stats;
    struct kernel *k = make_kernel(h, l, &stats, err);
    int failed;

    if (!k)
        return -1;
    failed = h->mode == LAUNCH_RECORDED
                 ? recording_add_kernel(h->recording, k, &counts, err)
                 : study_count_kernel(h->redundancy, k, &counts, err);
    *cost = (struct driver_cost){ .warp_insts = counts.warp_insts,
                                  .thread_insts = counts.thread_insts,
                                  .blocks = k->n_blocks,
                                  .nanoseconds = counts.warp_insts };
    sass_kernel_free(k);
    return failed;
}

static int run_functional(const struct launch_hook *h, const struct sass_launch *l,
                          struct driver_cost *cost, struct err *err)
{
    struct sass_run_stats stats = { 0 };
    int failed;

    if (h->counts)
        inst_counts_attach(h->counts, l, &stats);
    failed =
        h->races ? race_report_run(h->races, l, &stats, err) : sass_run(l, &stats, err);
    *cost = (struct driver_cost){ .warp_insts = stats.warp_insts,
                                  .thread_insts = stats.thread_insts,
                                  .blocks = stats.blocks,
                                  .nanoseconds = stats.warp_insts };
    return failed;
}

struct sample_shape launch_shape(const struct sass_launch *l)
{
    return (struct sample_shape){ .kernel = l->kernel->info->name,
                                  .blocks =
                                      (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                                  .block = l->block,
                                  .shared = l->dynamic_shared };
}

/* Times the launch if the sample takes it, or executes it. */
static int run_sampled(struct launch_hook *h, const struct sass_launch *l,
                       struct driver_cost *cost, struct err *err)
{
    struct sample_shape shape = launch_shape(l);
    bool is_timed = sample_takes_next(h->sample, &shape);
    int failed =
        is_timed ? run_timed(h, l, cost, err) : run_functional(h, l, cost, err);

    if (!is_timed)
        h->sampled = (struct sample_launch){ .warp_insts = cost->warp_insts };
    if (!failed)
        sample_note(h->sample, &h->sampled);
    return failed;
}

static int run_mode(struct launch_hook *h, const struct sass_launch *l,
                    struct driver_cost *cost, struct err *err)
{
    if (h->choice && !choice_takes_next(h->choice, &h->seen, l->kernel->info->name))
        return run_functional(h, l, cost, err);
    if (h->sample)
        return run_sampled(h, l, cost, err);
    if (h->mode == LAUNCH_TIMED)
        return run_timed(h, l, cost, err);
    if (h->mode == LAUNCH_FUNCTIONAL)
        return run_functional(h, l, cost, err);
    return run_drained(h, l, cost, err);
}

/* Registers per thread with which a block of this launch still fits into an SM. */
static unsigned most_registers(const struct machine *m, const struct sass_launch *l)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t lanes = (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    uint64_t fit = lanes ? m->core.registers / lanes : 0;

    fit -= fit % m->core.register_unit;
    return fit < m->unroll.registers ? (unsigned)fit : m->unroll.registers;
}

struct naming launch_naming(const struct machine *m, enum naming_kind otherwise)
{
    if (m->scheme->naming)
        return m->scheme->naming(m->scheme_params);
    return (struct naming){ .kind = otherwise };
}

static struct naming naming_of(const struct launch_hook *h)
{
    if (h->mode == LAUNCH_RECORDED)
        return h->recording->naming;
    if (h->mode == LAUNCH_TIMED || h->is_sampled)
        return launch_naming(h->machine, NAMING_RUNS);
    return (struct naming){ .kind = NAMING_RUNS };
}

static int run_converted(struct launch_hook *h, const struct sass_launch *l,
                         struct driver_cost *cost, struct err *err)
{
    struct naming naming = naming_of(h);
    struct sass_converted c;
    int failed;

    if (naming.kind == NAMING_RUNS)
        return run_mode(h, l, cost, err);
    if (sass_convert(&c, l, &naming, err))
        return -1;
    failed = run_mode(h, &c.launch, cost, err);
    sass_converted_free(&c);
    return failed;
}

static int run_unrolled(struct launch_hook *h, const struct sass_launch *l,
                        struct driver_cost *cost, struct err *err)
{
    const struct machine *m = h->machine;
    struct sass_unrolled u;
    int failed;

    if (!m || m->unroll.factor < 2)
        return run_converted(h, l, cost, err);
    if (sass_unroll(&u, l, m->unroll.factor, most_registers(m, l), err))
        return -1;
    failed = h->loops ? loops_note(h->loops, &u, err) : 0;
    if (!failed)
        failed = run_converted(h, &u.launch, cost, err);
    sass_unrolled_free(&u);
    return failed;
}

int launch_hook_run(void *hook, const struct sass_launch *l, struct driver_cost *cost,
                    struct err *err)
{
    struct launch_hook *h = hook;
    struct sass_launch watched = *l;
    double start = cpu_seconds();
    int failed;

    watched.watch = h->watch;
    failed = run_unrolled(h, &watched, cost, err);
    if (h->shapes)
        launch_shapes_add(h->shapes, l, cost->warp_insts);
    h->seconds += cpu_seconds() - start;
    return failed;
}
