/* result.c - the statistics of a run, gathered from the parts of a GPU. */
#include <stdlib.h>
#include <string.h>

#include "core/lsu/stats.h"
#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "sim/internal.h"

enum { N_GROUPS = 8 };

struct gpu_result {
    struct gpu_stats gpu;
    struct sm_stats sm;
    void *lsu, *scheme, *skip;
    struct stat_binding group[N_GROUPS];
    struct stat_report report;
    const char *unchecked;
};

static const struct stat_formula formulas[] = {
    { "ipc",
      "thread inst/cycle",
      "gpu_tot_ipc",
      "thread instructions a cycle",
      { "sm.thread_insts" },
      { "gpu.cycles" },
      1 },
    { "warp_ipc",
      "warp inst/cycle",
      "",
      "warp instructions a cycle",
      { "sm.warp_insts" },
      { "gpu.cycles" },
      1 },
    { "sm_ipc",
      "warp inst/cycle",
      "",
      "warp instructions a cycle in which an SM had work",
      { "sm.warp_insts" },
      { "sm.cycles" },
      1 },
    { "occupancy",
      "%",
      "gpu_tot_occupancy",
      "resident warps of those an SM can hold",
      { "sm.warp_cycles" },
      { "sm.warp_slots" },
      100 },
    { "lanes",
      "lane",
      "",
      "lanes at work in an instruction",
      { "sm.thread_insts" },
      { "sm.warp_insts" },
      1 },
    { "reordered",
      "%",
      "",
      "instructions issued before an older one",
      { "sm.reordered" },
      { "sm.warp_insts" },
      100 },
};

/* The same of Vortex cores. */
static const struct stat_formula vortex_formulas[] = {
    { "ipc",
      "thread inst/cycle",
      "",
      "thread instructions a cycle, as the thesis counts",
      { "vortex.thread_insts" },
      { "gpu.cycles" },
      1 },
    { "warp_ipc",
      "warp inst/cycle",
      "",
      "warp instructions a cycle",
      { "vortex.warp_insts" },
      { "gpu.cycles" },
      1 },
    { "lanes",
      "lane",
      "",
      "lanes at work in an instruction",
      { "vortex.thread_insts" },
      { "vortex.warp_insts" },
      1 },
    { "occupancy",
      "%",
      "",
      "active warps of those a core has",
      { "sm.warp_cycles" },
      { "sm.warp_slots" },
      100 },
    { "mem_latency",
      "cycle",
      "",
      "of a read of memory",
      { "vortex.mem_latency" },
      { "vortex.mem_reads" },
      1 },
    { "cu_utilisation",
      "",
      "",
      "collector units allocated, on average",
      { "vxloog.cu_busy" },
      { "gpu.cycles" },
      1 },
    { "cu_period",
      "cycle",
      "",
      "from a collector unit's allocation to its release",
      { "vxloog.cu_held" },
      { "vxloog.cu_allocs" },
      1 },
};

static void *sum_of(struct gpu *g, const struct stat_group *group,
                    const void *(*of)(struct gpu *g, unsigned sm))
{
    void *sum = group ? calloc(1, group->size) : NULL;

    if (group && !sum)
        err_memory_exit("statistics");
    for (unsigned k = 0; k < g->n_sms && sum; k++)
        stat_add(group, sum, of(g, k));
    return sum;
}

static const void *lsu_of(struct gpu *g, unsigned sm)
{
    return lsu_stats(sm_lsu(g->sm[sm]));
}

static const void *scheme_of(struct gpu *g, unsigned sm)
{
    return sm_scheme_stats(g->sm[sm]);
}

static const void *skip_of(struct gpu *g, unsigned sm)
{
    return sm_skip_stats(g->sm[sm]);
}

static void bind(struct gpu_result *r, const struct stat_group *group,
                 const void *values)
{
    if (group && values)
        r->group[r->report.n_groups++] = (struct stat_binding){ group, values };
}

/* What SMs and Vortex cores both have, under the names of the former. */
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

static void vortex_result(struct gpu_result *r, struct gpu *g)
{
    const struct vortex_stats *s = vortex_stats(g->vortex);
    const struct vortex_config *c = &g->machine->vortex;

    r->gpu = g->stats;
    common_result(&r->sm, s, c->core.warps);
    r->report.groups = r->group;
    r->report.formulas = vortex_formulas;
    r->report.n_formulas = sizeof vortex_formulas / sizeof *vortex_formulas;
    bind(r, &gpu_stat_group, &r->gpu);
    bind(r, &sm_stat_group, &r->sm);
    bind(r, &vortex_stat_group, s);
    bind(r, c->issue->stats, vortex_issue_stats(g->vortex));
    if (c->hosted.scheme)
        bind(r, c->hosted.scheme->stats, vortex_scheme_stats(g->vortex));
    if (!stat_find(&r->report, "vxloog.reordered", &r->sm.reordered))
        r->sm.reordered = 0;
}

struct gpu_result *gpu_result_new(struct gpu *g, struct err *err)
{
    struct gpu_result *r = calloc(1, sizeof *r);
    const struct stat_group *scheme = g->machine->scheme->stats;
    const struct stat_group *skip = g->machine->skip ? g->machine->skip->stats : NULL;

    if (!r) {
        err_memory(err, "the statistics");
        return NULL;
    }
    if (g->vortex) {
        vortex_result(r, g);
        return r;
    }
    r->gpu = g->stats;
    for (unsigned k = 0; k < g->n_sms; k++) {
        const struct sm_stats *s = sm_stats(g->sm[k]);

        stat_add(&sm_stat_group, &r->sm, s);
        if (!r->unchecked)
            r->unchecked = sm_unchecked(g->sm[k]);
        for (unsigned n = 0; n < MAX_SUBCORES; n++)
            for (unsigned c = 0; c < N_STALL; c++)
                r->sm.slot[n][c] += s->slot[n][c];
    }
    r->lsu = sum_of(g, &lsu_stat_group, lsu_of);
    r->scheme = sum_of(g, scheme, scheme_of);
    r->skip = sum_of(g, skip, skip_of);
    r->report.groups = r->group;
    r->report.formulas = formulas;
    r->report.n_formulas = sizeof formulas / sizeof *formulas;
    bind(r, &gpu_stat_group, &r->gpu);
    bind(r, &sm_stat_group, &r->sm);
    bind(r, &lsu_stat_group, r->lsu);
    bind(r, &memory_stat_group, memory_stats(g->memory));
    bind(r, scheme, r->scheme);
    bind(r, skip, r->skip);
    return r;
}

void gpu_result_free(struct gpu_result *r)
{
    if (!r)
        return;
    free(r->lsu);
    free(r->scheme);
    free(r->skip);
    free(r);
}

const struct stat_report *gpu_result_report(const struct gpu_result *r)
{
    return &r->report;
}

const struct sm_stats *gpu_result_sm(const struct gpu_result *r)
{
    return &r->sm;
}

const char *gpu_result_unchecked(const struct gpu_result *r)
{
    return r->unchecked;
}

size_t machine_stats(const struct stat_group **groups, size_t max)
{
    const struct stat_group *fixed[] = { &gpu_stat_group, &sm_stat_group,
                                         &lsu_stat_group, &memory_stat_group };
    size_t n = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && n < max; i++)
        groups[n++] = fixed[i];
    for (size_t i = 0; scheme_at(i) && n < max; i++)
        if (scheme_at(i)->stats)
            groups[n++] = scheme_at(i)->stats;
    for (size_t i = 0; skip_at(i) && n < max; i++)
        if (skip_at(i)->stats)
            groups[n++] = skip_at(i)->stats;
    if (n < max)
        groups[n++] = &vortex_stat_group;
    /* loog and loog.rrs have one table. */
    for (size_t i = 0; vortex_stage_at(i) && n < max; i++)
        if (groups[n - 1] != vortex_stage_at(i)->stats)
            groups[n++] = vortex_stage_at(i)->stats;
    return n;
}

const struct stat_formula *machine_formulas(size_t *n)
{
    *n = sizeof formulas / sizeof *formulas;
    return formulas;
}
