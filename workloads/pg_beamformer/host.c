/* host.c - pg_beamformer: channels of a beamformer, each a task of one small block.
 *
 * Every channel passes the coarse and the fine filter: two launches of one block, as the
 * suite runs its tasks without its own runtime. Sums are taken in the kernel's order, so
 * the check is exact.
 */
#include <math.h>

#include "../workload.h"

enum { THREADS = 128, STAGES = 2 };

struct shape {
    int channels, length;
};

static void filter(const float *in, const float *weights, int length, float *out)
{
    for (int j = 0; j < length; j++) {
        float real = 0.0f, imaginary = 0.0f;

        for (int i = 0; i < length; i++) {
            const float *sample = &in[2 * ((j + length - i) % length)];
            const float *w = &weights[2 * i];

            real += fmaf(sample[0], w[0], sample[1] * w[1]);
            imaginary += fmaf(sample[1], w[0], sample[0] * w[1]);
        }
        out[2 * j] = real;
        out[2 * j + 1] = imaginary;
    }
}

static void channel_on_device(struct rig *r, const struct shape *s, CUdeviceptr signal,
                              CUdeviceptr weights, CUdeviceptr line, CUdeviceptr out)
{
    const struct launch l = { "beamformer_filter", { 1 }, { THREADS }, 0 };
    size_t bytes = (size_t)s->length * 2 * sizeof(float);
    CUdeviceptr from = signal, to = out;

    for (int stage = 0; stage < STAGES; stage++) {
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(from), RIG_ARG(weights), RIG_ARG(line), RIG_ARG(to),
                            RIG_ARG(s->length)));
        from = to;
        to += bytes;
    }
}

static void fill(struct rng *rng, float *to, size_t n, float scale)
{
    for (size_t i = 0; i < n; i++)
        to[i] = scale * (rng_unit(rng) - 0.5f);
}

static int pg_beamformer_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 2, 128 },
        { 4, 512 },
        { 8, 1024 },
    };
    const struct shape *s = &shapes[env->size];
    size_t floats = (size_t)s->length * 2, all = floats * (size_t)s->channels;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 101);
    float *signal = rig_host(&r, all, sizeof *signal);
    float *weights = rig_host(&r, all, sizeof *weights);
    float *want = rig_host(&r, all * STAGES, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    fill(&rng, signal, all, 2.0f);
    fill(&rng, weights, all, 4.0f / (float)s->length);

    CUdeviceptr d_signal = rig_upload(&r, signal, all * sizeof *signal);
    CUdeviceptr d_weights = rig_upload(&r, weights, all * sizeof *weights);
    CUdeviceptr line = rig_alloc(&r, all * sizeof *signal);
    CUdeviceptr out = rig_alloc(&r, all * STAGES * sizeof *want);
    for (int c = 0; c < s->channels; c++) {
        size_t first = (size_t)c * floats, at = first * sizeof *signal;
        float *coarse = &want[first * STAGES];

        channel_on_device(&r, s, d_signal + at, d_weights + at, line + at,
                          out + at * STAGES);
        filter(&signal[first], &weights[first], s->length, coarse);
        filter(coarse, &weights[first], s->length, coarse + floats);
    }
    rig_result(&r, "filtered", out, want, all * STAGES);
    return rig_end(&r);
}

const struct workload workload_pg_beamformer = {
    .name = "pg_beamformer",
    .summary = "complex filters of a beamformer, one small block per task",
    .suite = "Pagoda",
    .theirs = "beamformer",
    .papers = "ghost",
    .sizes = { "2 channels of 128", "4 channels of 512", "8 channels of 1024" },
    .run = pg_beamformer_run,
};
