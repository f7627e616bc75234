/* pathfinder.cu - cheapest path down a grid, several rows a launch.
 *
 * Dynamic programming: cost[row][x] = wall[row][x] + the least of the three costs
 * above. A block of 256 threads holds a strip in shared memory and goes down `steps`
 * rows by itself; with each row one column at either end is no longer known (the
 * ghost zone), so only the middle 256 - 2 * halo columns are written back.
 */
enum { THREADS = 256 };

extern "C" __global__ void pathfinder(const int *wall, const int *src, int *dst,
                                      int cols, int steps, int halo)
{
    __shared__ int above[THREADS];
    __shared__ int below[THREADS];
    int tx = threadIdx.x;
    int x = (int)blockIdx.x * (THREADS - 2 * halo) - halo + tx;
    bool inside = x >= 0 && x < cols;
    /* Neighbours outside the grid do not exist: look at oneself instead. */
    int left = x > 0 ? tx - 1 : tx;
    int right = x < cols - 1 ? tx + 1 : tx;
    bool known = false;

    if (inside)
        above[tx] = src[x];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        known = inside && tx > i && tx < THREADS - 1 - i;
        if (known) {
            int best = min(min(above[left], above[tx]), above[right]);

            below[tx] = best + wall[i * cols + x];
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (known)
            above[tx] = below[tx];
        __syncthreads();
    }
    if (known && tx >= halo && tx < THREADS - halo)
        dst[x] = below[tx];
}
