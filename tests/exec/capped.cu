/* capped.cu - kernels that are interrupted by a cap wherever it falls: what they leave
 * does not depend on it. Barriers of all and of some warps, a lock, shared atomics,
 * clocks, a barrier of the grid, a queue between warps, divergence, more blocks than fit.
 */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 8, THREADS = 128, ROUNDS = 12 };

__device__ int lock, locked_sum;

__global__ void barriers(int *out)
{
    __shared__ int a[THREADS];
    int t = threadIdx.x, x = t;

    for (int i = 0; i < ROUNDS; i++) {
        a[t] = x + i;
        __syncthreads();
        x = 3 * a[(t + 31 + i) % THREADS] + a[THREADS - 1 - t];
        if (__syncthreads_or(x == -1))
            return;
    }
    out[blockIdx.x * THREADS + t] = x;
}

/* Warps in pairs, at barriers of their own: one fills, the other takes. */
__global__ void pairs(int *out)
{
    __shared__ int box[THREADS / 64][32];
    int pair = threadIdx.x / 64, lane = threadIdx.x % 32, sum = 0;
    bool fills = threadIdx.x / 32 % 2 == 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (fills) {
            box[pair][lane] = 100 * i + lane + pair;
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + 2 * pair) : "memory");
            asm volatile("bar.sync %0, 64;" ::"r"(2 + 2 * pair) : "memory");
        } else {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + 2 * pair) : "memory");
            sum += box[pair][31 - lane];
            asm volatile("bar.arrive %0, 64;" ::"r"(2 + 2 * pair) : "memory");
        }
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void locks()
{
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            *(volatile int *)&locked_sum += threadIdx.x;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
}

__global__ void histogram(int *out)
{
    __shared__ int bins[16];
    unsigned x = blockIdx.x * THREADS + threadIdx.x;

    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned n = x % 7 + 1; n--;) {
        x = x * 1664525 + 1013904223;
        atomicAdd(&bins[x >> 28], n);
    }
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

/* Time passes, never backwards, also from one side of the cap to the other. */
__global__ void waits(int *out)
{
    long long begin = clock64(), last = begin, now;
    unsigned long long ns = 0, before;
    int back = 0;

    do {
        before = ns;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
        now = clock64();
        back += now < last || ns < before;
        last = now;
    } while (now - begin < 3000);
    out[blockIdx.x * THREADS + threadIdx.x] = back;
}

__global__ void grid_barrier(int *out)
{
    cg::grid_group g = cg::this_grid();
    int n = BLOCKS * THREADS, i = (int)g.thread_rank();

    out[i] = i;
    for (int r = 0; r < 4; r++) {
        g.sync();
        int other = out[(i + 77) % n];
        g.sync();
        out[i] += other;
    }
}

__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__global__ void recursion(int *out)
{
    out[blockIdx.x * THREADS + threadIdx.x] = fib(threadIdx.x % 9);
}

__global__ void many(int *out)
{
    atomicAdd(out, (int)(blockIdx.x % 5));
}

static int *out, host[BLOCKS * THREADS];

static unsigned show(const char *name)
{
    unsigned h = 0;

    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS * THREADS; i++)
        h = h * 16777619u ^ (unsigned)host[i];
    printf("%s %08x\n", name, h);
    GOOD(cudaMemset(out, 0, sizeof host));
    return h;
}

int main()
{
    void *arguments[] = { &out };
    int sum;

    GOOD(cudaMalloc(&out, sizeof host));
    GOOD(cudaMemset(out, 0, sizeof host));
    barriers<<<BLOCKS, THREADS>>>(out);
    show("barriers");
    pairs<<<BLOCKS, THREADS>>>(out);
    show("pairs");
    locks<<<BLOCKS, 32>>>();
    GOOD(cudaMemcpyFromSymbol(&sum, locked_sum, sizeof sum));
    printf("locks %d\n", sum);
    histogram<<<BLOCKS, THREADS>>>(out);
    show("histogram");
    waits<<<BLOCKS, THREADS>>>(out);
    show("waits");
    GOOD(cudaLaunchCooperativeKernel(grid_barrier, dim3(BLOCKS), dim3(THREADS),
                                     arguments));
    show("grid_barrier");
    recursion<<<BLOCKS, THREADS>>>(out);
    show("recursion");
    many<<<3000, 32>>>(out);
    show("many");
    return 0;
}
