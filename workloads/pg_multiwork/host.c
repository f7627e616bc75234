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

/* Device memory of one channel, except for its taps. */
struct channel {
    CUdeviceptr signal, filtered, kept, spread, out;
};

static void channel_on_device(struct rig *r, const struct channel *c,
                              CUdeviceptr analysis, int length)
{
    const struct launch l = { "filter_bank", { 1 }, { THREADS }, 0 };
    int taps = TAPS, step = STEP;
    CUdeviceptr synthesis = analysis + TAPS * sizeof(float);

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(c->signal), RIG_ARG(analysis), RIG_ARG(synthesis),
                        RIG_ARG(c->filtered), RIG_ARG(c->kept), RIG_ARG(c->spread),
                        RIG_ARG(c->out), RIG_ARG(length), RIG_ARG(taps),
                        RIG_ARG(step)));
}

static void channels_run(struct rig *r, int channels, int length)
{
    struct rng rng = rng_start(r->env, 107);
    size_t all = (size_t)(channels * length);
    float taps[2 * TAPS];
    float *signal = rig_host(r, all, sizeof *signal);
    float *filtered = rig_host(r, (size_t)length, sizeof *filtered);
    float *want = rig_host(r, all, sizeof *want);

    if (r->failed)
        return;
    for (int i = 0; i < 2 * TAPS; i++)
        taps[i] = (rng_unit(&rng) - 0.5f) / TAPS;
    for (size_t i = 0; i < all; i++)
        signal[i] = rng_unit(&rng);

    struct channel c = {
        .signal = rig_upload(r, signal, all * sizeof *signal),
        .filtered = rig_alloc(r, (size_t)length * sizeof *signal),
        .kept = rig_alloc(r, (size_t)(length / STEP) * sizeof *signal),
        .spread = rig_alloc(r, all * sizeof *signal),
        .out = rig_alloc(r, all * sizeof *want),
    };
    CUdeviceptr out = c.out, d_taps = rig_upload(r, taps, sizeof taps);
    rig_fill(r, c.spread, 0, all);
    for (int i = 0; i < channels; i++) {
        size_t first = (size_t)(i * length), bytes = (size_t)length * sizeof *signal;

        channel_on_device(r, &c, d_taps, length);
        channel_expect(&signal[first], taps, length, filtered, &want[first]);
        c.signal += bytes;
        c.spread += bytes;
        c.out += bytes;
    }
    rig_result(r, "channels", out, want, all);
}

static int pg_multiwork_run(struct workload_env *env)
{
    static const struct mix mixes[N_WORKLOAD_SIZE] = {
        { .matrices = { 1, 32, THREADS },
          .pictures = { 2, 24, 40, THREADS },
          .packets = { 1, 160, THREADS },
          .channels = 1,
          .length = 512 },
        { .matrices = { 2, 128, THREADS },
          .pictures = { 4, 64, 400, THREADS },
          .packets = { 2, 2048, THREADS },
          .channels = 2,
          .length = 16384 },
        { .matrices = { 8, 128, THREADS },
          .pictures = { 16, 64, 400, THREADS },
          .packets = { 8, 2048, THREADS },
          .channels = 8,
          .length = 16384 },
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
               "8 or 16 tasks of each kind" },
    .run = pg_multiwork_run,
};
