/* host.c - backprop: one training step of a network with one hidden layer.
 *
 * The device does the wide first layer; the host does the rest, as in the suite the
 * papers use. The squashing function is x / (1 + |x|) scaled to (0, 1) rather than
 * the logistic one: only exactly rounded operations, so that the second kernel gets
 * the same input on every machine. The check repeats all operations in order: exact.
 */
#include <math.h>
#include <string.h>

#include "../workload.h"

enum { HIDDEN = 16, ROW = HIDDEN + 1, SIDE = 16 };

struct net {
    unsigned n_in;
    float *input;    /* n_in + 1, unit 0 is the bias */
    float *weights;  /* (n_in + 1) rows of ROW */
    float *momentum; /* the same */
    float out[ROW];  /* weights from hidden units to the output */
    float target;
};

static float squash(float x)
{
    return 0.5f * (x / (1.0f + fabsf(x)) + 1.0f);
}

static void forward(const struct net *net, float *partial)
{
    for (unsigned block = 0; block < net->n_in / SIDE; block++) {
        for (unsigned h = 0; h < HIDDEN; h++) {
            float v[SIDE];

            for (unsigned i = 0; i < SIDE; i++) {
                unsigned in = block * SIDE + i + 1;

                v[i] = net->weights[in * ROW + h + 1] * net->input[in];
            }
            for (unsigned step = 1; step < SIDE; step *= 2)
                for (unsigned i = 0; i < SIDE; i += 2 * step)
                    v[i] = v[i] + v[i + step];
            partial[block * HIDDEN + h] = v[0];
        }
    }
}

/* From the blocks' sums to the error that each hidden unit is charged with. */
static void hidden_delta(const struct net *net, const float *partial, float delta[ROW])
{
    float hidden[ROW], sum = net->out[0], out, error;

    for (unsigned h = 0; h < HIDDEN; h++) {
        float in = net->weights[h + 1] * net->input[0];

        for (unsigned block = 0; block < net->n_in / SIDE; block++)
            in = in + partial[block * HIDDEN + h];
        hidden[h + 1] = squash(in);
        sum = fmaf(hidden[h + 1], net->out[h + 1], sum);
    }
    out = squash(sum);
    error = out * (1.0f - out) * (net->target - out);
    delta[0] = 0.0f;
    for (unsigned h = 1; h <= HIDDEN; h++)
        delta[h] = hidden[h] * (1.0f - hidden[h]) * (error * net->out[h]);
}

static void adjust(const struct net *net, const float delta[ROW])
{
    const double rate = 0.3, keep = 0.3;

    for (unsigned in = 0; in <= net->n_in; in++) {
        for (unsigned h = 1; h <= HIDDEN; h++) {
            float *w = &net->weights[in * ROW + h], *m = &net->momentum[in * ROW + h];
            double factor = in ? rate * (double)delta[h] : rate;
            double unit = in ? (double)net->input[in] : (double)delta[h];
            double change = fma(factor, unit, keep * (double)*m);

            *w = (float)((double)*w + change);
            *m = (float)change;
        }
    }
}

static void net_make(struct rig *r, struct net *net, unsigned n_in)
{
    struct rng rng = rng_start(r->env, 11);
    size_t n = ((size_t)n_in + 1) * ROW;

    net->n_in = n_in;
    net->input = rig_host(r, n_in + 1, sizeof *net->input);
    net->weights = rig_host(r, n, sizeof *net->weights);
    net->momentum = rig_host(r, n, sizeof *net->momentum);
    if (r->failed)
        return;
    net->input[0] = 1.0f;
    for (unsigned i = 1; i <= n_in; i++)
        net->input[i] = rng_unit(&rng);
    for (size_t i = 0; i < n; i++) {
        net->weights[i] = 0.0625f * (rng_unit(&rng) - 0.5f);
        net->momentum[i] = 0.0625f * (rng_unit(&rng) - 0.5f);
    }
    for (unsigned h = 0; h < ROW; h++)
        net->out[h] = rng_unit(&rng) - 0.5f;
    net->target = 0.1f;
}

static int backprop_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 512, 16384, 65536 };
    unsigned n_in = sizes[env->size], blocks = n_in / SIDE;
    size_t n = ((size_t)n_in + 1) * ROW, n_partial = (size_t)blocks * HIDDEN;
    int hidden = HIDDEN;
    struct rig r = rig_begin(env);
    struct net net;
    float *partial = rig_host(&r, n_partial, sizeof *partial);
    float *want = rig_host(&r, n_partial, sizeof *want), delta[ROW];
    struct launch l = { "layer_forward", { 1, blocks }, { SIDE, SIDE }, 0 };

    net_make(&r, &net, n_in);
    if (r.failed)
        return rig_end(&r);
    CUdeviceptr input = rig_upload(&r, net.input, (n_in + 1) * sizeof *net.input);
    CUdeviceptr weights = rig_upload(&r, net.weights, n * sizeof *net.weights);
    CUdeviceptr momentum = rig_upload(&r, net.momentum, n * sizeof *net.momentum);
    CUdeviceptr d_partial = rig_alloc(&r, n_partial * sizeof *partial);

    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(input), RIG_ARG(weights), RIG_ARG(d_partial),
                        RIG_ARG(hidden)));
    rig_download(&r, partial, d_partial, n_partial * sizeof *partial);
    forward(&net, want);
    rig_output(&r, "partial", partial, want, n_partial);

    hidden_delta(&net, partial, delta);
    CUdeviceptr d_delta = rig_upload(&r, delta, sizeof delta);
    l.kernel = "adjust_weights";
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(d_delta), RIG_ARG(input), RIG_ARG(weights),
                        RIG_ARG(momentum), RIG_ARG(hidden)));
    adjust(&net, delta);
    rig_result(&r, "weights", weights, net.weights, n);
    rig_result(&r, "momentum", momentum, net.momentum, n);
    return rig_end(&r);
}

const struct workload workload_backprop = {
    .name = "backprop",
    .summary = "one training step: layer forward, weight adjustment",
    .suite = "Rodinia",
    .papers = "ghost socgpu darsie",
    .sizes = { "512 inputs", "16384 inputs", "65536 inputs" },
    .run = backprop_run,
};
