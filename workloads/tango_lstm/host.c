/* host.c - tango_lstm: two values through long short-term memory, in one launch.
 *
 * Kernel and check compute in double; their exponentials differ, so the predictions are
 * compared within a bound.
 */
#include <string.h>

#include "../tango_gru/recurrent.h"

/* Largest error over eight seeds: below 5e-16. */
static const double predicted_bound = 1e-14;

/* As the kernel's parameter. */
struct inputs {
    double at[STEPS];
};

struct network {
    struct gate enter, forget, leave, fresh;
    double *weights, bias; /* of the prediction */
};

static void step_expect(const struct network *n, double input, double *cells,
                        double *state)
{
    double next[UNITS];

    for (int i = 0; i < UNITS; i++) {
        double in = gate_line(gate_sum(&n->enter, input, state, i));
        double keep = gate_line(gate_sum(&n->forget, input, state, i));
        double out = gate_line(gate_sum(&n->leave, input, state, i));

        cells[i] =
            keep * cells[i] + in * reference_tanh(gate_sum(&n->fresh, input, state, i));
        next[i] = out * reference_tanh(cells[i]);
    }
    memcpy(state, next, sizeof next);
}

static double predict_expect(const struct network *n, const double *state)
{
    double sum = n->bias;

    for (int i = 0; i < UNITS; i++)
        sum = fma(n->weights[i], state[i], sum);
    return sum;
}

static CUdeviceptr upload_doubles(struct rig *r, const double *from, size_t n)
{
    return rig_upload(r, from, n * sizeof *from);
}

static void steps_on_device(struct rig *r, const struct network *n,
                            const struct inputs *inputs, double *predicted)
{
    const struct launch l = { "lstm_steps", { 1 }, { UNITS }, 0 };
    CUdeviceptr weights = upload_doubles(r, n->weights, UNITS);
    CUdeviceptr bias = upload_doubles(r, &n->bias, 1);
    CUdeviceptr to = rig_alloc(r, STEPS * sizeof *predicted);

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(n->enter.at), RIG_ARG(n->forget.at),
                        RIG_ARG(n->leave.at), RIG_ARG(n->fresh.at), RIG_ARG(*inputs),
                        RIG_ARG(weights), RIG_ARG(bias), RIG_ARG(to)));
    rig_download(r, predicted, to, STEPS * sizeof *predicted);
    rig_output(r, "predicted", predicted, NULL,
               STEPS * sizeof *predicted / sizeof(uint32_t));
}

static int tango_lstm_run(struct workload_env *env)
{
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 113);
    struct network n = { .enter = gate_make(&r, &rng, upload_doubles),
                         .forget = gate_make(&r, &rng, upload_doubles),
                         .leave = gate_make(&r, &rng, upload_doubles),
                         .fresh = gate_make(&r, &rng, upload_doubles),
                         .weights = random_numbers(&r, &rng, UNITS, 0.1f),
                         .bias = (double)rng_unit(&rng) };
    double cells[UNITS] = { 0.0 }, state[UNITS] = { 0.0 }, predicted[STEPS] = { 0.0 };
    struct inputs inputs;

    if (r.failed)
        return rig_end(&r);
    for (int i = 0; i < STEPS; i++)
        inputs.at[i] = (double)rng_unit(&rng);
    steps_on_device(&r, &n, &inputs, predicted);
    for (int i = 0; i < STEPS; i++) {
        step_expect(&n, inputs.at[i], cells, state);

        double want = predict_expect(&n, state);
        if (!(fabs(predicted[i] - want) <= predicted_bound))
            rig_fail(&r, "predicted[%d] is %.17g, expected %.17g within %g", i,
                     predicted[i], want, predicted_bound);
    }
    return rig_end(&r);
}

const struct workload workload_tango_lstm = {
    .name = "tango_lstm",
    .summary = "long short-term memory, two time steps in one small block",
    .suite = "Tango",
    .theirs = "LSTM",
    .papers = "ghost",
    .sizes = { "100 units, 2 steps", "100 units, 2 steps", "100 units, 2 steps" },
    .run = tango_lstm_run,
};
