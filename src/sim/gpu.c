/* gpu.c - SMs and memory under one clock, and the blocks they are given.
 *
 * One cycle: memory, then every SM that is awake, in order of number, then new blocks:
 * at most one an SM, round robin, as in Accel-Sim. An SM sleeps until the cycle it named
 * or a reply for it; when all sleep, the clock jumps. When nothing can ever wake anyone,
 * or nothing was issued for very long, that is a deadlock, and every warp is listed.
 */
#include "sim/gpu.h"

#include <stdlib.h>

#include "mem/memory.h"

#define STAT_OF struct gpu_stats
const struct stat_group gpu_stat_group =
    STAT_GROUP("gpu", "the GPU as a whole", GPU_STATS);
#undef STAT_OF

enum { PROGRESS_CYCLES = 1 << 16 };

#include "sim/internal.h"

struct gpu *gpu_new(const struct machine *m, struct err *err)
{
    struct gpu *g = calloc(1, sizeof *g);
    struct sm_config c = { .core = m->core,
                           .fetch = m->fetch,
                           .regfile = m->regfile,
                           .sched = m->sched,
                           .classes = m->classes,
                           .lsu = &m->lsu,
                           .scheme = m->scheme,
                           .scheme_params = m->scheme_params,
                           .skip = m->skip,
                           .skip_params = m->skip_params };

    if (!g || machine_check(m, err)) {
        free(g);
        return NULL;
    }
    g->machine = m;
    g->n_sms = m->gpu.sms;
    g->sm = calloc(g->n_sms, sizeof *g->sm);
    g->wake = calloc(g->n_sms, sizeof *g->wake);
    g->latency = calloc(1, sizeof *g->latency);
    g->memory = memory_new(&m->memory, g->n_sms, err);
    if (!g->sm || !g->wake || !g->latency || !g->memory) {
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
    free(g->wake);
    free(g->latency);
    buf_free(&g->report);
    free(g);
}

void gpu_set_trace(struct gpu *g, struct trace *t)
{
    g->trace = t;
    for (unsigned k = 0; k < g->n_sms; k++)
        sm_set_trace(g->sm[k], t);
}

void gpu_set_limits(struct gpu *g, const struct gpu_limits *limits)
{
    g->limits = *limits;
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

/* Puts one block on an SM. */
static int place_block(struct gpu *g, struct run *r, unsigned sm, struct err *err)
{
    struct stream *s = r->kernel->ops->open(r->kernel, r->next_block, err);

    if (!s)
        return -1;
    sm_start_block(g->sm[sm], s, r->next_block++, r->cycle + 1);
    g->wake[sm] = r->cycle + 1;
    return 0;
}

/* A cluster's blocks start together or not at all. */
static bool has_cluster_room(const struct gpu *g, const struct run *r)
{
    unsigned n = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n += sm_has_room(g->sm[k]);
    return n >= r->kernel->cluster;
}

static int dispatch(struct gpu *g, struct run *r, struct err *err)
{
    unsigned n = 0;

    r->may_start = false;
    if (r->kernel->cluster > 1 && !has_cluster_room(g, r))
        return 0;
    for (unsigned k = 0; k < g->n_sms && r->next_block < r->kernel->n_blocks; k++) {
        unsigned sm = (r->first_sm + k) % g->n_sms;

        if (!sm_has_room(g->sm[sm]))
            continue;
        if (place_block(g, r, sm, err))
            return -1;
        r->may_start = true;
        if (++n == r->kernel->cluster && n > 1)
            break;
    }
    r->first_sm = (r->first_sm + 1) % g->n_sms;
    return 0;
}

static bool has_reply(const uint64_t *arrived, unsigned sm)
{
    return arrived[sm / 64] >> (sm % 64) & 1;
}

static int tick_sm(struct gpu *g, struct run *r, unsigned k, struct err *err)
{
    struct sm *s = g->sm[k];
    unsigned before = sm_blocks(s), after;

    if (sm_tick(s, r->cycle, err))
        return -1;
    g->wake[k] = sm_next(s);
    after = sm_blocks(s);
    if (after < before) {
        r->n_done += before - after;
        r->may_start = r->next_block < r->kernel->n_blocks;
    }
    return 0;
}

/* Every SM that is awake; an SM without blocks never is. *next: when the first of them
 * wakes again. */
static int tick_sms(struct gpu *g, struct run *r, uint64_t *next, struct err *err)
{
    const uint64_t *arrived = memory_arrived(g->memory);

    *next = UINT64_MAX;
    for (unsigned k = 0; k < g->n_sms; k++) {
        if ((g->wake[k] <= r->cycle || has_reply(arrived, k)) && sm_blocks(g->sm[k]) &&
            tick_sm(g, r, k, err))
            return -1;
        if (g->wake[k] < *next)
            *next = g->wake[k];
    }
    return 0;
}

static bool any_reply(const struct gpu *g)
{
    const uint64_t *arrived = memory_arrived(g->memory);
    uint64_t any = 0;

    for (unsigned k = 0; k <= (g->n_sms - 1) / 64; k++)
        any |= arrived[k];
    return any != 0;
}

/* The next cycle in which anything happens, given when the first SM wakes. */
static uint64_t next_cycle(const struct gpu *g, const struct run *r, uint64_t wake)
{
    uint64_t next = memory_next(g->memory);

    if (r->may_start || r->n_done == r->kernel->n_blocks || any_reply(g))
        return r->cycle + 1;
    next = wake < next ? wake : next;
    return next <= r->cycle ? r->cycle + 1 : next;
}

static int deadlock(struct gpu *g, const struct run *r, const char *why,
                    struct err *err)
{
    buf_clear(&g->report);
    buf_printf(&g->report, "kernel %s, cycle %llu, %llu of %llu blocks done: %s\n",
               r->kernel->name, (unsigned long long)r->cycle,
               (unsigned long long)r->n_done, (unsigned long long)r->kernel->n_blocks,
               why);
    for (unsigned k = 0; k < g->n_sms; k++)
        if (sm_blocks(g->sm[k]))
            sm_dump(g->sm[k], &g->report);
    memory_dump(g->memory, &g->report);
    return err_kind(err, ERR_DEADLOCK, "kernel %s, cycle %llu: deadlock: %s",
                    r->kernel->name, (unsigned long long)r->cycle, why);
}

static uint64_t insts(const struct gpu *g)
{
    uint64_t n = 0;

    for (unsigned k = 0; k < g->n_sms; k++)
        n += sm_insts(g->sm[k]);
    return n;
}

/* Now and then: limits, progress, and whether anything still issues. */
static int look(struct gpu *g, struct run *r, struct err *err)
{
    const struct gpu_limits *l = &g->limits;
    uint64_t now = insts(g);

    if (now != r->insts) {
        r->insts = now;
        r->issued_at = r->cycle;
    }
    if (r->cycle - r->issued_at > g->machine->gpu.watchdog)
        return deadlock(g, r, "nothing was issued for gpu.watchdog cycles", err);
    if (l->max_insts && now >= l->max_insts)
        return err_kind(err, ERR_LIMIT, "stopped at %llu warp instructions",
                        (unsigned long long)now);
    if (l->progress &&
        !l->progress(l->progress_to, r->cycle, r->n_done, r->kernel->n_blocks))
        return err_kind(err, ERR_LIMIT, "stopped at cycle %llu",
                        (unsigned long long)r->cycle);
    return 0;
}

static int run_cycles(struct gpu *g, struct run *r, struct err *err)
{
    uint64_t look_at = r->cycle + PROGRESS_CYCLES;

    while (r->n_done < r->kernel->n_blocks) {
        uint64_t next;

        memory_tick(g->memory, r->cycle);
        if (tick_sms(g, r, &next, err) || (r->may_start && dispatch(g, r, err)))
            return -1;
        next = next_cycle(g, r, next);
        if (next == UINT64_MAX)
            return deadlock(g, r, "nothing can wake any warp", err);
        if (g->limits.max_cycles && next > g->limits.max_cycles)
            return err_kind(err, ERR_LIMIT, "stopped at cycle %llu (--max-cycles)",
                            (unsigned long long)g->limits.max_cycles);
        if (next >= look_at) {
            look_at = next + PROGRESS_CYCLES;
            if (look(g, r, err))
                return -1;
        }
        r->cycle = next;
    }
    return 0;
}

static int start_kernel(struct gpu *g, struct run *r, struct err *err)
{
    unsigned fit = 0;

    for (unsigned k = 0; k < g->n_sms; k++) {
        fit = sm_kernel_start(g->sm[k], r->kernel, (uint32_t)g->stats.kernels, err);
        if (!fit)
            return -1;
        g->wake[k] = UINT64_MAX;
    }
    if (r->kernel->cluster > g->n_sms)
        return err_set(err, "kernel %s: a cluster of %u blocks, expected at most %u",
                       r->kernel->name, r->kernel->cluster, g->n_sms);
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
            return err_kind(err, ERR_WRONG,
                            "SM %u: %llu issue slots accounted for, expected %llu", n,
                            (unsigned long long)sum,
                            (unsigned long long)(g->stats.cycles *
                                                 g->machine->core.subcores));
    }
    return 0;
}

int gpu_run(struct gpu *g, struct kernel *k, struct err *err)
{
    struct run r = { .kernel = k,
                     .cycle = g->stats.cycles + g->machine->gpu.launch_cycles,
                     .may_start = true };
    int failed;

    r.issued_at = r.cycle;
    for (struct trace *t = g->trace; t; t = t->next)
        t->ops->kernel(t, k, (uint32_t)g->stats.kernels, r.cycle);
    failed = start_kernel(g, &r, err) || run_cycles(g, &r, err);
    g->stats.cycles = r.cycle;
    for (unsigned n = 0; n < g->n_sms; n++) {
        sm_account(g->sm[n], r.cycle);
        sm_kernel_end(g->sm[n]);
    }
    memory_kernel_end(g->memory);
    g->stats.kernels++;
    return failed ? -1 : check_slots(g, err);
}
