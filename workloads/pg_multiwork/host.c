/* host.c - pg_multiwork: matrices, pictures, filter banks and packets, one block of 256
 * threads per task.
 */
#include <math.h>

#include "../pg_des/task.h"
#include "../pg_mandelbrot/task.h"
#include "../pg_matrixmul/task.h"

enum { THREADS = 256, TAPS = 32, STEP = 8 };

struct mix {
    struct matrix_tasks matrices;
    struct mandelbrot_tasks pictures;
    struct des_tasks packets;
    int channels, length; /* of the filter bank */
};

static void filter(const float *signal, const float *taps, int length, float *to)
{
    for (int i = 0; i < length; i++) {
        to[i] = 0.0f;
        for (int k = 0; k < TAPS && k <= i; k++)
            to[i] = fmaf(signal[i - k], taps[k], to[i]);
    }
}

/* filtered is overwritten with what is between the two filters. */
static void channel_expect(const float *signal, const float *taps, int length,
                           float *filtered, float *out)
{
    filter(signal, taps, length, filtered);
    for (int i = 0; i < length; i++)
        if (i % STEP)
            filtered[i] = 0.0f;
    filter(filtered, taps + TAPS, length, out);
}

static void channel_on_device(struct rig *r, CUdeviceptr signal, CUdeviceptr analysis,
                              CUdeviceptr spread, CUdeviceptr out, int length)
{
    const struct launch l = { "filter_bank", { 1 }, { THREADS }, 0 };
    int taps = TAPS, step = STEP;
    CUdeviceptr synthesis = analysis + TAPS * sizeof(float);
    CUdeviceptr filtered = rig_alloc(r, (size_t)length * sizeof(float));
    CUdeviceptr kept = rig_alloc(r, (size_t)(length / STEP) * sizeof(float));

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(signal), RIG_ARG(analysis), RIG_ARG(synthesis),
                        RIG_ARG(filtered), RIG_ARG(kept), RIG_ARG(spread), RIG_ARG(out),
                        RIG_ARG(length), RIG_ARG(taps), RIG_ARG(step)));
}

static void channels_run(struct rig *r, int channels, int length)
{
    struct rng rng = rng_start(r->env, 107);
    size_t all = (size_t)(channels * length);
    float taps[2 * TAPS];
    float *signal = rig_host(r, all, sizeof *signal);
    float *filtered = rig_host(r, (size_t)length, sizeof *filtered);
    float *want = rig_host(r, all, sizeof *want);
    CUdeviceptr out = rig_alloc(r, all * sizeof *want);
    CUdeviceptr spread = rig_alloc(r, all * sizeof *want);

    if (r->failed)
        return;
    for (int i = 0; i < 2 * TAPS; i++)
        taps[i] = (rng_unit(&rng) - 0.5f) / TAPS;
    for (size_t i = 0; i < all; i++)
        signal[i] = rng_unit(&rng);
    rig_fill(r, spread, 0, all);

    CUdeviceptr d_signal = rig_upload(r, signal, all * sizeof *signal);
    CUdeviceptr d_taps = rig_upload(r, taps, sizeof taps);
    for (int i = 0; i < channels; i++) {
        size_t first = (size_t)(i * length), at = first * sizeof *signal;

        channel_on_device(r, d_signal + at, d_taps, spread + at, out + at, length);
        channel_expect(&signal[first], taps, length, filtered, &want[first]);
    }
    rig_result(r, "channels", out, want, all);
}

static int pg_multiwork_run(struct workload_env *env)
{
    static const struct mix mixes[N_WORKLOAD_SIZE] = {
        { { 1, 32, THREADS }, { 2, 24, 40, THREADS }, { 1, 160, THREADS }, 1, 512 },
        { { 2, 128, THREADS },
          { 4, 64, 400, THREADS },
          { 2, 2048, THREADS },
          2,
          16384 },
        { { 4, 256, THREADS },
          { 8, 128, 400, THREADS },
          { 4, 4096, THREADS },
          4,
          65536 },
    };
    const struct mix *m = &mixes[env->size];
    struct rig r = rig_begin(env);

    matrix_run_tasks(&r, &m->matrices);
    mandelbrot_run_tasks(&r, &m->pictures);
    channels_run(&r, m->channels, m->length);
    des_run_tasks(&r, &m->packets);
    return rig_end(&r);
}

const struct workload workload_pg_multiwork = {
    .name = "pg_multiwork",
    .summary = "four kinds of small tasks in one program, one block per task",
    .suite = "Pagoda",
    .theirs = "multiwork",
    .papers = "ghost",
    .sizes = { "1 or 2 tasks of each kind", "2 to 4 tasks of each kind",
               "4 to 8 tasks of each kind" },
    .run = pg_multiwork_run,
};
