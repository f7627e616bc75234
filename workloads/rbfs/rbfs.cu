/* rbfs.cu - breadth-first search, a frontier level per pair of launches.
 *
 * One thread a node over a CSR graph. bfs_expand reads only the frontier and visited
 * masks of the level before and writes level and next: racing writers of one node
 * write the same values, so nothing depends on order. bfs_update turns next into the
 * frontier and raises *more if there is any.
 */
extern "C" __global__ void bfs_expand(const int2 *nodes, const int *edges,
                                      unsigned char *frontier, unsigned char *next,
                                      const unsigned char *visited, int *level, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node >= n || !frontier[node])
        return;
    frontier[node] = 0;

    int2 span = nodes[node];

    for (int e = span.x; e < span.x + span.y; e++) {
        int other = edges[e];

        if (!visited[other]) {
            level[other] = level[node] + 1;
            next[other] = 1;
        }
    }
}

extern "C" __global__ void bfs_update(unsigned char *frontier, unsigned char *next,
                                      unsigned char *visited, int *more, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < n && next[node]) {
        frontier[node] = 1;
        visited[node] = 1;
        *more = 1;
        next[node] = 0;
    }
}
