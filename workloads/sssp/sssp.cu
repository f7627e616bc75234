/* sssp.cu - shortest paths from one node, by products of matrix and vector in (min, +).
 *
 * Four kernels, a thread per node in blocks of 64. A round copies the distances, lowers
 * each to the least of its neighbours' plus the edge between them (a row of a sparse matrix),
 * and asks if any has changed. GhOST's figure 3 shows the latencies of the six loads of
 * sssp_relax: the row's ends, the own distance, and per edge its weight, its neighbour and
 * that one's distance.
 */
static __device__ int own_node(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void sssp_start(int *now, int *next, int source, int n, int far)
{
    int node = own_node();

    if (node < n)
        now[node] = next[node] = node == source ? 0 : far;
}

extern "C" __global__ void sssp_copy(int *now, const int *next, int n)
{
    int node = own_node();

    if (node < n)
        now[node] = next[node];
}

extern "C" __global__ void sssp_relax(int n, const int *first, const int *neighbour,
                                      const int *weight, const int *now, int *next)
{
    int node = own_node();

    if (node >= n)
        return;

    int end = first[node + 1], least = now[node];

#pragma unroll 1
    for (int e = first[node]; e < end; e++)
        least = min(least, weight[e] + now[neighbour[e]]);
    next[node] = least;
}

extern "C" __global__ void sssp_compare(const int *now, const int *next, int *changed,
                                        int n)
{
    int node = own_node();

    if (node < n && now[node] != next[node])
        *changed = 1;
}
