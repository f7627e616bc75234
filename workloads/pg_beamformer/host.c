/* host.c - pg_beamformer: channels of a beamformer, each a task of one small block.
 *
 * Every channel passes the coarse filter and, every second sample, the fine one: two
 * launches of one block, as the suite runs its tasks without its own runtime. Sums are
 * taken in the kernel's order, so the check is exact.
 */
#include <math.h>
#include <string.h>

#include "../workload.h"

enum { THREADS = 128, TAPS = 256, LINE = 2 * TAPS };

struct shape {
    int channels, samples;
};

/* One of the two filters that every channel passes, with arrays for all channels. */
struct stage {
    int channels, outputs, stride; /* outputs per channel, input samples per output */
    const float *in, *weights, *line;
    float *next, *out;
    CUdeviceptr d_in, d_weights, d_line, d_next, d_out;
};

static float *random_numbers(struct rig *r, struct rng *rng, size_t n, float scale)
{
    float *to = rig_host(r, n, sizeof *to);

    for (size_t i = 0; i < n && !r->failed; i++)
        to[i] = scale * (rng_unit(rng) - 0.5f);
    return to;
}

/* Lines begin with random samples, as if there had been others before. */
static struct stage stage_make(struct rig *r, struct rng *rng, int channels,
                               int outputs)
{
    size_t lines = (size_t)(channels * LINE), n = (size_t)(channels * outputs * 2);
    size_t bytes = lines * sizeof(float);
    struct stage s = { .channels = channels,
                       .outputs = outputs,
                       .weights = random_numbers(r, rng, lines, 4.0f / TAPS),
                       .line = random_numbers(r, rng, lines, 2.0f),
                       .next = rig_host(r, lines, sizeof *s.next),
                       .out = rig_host(r, n, sizeof *s.out) };

    if (r->failed)
        return s;
    s.d_weights = rig_upload(r, s.weights, bytes);
    s.d_line = rig_upload(r, s.line, bytes);
    s.d_next = rig_upload(r, s.next, bytes);
    s.d_out = rig_alloc(r, n * sizeof *s.out);
    return s;
}

static void stage_on_device(struct rig *r, const struct stage *s, int channel)
{
    const struct launch l = { "beamformer_filter", { 1 }, { THREADS }, 0 };
    size_t lines = (size_t)(channel * LINE) * sizeof(float);
    size_t outputs = (size_t)(channel * s->outputs * 2) * sizeof(float);
    CUdeviceptr in = s->d_in + outputs * (size_t)s->stride, out = s->d_out + outputs;
    CUdeviceptr weights = s->d_weights + lines, line = s->d_line + lines;
    CUdeviceptr next = s->d_next + lines;
    int taps = TAPS;

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(in), RIG_ARG(weights), RIG_ARG(line), RIG_ARG(next),
                        RIG_ARG(out), RIG_ARG(taps), RIG_ARG(s->outputs),
                        RIG_ARG(s->stride)));
}

static void output_expect(const float *line, const float *weights, int at, float *out)
{
    out[0] = out[1] = 0.0f;
    for (int i = 0; i < TAPS; i++) {
        const float *sample = &line[2 * ((at + i) % TAPS)], *w = &weights[2 * i];

        out[0] += fmaf(sample[0], w[0], sample[1] * w[1]);
        out[1] += fmaf(sample[1], w[0], sample[0] * w[1]);
    }
}

static void stage_expect(const struct stage *s, int channel)
{
    const float *line = &s->line[channel * LINE],
                *weights = &s->weights[channel * LINE];

    for (int j = 0; j < s->outputs; j++) {
        int at = TAPS - 1 - j % TAPS, n = channel * s->outputs + j;

        memcpy(&s->next[channel * LINE + 2 * at], &s->in[2 * n * s->stride],
               2 * sizeof *s->next);
        output_expect(line, weights, at, &s->out[2 * n]);
    }
}

static void stage_run(struct rig *r, const struct stage *s, const char *outputs,
                      const char *lines)
{
    for (int i = 0; i < s->channels; i++) {
        stage_on_device(r, s, i);
        stage_expect(s, i);
    }
    rig_result(r, outputs, s->d_out, s->out, (size_t)(s->channels * s->outputs * 2));
    rig_result(r, lines, s->d_next, s->next, (size_t)(s->channels * LINE));
}

static int pg_beamformer_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 1, 256 },
        { 2, 4096 },
        { 16, 4096 },
    };
    const struct shape *shape = &shapes[env->size];
    size_t n = (size_t)(2 * shape->samples * shape->channels);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 101);
    float *signal = random_numbers(&r, &rng, n, 2.0f);
    struct stage coarse = stage_make(&r, &rng, shape->channels, shape->samples);
    struct stage fine = stage_make(&r, &rng, shape->channels, shape->samples / 2);

    if (r.failed)
        return rig_end(&r);
    coarse.stride = 1;
    coarse.in = signal;
    coarse.d_in = rig_upload(&r, signal, n * sizeof *signal);
    fine.stride = 2;
    fine.in = coarse.out;
    fine.d_in = coarse.d_out;
    stage_run(&r, &coarse, "coarse", "coarse_lines");
    stage_run(&r, &fine, "fine", "fine_lines");
    return rig_end(&r);
}

const struct workload workload_pg_beamformer = {
    .name = "pg_beamformer",
    .summary = "complex filters of a beamformer, one small block per task",
    .suite = "Pagoda",
    .theirs = "beamformer",
    .papers = "ghost",
    .sizes = { "1 channel of 256 samples", "2 channels of 4096 samples",
               "16 channels of 4096 samples" },
    .run = pg_beamformer_run,
};
