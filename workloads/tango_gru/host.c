/* host.c - tango_gru: a sequence through gated recurrent units, a launch per time step.
 *
 * The check computes in double; all states are compared within a bound.
 */
#include <string.h>

#include "recurrent.h"

/* Largest error over several seeds: 3.6e-7. */
static const float state_bound = 1.5e-6f;

struct network {
    struct gate update, reset, fresh;
};

static void step_expect(const struct network *n, double input, double *state)
{
    double kept[UNITS], next[UNITS];

    for (int i = 0; i < UNITS; i++)
        kept[i] = reference_sigmoid(gate_sum(&n->reset, input, state, i)) * state[i];
    for (int i = 0; i < UNITS; i++) {
        double change = reference_sigmoid(gate_sum(&n->update, input, state, i));
        double value = reference_tanh(gate_sum(&n->fresh, input, kept, i));

        next[i] = change * (state[i] - value) + value;
    }
    memcpy(state, next, sizeof next);
}

/* Returns where the states after all steps are; step i reads states[i]. */
static CUdeviceptr steps_on_device(struct rig *r, const struct network *n,
                                   const float *inputs, int steps)
{
    const struct launch l = { "gru_step", { 1 }, { UNITS }, 0 };
    size_t bytes = UNITS * sizeof(float);
    CUdeviceptr d_inputs = rig_upload(r, inputs, (size_t)steps * sizeof *inputs);
    CUdeviceptr kept = rig_alloc(r, bytes);
    CUdeviceptr states = rig_alloc(r, bytes * (size_t)(steps + 1)), state = states;

    rig_fill(r, states, 0, UNITS);
    for (int i = 0; i < steps; i++) {
        CUdeviceptr next = state + bytes;

        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(n->update.at), RIG_ARG(n->reset.at),
                            RIG_ARG(n->fresh.at), RIG_ARG(d_inputs), RIG_ARG(i),
                            RIG_ARG(state), RIG_ARG(kept), RIG_ARG(next)));
        state = next;
    }
    return states + bytes;
}

static int tango_gru_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 6, 128, 256 };
    int steps = sizes[env->size];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 112);
    struct network n = { .update = gate_make(&r, &rng),
                         .reset = gate_make(&r, &rng),
                         .fresh = gate_make(&r, &rng) };
    float *inputs = random_numbers(&r, &rng, (size_t)steps, 1.0f);
    float *want = rig_host(&r, (size_t)steps * UNITS, sizeof *want);
    double state[UNITS] = { 0.0 };

    if (r.failed)
        return rig_end(&r);

    CUdeviceptr states = steps_on_device(&r, &n, inputs, steps);
    for (int i = 0; i < steps; i++) {
        step_expect(&n, (double)inputs[i], state);
        for (int k = 0; k < UNITS; k++)
            want[i * UNITS + k] = (float)state[k];
    }
    rig_near(&r, "states", states, want, (size_t)steps * UNITS, state_bound);
    return rig_end(&r);
}

const struct workload workload_tango_gru = {
    .name = "tango_gru",
    .summary = "gated recurrent units, one small block per time step",
    .suite = "Tango",
    .theirs = "GRU",
    .papers = "ghost",
    .sizes = { "100 units, 6 steps", "100 units, 128 steps", "100 units, 256 steps" },
    .run = tango_gru_run,
};
