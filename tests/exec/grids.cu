/* grids.cu - cooperative launches: a barrier over the whole grid, and one too large. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void rounds(int *data, int *sums, int n_rounds)
{
    cg::grid_group grid = cg::this_grid();
    int me = (int)grid.thread_rank(), n = (int)grid.size();

    for (int r = 0; r < n_rounds; r++) {
        int next = data[(me + 1) % n];

        grid.sync();
        data[me] += next;
        grid.sync();
    }
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int sum = data[me];

    for (int k = 16; k; k /= 2)
        sum += warp.shfl_down(sum, k);
    if (!warp.thread_rank())
        atomicAdd(sums, sum);
}

int main()
{
    enum { BLOCKS = 8, THREADS = 64, N = BLOCKS * THREADS, ROUNDS = 3 };
    int *data, *sums, h[N], want[N], next[N], sum = 0, got, n = ROUNDS, can;
    void *args[] = { &data, &sums, &n };

    GOOD(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    CHECK(can);
    for (int i = 0; i < N; i++)
        want[i] = h[i] = i % 13;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++)
            next[i] = want[i] + want[(i + 1) % N];
        memcpy(want, next, sizeof want);
    }
    for (int i = 0; i < N; i++)
        sum += want[i];
    GOOD(cudaMalloc(&data, sizeof h));
    GOOD(cudaMalloc(&sums, sizeof(int)));
    GOOD(cudaMemset(sums, 0, sizeof(int)));
    GOOD(cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice));
    GOOD(cudaLaunchCooperativeKernel(rounds, dim3(BLOCKS), dim3(THREADS), args));
    GOOD(cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(&got, sums, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(h, want, sizeof h) && got == sum);
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(rounds, dim3(100000), dim3(THREADS), args));
    GIVES(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
    puts("grids: good");
    return 0;
}
