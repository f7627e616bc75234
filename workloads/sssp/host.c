/* host.c - sssp: distances from node 0 in a random directed graph, rounds until none changes.
 *
 * Integers, so the check, the same rounds on the CPU, is exact; it also says how many rounds
 * there must be. Nodes out of reach keep a large distance.
 */
#include <string.h>

#include "../workload.h"

enum { THREADS = 64, FAR = 99999999, SOURCE = 0 };

struct graph {
    int n_nodes, n_edges;
    int *first; /* n_nodes + 1: where the edges of each node begin */
    int *neighbour, *weight;
};

struct shape {
    int nodes, rounds; /* rounds: at most */
};

/* Three to twelve edges per node, mostly to nodes near by in number. */
static void graph_make(struct rig *r, struct graph *g, int n_nodes)
{
    struct rng rng = rng_start(r->env, 29);

    g->n_nodes = n_nodes;
    g->first = rig_host(r, (size_t)n_nodes + 1, sizeof *g->first);
    g->neighbour = rig_host(r, (size_t)n_nodes * 12, sizeof *g->neighbour);
    g->weight = rig_host(r, (size_t)n_nodes * 12, sizeof *g->weight);
    if (r->failed)
        return;
    for (int node = 0; node < n_nodes; node++) {
        int n = 3 + (int)rng_below(&rng, 10);

        g->first[node] = g->n_edges;
        for (int i = 0; i < n; i++) {
            uint32_t reach = i ? 600 : (uint32_t)n_nodes;

            g->neighbour[g->n_edges] = (node + (int)rng_below(&rng, reach)) % n_nodes;
            g->weight[g->n_edges++] = 1 + (int)rng_below(&rng, 100);
        }
    }
    g->first[n_nodes] = g->n_edges;
}

/* One round on the CPU; true if a distance has changed. */
static bool relax(const struct graph *g, const int *now, int *next)
{
    for (int node = 0; node < g->n_nodes; node++) {
        next[node] = now[node];
        for (int e = g->first[node]; e < g->first[node + 1]; e++) {
            int over = g->weight[e] + now[g->neighbour[e]];

            next[node] = over < next[node] ? over : next[node];
        }
    }
    return memcmp(now, next, (size_t)g->n_nodes * sizeof *now) != 0;
}

/* Fills in the distances; returns the number of rounds, the one that changed nothing
 * included. */
static int find_distances(const struct graph *g, int *now, int *next, int most)
{
    int rounds = 0;
    bool changed = true;

    for (int node = 0; node < g->n_nodes; node++)
        next[node] = node == SOURCE ? 0 : FAR;
    while (changed && rounds < most) {
        memcpy(now, next, (size_t)g->n_nodes * sizeof *now);
        changed = relax(g, now, next);
        rounds++;
    }
    return rounds;
}

/* The same on the device; distances end in next. */
static int find_on_device(struct rig *r, const struct graph *g, CUdeviceptr next,
                          int most)
{
    size_t bytes = (size_t)g->n_nodes * sizeof(int);
    size_t edges = (size_t)g->n_edges * sizeof(int);
    int n = g->n_nodes, source = SOURCE, far = FAR, rounds = 0, changed = 1;
    struct launch l = {
        "sssp_start", { div_up((unsigned)n, THREADS) }, { THREADS }, 0
    };
    CUdeviceptr first = rig_upload(r, g->first, bytes + sizeof(int));
    CUdeviceptr neighbour = rig_upload(r, g->neighbour, edges);
    CUdeviceptr weight = rig_upload(r, g->weight, edges);
    CUdeviceptr now = rig_alloc(r, bytes), d_changed = rig_alloc(r, sizeof changed);

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(now), RIG_ARG(next), RIG_ARG(source), RIG_ARG(n),
                        RIG_ARG(far)));
    while (!r->failed && changed && rounds < most) {
        rig_fill(r, d_changed, 0, 1);
        l.kernel = "sssp_copy";
        rig_launch(r, &l, RIG_ARGS(RIG_ARG(now), RIG_ARG(next), RIG_ARG(n)));
        l.kernel = "sssp_relax";
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(n), RIG_ARG(first), RIG_ARG(neighbour),
                            RIG_ARG(weight), RIG_ARG(now), RIG_ARG(next)));
        l.kernel = "sssp_compare";
        rig_launch(
            r, &l,
            RIG_ARGS(RIG_ARG(now), RIG_ARG(next), RIG_ARG(d_changed), RIG_ARG(n)));
        rig_download(r, &changed, d_changed, sizeof changed);
        rounds++;
    }
    return rounds;
}

static int sssp_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 700, 5 },
        { 20000, 12 },
        { 20000, 1000 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)s->nodes;
    struct rig r = rig_begin(env);
    struct graph g = { 0 };
    int *now = rig_host(&r, n, sizeof *now), *next = rig_host(&r, n, sizeof *next);

    graph_make(&r, &g, s->nodes);
    if (r.failed)
        return rig_end(&r);
    CUdeviceptr distance = rig_alloc(&r, n * sizeof(int));
    int rounds = find_on_device(&r, &g, distance, s->rounds);
    int expected = find_distances(&g, now, next, s->rounds);

    rig_result(&r, "distance", distance, next, n);
    if (rounds != expected)
        rig_fail(&r, "%d rounds, expected %d", rounds, expected);
    return rig_end(&r);
}

const struct workload workload_sssp = {
    .name = "sssp",
    .summary = "shortest paths from one node by sparse (min, +) products",
    .suite = "Pannotia",
    .theirs = "SSSP",
    .papers = "ghost",
    .sizes = { "700 nodes, 5 rounds", "20000 nodes, 12 rounds", "20000 nodes" },
    .run = sssp_run,
};
