/* bfs.c - distances in a graph from one node, level by level: one kernel visits the
 * neighbours of the nodes that were found last, the next takes over what was found. The
 * graph is a binary tree whose pairs of children are neighbours too, searched from its
 * last leaf. */
#include "rig.h"

enum { N = TINY ? 64 : 512, MAX_EDGES = 4, SOURCE = N - 1, UNKNOWN = 0xffff };

struct node {
    uint32_t first, n_edges;
};

static struct node RIG_ARRAY nodes[N];
static uint32_t RIG_ARRAY edges[N * MAX_EDGES], cost[N];
static uint32_t RIG_ARRAY frontier[N], found[N], is_visited[N];
static uint32_t goes_on; /* something was found in this level */

/* Adds an edge if the other node exists; what it leaves behind its last is overwritten. */
static void add_edge(uint32_t i, uint32_t to)
{
    edges[nodes[i].first + nodes[i].n_edges] = to;
    nodes[i].n_edges += to < N;
}

static void fill(uint32_t i, void *arg)
{
    uint32_t is_source = i == SOURCE;

    (void)arg;
    nodes[i] = (struct node){ i * MAX_EDGES, 0 };
    add_edge(i, (i + 1) / 2 - 1);
    add_edge(i, 2 * i + 1);
    add_edge(i, 2 * i + 2);
    add_edge(i, ((i + 1) ^ 1) - 1);
    frontier[i] = is_visited[i] = is_source;
    found[i] = 0;
    cost[i] = UNKNOWN & (is_source - 1);
}

static void expand(void *arg)
{
    uint32_t i = blockIdx.x;

    (void)arg;
    VX_IF(frontier[i])
    uint32_t at = nodes[i].first, end = at + nodes[i].n_edges;

    frontier[i] = 0;
    VX_WHILE(at < end)
    uint32_t other = edges[at++];

    VX_IF(!is_visited[other])
    cost[other] = cost[i] + 1;
    found[other] = 1;
    VX_END
    VX_END_WHILE
    VX_END
}

static void advance(void *arg)
{
    uint32_t i = blockIdx.x;

    (void)arg;
    VX_IF(found[i])
    found[i] = 0;
    frontier[i] = is_visited[i] = 1;
    goes_on = 1;
    VX_END
}

/* One level; true if anything was found. */
static uint32_t search_level(void)
{
    uint32_t grid[] = { N };
    volatile uint32_t *more = &goes_on;

    rig_sync();
    *more = 0;
    vx_spawn_threads(1, grid, NULL, expand, NULL);
    rig_sync();
    vx_spawn_threads(1, grid, NULL, advance, NULL);
    rig_sync();
    return *more;
}

/* Neighbours differ by one at most, and all but the source have one that is nearer. */
static uint32_t is_wrong(uint32_t i)
{
    uint32_t has_nearer = i == SOURCE, is_far = 0;

    for (uint32_t k = 0; k < MAX_EDGES; k++) {
        uint32_t exists = k < nodes[i].n_edges;
        uint32_t other = edges[nodes[i].first + k] & (N - 1);

        has_nearer |= exists & (cost[other] + 1 == cost[i]);
        is_far |= exists & (cost[other] > cost[i] + 1);
    }
    return (has_nearer == 0) | is_far | (cost[i] >= UNKNOWN) |
           ((i == SOURCE) != !cost[i]);
}

int main(void)
{
    rig_each(N, fill, NULL);
    while (search_level())
        ;
    return rig_end("bfs", rig_sum(N, is_wrong));
}
