/* recurrent.h - gates of recurrent networks, for tango_gru and tango_lstm.
 *
 * Numbers are made as floats and kept as doubles, in which the check computes; the device
 * has them as the network's kernel reads them.
 */
#ifndef TANGO_RECURRENT_H
#define TANGO_RECURRENT_H

#include "../reference.h"
#include "../workload.h"

enum { UNITS = 100, STEPS = 2 };

/* As a kernel's parameter. */
struct gate_pointers {
    CUdeviceptr from_input, from_units, bias;
};

struct gate {
    struct gate_pointers at;
    double *from_input, *from_units,
        *bias; /* from_units: a row per unit they come from */
};

/* Copies n numbers to the device. */
typedef CUdeviceptr upload_fn(struct rig *r, const double *from, size_t n);

static inline double *random_numbers(struct rig *r, struct rng *rng, size_t n,
                                     float scale)
{
    double *to = rig_host(r, n, sizeof *to);

    for (size_t i = 0; i < n && !r->failed; i++)
        to[i] = (double)(scale * (2.0f * rng_unit(rng) - 1.0f));
    return to;
}

static inline struct gate gate_make(struct rig *r, struct rng *rng, upload_fn *upload)
{
    struct gate g = { .from_input = random_numbers(r, rng, UNITS, 1.0f),
                      .from_units = random_numbers(r, rng, UNITS * UNITS, 0.15f),
                      .bias = random_numbers(r, rng, UNITS, 0.5f) };

    if (r->failed)
        return g;
    g.at.from_input = upload(r, g.from_input, UNITS);
    g.at.from_units = upload(r, g.from_units, UNITS * UNITS);
    g.at.bias = upload(r, g.bias, UNITS);
    return g;
}

static inline double gate_sum(const struct gate *g, double input, const double *state,
                              int unit)
{
    double sum = fma(g->from_input[unit], input, g->bias[unit]);

    for (int i = 0; i < UNITS; i++)
        sum = fma(g->from_units[i * UNITS + unit], state[i], sum);
    return sum;
}

/* What a gate lets pass: a line from 0 to 1. */
static inline double gate_line(double x)
{
    if (x < -2.5)
        return 0.0;
    return x > 2.5 ? 1.0 : fma(0.2, x, 0.5);
}

static inline double reference_tanh(double x)
{
    return 2.0 / (1.0 + reference_exp(-2.0 * x)) - 1.0;
}

#endif
