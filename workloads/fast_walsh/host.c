/* host.c - fast_walsh: dyadic convolution of a long vector with a short one.
 *
 * Both are transformed, multiplied and transformed back. The check adds in the kernels' order,
 * so it is exact. That the result is the convolution is checked apart, from its definition,
 * for some elements.
 */
#include <math.h>

#include "../workload.h"

enum { SIZE = 1024, THREADS = SIZE / 4, N_SHORT = 128 };

static void butterfly(float *v, size_t stride)
{
    float a = v[0], b = v[stride], c = v[2 * stride], d = v[3 * stride];
    float even = a + c, odd = b + d, even_less = a - c, odd_less = b - d;

    v[0] = even + odd;
    v[stride] = even - odd;
    v[2 * stride] = even_less + odd_less;
    v[3 * stride] = even_less - odd_less;
}

static void transform(float *v, size_t n)
{
    for (size_t stride = n / 4; stride > 0; stride /= 4)
        for (size_t group = 0; group < n; group += 4 * stride)
            for (size_t i = 0; i < stride; i++)
                butterfly(v + group + i, stride);
}

static void transform_on_device(struct rig *r, CUdeviceptr v, unsigned n)
{
    unsigned stride = n / 4;

    for (; stride > SIZE / 4; stride /= 4)
        rig_launch(
            r, &(struct launch){ "walsh_stage", { n / 4 / THREADS }, { THREADS }, 0 },
            RIG_ARGS(RIG_ARG(v), RIG_ARG(stride)));
    rig_launch(r, &(struct launch){ "walsh_last_stages", { n / SIZE }, { THREADS }, 0 },
               RIG_ARGS(RIG_ARG(v)));
}

/* Bound: log2 n roundings each way, of numbers up to about the sum of all terms. */
static void check_convolution(struct rig *r, const float *got, const float *data,
                              const float *factors, unsigned n)
{
    for (unsigned i = 0; i < n; i += n / 8 + 1) {
        double sum = 0.0;

        for (unsigned k = 0; k < N_SHORT; k++)
            sum += (double)data[i ^ k] * (double)factors[k];
        if (!(fabs(sum - (double)got[i]) <= 0x1p-24 * 64 * N_SHORT))
            rig_fail(r, "element %u is %g, expected %g", i, (double)got[i], sum);
    }
}

static int fast_walsh_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 1u << 12, 1u << 18, 1u << 22 };
    unsigned n = sizes[env->size], blocks = n / THREADS < 128 ? n / THREADS : 128;
    size_t bytes = n * sizeof(float);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 26);
    float *data = rig_host(&r, n, sizeof *data), *v = rig_host(&r, n, sizeof *v);
    float *w = rig_host(&r, n, sizeof *w), factors[N_SHORT];

    if (r.failed)
        return rig_end(&r);
    for (unsigned i = 0; i < n; i++)
        v[i] = data[i] = rng_unit(&rng);
    for (unsigned i = 0; i < N_SHORT; i++)
        w[i] = factors[i] = rng_unit(&rng);
    CUdeviceptr d_v = rig_upload(&r, v, bytes), d_w = rig_upload(&r, w, bytes);

    transform_on_device(&r, d_v, n);
    transform_on_device(&r, d_w, n);
    rig_launch(&r, &(struct launch){ "walsh_multiply", { blocks }, { THREADS }, 0 },
               RIG_ARGS(RIG_ARG(d_v), RIG_ARG(d_w), RIG_ARG(n)));
    transform_on_device(&r, d_v, n);

    transform(v, n);
    transform(w, n);
    for (unsigned i = 0; i < n; i++)
        v[i] *= w[i] * (1.0f / (float)n);
    transform(v, n);
    rig_result(&r, "convolution", d_v, v, n);
    rig_result(&r, "spectrum", d_w, w, n);
    check_convolution(&r, v, data, factors, n);
    return rig_end(&r);
}

const struct workload workload_fast_walsh = {
    .name = "fast_walsh",
    .summary = "dyadic convolution by fast Walsh transforms",
    .suite = "CUDA SDK",
    .theirs = "fastWalshTransform",
    .papers = "darsie",
    .sizes = { "4096 elements", "2^18 elements", "2^22 elements" },
    .run = fast_walsh_run,
};
