/* symbols.cu - constant and global variables, whole and in part, by address and by name. */
#include "check.h"

__constant__ int table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
__constant__ float factor;
__device__ int counter = 5;
__device__ double grid_sum[4];
static __constant__ char hidden[3] = { 'a', 'b', 'c' };

template <int N> __device__ int held = N;
__device__ const int *place = table; /* a constant's address */

__global__ void by_address(int *out, int which)
{
    const int *p = which ? table : &counter;

    out[threadIdx.x] = p[threadIdx.x] + place[threadIdx.x];
}

__global__ void use(float *out)
{
    int i = threadIdx.x;

    out[i] = table[i] * factor + hidden[i % 3];
    atomicAdd(&counter, 1);
    if (i < 4)
        grid_sum[i] += i * 0.25;
    if (!i)
        held<3> += held<4>;
}

int main()
{
    float *out, h[8], f = 0.5f;
    int part[2] = { 30, 40 }, all[8], n, *at;
    size_t size;
    double sum[4] = { 1, 1, 1, 1 };
    void *p;

    GOOD(cudaMalloc(&out, sizeof h));
    GOOD(cudaMemcpyToSymbol(factor, &f, sizeof f));
    GOOD(cudaMemcpyToSymbol(table, part, sizeof part, 2 * sizeof(int)));
    GOOD(cudaMemcpyToSymbolAsync(grid_sum, sum, sizeof sum, 0, cudaMemcpyHostToDevice, 0));
    use<<<1, 8>>>(out);
    GOOD(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpyFromSymbol(all, table, sizeof all));
    CHECK(all[0] == 1 && all[2] == 30 && all[3] == 40 && all[7] == 8);
    for (int i = 0; i < 8; i++)
        CHECK(h[i] == all[i] * 0.5f + "abc"[i % 3]);
    GOOD(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    CHECK(n == 13);
    GOOD(cudaMemcpyFromSymbol(sum, grid_sum, sizeof sum));
    CHECK(sum[0] == 1 && sum[3] == 1.75);
    GOOD(cudaMemcpyFromSymbol(sum, grid_sum, sizeof(double), 3 * sizeof(double)));
    CHECK(sum[0] == 1.75);
    GOOD(cudaMemcpyFromSymbol(&n, held<3>, sizeof n));
    CHECK(n == 7);

    GOOD(cudaGetSymbolAddress(&p, counter));
    at = (int *)p;
    n = 100;
    GOOD(cudaMemcpy(at, &n, sizeof n, cudaMemcpyHostToDevice));
    use<<<1, 8>>>(out);
    GOOD(cudaMemcpy(&n, at, sizeof n, cudaMemcpyDeviceToHost));
    CHECK(n == 108);
    GOOD(cudaGetSymbolSize(&size, table));
    CHECK(size == sizeof all);
    GOOD(cudaGetSymbolAddress(&p, table)); /* a constant has an address, too */
    GOOD(cudaMemcpy(all, p, sizeof all, cudaMemcpyDeviceToHost));
    CHECK(all[3] == 40);

    by_address<<<1, 8>>>((int *)out, 1);
    GOOD(cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost));
    CHECK(all[0] == 2 && all[3] == 80 && all[7] == 16);

    GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("table", part, 4));
    GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, all, sizeof all, 4));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(table, part, 4, 0, cudaMemcpyDeviceToHost));
    puts("symbols: good");
    return 0;
}
