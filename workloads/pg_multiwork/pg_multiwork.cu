/* pg_multiwork.cu - several kinds of small tasks in one program.
 *
 * Products of matrices, pictures, packets and filter banks; the first three are the
 * kernels of the programs of their own.
 */
#include "pg_des/pg_des.cu"
#include "pg_mandelbrot/pg_mandelbrot.cu"
#include "pg_matrixmul/pg_matrixmul.cu"

/* One sample of a signal under a filter that looks back. */
static __device__ float filter_sample(const float *signal, const float *filter,
                                      int taps, int at)
{
    float sum = 0.0f;

    for (int k = 0; k < taps; k++)
        if (at - k >= 0)
            sum = fmaf(signal[at - k], filter[k], sum);
    return sum;
}

/* One channel of a filter bank: filtered, every step-th sample kept, zeros between the
 * kept ones, filtered again. spread is zero before. */
extern "C" __global__ void filter_bank(const float *signal, const float *analysis,
                                       const float *synthesis, float *filtered,
                                       float *kept, float *spread, float *out,
                                       int length, int taps, int step)
{
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        filtered[i] = filter_sample(signal, analysis, taps, i);
    __syncthreads();
    for (int i = threadIdx.x; i < length / step; i += blockDim.x)
        kept[i] = filtered[i * step];
    for (int i = threadIdx.x; i < length / step; i += blockDim.x)
        spread[i * step] = kept[i];
    __syncthreads();
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        out[i] = filter_sample(spread, synthesis, taps, i);
}
