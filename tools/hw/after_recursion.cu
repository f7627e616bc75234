/* after_recursion.cu - votes and shuffles of whole warps right after divergent recursion.
 *
 * nvcc -O3 -arch=sm_90 -o after_recursion tools/hw/after_recursion.cu && ./after_recursion
 * prints a CUDA error and how many of 2048 lanes have another result than the CPU. The compiler
 * puts no WARPSYNC after the call. Under leno exec lanes come back from it in several groups, and
 * all 2048 differ; it has not been run on a GPU yet (docs/exec.md).
 */
#include <cstdio>
__host__ __device__ __noinline__ unsigned rec(unsigned x, int n)
{
    unsigned v = x * 2654435761u + n;
    if (n <= 0 || !(x & 7))
        return v;
    for (unsigned k = 0; k < (x & 1) + 1; k++) {
        if (v & 4)
            v += rec(x >> 1, n - 1);
        else
            v ^= rec(x * 3 + 1, n - 1 - (x & 1));
    }
    return v + n;
}
__global__ void k(unsigned *o)
{
    unsigned i = threadIdx.x, v = rec(i * 77 + blockIdx.x, 6);
    unsigned b = __ballot_sync(~0u, v & 1);
    o[blockIdx.x * 32 + i] = b ^ __shfl_xor_sync(~0u, v, 1);
}
int main()
{
    enum { B = 64 };
    static unsigned h[B * 32];
    unsigned *d;
    cudaMalloc(&d, sizeof h);
    k<<<B, 32>>>(d);
    int e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost), bad = 0;
    for (int b = 0; b < B; b++) {
        unsigned v[32], m = 0;
        for (int i = 0; i < 32; i++) {
            v[i] = rec(i * 77 + b, 6);
            m |= (v[i] & 1) << i;
        }
        for (int i = 0; i < 32; i++)
            bad += h[b * 32 + i] != (m ^ v[i ^ 1]);
    }
    printf("%d bad %d\n", e, bad);
}
