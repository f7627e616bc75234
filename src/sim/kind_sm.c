/* kind_sm.c - machines whose cores are SMs: their parameters, and how a GPU is put together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "sim/clusters.h"
#include "sim/window.h"

static void bind_sms(struct machine *m)
{
    machine_bind(m, &core_param_group, &m->core);
    machine_bind(m, &fetch_param_group, &m->fetch);
    machine_bind(m, &regfile_param_group, &m->regfile);
    machine_bind(m, &sched_param_group, &m->sched);
    machine_bind(m, &class_param_group, &m->classes);
    machine_bind(m, &async_param_group, &m->async);
    machine_bind(m, &cluster_param_group, &m->cluster);
    machine_bind(m, &lsu_param_group, &m->lsu.lsu);
    machine_bind(m, &l1_param_group, &m->lsu.l1);
    machine_bind(m, &shared_param_group, &m->lsu.shared);
    machine_bind(m, &const_param_group, &m->lsu.constant);
    machine_bind(m, &icnt_param_group, &m->memory.icnt);
    machine_bind(m, &l2_param_group, &m->memory.l2);
    machine_bind(m, &dram_param_group, &m->memory.dram);
    machine_bind(m, &tlb_param_group, &m->memory.tlb);
    machine_bind(m, &unroll_param_group, &m->unroll);
}

/* "ghost", "ghost+darsie". */
static int choose_scheme(struct machine *m, const char *text, struct err *err)
{
    const char *plus = strchr(text, '+');
    char name[64];
    size_t n = plus ? (size_t)(plus - text) : strlen(text);

    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), text);
    m->scheme = scheme_find(name, err);
    if (!m->scheme || machine_bind_new(m, m->scheme->params, &m->scheme_params, err))
        return -1;
    if (!plus)
        return 0;
    m->skip = skip_find(plus + 1, err);
    if (!m->skip)
        return -1;
    return machine_bind_new(m, m->skip->params, &m->skip_params, err);
}

static int slice_sms(struct machine *m, uint64_t sms, struct err *err)
{
    unsigned long long n = sms;

    if (!sms || sms > m->gpu.sms)
        return err_set(err, "--sms %llu: expected 1 to %u, which %s has", n, m->gpu.sms,
                       m->name);
    m->memory.dram.for_sms = m->gpu.sms;
    m->gpu.sms = (uint32_t)sms;
    return 0;
}

static int check_sms(const struct machine *m, struct err *err)
{
    if (m->core.threads > m->core.warps * WARP_LANES)
        return err_set(err, "core.threads = %u, expected at most 32 x core.warps = %u",
                       m->core.threads, m->core.warps * WARP_LANES);
    if (m->core.warps % m->core.subcores)
        return err_set(err,
                       "core.warps = %u, expected a multiple of core.subcores = %u",
                       m->core.warps, m->core.subcores);
    if (m->core.warps > MAX_SUBCORE_WARPS * m->core.subcores)
        return err_set(err, "core.warps = %u, expected at most %u x core.subcores = %u",
                       m->core.warps, MAX_SUBCORE_WARPS,
                       MAX_SUBCORE_WARPS * m->core.subcores);
    /* Otherwise warps of two SMs would share local memory. */
    if (m->lsu.lsu.warps < m->core.warps)
        return err_set(err, "lsu.warps = %u, expected at least core.warps = %u",
                       m->lsu.lsu.warps, m->core.warps);
    return 0;
}

static unsigned count_sms(const struct machine *m)
{
    return m->gpu.sms;
}

static unsigned count_warps(const struct machine *m)
{
    return m->core.warps;
}

static int build_sms(struct gpu *gpu, struct err *err)
{
    struct sms *g = sms_of(gpu);
    const struct machine *m = gpu->machine;
    struct sm_config c = { .core = m->core,
                           .fetch = m->fetch,
                           .regfile = m->regfile,
                           .sched = m->sched,
                           .classes = m->classes,
                           .async = m->async,
                           .cluster = m->cluster,
                           .lsu = &m->lsu,
                           .scheme = m->scheme,
                           .scheme_params = m->scheme_params,
                           .skip = m->skip,
                           .skip_params = m->skip_params,
                           .fused = { { scheme_fused(m->scheme, false, false),
                                        scheme_fused(m->scheme, false, true) },
                                      { scheme_fused(m->scheme, true, false),
                                        scheme_fused(m->scheme, true, true) } },
                           .core_clock = m->memory.dram.core_clock,
                           .n_sms = m->gpu.sms };

    g->n_sms = m->gpu.sms;
    g->sm = calloc(g->n_sms, sizeof *g->sm);
    g->takes = calloc(g->n_sms, sizeof *g->takes);
    if (!g->sm || !g->takes)
        return err_memory(err, "a GPU of %u SMs", m->gpu.sms);
    g->memory = memory_new(&m->memory, g->n_sms, err);
    if (!g->memory || memory_set_lead(g->memory, SMS_WINDOW, m->core.warps, err))
        return -1;
    if (m->core.eager)
        memory_set_plain(g->memory);
    for (unsigned k = 0; k < g->n_sms; k++) {
        g->sm[k] = sm_new(&c, k, g->memory, err);
        if (!g->sm[k])
            return -1;
        sm_set_latency(g->sm[k], gpu->latency);
        sm_set_peers(g->sm[k], g->sm);
    }
    return 0;
}

static void free_sms(struct gpu *gpu)
{
    struct sms *g = sms_of(gpu);

    crew_free(g->crew);
    clusters_free(g->clusters);
    hot_counts_free(&g->hot);
    for (unsigned k = 0; k < g->n_sms && g->sm; k++)
        sm_free(g->sm[k]);
    if (g->memory)
        memory_free(g->memory);
    free(g->sm);
    free(g->takes);
}

static void set_trace(struct gpu *gpu, struct trace *t)
{
    struct sms *g = sms_of(gpu);

    for (unsigned k = 0; k < g->n_sms; k++)
        sm_set_trace(g->sm[k], t);
}

static int set_hot(struct gpu *gpu, struct err *err)
{
    struct sms *g = sms_of(gpu);

    if (hot_counts_init(&g->hot, g->n_sms, err) ||
        memory_set_hot(g->memory, &g->hot.memory, err))
        return -1;
    for (unsigned k = 0; k < g->n_sms; k++) {
        if (sm_set_hot(g->sm[k], &g->hot.index, err))
            return -1;
        sm_set_hot_table(g->sm[k], &g->hot.thread[0]);
    }
    return 0;
}

static int set_threads(struct gpu *gpu, unsigned threads, struct err *err)
{
    struct sms *g = sms_of(gpu);

    if (threads > g->n_sms)
        threads = g->n_sms;
    if (threads < 2 || gpu->machine->core.eager)
        return 0;
    g->crew = crew_new(g, threads, err);
    return g->crew ? 0 : -1;
}

/* Programs for SMs cannot read counters. */
static uint64_t no_counter(struct gpu *g, unsigned core, unsigned csr)
{
    (void)g, (void)core, (void)csr;
    return 0;
}

static void no_counter_class(struct gpu *g, uint32_t counter_class)
{
    (void)g, (void)counter_class;
}

const struct machine_kind machine_kind_sm = {
    .bind = bind_sms,
    .choose_scheme = choose_scheme,
    .slice = slice_sms,
    .check = check_sms,
    .cores = count_sms,
    .warps = count_warps,
    .core_name = "SM",
    .has_clock = true,
    .gpu_size = sizeof(struct sms),
    .build = build_sms,
    .free = free_sms,
    .set_trace = set_trace,
    .set_hot = set_hot,
    .set_threads = set_threads,
    .run = sms_run,
    .insts = sms_insts,
    .counter = no_counter,
    .set_counter_class = no_counter_class,
    .result = sms_result,
};
