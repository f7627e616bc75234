/* host.c - tango_lstm: a sequence through long short-term memory, two launches per step.
 *
 * The check computes in double; states and predictions are compared within a bound.
 */
#include <string.h>

#include "../tango_gru/recurrent.h"

/* Largest error over several seeds: 1.1e-7. */
static const float state_bound = 5e-7f;

struct network {
    struct gate enter, forget, leave, fresh;
    float *readout;
};

static void step_expect(const struct network *n, double input, double *cells,
                        double *state)
{
    double next[UNITS];

    for (int i = 0; i < UNITS; i++) {
        double in = reference_sigmoid(gate_sum(&n->enter, input, state, i));
        double keep = reference_sigmoid(gate_sum(&n->forget, input, state, i));
        double out = reference_sigmoid(gate_sum(&n->leave, input, state, i));

        cells[i] =
            keep * cells[i] + in * reference_tanh(gate_sum(&n->fresh, input, state, i));
        next[i] = out * reference_tanh(cells[i]);
    }
    memcpy(state, next, sizeof next);
}

/* Device memory; state of step i at states + i rows, the first row is zero. */
struct memory {
    CUdeviceptr inputs, readout, cells, states, predicted;
};

static struct memory memory_make(struct rig *r, const struct network *n,
                                 const float *inputs, int steps)
{
    size_t row = UNITS * sizeof(float), bytes = (size_t)steps * sizeof(float);
    struct memory m = { .inputs = rig_upload(r, inputs, bytes),
                        .readout = rig_upload(r, n->readout, row),
                        .cells = rig_alloc(r, row),
                        .states = rig_alloc(r, row * (size_t)(steps + 1)),
                        .predicted = rig_alloc(r, bytes) };

    rig_fill(r, m.cells, 0, UNITS);
    rig_fill(r, m.states, 0, UNITS);
    return m;
}

static void step_on_device(struct rig *r, const struct network *n,
                           const struct memory *m, int step)
{
    const struct launch advance = { "lstm_step", { 1 }, { UNITS }, 0 };
    const struct launch predict = { "lstm_predict", { 1 }, { 1 }, 0 };
    int units = UNITS;
    size_t row = UNITS * sizeof(float);
    CUdeviceptr state = m->states + (size_t)step * row, next = state + row;

    rig_launch(r, &advance,
               RIG_ARGS(RIG_ARG(n->enter.at), RIG_ARG(n->forget.at),
                        RIG_ARG(n->leave.at), RIG_ARG(n->fresh.at), RIG_ARG(m->inputs),
                        RIG_ARG(step), RIG_ARG(state), RIG_ARG(m->cells),
                        RIG_ARG(next)));
    rig_launch(r, &predict,
               RIG_ARGS(RIG_ARG(m->readout), RIG_ARG(next), RIG_ARG(m->predicted),
                        RIG_ARG(step), RIG_ARG(units)));
}

static float readout_expect(const struct network *n, const double *state)
{
    double sum = 0.0;

    for (int i = 0; i < UNITS; i++)
        sum = fma((double)n->readout[i], state[i], sum);
    return (float)sum;
}

static int tango_lstm_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 5, 100, 200 };
    int steps = sizes[env->size];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 113);
    struct network n = { .enter = gate_make(&r, &rng),
                         .forget = gate_make(&r, &rng),
                         .leave = gate_make(&r, &rng),
                         .fresh = gate_make(&r, &rng),
                         .readout = random_numbers(&r, &rng, UNITS, 0.1f) };
    float *inputs = random_numbers(&r, &rng, (size_t)steps, 1.0f);
    float *want = rig_host(&r, (size_t)steps, sizeof *want), last[UNITS];
    double cells[UNITS] = { 0.0 }, state[UNITS] = { 0.0 };

    if (r.failed)
        return rig_end(&r);

    struct memory m = memory_make(&r, &n, inputs, steps);
    for (int i = 0; i < steps; i++) {
        step_on_device(&r, &n, &m, i);
        step_expect(&n, (double)inputs[i], cells, state);
        want[i] = readout_expect(&n, state);
    }
    for (int i = 0; i < UNITS; i++)
        last[i] = (float)state[i];
    rig_near(&r, "predicted", m.predicted, want, (size_t)steps, state_bound);
    rig_near(&r, "state", m.states + (size_t)steps * sizeof last, last, UNITS,
             state_bound);
    return rig_end(&r);
}

const struct workload workload_tango_lstm = {
    .name = "tango_lstm",
    .summary = "long short-term memory, one small block per time step",
    .suite = "Tango",
    .theirs = "LSTM",
    .papers = "ghost",
    .sizes = { "100 units, 5 steps", "100 units, 100 steps", "100 units, 200 steps" },
    .run = tango_lstm_run,
};
