/* softmax.cuh - rows of a softmax whose scores come a tile at a time.
 *
 * A thread has two rows of a tile, 8 apart, as products on tensor cores leave them: of each group
 * of four sums, the first two are in the first row, the others in the second; the four threads of
 * a quad share their rows. The largest score so far is subtracted before the exponential, so
 * when it grows, earlier sums are scaled down.
 */
#ifndef ATTENTION_SOFTMAX_CUH
#define ATTENTION_SOFTMAX_CUH

#include <cstdint>
#include <cuda_fp16.h>

static __device__ float power_of_two(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ float quad_max(float x)
{
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

static __device__ float quad_sum(float x)
{
    x += __shfl_xor_sync(0xffffffff, x, 1);
    return x + __shfl_xor_sync(0xffffffff, x, 2);
}

struct softmax_rows {
    float largest[2] = { -INFINITY, -INFINITY }; /* in units of a power of two */
    float sum[2] = { 0.0f, 0.0f };               /* of this thread's columns */

    /* Scores become weights; the sums before them are to be multiplied by shrink[]. scale:
     * from scores to powers of two. */
    template <int N> __device__ void add(float (&score)[N], float scale, float (&shrink)[2])
    {
#pragma unroll
        for (int row = 0; row < 2; row++) {
            float before = largest[row], most = -INFINITY;

#pragma unroll
            for (int i = 2 * row; i < N; i += 4)
                most = fmaxf(most, fmaxf(score[i], score[i + 1]));
            largest[row] = fmaxf(before, quad_max(most) * scale);
            shrink[row] = power_of_two(before - largest[row]);
            sum[row] *= shrink[row];
#pragma unroll
            for (int i = 2 * row; i < N; i += 4) {
                score[i] = power_of_two(fmaf(score[i], scale, -largest[row]));
                score[i + 1] = power_of_two(fmaf(score[i + 1], scale, -largest[row]));
                sum[row] += score[i] + score[i + 1];
            }
        }
    }

    /* What the weighted sums are to be multiplied by in the end. */
    __device__ float share(int row) { return 1.0f / quad_sum(sum[row]); }
};

template <int N> static __device__ void scale_rows(float (&sums)[N], const float (&by)[2])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        sums[i] *= by[i / 2 % 2];
}

/* Scores of keys that come after their query get no weight. first_row, first_key: of score[0]. */
template <int N> static __device__ void mask_future(float (&score)[N], int first_row, int first_key)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (first_key + i / 4 * 8 + i % 2 > first_row + i / 2 % 2 * 8)
            score[i] = -INFINITY;
}

static __device__ uint32_t pack_halves(float low, float high)
{
    half2 both = __floats2half2_rn(low, high);

    return *(uint32_t *)&both;
}

/* The weights of 16 keys as a factor of the next product: four registers. */
template <int N> static __device__ void pack_weights(const float (&weight)[N], int step, uint32_t (&a)[4])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = pack_halves(weight[8 * step + 2 * i], weight[8 * step + 2 * i + 1]);
}

#endif
