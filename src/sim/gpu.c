/* gpu.c - SMs and memory under one clock, and the blocks they are given.
 *
 * Memory works ahead of the SMs (mem/lead.h), so that each SM goes through a window of
 * cycles alone before the next one does, and then memory through the same cycles. An SM
 * sleeps until the cycle it named, or one in which its LSU, which goes on meanwhile, has
 * something for it. Blocks are given out in the order of time, one a cycle an SM, as in
 * Accel-Sim. When nothing can ever wake anyone, or nothing was issued for very long, that
 * is a deadlock, and every warp is listed.
 */
#include "sim/gpu.h"

#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "isa/spin.h"
#include "mem/memory.h"

#define STAT_OF struct gpu_stats
const struct stat_group gpu_stat_group =
    STAT_GROUP("gpu", "the GPU as a whole", GPU_STATS);
#undef STAT_OF

enum {
    LOOK_CYCLES = 1 << 16, /* of an SM, between looks at limits and the watch */
    MAX_WINDOW = 128
};

#include "sim/internal.h"

static struct gpu *new_gpu(const struct machine *m, struct err *err)
{
    struct gpu *g = calloc(1, sizeof *g);

    if (!g)
        err_memory(err, "a GPU");
    if (!g || machine_check(m, err)) {
        free(g);
        return NULL;
    }
    g->machine = m;
    return g;
}

/* A GPU of Vortex cores, which bring their own memory and clock. */
static struct gpu *vortex_gpu(const struct machine *m, struct err *err)
{
    struct gpu *g = new_gpu(m, err);

    if (!g)
        return NULL;
    g->latency = calloc(1, sizeof *g->latency);
    g->vortex = vortex_new(&m->vortex, err);
    if (g->vortex && g->latency)
        return g;
    if (!g->latency)
        err_memory(err, "a GPU");
    gpu_free(g);
    return NULL;
}

static int run_vortex(struct gpu *g, struct kernel *k, struct err *err)
{
    struct vortex_limits l = { .max_cycles = g->limits.max_cycles,
                               .watch = g->limits.watch };
    int failed;

    vortex_set_limits(g->vortex, &l);
    failed = vortex_run(g->vortex, k, err);
    g->stats.cycles = vortex_cycles(g->vortex);
    g->stats.kernels += !failed;
    buf_clear(&g->report);
    buf_puts(&g->report, vortex_report(g->vortex));
    return failed;
}

struct gpu *gpu_new(const struct machine *m, struct err *err)
{
    struct gpu *g;
    struct sm_config c = { .core = m->core,
                           .fetch = m->fetch,
                           .regfile = m->regfile,
                           .sched = m->sched,
                           .classes = m->classes,
                           .lsu = &m->lsu,
                           .scheme = m->scheme,
                           .scheme_params = m->scheme_params,
                           .skip = m->skip,
                           .skip_params = m->skip_params,
                           .fused = scheme_fused(m->scheme) };

    if (m->gpu.core == GPU_CORE_VORTEX)
        return vortex_gpu(m, err);
    g = new_gpu(m, err);
    if (!g)
        return NULL;
    g->n_sms = m->gpu.sms;
    g->sm = calloc(g->n_sms, sizeof *g->sm);
    g->takes = calloc(g->n_sms, sizeof *g->takes);
    g->latency = calloc(1, sizeof *g->latency);
    if (!g->sm || !g->takes || !g->latency) {
        gpu_free(g);
        err_memory(err, "a GPU of %u SMs", m->gpu.sms);
        return NULL;
    }
    g->memory = memory_new(&m->memory, g->n_sms, err);
    if (!g->memory || memory_set_lead(g->memory, MAX_WINDOW, m->core.warps, err)) {
        gpu_free(g);
        return NULL;
    }
    for (unsigned k = 0; k < g->n_sms; k++) {
        g->sm[k] = sm_new(&c, k, g->memory, err);
        if (!g->sm[k]) {
            gpu_free(g);
            return NULL;
        }
        sm_set_latency(g->sm[k], g->latency);
    }
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    for (unsigned k = 0; k < g->n_sms && g->sm; k++)
        sm_free(g->sm[k]);
    if (g->memory)
        memory_free(g->memory);
    free(g->sm);
    free(g->takes);
    free(g->latency);
    vortex_free(g->vortex);
    buf_free(&g->report);
    free(g);
}

void gpu_set_trace(struct gpu *g, struct trace *t)
{
    g->trace = t;
    if (g->vortex)
        vortex_set_trace(g->vortex, t);
    for (unsigned k = 0; k < g->n_sms; k++)
        sm_set_trace(g->sm[k], t);
}

void gpu_set_limits(struct gpu *g, const struct gpu_limits *limits)
{
    g->limits = *limits;
}

uint64_t gpu_counter(void *gpu, unsigned core, unsigned csr)
{
    struct gpu *g = gpu;

    return g->vortex ? vortex_counter(g->vortex, core, csr) : 0;
}

void gpu_set_counter_class(struct gpu *g, uint32_t counter_class)
{
    if (g->vortex)
        vortex_set_class(g->vortex, counter_class);
}

uint64_t gpu_cycle(const struct gpu *g)
{
    return g->stats.cycles;
}

const char *gpu_report(const struct gpu *g)
{
    return buf_text(&g->report);
}

const struct latency_table *gpu_latency(const struct gpu *g)
{
    return g->latency;
}

/* Puts a block on an SM, which begins with it in the cycle after this one. */
static int place_block(struct gpu *g, struct run *r, unsigned sm, uint64_t block,
                       uint64_t cycle, struct err *err)
{
    struct stream *s = r->kernel->ops->open(r->kernel, block, err);

    if (!s)
        return -1;
    INVARIANT(sm_has_room(g->sm[sm]));
    sm_start_block(g->sm[sm], s, block, cycle + 1);
    return 0;
}

static bool takes_blocks(const struct gpu *g, const struct run *r, unsigned sm)
{
    return r->next_block < r->kernel->n_blocks && sm_has_room(g->sm[sm]);
}

/* One SM through the cycles before end, or up to one in which it can take a block. */
static int run_sm(struct gpu *g, struct run *r, unsigned k, uint64_t end,
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

/* Who can take a block first, before end; n_sms: nobody. */
static unsigned first_taker(const struct gpu *g, uint64_t end)
{
    unsigned best = g->n_sms;

    for (unsigned k = 0; k < g->n_sms; k++)
        if (g->takes[k] < end && (best == g->n_sms || g->takes[k] < g->takes[best]))
            best = k;
    return best;
}

/* Every SM through the cycles before end. Those that can take a block stop there, and
 * the one that stopped first gets the next: blocks are given out in the order of time. */
static int run_window(struct gpu *g, struct run *r, uint64_t end, struct err *err)
{
    unsigned k;

    for (k = 0; k < g->n_sms; k++)
        if (run_sm(g, r, k, end, err))
            return -1;
    while ((k = first_taker(g, end)) < g->n_sms) {
        if (takes_blocks(g, r, k)) {
            if (place_block(g, r, k, r->next_block++, g->takes[k], err))
                return -1;
            g->takes[k] += g->machine->gpu.block_cycles;
        }
        if (!takes_blocks(g, r, k))
            g->takes[k] = UINT64_MAX;
        if (run_sm(g, r, k, end, err))
            return -1;
    }
    return 0;
}

/* The next cycle in which anything happens, at least end. */
static uint64_t next_cycle(const struct gpu *g, uint64_t end)
{
    uint64_t next = memory_next(g->memory);

    for (unsigned k = 0; k < g->n_sms; k++) {
        uint64_t wakes = sm_wakes(g->sm[k]);

        next = g->takes[k] < next ? g->takes[k] : next;
        next = earlier(next, wakes);
    }
    return next < end ? end : next;
}

/* How far the kernel is, for a report. */
static void put_state(struct gpu *g, const struct run *r, const char *why)
{
    buf_clear(&g->report);
    buf_printf(&g->report, "kernel %s, cycle %llu, %llu of %llu blocks done: %s\n",
               r->kernel->name, (unsigned long long)r->cycle,
               (unsigned long long)r->n_done, (unsigned long long)r->kernel->n_blocks,
               why);
}

static int deadlock(struct gpu *g, const struct run *r, const char *why,
                    struct err *err)
{
    put_state(g, r, why);
    for (unsigned k = 0; k < g->n_sms; k++)
        if (sm_blocks(g->sm[k]))
            sm_dump(g->sm[k], &g->report);
    memory_dump(g->memory, &g->report);
    return err_kind(err, ERR_DEADLOCK, "kernel %s, cycle %llu: deadlock: %s",
                    r->kernel->name, (unsigned long long)r->cycle, why);
}

uint64_t gpu_insts(const struct gpu *g)
{
    uint64_t n = g->vortex ? vortex_stats(g->vortex)->warp_insts : 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n += sm_insts(g->sm[k]);
    return n;
}

/* Where the warps are. They cannot go on after that. */
static void put_where(struct gpu *g, const struct run *r)
{
    struct spin_block *block = NULL;
    size_t n = 0, n_blocks = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n_blocks += sm_blocks(g->sm[k]);
    if (n_blocks)
        block = calloc(n_blocks, sizeof *block);
    for (unsigned k = 0; k < g->n_sms && block; k++)
        for (unsigned i = 0; i < sm_blocks(g->sm[k]); i++, n++)
            block[n].stream = sm_stream(g->sm[k], i, &block[n].number);
    if (n && r->cycle > r->last)
        buf_printf(&g->report, "no block has ended for %llu cycles\n",
                   (unsigned long long)(r->cycle - (r->last ? r->last : r->start)));
    if (block)
        spin_report(block, n, r->kernel->first_pc, &g->report);
    free(block);
}

/* The run ends before a cycle, for the reason in err. Nothing happens between the last
 * window and that cycle, but SMs and memory sleep up to it, if the kernel has begun. */
static int stop(struct gpu *g, struct run *r, uint64_t cycle, struct err *err)
{
    struct err ignored;

    if (r->next_block)
        run_window(g, r, cycle, &ignored);
    if (memory_lead(g->memory))
        memory_run(g->memory, cycle, cycle);
    r->cycle = cycle;
    put_state(g, r, err->text);
    put_where(g, r);
    err_prefix(err, "kernel %s", r->kernel->name);
    return err_suffix(err, ", %llu of %llu blocks done", (unsigned long long)r->n_done,
                      (unsigned long long)r->kernel->n_blocks);
}

static int ask_watch(struct gpu *g, const struct run *r, struct err *err)
{
    const struct watch_state s = { .kernel = r->kernel->name,
                                   .number = g->stats.kernels + 1,
                                   .blocks_done = r->n_done,
                                   .blocks = r->kernel->n_blocks,
                                   .warp_insts = r->insts - r->first_insts,
                                   .cycles = r->cycle };

    return watch_look(g->limits.watch, &s, err);
}

/* Several times a second; with a limit on instructions after every window. */
static uint64_t next_look(const struct gpu *g, uint64_t cycle)
{
    bool has_limit = watch_most(g->limits.watch) != UINT64_MAX;

    return cycle + (has_limit ? 1 : LOOK_CYCLES / g->n_sms);
}

/* Now and then: the watch, and whether anything still issues. */
static int look(struct gpu *g, struct run *r, struct err *err)
{
    uint64_t now = gpu_insts(g);

    r->look_at = next_look(g, r->cycle);
    if (now != r->insts) {
        r->insts = now;
        r->issued_at = r->cycle;
    }
    if (r->cycle - r->issued_at > g->machine->gpu.watchdog)
        return deadlock(g, r, "nothing was issued for gpu.watchdog cycles", err);
    if (!ask_watch(g, r, err))
        return 0;
    err_suffix(err, " in cycle %llu", (unsigned long long)r->cycle);
    return stop(g, r, r->cycle, err);
}

/* How far SMs may run on their own. A view wants its events in the order of time. */
static uint64_t window_of(const struct gpu *g)
{
    unsigned lead = memory_lead(g->memory);

    return g->trace || !lead ? 1 : lead;
}

/* The last cycle is the one before --max-cycles: as many have been simulated then. */
static uint64_t last_end(const struct gpu *g)
{
    return g->limits.max_cycles ? g->limits.max_cycles : UINT64_MAX;
}

static int stop_at_limit(struct gpu *g, struct run *r, struct err *err)
{
    err_kind(err, ERR_LIMIT, "stopped at cycle %llu (--max-cycles)",
             (unsigned long long)g->limits.max_cycles);
    return stop(g, r, g->limits.max_cycles, err);
}

static int run_cycles(struct gpu *g, struct run *r, struct err *err)
{
    uint64_t window = window_of(g), most = last_end(g);
    bool has_lead = memory_lead(g->memory) != 0;

    while (r->n_done < r->kernel->n_blocks) {
        uint64_t from = r->cycle, end = from + window < most ? from + window : most;

        if (from >= most)
            return stop_at_limit(g, r, err);
        if (!has_lead)
            memory_tick(g->memory, from);
        if (run_window(g, r, end, err)) {
            r->cycle = end; /* SMs before the one that failed are there */
            return -1;
        }
        if (r->n_done == r->kernel->n_blocks)
            end = r->last + 1;
        if (has_lead)
            memory_run(g->memory, from, end);
        r->cycle = r->n_done == r->kernel->n_blocks ? end : next_cycle(g, end);
        INVARIANT(r->cycle >= end && r->n_done <= r->next_block);
        if (r->cycle == UINT64_MAX) {
            r->cycle = end;
            return deadlock(g, r, "nothing can wake any warp", err);
        }
        if (r->cycle >= r->look_at && look(g, r, err))
            return -1;
    }
    return 0;
}

static int start_kernel(struct gpu *g, struct run *r, struct err *err)
{
    unsigned fit = 0;

    if (r->kernel->cluster > 1)
        return err_kind(err, ERR_UNSUPPORTED,
                        "kernel %s: clusters of %u blocks are not timed; leno emu "
                        "executes them",
                        r->kernel->name, r->kernel->cluster);
    for (unsigned k = 0; k < g->n_sms; k++) {
        fit = sm_kernel_start(g->sm[k], r->kernel, (uint32_t)g->stats.kernels, r->cycle,
                              err);
        if (!fit)
            return -1;
        g->takes[k] = r->cycle;
    }
    return 0;
}

/* Every slot of every cycle was charged, once. */
static int check_slots(const struct gpu *g, struct err *err)
{
    for (unsigned n = 0; n < g->n_sms; n++) {
        const struct sm_stats *t = sm_stats(g->sm[n]);
        uint64_t sum = 0;

        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            for (unsigned c = 0; c < N_STALL; c++)
                sum += t->slot[k][c];
        if (sum != g->stats.cycles * g->machine->core.subcores)
            return err_kind(
                err, ERR_WRONG, "SM %u: %llu issue slots accounted for, expected %llu",
                n, (unsigned long long)sum,
                (unsigned long long)(g->stats.cycles * g->machine->core.subcores));
    }
    return 0;
}

int gpu_run(struct gpu *g, struct kernel *k, struct err *err)
{
    struct run r = { .kernel = k,
                     .cycle = g->stats.cycles + g->machine->gpu.launch_cycles };
    int failed;

    if (g->vortex)
        return run_vortex(g, k, err);
    r.start = r.issued_at = r.cycle;
    r.look_at = next_look(g, r.cycle);
    r.insts = r.first_insts = gpu_insts(g);
    if (ask_watch(g, &r, err))
        return err_prefix(err, "kernel %s", k->name);
    trace_kernel(g->trace, k, (uint32_t)g->stats.kernels, r.cycle);
    failed = start_kernel(g, &r, err) || run_cycles(g, &r, err);
    g->stats.cycles = r.cycle;
    for (unsigned n = 0; n < g->n_sms; n++) {
        sm_account(g->sm[n], r.cycle);
        sm_kernel_end(g->sm[n]);
    }
    memory_kernel_end(g->memory);
    g->stats.kernels += !failed;
    if (g->limits.watch)
        g->limits.watch->insts += gpu_insts(g) - r.first_insts;
    return failed ? -1 : check_slots(g, err);
}
