/* fw.cu - Floyd and Warshall's shortest paths between all pairs of nodes.
 *
 * One launch per stop: a thread looks after one pair of nodes and takes the way over the
 * stop if that is shorter. Blocks of 16x16 threads; x numbers the node a path starts at, a
 * row of the matrix, so the lanes of a warp read from sixteen rows. A stop's own row and
 * column do not change in its launch (the way from it to itself is 0), so threads of other
 * blocks may read them meanwhile.
 */
extern "C" __global__ void fw_stop(int *length, int *over, int n, int stop)
{
    int from = blockIdx.x * blockDim.x + threadIdx.x;
    int to = blockIdx.y * blockDim.y + threadIdx.y;

    if (from >= n || to >= n)
        return;

    int detour = length[from * n + stop] + length[stop * n + to];

    if (detour < length[from * n + to]) {
        length[from * n + to] = detour;
        over[from * n + to] = stop;
    }
}
