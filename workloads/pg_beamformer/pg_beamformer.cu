/* pg_beamformer.cu - one channel of a beamformer: a complex filter over a delay line.
 *
 * A task is one block; a thread takes every blockDim-th output. The line is a ring in
 * global memory, newest sample first, whose length is a power of two and a multiple of the
 * block's. For each output a thread stores a sample in the ring that the next call reads,
 * then walks once around this one: per tap two loads of the line, two of the weights, and
 * two sums that depend on the tap before. The suite's program has one ring for both, in
 * which its warps race. Complex numbers are pairs of floats. The suite compiles for at most
 * 32 registers.
 */
extern "C" __global__ void __maxnreg__(32)
    beamformer_filter(const float *in, const float *weights, const float *line,
                      float *next, float *out, int taps, int outputs, int stride)
{
    int mask = 2 * taps - 1;

    for (int j = threadIdx.x; j < outputs; j += blockDim.x) {
        float real = 0.0f, imaginary = 0.0f;
        int at = 2 * (taps - 1 - (j & (taps - 1)));

        next[at] = in[2 * j * stride];
        next[at + 1] = in[2 * j * stride + 1];
        for (int i = 0; i < 2 * taps; i += 2) {
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
