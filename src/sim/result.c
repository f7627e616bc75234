/* result.c - the statistics of a run, gathered from the parts of a GPU. */
#include <stdlib.h>

#include "core/lsu/stats.h"
#include "mem/memory_stats.h"
#include "sim/internal.h"

void result_bind(struct gpu_result *r, const struct stat_group *group,
                 const void *values)
{
    if (group && values)
        r->group[r->report.n_groups++] = (struct stat_binding){ group, values };
}

struct gpu_result *gpu_result_new(struct gpu *g, struct err *err)
{
    struct gpu_result *r = calloc(1, sizeof *r);

    if (!r) {
        err_memory(err, "the statistics");
        return NULL;
    }
    r->gpu = g->stats;
    r->report.groups = r->group;
    result_bind(r, &gpu_stat_group, &r->gpu);
    result_bind(r, &sm_stat_group, &r->sm);
    g->machine->kind->result(r, g);
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
                                         &unit_stat_group, &lsu_stat_group,
                                         &memory_stat_group };
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
