/* kind_vortex.c - machines whose cores are Vortex cores, which have their own memory
 * and clock: their parameters, a GPU of them, its statistics.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

struct cores {
    struct gpu base; /* first */
    struct vortex *vortex;
};

static struct cores *cores_of(struct gpu *g)
{
    return (struct cores *)g;
}

static void bind_cores(struct machine *m)
{
    m->vortex.machine = m->name;
    machine_bind(m, &vortex_param_group, &m->vortex.core);
    machine_bind(m, &vxcache_param_group, &m->vortex.cache);
    machine_bind(m, &vxmem_param_group, &m->vortex.memory);
}

/* Issue stages of Vortex that are not schemes of core/scheme.h. */
static const struct vx_issue_ops *const stages[] = { &vx_issue_ghost, &vx_issue_loog,
                                                     &vx_issue_rrs };

const struct vx_issue_ops *vortex_stage_at(size_t i)
{
    return i < sizeof stages / sizeof *stages ? stages[i] : NULL;
}

/* A stage of its own, or a scheme in the scoreboard stage. */
static int choose_stage(struct machine *m, const char *name, struct err *err)
{
    struct vortex_config *v = &m->vortex;
    const char *plus = strchr(name, '+');

    if (plus)
        return err_kind(err, ERR_UNSUPPORTED,
                        "scheme %s cannot run on machine %s: a Vortex core has no "
                        "redundancy eliminators; leave out %s, or use an NVIDIA "
                        "machine, such as --gpu rtx2060s",
                        name, m->name, plus);
    v->issue = &vx_issue_scoreboard;
    for (size_t i = 0; vortex_stage_at(i); i++)
        if (!strcmp(vortex_stage_at(i)->name, name))
            v->issue = vortex_stage_at(i);
    if (v->issue == &vx_issue_scoreboard) {
        m->scheme = v->hosted.scheme = scheme_find(name, err);
        if (!m->scheme ||
            machine_bind_new(m, m->scheme->params, &m->scheme_params, err))
            return -1;
        v->hosted.params = m->scheme_params;
        return 0;
    }
    m->named = (struct scheme_ops){ .name = v->issue->name,
                                    .summary = v->issue->summary,
                                    .paper = v->issue->paper,
                                    .params = v->issue->params,
                                    .stats = v->issue->stats };
    m->scheme = &m->named;
    v->hosted.scheme = scheme_find("inorder", err);
    if (!v->hosted.scheme ||
        machine_bind_new(m, m->scheme->params, &m->scheme_params, err) ||
        machine_bind_new(m, v->hosted.scheme->params, &m->host_params, err))
        return -1;
    v->issue_params = m->scheme_params;
    v->hosted.params = m->host_params;
    return 0;
}

static int slice_cores(struct machine *m, uint64_t cores, struct err *err)
{
    unsigned long long n = cores;

    return err_set(err, "--sms %llu: %s has cores; --set vortex.cores=%llu", n, m->name,
                   n);
}

static int check_cores(const struct machine *m, struct err *err)
{
    const struct vortex_config *c = &m->vortex;
    const struct vortex_params *p = &c->core;
    uint32_t word = c->cache.word_bytes;

    if (word % 4 || word & (word - 1))
        return err_set(err, "vxcache.word_bytes = %u, expected 0, 4, 8, 16, 32 or 64",
                       word);
    if (p->threads & (p->threads - 1))
        return err_set(err, "vortex.threads = %u, expected a power of two", p->threads);
    if (p->local_bytes & (p->local_bytes - 1))
        return err_set(err, "vortex.local_bytes = %u, expected a power of two",
                       p->local_bytes);
    if (p->cores % p->socket)
        return err_set(err,
                       "vortex.cores = %u, expected a multiple of vortex.socket = %u",
                       p->cores, p->socket);
    return 0;
}

static unsigned count_cores(const struct machine *m)
{
    return m->vortex.core.cores;
}

static unsigned count_warps(const struct machine *m)
{
    return m->vortex.core.warps;
}

static int build_cores(struct gpu *g, struct err *err)
{
    struct vortex *v = vortex_new(&g->machine->vortex, err);

    cores_of(g)->vortex = v;
    return v ? 0 : -1;
}

static void free_cores(struct gpu *g)
{
    vortex_free(cores_of(g)->vortex);
}

static int set_hot(struct gpu *g, struct err *err)
{
    return err_kind(err, ERR_UNSUPPORTED,
                    "--hot: %s has Vortex cores, which do not count per instruction; "
                    "expected a GPU of SMs (leno list gpus)",
                    g->machine->name);
}

static void set_trace(struct gpu *g, struct trace *t)
{
    vortex_set_trace(cores_of(g)->vortex, t);
}

static int run_cores(struct gpu *g, struct kernel *k, struct err *err)
{
    struct vortex *v = cores_of(g)->vortex;
    struct vortex_limits l = { .max_cycles = g->limits.max_cycles,
                               .watch = g->limits.watch };
    int failed;

    vortex_set_limits(v, &l);
    failed = vortex_run(v, k, err);
    g->stats.cycles = vortex_cycles(v);
    g->stats.kernels += !failed;
    buf_clear(&g->report);
    buf_puts(&g->report, vortex_report(v));
    return failed;
}

static uint64_t insts_of(const struct gpu *g)
{
    return vortex_stats(((const struct cores *)g)->vortex)->warp_insts;
}

static uint64_t counter_of(struct gpu *g, unsigned core, unsigned csr)
{
    return vortex_counter(cores_of(g)->vortex, core, csr);
}

static void set_counter_class(struct gpu *g, uint32_t counter_class)
{
    vortex_set_counter_class(cores_of(g)->vortex, counter_class);
}

static const struct stat_formula formulas[] = {
    STAT_RATIO("ipc", "thread inst/cycle", "",
               "thread instructions per cycle, as the thesis counts",
               "vortex.thread_insts", "gpu.cycles", 1),
    STAT_RATIO("warp_ipc", "warp inst/cycle", "", "warp instructions per cycle",
               "vortex.warp_insts", "gpu.cycles", 1),
    STAT_RATIO("lanes", "lane", "", "active lanes per instruction",
               "vortex.thread_insts", "vortex.warp_insts", 1),
    STAT_RATIO("occupancy", "%", "", "active warps of those a core has",
               "sm.warp_cycles", "sm.warp_slots", 100),
    STAT_RATIO("mem_latency", "cycle", "", "of a read of memory", "vortex.mem_latency",
               "vortex.mem_reads", 1),
    STAT_RATIO("cu_utilisation", "", "", "collector units allocated, on average",
               "vxloog.cu_busy", "gpu.cycles", 1),
    STAT_RATIO("cu_period", "cycle", "",
               "from a collector unit's allocation to its release", "vxloog.cu_held",
               "vxloog.cu_allocs", 1),
};

/* The statistics that SMs and Vortex cores share, under the names of the former. */
static void common_result(struct sm_stats *to, const struct vortex_stats *s,
                          unsigned n_warps)
{
    to->cycles = s->core_cycles;
    to->warp_insts = s->warp_insts;
    to->thread_insts = s->thread_insts;
    to->fetched = s->fetched;
    to->warp_cycles = s->warp_cycles;
    to->warp_slots = s->core_cycles * n_warps;
    to->loads = s->loads;
    to->stores = s->stores;
    to->branches = s->branches;
    to->barriers = s->barriers;
    to->divergent = s->divergent;
    to->icache_hits = s->icache_reads - s->icache_misses;
    to->icache_misses = s->icache_misses;
    for (unsigned n = 0; n < N_STALL; n++)
        to->slot[0][n] = s->slot[n];
}

static void cores_result(struct gpu_result *r, struct gpu *g)
{
    struct vortex *v = cores_of(g)->vortex;
    const struct vortex_stats *s = vortex_stats(v);
    const struct vortex_config *c = &g->machine->vortex;

    common_result(&r->sm, s, c->core.warps);
    r->report.formulas = formulas;
    r->report.n_formulas = sizeof formulas / sizeof *formulas;
    result_bind(r, &vortex_stat_group, s);
    result_bind(r, c->issue->stats, vortex_issue_stats(v));
    if (c->hosted.scheme)
        result_bind(r, c->hosted.scheme->stats, vortex_scheme_stats(v));
    if (!stat_find(&r->report, "vxloog.reordered", &r->sm.reordered))
        r->sm.reordered = 0;
}

/* Vortex cores run one after another. */
static int no_threads(struct gpu *g, unsigned threads, struct err *err)
{
    (void)g, (void)threads, (void)err;
    return 0;
}

const struct machine_kind machine_kind_vortex = {
    .bind = bind_cores,
    .choose_scheme = choose_stage,
    .slice = slice_cores,
    .check = check_cores,
    .cores = count_cores,
    .warps = count_warps,
    .core_name = "core",
    .arch = "rv32",
    .gpu_size = sizeof(struct cores),
    .build = build_cores,
    .free = free_cores,
    .set_trace = set_trace,
    .set_hot = set_hot,
    .set_threads = no_threads,
    .run = run_cores,
    .insts = insts_of,
    .counter = counter_of,
    .set_counter_class = set_counter_class,
    .result = cores_result,
};
