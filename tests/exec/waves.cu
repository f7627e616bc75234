/* waves.cu - launches of many blocks, for --sample within a launch; the last block of each adds
 * up what the others left, so all of them must have been executed. */
#include <cstdio>
#include <cuda_runtime.h>

enum { BLOCKS = 3000, THREADS = 64, LAUNCHES = 3 };

__device__ unsigned sums[BLOCKS], total, n_ended;

__global__ void add(unsigned launch)
{
    __shared__ unsigned sum;
    unsigned h = blockIdx.x * THREADS + threadIdx.x + launch;
    bool is_last = false;

    if (!threadIdx.x)
        sum = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        h = h * 2654435761u ^ h >> 13;
    atomicAdd(&sum, h);
    __syncthreads();
    if (!threadIdx.x) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&n_ended, 1) == BLOCKS - 1;
    }
    if (!is_last)
        return;
    __threadfence();
    for (int k = 0; k < BLOCKS; k++)
        total += sums[k];
    n_ended = 0;
}

int main()
{
    unsigned result = 0;

    for (unsigned k = 0; k < LAUNCHES; k++)
        add<<<BLOCKS, THREADS>>>(k);
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    printf("%u\n", result);
    return 0;
}
