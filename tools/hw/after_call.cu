/* after_call.cu - two collectives of one mask, and between them a divergent call by a pointer to
 * functions of which one has a YIELD.
 *
 * nvcc -O3 -arch=sm_90 -o after_call tools/hw/after_call.cu && ./after_call
 * prints a CUDA error and how many of 2048 lanes have another result than the CPU. The compiler
 * looks whether lanes are together (BRA.DIV) before the first collective only, and trusts the
 * BSYNC after the call. Under leno exec lanes that wait at that BSYNC go on when the others
 * yield, as measured elsewhere (tests/data/converge); it has not been run on a GPU yet
 * (docs/exec.md).
 */
#include <cstdio>
typedef unsigned fn(unsigned, unsigned *);
__host__ __device__ __noinline__ unsigned loops(unsigned x, unsigned *p)
{
    unsigned v = x;
#ifdef __CUDA_ARCH__
    atomicXor(p + 4, x); /* without it there is no YIELD */
#endif
    for (int n = x & 7; n >= 0; n--) {
        for (int k = v & 3; k >= 0; k--)
            v = v * 2654435761u + (p[k] ^ n);
        if ((v & 15) == 3)
            break;
    }
    return v;
}
__host__ __device__ __noinline__ unsigned adds(unsigned x, unsigned *p)
{
    return x + p[x & 3];
}
__host__ __device__ inline fn *choose(unsigned i)
{
    return i * 2654435761u >> 20 & 1 ? loops : adds;
}
__global__ void k(unsigned *o, unsigned *p)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x, v = i;
    unsigned m = __ballot_sync(~0u, i & 16);
    if (i & 16) {
        unsigned c = __ballot_sync(m, i & 1);
        if (i & 1)
            v += __ballot_sync(c, i & 2) & 0;
        else
            for (unsigned n = i & 7; n; n--)
                v += p[n & 3];
        unsigned same = __match_any_sync(m, v & 3);
        v = choose(i)(i, p);
        v += __reduce_add_sync(m, v);
        o[gridDim.x * 32 + i] = same; /* so that it is there */
    }
    o[i] = v;
}
int main()
{
    enum { B = 64 };
    static unsigned h[B * 32], words[5] = { 1, 7, 77, 777 };
    unsigned *d, *p;
    cudaMalloc(&d, 2 * sizeof h);
    cudaMalloc(&p, sizeof words);
    cudaMemcpy(p, words, sizeof words, cudaMemcpyHostToDevice);
    k<<<B, 32>>>(d, p);
    int e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost), bad = 0;
    for (unsigned b = 0; b < B; b++) {
        unsigned v[32], sum = 0;
        for (unsigned i = 16; i < 32; i++)
            sum += v[i] = choose(b * 32 + i)(b * 32 + i, words);
        for (unsigned i = 0; i < 32; i++)
            bad += h[b * 32 + i] != (i < 16 ? b * 32 + i : v[i] + sum);
    }
    printf("%d bad %d\n", e, bad);
}
