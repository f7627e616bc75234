/* gpu.c - a GPU of any kind: what all kinds share; kind.h has the rest. */
#include "sim/gpu.h"

#include <stdlib.h>

#include "sim/hot.h"
#include "sim/internal.h"

#define STAT_OF struct gpu_stats
const struct stat_group gpu_stat_group =
    STAT_GROUP("gpu", "the GPU as a whole", GPU_STATS);
#undef STAT_OF

static const struct machine_kind *kind_of(const struct gpu *g)
{
    return g->machine->kind;
}

struct gpu *gpu_new(const struct machine *m, struct err *err)
{
    struct gpu *g;

    if (machine_check(m, err))
        return NULL;
    g = calloc(1, m->kind->gpu_size);
    if (!g) {
        err_memory(err, "a GPU");
        return NULL;
    }
    g->machine = m;
    g->latency = latency_new();
    if (!g->latency)
        err_memory(err, "a GPU");
    if (!g->latency || m->kind->build(g, err)) {
        gpu_free(g);
        return NULL;
    }
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    kind_of(g)->free(g);
    latency_free(g->latency);
    buf_free(&g->report);
    free(g);
}

void gpu_set_trace(struct gpu *g, struct trace *t)
{
    g->trace = t;
    kind_of(g)->set_trace(g, t);
}

int gpu_set_hot(struct gpu *g, struct hot_profile *p, struct err *err)
{
    g->hot = p;
    hot_profile_begin(p);
    return kind_of(g)->set_hot(g, err);
}

int gpu_set_clock(struct gpu *g, const struct gpu_clock *clock, struct err *err)
{
    if (!kind_of(g)->has_clock)
        return err_kind(err, ERR_UNSUPPORTED,
                        "--series: %s has %ss whose statistics are known at the end of "
                        "a run only; choose another --gpu",
                        g->machine->name, kind_of(g)->core_name);
    g->clock = *clock;
    return 0;
}

void gpu_set_limits(struct gpu *g, const struct gpu_limits *limits)
{
    g->limits = *limits;
}

int gpu_set_threads(struct gpu *g, unsigned threads, struct err *err)
{
    return kind_of(g)->set_threads(g, threads, err);
}

int gpu_run(struct gpu *g, struct kernel *k, struct err *err)
{
    return kind_of(g)->run(g, k, err);
}

uint64_t gpu_counter(void *gpu, unsigned core, unsigned csr)
{
    struct gpu *g = gpu;

    return kind_of(g)->counter(g, core, csr);
}

void gpu_set_counter_class(struct gpu *g, uint32_t counter_class)
{
    kind_of(g)->set_counter_class(g, counter_class);
}

uint64_t gpu_cycle(const struct gpu *g)
{
    return g->stats.cycles;
}

uint64_t gpu_now(const struct gpu *g)
{
    return g->stats.cycles + g->hidden;
}

uint64_t gpu_insts(const struct gpu *g)
{
    return kind_of(g)->insts(g);
}

const struct pace *gpu_pace(const struct gpu *g)
{
    return &g->pace;
}

const char *gpu_report(const struct gpu *g)
{
    return buf_text(&g->report);
}

const struct latency_table *gpu_latency(const struct gpu *g)
{
    return g->latency;
}
