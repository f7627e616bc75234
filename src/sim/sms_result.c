/* sms_result.c - the statistics of SMs and their memory, summed up. */
#include <stdlib.h>

#include "base/cycles.h"
#include "core/lsu/stats.h"
#include "mem/memory.h"
#include "mem/memory_stats.h"
#include "sim/sms.h"

static const struct stat_formula formulas[] = {
    STAT_RATIO("ipc", "thread inst/cycle", "gpu_tot_ipc",
               "thread instructions per cycle", "sm.thread_insts", "gpu.cycles", 1),
    STAT_RATIO("warp_ipc", "warp inst/cycle", "", "warp instructions per cycle",
               "sm.warp_insts", "gpu.cycles", 1),
    STAT_RATIO("sm_ipc", "warp inst/cycle", "",
               "warp instructions per cycle in which an SM had work", "sm.warp_insts",
               "sm.cycles", 1),
    STAT_RATIO("occupancy", "%", "gpu_tot_occupancy",
               "resident warps, relative to those that an SM can hold",
               "sm.warp_cycles", "sm.warp_slots", 100),
    STAT_RATIO("lanes", "lane", "", "active lanes per instruction", "sm.thread_insts",
               "sm.warp_insts", 1),
    STAT_RATIO("reordered", "%", "", "instructions issued before an older one",
               "sm.reordered", "sm.warp_insts", 100),
};

static void *sum_of(struct sms *g, const struct stat_group *group,
                    const void *(*of)(struct sms *g, unsigned sm))
{
    void *sum = group ? calloc(1, group->size) : NULL;

    if (group && !sum)
        err_memory_exit("statistics");
    for (unsigned k = 0; k < g->n_sms && sum; k++)
        stat_add(group, sum, of(g, k));
    return sum;
}

static const void *lsu_of(struct sms *g, unsigned sm)
{
    return lsu_stats(sm_lsu(g->sm[sm]));
}

static const void *scheme_of(struct sms *g, unsigned sm)
{
    return sm_scheme_stats(g->sm[sm]);
}

static const void *skip_of(struct sms *g, unsigned sm)
{
    return sm_skip_stats(g->sm[sm]);
}

void sms_result(struct gpu_result *r, struct gpu *gpu)
{
    struct sms *g = sms_of(gpu);
    const struct machine *m = gpu->machine;
    const struct stat_group *scheme = m->scheme->stats;
    const struct stat_group *skip = m->skip ? m->skip->stats : NULL;

    for (unsigned k = 0; k < g->n_sms; k++) {
        const struct sm_stats *s = sm_stats(g->sm[k]);

        stat_add(&sm_stat_group, &r->sm, s);
        r->gpu.busiest = later(r->gpu.busiest, s->cycles);
        stat_add(&unit_stat_group, &r->sm.unit, &s->unit);
        if (!r->unchecked)
            r->unchecked = sm_unchecked(g->sm[k]);
        for (unsigned n = 0; n < MAX_SUBCORES; n++)
            for (unsigned c = 0; c < N_STALL; c++)
                r->sm.slot[n][c] += s->slot[n][c];
    }
    r->lsu = sum_of(g, &lsu_stat_group, lsu_of);
    r->scheme = sum_of(g, scheme, scheme_of);
    r->skip = sum_of(g, skip, skip_of);
    r->report.formulas = formulas;
    r->report.n_formulas = sizeof formulas / sizeof *formulas;
    result_bind(r, &unit_stat_group, &r->sm.unit);
    result_bind(r, &lsu_stat_group, r->lsu);
    result_bind(r, &memory_stat_group, memory_stats(g->memory));
    result_bind(r, scheme, r->scheme);
    result_bind(r, skip, r->skip);
}

const struct stat_formula *machine_formulas(size_t *n)
{
    *n = sizeof formulas / sizeof *formulas;
    return formulas;
}
