/* skinny.cuh - products with few rows: a large matrix of weights and a small batch.
 *
 * C(row, col) = A(row) . B(col), where the BATCH rows of A are vectors and the columns of B
 * are rows of weights in memory. There is nothing to reuse but the vectors, so that such a
 * product is as fast as weights arrive: a warp has one row of weights, its lanes runs of
 * four, with several runs on their way.
 */
#ifndef SKINNY_CUH
#define SKINNY_CUH

#include "product.cuh"

namespace skinny
{
constexpr int THREADS = 128, LANES = 32, WARPS = THREADS / LANES, RUN = 4;

/* The sum over a warp, for every lane. */
__device__ float sum_over_warp(float v)
{
#pragma unroll
    for (int apart = LANES / 2; apart > 0; apart /= 2)
        v += __shfl_xor_sync(0xffffffff, v, apart);
    return v;
}

/* n columns of C; k is a multiple of 128. */
template <int BATCH>
__device__ void nt(const float *__restrict__ a, const float *__restrict__ b, float *c, int n,
                   int k)
{
    int lane = threadIdx.x % LANES, col = blockIdx.x * WARPS + threadIdx.x / LANES;
    float sum[BATCH] = {};

    if (col >= n)
        return;
    a += lane * RUN;
    b += (size_t)col * k + lane * RUN;
#pragma unroll 4
    for (int d = 0; d < k; d += LANES * RUN) {
        float weight[RUN], unit[RUN];

        load_run(weight, b + d);
#pragma unroll
        for (int row = 0; row < BATCH; row++) {
            load_run(unit, a + row * k + d);
#pragma unroll
            for (int i = 0; i < RUN; i++)
                sum[row] = fmaf(unit[i], weight[i], sum[row]);
        }
    }
#pragma unroll
    for (int row = 0; row < BATCH; row++) {
        float total = sum_over_warp(sum[row]);

        if (lane == 0)
            c[row * n + col] = total;
    }
}

} // namespace skinny

#endif
