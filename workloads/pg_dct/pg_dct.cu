/* pg_dct.cu - cosine transform of the 8x8 patches of one small image.
 *
 * A task is one block of 64 threads; a thread transforms whole patches, first their rows
 * from src to dst, then their columns in dst. The factors are doubles, so most of the
 * arithmetic is, as in the suite's program.
 */
enum { PATCH = 8 };

/* Eight values, step apart, from in to out (which may be in). */
static __device__ void transform(const float *in, float *out, int step)
{
    const double norm = 0.3535533905932737;
    const double a = 1.387039845322148, b = 1.306562964876377, c = 1.175875602419359;
    const double d = 0.785694958387102, e = 0.541196100146197, f = 0.275899379282943;
    float sum0 = in[0] + in[7 * step], sum1 = in[step] + in[6 * step];
    float sum2 = in[2 * step] + in[5 * step], sum3 = in[3 * step] + in[4 * step];
    double dif0 = in[0] - in[7 * step], dif1 = in[6 * step] - in[step];
    double dif2 = in[2 * step] - in[5 * step], dif3 = in[4 * step] - in[3 * step];
    float outer = sum0 + sum3, inner = sum1 + sum2;
    double outer_odd = sum0 - sum3, inner_odd = sum1 - sum2;

    out[0] = (float)(norm * (double)(outer + inner));
    out[2 * step] = (float)(norm * fma(b, outer_odd, e * inner_odd));
    out[4 * step] = (float)(norm * (double)(outer - inner));
    out[6 * step] = (float)(norm * fma(e, outer_odd, -(b * inner_odd)));
    out[step] = (float)(norm * fma(-f, dif3, fma(d, dif2, fma(a, dif0, -(c * dif1)))));
    out[3 * step] = (float)(norm * fma(d, dif3, fma(-a, dif2, fma(c, dif0, f * dif1))));
    out[5 * step] = (float)(norm * fma(-c, dif3, fma(f, dif2, fma(d, dif0, a * dif1))));
    out[7 * step] = (float)(norm * fma(a, dif3, fma(c, dif2, fma(f, dif0, d * dif1))));
}

extern "C" __global__ void dct_image(const float *src, float *dst, int side)
{
    int across = side / PATCH;

    for (int patch = threadIdx.x; patch < across * across; patch += blockDim.x) {
        int corner = patch / across * PATCH * side + patch % across * PATCH;

        for (int k = 0; k < PATCH; k++)
            transform(src + corner + k * side, dst + corner + k * side, 1);
        for (int k = 0; k < PATCH; k++)
            transform(dst + corner + k, dst + corner + k, side);
    }
}
