/* reduction.cu - sums by warp shuffles.
 *
 * Each thread adds up a grid-stride slice; a warp folds its 32 sums by shuffles, the
 * first warp folds the warps' sums left in dynamic shared memory (one word a warp).
 * One result a block; a second launch with one block folds those. The float version
 * folds with shuffle-down, the integer version with butterflies.
 */
#define FULL 0xffffffffu

extern __shared__ unsigned warp_sum[];

extern "C" __global__ void reduce_float(const float *in, float *out, unsigned n)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(FULL, sum, step);
    if (lane == 0)
        warp_sum[warp] = __float_as_uint(sum);
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? __uint_as_float(warp_sum[lane]) : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(FULL, sum, step);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduce_int(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = 0;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 1; step < 32; step *= 2)
        sum += __shfl_xor_sync(FULL, sum, step);
    if (lane == 0)
        warp_sum[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warp_sum[lane] : 0;
        for (int step = 1; step < 32; step *= 2)
            sum += __shfl_xor_sync(FULL, sum, step);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}
