/* host.c - tango_gru: two values through gated recurrent units, a launch per time step.
 *
 * The check computes in double; all states are compared within a bound.
 */
#include <string.h>

#include "recurrent.h"

enum { SIDE = 10 };

/* Largest error over eight seeds: below 1e-7. */
static const float state_bound = 5e-7f;

struct network {
    struct gate update, reset, fresh;
};

static void step_expect(const struct network *n, double input, double *state)
{
    double kept[UNITS], next[UNITS];

    for (int i = 0; i < UNITS; i++)
        kept[i] = gate_line(gate_sum(&n->reset, input, state, i)) * state[i];
    for (int i = 0; i < UNITS; i++) {
        double change = gate_line(gate_sum(&n->update, input, state, i));
        double value = reference_tanh(gate_sum(&n->fresh, input, kept, i));

        next[i] = (1.0 - change) * state[i] + change * value;
    }
    memcpy(state, next, sizeof next);
}

/* Returns where the states after all steps are; step i reads row i. */
static CUdeviceptr steps_on_device(struct rig *r, const struct network *n,
                                   CUdeviceptr input)
{
    const struct launch l = { "gru_step", { 1 }, { SIDE, SIDE }, 0 };
    size_t row = UNITS * sizeof(float);
    CUdeviceptr states = rig_alloc(r, row * (STEPS + 1)), state = states;

    rig_fill(r, states, 0, UNITS);
    for (int i = 0; i < STEPS; i++) {
        CUdeviceptr next = state + row;

        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(n->update.at), RIG_ARG(n->reset.at),
                            RIG_ARG(n->fresh.at), RIG_ARG(input), RIG_ARG(state),
                            RIG_ARG(next)));
        input += sizeof(float);
        state = next;
    }
    return states + row;
}

static CUdeviceptr upload_floats(struct rig *r, const double *from, size_t n)
{
    float *to = rig_host(r, n, sizeof *to);

    for (size_t i = 0; i < n && !r->failed; i++)
        to[i] = (float)from[i];
    return rig_upload(r, to, n * sizeof *to);
}

static int tango_gru_run(struct workload_env *env)
{
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 112);
    struct network n = { .update = gate_make(&r, &rng, upload_floats),
                         .reset = gate_make(&r, &rng, upload_floats),
                         .fresh = gate_make(&r, &rng, upload_floats) };
    double *inputs = random_numbers(&r, &rng, STEPS, 1.0f), state[UNITS] = { 0.0 };
    float want[STEPS * UNITS];

    if (r.failed)
        return rig_end(&r);

    CUdeviceptr states = steps_on_device(&r, &n, upload_floats(&r, inputs, STEPS));
    for (int i = 0; i < STEPS; i++) {
        step_expect(&n, inputs[i], state);
        for (int k = 0; k < UNITS; k++)
            want[i * UNITS + k] = (float)state[k];
    }
    rig_near(&r, "states", states, want, STEPS * UNITS, state_bound);
    return rig_end(&r);
}

const struct workload workload_tango_gru = {
    .name = "tango_gru",
    .summary = "gated recurrent units, one small block per time step",
    .suite = "Tango",
    .theirs = "GRU",
    .papers = "ghost",
    .sizes = { "100 units, 2 steps", "100 units, 2 steps", "100 units, 2 steps" },
    .run = tango_gru_run,
};
