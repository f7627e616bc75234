/* pg_convolution.cu - a separable filter over one small image, rows, then columns.
 *
 * A task is one block; a thread takes every blockDim-th pixel. The filter lies in global
 * memory, and taps beyond the image's edge are left out: a branch per tap.
 */
extern "C" __global__ void convolve_rows(const float *src, const float *filter,
                                         float *dst, int side, int radius)
{
    for (int p = threadIdx.x; p < side * side; p += blockDim.x) {
        int x = p % side, y = p / side;
        float sum = 0.0f;

        for (int k = -radius; k <= radius; k++) {
            int at = x + k;

            if (at >= 0 && at < side)
                sum = fmaf(src[y * side + at], filter[radius - k], sum);
        }
        dst[y * side + x] = sum;
    }
}

extern "C" __global__ void convolve_columns(const float *src, const float *filter,
                                            float *dst, int side, int radius)
{
    for (int p = threadIdx.x; p < side * side; p += blockDim.x) {
        int x = p % side, y = p / side;
        float sum = 0.0f;

        for (int k = -radius; k <= radius; k++) {
            int at = y + k;

            if (at >= 0 && at < side)
                sum = fmaf(src[at * side + x], filter[radius - k], sum);
        }
        dst[y * side + x] = sum;
    }
}
