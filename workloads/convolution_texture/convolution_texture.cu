/* convolution_texture.cu - separable filter of an image: rows, then columns.
 *
 * A thread computes one pixel, in blocks of 16x16. It reads its 17 neighbours through a
 * texture, which repeats the edge; the filter's factors are in constant memory. Both loops
 * are unrolled.
 */
enum { REACH = 8, N_TAPS = 2 * REACH + 1 };

__constant__ float taps[N_TAPS];

/* dx, dy: the step from one neighbour to the next. */
static __device__ void filter(float *out, int width, int height, float dx, float dy,
                              cudaTextureObject_t image)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float x = (float)column + 0.5f, y = (float)row + 0.5f, sum = 0.0f;

    if (column >= width || row >= height)
        return;
#pragma unroll
    for (int i = 0; i < N_TAPS; i++)
        sum = fmaf(tex2D<float>(image, fmaf((float)(i - REACH), dx, x),
                                fmaf((float)(i - REACH), dy, y)),
                   taps[i], sum);
    out[row * width + column] = sum;
}

extern "C" __global__ void convolve_rows(float *out, int width, int height,
                                         cudaTextureObject_t image)
{
    filter(out, width, height, 1.0f, 0.0f, image);
}

extern "C" __global__ void convolve_columns(float *out, int width, int height,
                                            cudaTextureObject_t image)
{
    filter(out, width, height, 0.0f, 1.0f, image);
}
