/* view_size.c - estimates the size of pipeline logs; see view_size.h. */
#include "session/view_size.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "session/recording.h"
#include "session/workload_facts.h"
#include "sim/kind.h"

/* Launches that are alike. */
struct view_part {
    double insts, launches, blocks,
        warps;      /* of all; of each: blocks, warps per block */
    uint64_t first; /* number of the first; UINT64_MAX: any */
};

static double count_values(const struct trace_set *s)
{
    double n = 0;

    for (unsigned k = 0; k < s->n; k++)
        n += (double)(s->range[k].last - s->range[k].first) + 1;
    return n;
}

/* The share of `all` values that a set may choose. */
static double share_of(const struct trace_set *s, double all)
{
    return s->n && all > 0 ? fmin(1, count_values(s) / all) : 1;
}

static double shown_insts(const struct view_part *p, const struct machine *m,
                          const struct trace *view)
{
    bool by_block = view->blocks.n;
    double shown = p->insts, warps;

    if (p->first != UINT64_MAX && !trace_has(&view->kernels, p->first))
        return 0;
    if (p->first == UINT64_MAX)
        shown *= share_of(&view->kernels, p->launches);
    shown *= share_of(&view->sms, m->kind->cores(m));
    shown *= share_of(&view->blocks, p->blocks);
    shown *= share_of(&view->warps, by_block ? p->warps : m->kind->warps(m));
    warps = p->launches * p->blocks * p->warps * shown / p->insts;
    return fmin(shown, warps * ((double)(view->insts.last - view->insts.first) + 1));
}

static double workload_insts(const struct timed_run *run, const char *program,
                             const struct trace *view)
{
    struct workload_facts facts = { 0 };
    double sum = 0;

    if (!workload_facts_read(&facts, run->folder, NULL))
        for (size_t n = 0; n < facts.n; n++) {
            const struct launch_shape *s = &facts.at[n].shape;
            struct view_part part = {
                (double)s->warp_insts, (double)s->launches, (double)s->blocks,
                ceil(s->block[0] * s->block[1] * s->block[2] / 32.0), UINT64_MAX
            };

            if (facts.at[n].size == run->size && s->warp_insts &&
                !strcmp(facts.at[n].program, program))
                sum += shown_insts(&part, run->machine, view);
        }
    workload_facts_free(&facts);
    return sum;
}

static double recording_insts(const struct timed_run *run, const char *path,
                              const struct trace *view)
{
    struct replay *r = replay_open(path, NULL, NULL);
    struct replay_counts c;
    struct kernel *k;
    double sum = 0;

    for (uint64_t n = 0; r && replay_next_kernel(r, &k, NULL) > 0; n++) {
        if (replay_kernel_counts(r, k, &c) && c.warp_insts) {
            struct view_part part = { (double)c.warp_insts, 1, (double)k->n_blocks,
                                      kernel_warps(k), n };

            sum += shown_insts(&part, run->machine, view);
        }
        replay_kernel_free(r, k);
    }
    replay_close(r);
    return sum;
}

double view_size_insts(const struct program *p, const struct timed_run *run,
                       const struct trace *view)
{
    if (p->why || view->cycles.last != UINT64_MAX || choice_has_cap(&p->choice))
        return 0;
    return recording_is_file(p->source) ? recording_insts(run, p->source, view)
                                        : workload_insts(run, p->source, view);
}

int view_size_check(double insts, double bytes_each, const char *option,
                    const char *path, struct err *err)
{
    size_t n = strlen(path);
    bool is_zst = n > 4 && !strcmp(path + n - 4, ".zst");
    double bytes = insts * bytes_each * (is_zst ? VIEW_ZST_SHARE : 1);

    if (bytes <= VIEW_SIZE_MOST || file_is_direct(path))
        return 0;
    return err_kind(err, ERR_LIMIT,
                    "%s %s: about %.1f GB expected (%.0f instructions); choose a part "
                    "with --view \"sm=0 warps=0-3 cycles=0-5000\", or say --large-view",
                    option, path, bytes / 1e9, insts);
}
