/* host.c - rbfs: levels of a random graph from node 0, launch pairs until done.
 *
 * Undirected random graph of mean degree six with some hubs; nodes out of reach keep
 * level -1. The check is a queue on the CPU.
 */
#include <string.h>

#include "../workload.h"

enum { THREADS = 512 };

struct span {
    int first, n;
};

struct graph {
    unsigned n_nodes, n_edges; /* directed edges: twice the undirected */
    struct span *nodes;
    int *edges;
};

/* One end is uniform; the other leans to low numbers, which makes hubs. */
static void draw_edge(struct rng *rng, unsigned n_nodes, uint32_t end[2])
{
    end[0] = rng_below(rng, n_nodes);
    end[1] = rng_below(rng, n_nodes);
    if (rng_below(rng, 8) == 0)
        end[1] = rng_below(rng, end[1] / 16 + 1);
}

static void graph_make(struct rig *r, struct graph *g, unsigned n_nodes)
{
    struct rng rng = rng_start(r->env, 6);
    unsigned n_pairs = n_nodes * 3;
    uint32_t(*pair)[2] = rig_host(r, n_pairs, sizeof *pair);
    int first = 0;

    g->n_nodes = n_nodes;
    g->n_edges = 2 * n_pairs;
    g->nodes = rig_host(r, n_nodes, sizeof *g->nodes);
    g->edges = rig_host(r, g->n_edges, sizeof *g->edges);
    if (r->failed)
        return;
    for (unsigned i = 0; i < n_pairs; i++) {
        draw_edge(&rng, n_nodes, pair[i]);
        g->nodes[pair[i][0]].n++;
        g->nodes[pair[i][1]].n++;
    }
    for (unsigned i = 0; i < n_nodes; i++) {
        g->nodes[i].first = first;
        first += g->nodes[i].n;
        g->nodes[i].n = 0;
    }
    for (unsigned i = 0; i < n_pairs; i++) {
        for (int side = 0; side < 2; side++) {
            struct span *s = &g->nodes[pair[i][side]];

            g->edges[s->first + s->n++] = (int)pair[i][!side];
        }
    }
}

static void search(const struct graph *g, int *queue, int *level)
{
    unsigned head = 0, tail = 0;

    queue[tail++] = 0;
    while (head < tail) {
        int node = queue[head++];
        struct span s = g->nodes[node];

        for (int e = s.first; e < s.first + s.n; e++) {
            if (level[g->edges[e]] < 0) {
                level[g->edges[e]] = level[node] + 1;
                queue[tail++] = g->edges[e];
            }
        }
    }
}

/* Byte masks are kept in whole words, since memory is set by words. */
static CUdeviceptr mask_make(struct rig *r, unsigned n_nodes, unsigned first)
{
    CUdeviceptr mask = rig_alloc(r, div_up(n_nodes, 4) * 4);

    rig_fill(r, mask, 0, div_up(n_nodes, 4));
    rig_fill(r, mask, first, 1);
    return mask;
}

static void search_on_device(struct rig *r, const struct graph *g, CUdeviceptr level)
{
    int n = (int)g->n_nodes, more = 1;
    unsigned blocks = div_up(g->n_nodes, THREADS);
    CUdeviceptr nodes = rig_upload(r, g->nodes, g->n_nodes * sizeof *g->nodes);
    CUdeviceptr edges = rig_upload(r, g->edges, g->n_edges * sizeof *g->edges);
    CUdeviceptr frontier = mask_make(r, g->n_nodes, 1);
    CUdeviceptr visited = mask_make(r, g->n_nodes, 1);
    CUdeviceptr next = mask_make(r, g->n_nodes, 0);
    CUdeviceptr d_more = rig_alloc(r, sizeof more);

    while (more && !r->failed) {
        rig_fill(r, d_more, 0, 1);
        rig_launch(r, &(struct launch){ "bfs_expand", { blocks }, { THREADS }, 0 },
                   RIG_ARGS(RIG_ARG(nodes), RIG_ARG(edges), RIG_ARG(frontier),
                            RIG_ARG(next), RIG_ARG(visited), RIG_ARG(level),
                            RIG_ARG(n)));
        rig_launch(r, &(struct launch){ "bfs_update", { blocks }, { THREADS }, 0 },
                   RIG_ARGS(RIG_ARG(frontier), RIG_ARG(next), RIG_ARG(visited),
                            RIG_ARG(d_more), RIG_ARG(n)));
        rig_download(r, &more, d_more, sizeof more);
    }
}

static int rbfs_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 1500, 65536, 1000000 };
    unsigned n = sizes[env->size];
    struct rig r = rig_begin(env);
    struct graph g;
    int *queue = rig_host(&r, n, sizeof *queue);
    int *want = rig_host(&r, n, sizeof *want);

    graph_make(&r, &g, n);
    if (r.failed)
        return rig_end(&r);
    memset(want, 0xff, n * sizeof *want);
    want[0] = 0;
    CUdeviceptr level = rig_upload(&r, want, n * sizeof *want);
    search_on_device(&r, &g, level);
    search(&g, queue, want);
    rig_result(&r, "level", level, want, n);
    return rig_end(&r);
}

const struct workload workload_rbfs = {
    .name = "rbfs",
    .summary = "breadth-first search by frontier masks over a random graph",
    .suite = "Rodinia",
    .theirs = "bfs",
    .papers = "ghost socgpu",
    .sizes = { "1500 nodes", "65536 nodes", "1000000 nodes" },
    .run = rbfs_run,
};
