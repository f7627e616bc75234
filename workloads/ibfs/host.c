/* host.c - ibfs: levels of a random directed graph from node 0, a launch per level.
 *
 * Nodes have 1 to 11 edges to any nodes; those out of reach keep the level FAR. The check
 * is a queue on the CPU.
 */
#include <limits.h>

#include "../workload.h"

enum { THREADS = 256, MOST_EDGES = 11, FAR = INT_MAX };

struct span {
    int first, n;
};

struct graph {
    int n_nodes, n_edges;
    struct span *nodes;
    int *edges;
};

static void graph_make(struct rig *r, struct graph *g, int n_nodes)
{
    struct rng rng = rng_start(r->env, 121);
    uint32_t n = (uint32_t)n_nodes;

    *g = (struct graph){ .n_nodes = n_nodes };
    g->nodes = rig_host(r, n, sizeof *g->nodes);
    g->edges = rig_host(r, n * MOST_EDGES, sizeof *g->edges);
    for (int i = 0; i < n_nodes && !r->failed; i++) {
        g->nodes[i].first = g->n_edges;
        g->nodes[i].n = 1 + (int)rng_below(&rng, MOST_EDGES);
        for (int e = 0; e < g->nodes[i].n; e++)
            g->edges[g->n_edges++] = (int)rng_below(&rng, n);
    }
}

static void search(const struct graph *g, int *queue, int *level)
{
    int head = 0, tail = 0;

    level[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int node = queue[head++];
        struct span s = g->nodes[node];

        for (int e = s.first; e < s.first + s.n; e++) {
            if (level[g->edges[e]] == FAR) {
                level[g->edges[e]] = level[node] + 1;
                queue[tail++] = g->edges[e];
            }
        }
    }
}

static void search_on_device(struct rig *r, const struct graph *g, CUdeviceptr level)
{
    struct launch l = {
        "search_level", { div_up((unsigned)g->n_nodes, THREADS) }, { THREADS }, 0
    };
    size_t words = div_up((unsigned)g->n_nodes, 4);
    CUdeviceptr nodes = rig_upload(r, g->nodes, (size_t)g->n_nodes * sizeof *g->nodes);
    CUdeviceptr edges = rig_upload(r, g->edges, (size_t)g->n_edges * sizeof *g->edges);
    CUdeviceptr frontier = rig_alloc(r, words * 4), next = rig_alloc(r, words * 4);
    CUdeviceptr d_more = rig_alloc(r, sizeof(int));
    int more = 1;

    rig_fill(r, frontier, 0, words);
    rig_fill(r, next, 0, words);
    rig_fill(r, frontier, 1, 1); /* bytes: node 0 alone */
    rig_fill(r, level, 0, 1);
    while (more && !r->failed) {
        CUdeviceptr swap = frontier;

        rig_fill(r, d_more, 0, 1);
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(nodes), RIG_ARG(edges), RIG_ARG(frontier),
                            RIG_ARG(next), RIG_ARG(level), RIG_ARG(d_more),
                            RIG_ARG(g->n_nodes)));
        rig_download(r, &more, d_more, sizeof more);
        frontier = next;
        next = swap;
    }
}

static int ibfs_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 1400, 65536, 65536 };
    size_t n = (size_t)sizes[env->size];
    struct rig r = rig_begin(env);
    struct graph g;
    int *queue = rig_host(&r, n, sizeof *queue), *want = rig_host(&r, n, sizeof *want);
    CUdeviceptr level = rig_alloc(&r, n * sizeof *want);

    graph_make(&r, &g, sizes[env->size]);
    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++)
        want[i] = FAR;
    rig_fill(&r, level, FAR, n);
    search_on_device(&r, &g, level);
    search(&g, queue, want);
    rig_result(&r, "level", level, want, n);
    return rig_end(&r);
}

const struct workload workload_ibfs = {
    .name = "ibfs",
    .summary = "breadth-first search, one kernel per level",
    .suite = "ISPASS",
    .theirs = "BFS",
    .papers = "ghost",
    .sizes = { "1400 nodes", "65536 nodes", "65536 nodes" },
    .run = ibfs_run,
};
