/* clusters.c - kernels with clusters: where their blocks go, and SMs through a window.
 *
 * The blocks of a cluster start together, on different SMs of one GPC. A block that ends in
 * some cycle makes room from cluster.start cycles later on, and no window is longer than
 * that: what starts in a window is known when it begins, whatever its length. SMs run one
 * after another (docs/decisions/043-clusters.md).
 *
 * LIMIT: a launch that ends early (--cap, --sample) is timed to its end.
 */
#include "sim/clusters.h"

#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/memory.h"
#include "sim/window.h"

enum { MAX_PLACES = 32 };

/* Where blocks of an SM can go: each place is free from a cycle on. */
struct places {
    uint64_t free[MAX_PLACES];
    uint32_t n;
    uint64_t spaced; /* the next block does not start before */
    uint32_t gpc;
};

/* A block that starts in this window. */
struct start {
    uint64_t cycle, block;
    uint64_t number; /* in the order of starts */
    struct stream *stream;
    uint32_t sm;
    uint32_t cluster; /* place in members */
};

struct clusters {
    struct sms *g;
    uint32_t n_gpcs;
    struct places *sm;
    uint32_t next_gpc; /* of those that could take a cluster at once, the first one */
    struct start *start;
    uint32_t n_starts;
    struct cluster_members *members;
    uint32_t n_members;
};

static const struct cluster_params *params_of(const struct clusters *c)
{
    return &c->g->base.machine->cluster;
}

/* SMs belong to GPCs in order; those after the last GPC form pairs. */
static void name_gpcs(struct clusters *c)
{
    const struct cluster_params *p = params_of(c);
    const uint32_t sizes[CLUSTER_GPCS] = { p->gpc0_sms, p->gpc1_sms, p->gpc2_sms,
                                           p->gpc3_sms, p->gpc4_sms, p->gpc5_sms,
                                           p->gpc6_sms, p->gpc7_sms };
    uint32_t gpc = 0, n = 0;

    for (unsigned k = 0; k < c->g->n_sms; k++, n++) {
        while (gpc < CLUSTER_GPCS && n >= sizes[gpc]) {
            gpc++;
            n = 0;
        }
        if (gpc >= CLUSTER_GPCS && n == CLUSTER_TPC_SMS) {
            gpc++;
            n = 0;
        }
        c->sm[k].gpc = gpc;
    }
    c->n_gpcs = gpc + 1;
}

struct clusters *clusters_new(struct sms *g, struct err *err)
{
    struct clusters *c = calloc(1, sizeof *c);
    size_t most = (size_t)g->n_sms * MAX_PLACES;

    if (!c || !(c->sm = calloc(g->n_sms, sizeof *c->sm)) ||
        !(c->start = calloc(most, sizeof *c->start)) ||
        !(c->members = calloc(most, sizeof *c->members))) {
        clusters_free(c);
        err_memory(err, "clusters");
        return NULL;
    }
    c->g = g;
    name_gpcs(c);
    return c;
}

void clusters_free(struct clusters *c)
{
    if (!c)
        return;
    free(c->sm);
    free(c->start);
    free(c->members);
    free(c);
}

static uint32_t largest_gpc(const struct clusters *c)
{
    uint32_t most = 0;

    for (uint32_t gpc = 0; gpc < c->n_gpcs; gpc++) {
        uint32_t n = 0;

        for (unsigned k = 0; k < c->g->n_sms; k++)
            n += c->sm[k].gpc == gpc;
        most = n > most ? n : most;
    }
    return most;
}

int clusters_start(struct clusters *c, struct run *r, unsigned fit, struct err *err)
{
    uint32_t n = params_of(c)->blocks, most = largest_gpc(c);

    if (!params_of(c)->gpc0_sms)
        return err_kind(err, ERR_UNSUPPORTED,
                        "kernel %s: clusters of %u blocks need a machine with GPCs "
                        "(cluster.gpc0_sms); leno emu executes them",
                        r->kernel->name, r->kernel->cluster);
    if (most < r->kernel->cluster)
        return err_kind(
            err, ERR_UNSUPPORTED,
            "kernel %s: a cluster of %u blocks does not fit into a GPC of %u "
            "SMs; give the machine more (--sms)",
            r->kernel->name, r->kernel->cluster, most);
    n = fit < n ? fit : n;
    for (unsigned k = 0; k < c->g->n_sms; k++) {
        struct places *p = &c->sm[k];

        p->n = n;
        p->spaced = r->start;
        for (unsigned i = 0; i < n; i++)
            p->free[i] = r->start;
        c->g->takes[k] = UINT64_MAX;
    }
    r->cluster_at = r->start;
    return 0;
}

static uint32_t first_free(const struct places *p)
{
    uint32_t best = 0;

    for (uint32_t k = 1; k < p->n; k++)
        if (p->free[k] < p->free[best])
            best = k;
    return best;
}

/* The cycle in which an SM can take a block. */
static uint64_t ready_at(const struct places *p)
{
    return p->n ? later(p->free[first_free(p)], p->spaced) : UINT64_MAX;
}

/* The SMs of a GPC that can take a cluster first; the cycle in which all can. */
static uint64_t choose_sms(const struct clusters *c, uint32_t gpc, uint32_t n,
                           struct cluster_members *m)
{
    uint64_t at[MAX_CLUSTER_BLOCKS];

    m->n = 0;
    for (unsigned k = 0; k < c->g->n_sms; k++) {
        uint64_t ready = c->sm[k].gpc == gpc ? ready_at(&c->sm[k]) : UINT64_MAX;
        uint32_t i = m->n;

        if (ready == UINT64_MAX || (i == n && at[i - 1] <= ready))
            continue;
        i -= i == n;
        for (; i && at[i - 1] > ready; i--) {
            at[i] = at[i - 1];
            m->sm[i] = m->sm[i - 1];
        }
        at[i] = ready;
        m->sm[i] = (uint16_t)k;
        m->n += m->n < n;
    }
    return m->n == n ? at[n - 1] : UINT64_MAX;
}

/* Where and when the next cluster can start. GPCs that can take it at the same time take
 * turns. */
static uint64_t choose_gpc(struct clusters *c, uint32_t n, struct cluster_members *best,
                           uint32_t *best_gpc)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t k = 0; k < c->n_gpcs; k++) {
        uint32_t gpc = (c->next_gpc + k) % c->n_gpcs;
        struct cluster_members m;
        uint64_t at = choose_sms(c, gpc, n, &m);

        if (at >= first)
            continue;
        first = at;
        *best = m;
        *best_gpc = gpc;
    }
    return first;
}

static int plan_block(struct clusters *c, struct run *r, struct cluster_members *m,
                      uint32_t rank, uint64_t cycle, struct err *err)
{
    struct places *p = &c->sm[m->sm[rank]];
    struct start *s = &c->start[c->n_starts];

    *s = (struct start){ .cycle = cycle,
                         .block = m->block[rank],
                         .number = r->next_block++,
                         .stream = r->kernel->ops->open(r->kernel, m->block[rank], err),
                         .sm = m->sm[rank],
                         .cluster = c->n_members };
    if (!s->stream)
        return -1;
    c->n_starts++;
    p->free[first_free(p)] = p->free[p->n - 1];
    p->n--;
    p->spaced = cycle + c->g->base.machine->gpu.block_cycles;
    return 0;
}

/* When the next cluster can start; UINT64_MAX: there is none, or not known yet. */
static uint64_t next_start(struct clusters *c, const struct run *r)
{
    struct cluster_members m;
    uint32_t gpc;

    return r->next_block < r->kernel->n_blocks
               ? choose_gpc(c, r->kernel->cluster, &m, &gpc)
               : UINT64_MAX;
}

/* Everything that starts before end. */
static int plan_starts(struct clusters *c, struct run *r, uint64_t end, struct err *err)
{
    const struct kernel *k = r->kernel;
    uint32_t gpc = 0;

    c->n_starts = c->n_members = 0;
    while (r->next_block < k->n_blocks) {
        struct cluster_members *m = &c->members[c->n_members];
        uint64_t at = choose_gpc(c, k->cluster, m, &gpc);

        if (at >= end)
            break;
        INVARIANT(at >= r->cycle);
        for (uint32_t rank = 0; rank < k->cluster; rank++)
            m->block[rank] = kernel_cluster_block(k, r->next_block / k->cluster, rank);
        for (uint32_t rank = 0; rank < k->cluster; rank++)
            if (plan_block(c, r, m, rank, at, err))
                return -1;
        c->n_members++;
        c->next_gpc = (gpc + 1) % c->n_gpcs;
    }
    return 0;
}

/* An SM up to a cycle; blocks that end make room. */
static int run_until(struct clusters *c, struct run *r, unsigned k, uint64_t end,
                     struct err *err)
{
    struct sm *s = c->g->sm[k];
    struct places *p = &c->sm[k];

    for (;;) {
        unsigned before = sm_blocks(s);

        if (sm_run(s, end, err))
            return -1;
        if (sm_blocks(s) == before)
            return 0;
        INVARIANT(sm_blocks(s) < before);
        r->n_done += before - sm_blocks(s);
        r->last = later(sm_cycle(s), r->last);
        for (unsigned n = sm_blocks(s); n < before; n++)
            p->free[p->n++] = sm_cycle(s) + params_of(c)->start;
    }
}

static int run_sm(struct clusters *c, struct run *r, unsigned k, uint64_t end,
                  struct err *err)
{
    for (uint32_t n = 0; n < c->n_starts; n++) {
        const struct start *s = &c->start[n];

        if (s->sm != k)
            continue;
        if (run_until(c, r, k, s->cycle + 1, err))
            return -1;
        sm_start_block(c->g->sm[k], s->stream, s->block, s->cycle + 1,
                       window_arrival_cycle(c->g, r, s->number, s->cycle));
        sm_join_cluster(c->g->sm[k], s->block, &c->members[s->cluster]);
    }
    return run_until(c, r, k, end, err);
}

int clusters_run(struct clusters *c, struct run *r, uint64_t end, struct err *err)
{
    if (plan_starts(c, r, end, err))
        return -1;
    for (unsigned k = 0; k < c->g->n_sms; k++) {
        window_begin_part(r, k, k);
        if (run_sm(c, r, k, end, err))
            return -1;
    }
    r->cluster_at = next_start(c, r);
    return 0;
}
