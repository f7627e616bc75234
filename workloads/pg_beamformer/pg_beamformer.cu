/* pg_beamformer.cu - one channel of a beamformer: a complex filter as long as its signal.
 *
 * A task is one block. Its threads first fill the delay line, newest sample first, then
 * take every blockDim-th output each. An output walks the whole line once around: per tap
 * two loads of the line, two of the weights, and two sums that depend on the tap before.
 * The length is a power of two. Complex numbers are pairs of floats.
 */
extern "C" __global__ void beamformer_filter(const float *in, const float *weights,
                                             float *line, float *out, int length)
{
    int mask = 2 * length - 1;

    for (int j = threadIdx.x; j < length; j += blockDim.x) {
        int at = 2 * (length - 1 - j);

        line[at] = in[2 * j];
        line[at + 1] = in[2 * j + 1];
    }
    __syncthreads();
    for (int j = threadIdx.x; j < length; j += blockDim.x) {
        float real = 0.0f, imaginary = 0.0f;
        int at = 2 * (length - 1 - j);

        for (int i = 0; i < 2 * length; i += 2) {
            float x = line[at], y = line[at + 1];
            float u = weights[i], v = weights[i + 1];

            real += fmaf(x, u, y * v);
            imaginary += fmaf(y, u, x * v);
            at = (at + 2) & mask;
        }
        out[2 * j] = real;
        out[2 * j + 1] = imaginary;
    }
}
