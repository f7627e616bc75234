/* slices.cu - reads of 16 MB that stay in L2, by all SMs: how evenly its slices serve them.
 *
 * nvcc -arch=sm_90 -O2 -o slices tools/hw/slices.cu
 * ncu --clock-control none --metrics lts__cycles_elapsed.avg.per_second,\
 *     lts__t_sectors.min,lts__t_sectors.avg,lts__t_sectors.max ./slices
 */
#include <stdio.h>

enum { SMS = 132, THREADS = 1024, LOADS = 4, ROUNDS = 400 };
#define WORDS (SMS * THREADS * LOADS * 2ul)

__global__ void read_all(const uint4 *from, uint4 *to)
{
    unsigned long step = SMS * THREADS, first = blockIdx.x * THREADS + threadIdx.x;
    uint4 sum = { 0, 0, 0, 0 };

    for (int round = 0; round < ROUNDS; round++)
        for (unsigned long i = first; i < WORDS; i += LOADS * step)
            for (int k = 0; k < LOADS; k++) {
                uint4 a = __ldcg(from + i + k * step);

                sum.x ^= a.x;
                sum.y ^= a.y;
                sum.z ^= a.z;
                sum.w ^= a.w;
            }
    if (sum.x | sum.y | sum.z | sum.w) /* never: all is zero */
        *to = sum;
}

int main(void)
{
    uint4 *p;

    if (cudaMalloc(&p, (WORDS + 1) * sizeof *p) || cudaMemset(p, 0, WORDS * sizeof *p))
        return 1;
    read_all<<<SMS, THREADS>>>(p, p + WORDS);
    return cudaDeviceSynchronize() != cudaSuccess;
}
