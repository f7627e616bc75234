/* recurrent.h - gates of recurrent networks, for tango_gru and tango_lstm. */
#ifndef TANGO_RECURRENT_H
#define TANGO_RECURRENT_H

#include "../reference.h"
#include "../workload.h"

enum { UNITS = 100 };

/* As a kernel's parameter. */
struct gate_pointers {
    CUdeviceptr from_input, from_units, bias;
};

struct gate {
    struct gate_pointers at;
    float *from_input, *from_units, *bias;
};

static inline float *random_numbers(struct rig *r, struct rng *rng, size_t n,
                                    float scale)
{
    float *to = rig_host(r, n, sizeof *to);

    for (size_t i = 0; i < n && !r->failed; i++)
        to[i] = scale * (2.0f * rng_unit(rng) - 1.0f);
    return to;
}

static inline struct gate gate_make(struct rig *r, struct rng *rng)
{
    struct gate g = { .from_input = random_numbers(r, rng, UNITS, 1.0f),
                      .from_units = random_numbers(r, rng, UNITS * UNITS, 0.15f),
                      .bias = random_numbers(r, rng, UNITS, 0.5f) };

    if (r->failed)
        return g;
    g.at.from_input = rig_upload(r, g.from_input, UNITS * sizeof(float));
    g.at.from_units = rig_upload(r, g.from_units, UNITS * UNITS * sizeof(float));
    g.at.bias = rig_upload(r, g.bias, UNITS * sizeof(float));
    return g;
}

static inline double gate_sum(const struct gate *g, double input, const double *state,
                              int unit)
{
    double sum = fma((double)g->from_input[unit], input, (double)g->bias[unit]);

    for (int i = 0; i < UNITS; i++)
        sum = fma((double)g->from_units[unit * UNITS + i], state[i], sum);
    return sum;
}

static inline double reference_sigmoid(double x)
{
    return 1.0 / (1.0 + reference_exp(-x));
}

static inline double reference_tanh(double x)
{
    return 2.0 * reference_sigmoid(2.0 * x) - 1.0;
}

#endif
