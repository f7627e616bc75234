/* clocks.cu - what clocks, the timer and the number of the SM say in a timed run. Twice
 * the chain takes twice the time; with an argument, as a clock may be read before older
 * instructions have issued, less than that. */
#include "check.h"

__device__ unsigned chain(unsigned x)
{
#pragma unroll
    for (int i = 0; i < 256; i++)
        asm volatile("mul.lo.u32 %0, %0, %0;" : "+r"(x));
    return x;
}

__global__ void measure(long long *out, unsigned x)
{
    long long begin = clock64(), middle, end;
    unsigned low = clock();

    x = chain(x);
    middle = clock64();
    x = chain(chain(x));
    end = clock64();
    out[0] = middle - begin;
    out[1] = end - middle;
    out[2] = low - (unsigned)begin;
    out[3] = x;
}

/* The path depends on the time: as many rounds as fit into some cycles. */
__global__ void wait_for(long long *out, long long cycles)
{
    long long begin = clock64(), rounds = 0;

    while (clock64() - begin < cycles)
        rounds++;
    out[0] = clock64() - begin;
    out[1] = rounds;
}

__global__ void wait_ns(unsigned long long *out, unsigned long long ns)
{
    unsigned long long begin, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < ns);
    out[0] = now - begin;
}

/* The first block stays for some cycles. */
__global__ void where(unsigned *out, long long cycles)
{
    long long begin = clock64();
    unsigned sm;

    while (!blockIdx.x && clock64() - begin < cycles)
        ;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (!threadIdx.x)
        out[blockIdx.x] = sm;
}

int main(int argc, char **argv)
{
    cudaDeviceProp p;
    long long *out;
    unsigned seen[1024] = { 0 }, *sm;

    (void)argv;
    GOOD(cudaGetDeviceProperties(&p, 0));
    GOOD(cudaMallocManaged(&out, 64));
    GOOD(cudaMallocManaged(&sm, 4096));

    measure<<<1, 1>>>(out, 3);
    GOOD(cudaDeviceSynchronize());
    CHECK(out[1] >= 512 * 4 && out[1] <= 512 * 16);
    if (argc == 1)
        CHECK(2 * out[0] - out[1] >= 0 && 2 * out[0] - out[1] < 40);
    else
        CHECK(2 * out[0] > out[1] / 2 && 2 * out[0] < out[1] + 40);
    CHECK(out[2] >= 1 && out[2] < 40);

    wait_for<<<1, 32>>>(out, 5000);
    GOOD(cudaDeviceSynchronize());
    CHECK(out[0] >= 5000 && out[0] < 5300 && out[1] > 20 && out[1] < 1000);

    wait_ns<<<1, 1>>>((unsigned long long *)out, 2000);
    GOOD(cudaDeviceSynchronize());
    CHECK(out[0] >= 2000 && out[0] < 2200);

    /* One block per SM at a time: the first block's SM gets no other, all others do. */
    GOOD(cudaFuncSetAttribute(where, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)p.sharedMemPerBlockOptin));
    where<<<3 * p.multiProcessorCount, 32, p.sharedMemPerBlockOptin>>>(sm, 20000);
    GOOD(cudaDeviceSynchronize());
    for (int b = 0; b < 3 * p.multiProcessorCount; b++) {
        CHECK(sm[b] < (unsigned)p.multiProcessorCount);
        seen[sm[b]]++;
    }
    for (int k = 0; k < p.multiProcessorCount; k++)
        CHECK(k == (int)sm[0] ? seen[k] == 1 : seen[k] >= 2);
    printf("good\n");
}
