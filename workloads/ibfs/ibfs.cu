/* ibfs.cu - breadth-first search, one launch per level.
 *
 * One thread per node; those of the frontier mark their unreached neighbours for the next
 * launch. A neighbour counts as unreached while its level is beyond this one's, so it makes
 * no difference whether another thread of the launch has already reached it.
 */
extern "C" __global__ void search_level(const int2 *nodes, const int *edges,
                                        unsigned char *frontier, unsigned char *next,
                                        int *level, int *more, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;

    if (node < n && frontier[node]) {
        int own = level[node];

        frontier[node] = 0;
        for (int e = nodes[node].x; e < nodes[node].x + nodes[node].y; e++) {
            int other = edges[e];

            if (level[other] > own) {
                level[other] = own + 1;
                next[other] = 1;
                *more = 1;
            }
        }
    }
}
