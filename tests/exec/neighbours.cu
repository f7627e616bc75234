/* neighbours.cu - clusters without copies and barriers in shared memory, so that a recording
 * holds all of it: each block reads shared memory of the next one of its cluster.
 */
#include <cstdio>

enum { BLOCKS = 64, THREADS = 64, ROUNDS = 3 };

__global__ void __cluster_dims__(4, 1, 1) neighbours(unsigned *out)
{
    __shared__ unsigned v[THREADS];
    unsigned rank, at, w = 0, sum = 0, t = threadIdx.x;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"((unsigned)__cvta_generic_to_shared(&v[t])), "r"((rank + 1) % 4));
    for (int k = 0; k < ROUNDS; k++) {
        v[t] = blockIdx.x * 1000 + t + k;
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(w) : "r"(at) : "memory");
        sum += w;
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    }
    out[blockIdx.x * THREADS + t] = sum;
}

int main()
{
    static unsigned host[BLOCKS * THREADS];
    unsigned *out;
    int wrong = 0;

    cudaMalloc(&out, sizeof host);
    neighbours<<<BLOCKS, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned t = 0; t < THREADS; t++) {
            unsigned next = b / 4 * 4 + (b + 1) % 4;

            wrong += host[b * THREADS + t] != 3 * (next * 1000 + t) + 3;
        }
    printf("neighbours: %s\n", wrong ? "wrong" : "good");
    return wrong != 0;
}
