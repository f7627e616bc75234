/* parts_main.cu - a program of two files, device code of each calling the other's
 * (nvcc -rdc=true).
 */
#include "check.h"
#include "parts.h"

__device__ int shared_counter = 10;

__global__ void here(int *data)
{
    data[threadIdx.x] = from_other_file(threadIdx.x) + offsets[threadIdx.x % 4];
    atomicAdd(&shared_counter, 1);
}

int main()
{
    int *d, h[32], n, o[4] = { 100, 200, 300, 400 };

    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaMemcpyToSymbol(offsets, o, sizeof o));
    here<<<1, 32>>>(d);
    launch_other(d, 32);
    GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpyFromSymbol(&n, shared_counter, sizeof n));
    CHECK(n == 74);
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == (i * 3 + o[i % 4]) * 2);
    puts("parts: good");
    return 0;
}
