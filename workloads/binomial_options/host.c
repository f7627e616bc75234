/* host.c - binomial_options: prices of random European calls.
 *
 * The check walks the same tree in the same order; only the exp() of the values at expiry is
 * the GPU's fast one. Averaging does not add to its error: prices are off by up to 2^-21.
 */
#include <math.h>

#include "../reference.h"
#include "../workload.h"

enum { THREADS = 256, MOST_OPTIONS = 64, MOST_STEPS = 2048 };

static const float bound = 0x1p-19f;

struct option {
    float price, strike;
    float drift;
    float up, down;
};

struct shape {
    unsigned options, steps;
};

/* Rate 2 %, volatility 30 % a year. */
static struct option option_make(struct rng *rng, unsigned n_steps)
{
    const double rate = 0.02, volatility = 0.3;
    double years = 0.25 + 9.75 * (double)rng_unit(rng), dt = years / n_steps;
    double drift = volatility * sqrt(dt), down = reference_exp(-drift);
    double discount = reference_exp(-rate * dt);
    double p = (reference_exp(rate * dt) - down) / (reference_exp(drift) - down);

    return (struct option){
        .price = 5.0f + 25.0f * rng_unit(rng),
        .strike = 1.0f + 99.0f * rng_unit(rng),
        .drift = (float)drift,
        .up = (float)(p * discount),
        .down = (float)((1.0 - p) * discount),
    };
}

static float option_value(const struct option *o, int n_steps, float *v)
{
    for (int ups = 0; ups <= n_steps; ups++) {
        double growth = reference_exp((double)(o->drift * (float)(2 * ups - n_steps)));

        v[ups] = fmaxf(fmaf(o->price, (float)growth, -o->strike), 0.0f);
    }
    for (int step = n_steps; step > 0; step--)
        for (int i = 0; i < step; i++)
            v[i] = fmaf(o->up, v[i + 1], o->down * v[i]);
    return v[0];
}

static int binomial_options_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 2, 256 },
        { 40, 256 },
        { 64, 2048 },
    };
    const struct shape *s = &shapes[env->size];
    unsigned n_steps = s->steps, row = n_steps + 16;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 27);
    struct option options[MOST_OPTIONS] = { 0 };
    float want[MOST_OPTIONS], *tree = rig_host(&r, MOST_STEPS + 1, sizeof *tree);

    if (r.failed)
        return rig_end(&r);
    for (unsigned i = 0; i < s->options; i++) {
        options[i] = option_make(&rng, n_steps);
        want[i] = option_value(&options[i], (int)n_steps, tree);
    }
    rig_write(&r, rig_global(&r, "options", sizeof options), options, sizeof options);
    CUdeviceptr values = rig_alloc(&r, (size_t)s->options * row * sizeof(float));
    CUdeviceptr calls = rig_alloc(&r, s->options * sizeof(float));

    rig_launch(
        &r, &(struct launch){ "binomial_options", { s->options }, { THREADS }, 0 },
        RIG_ARGS(RIG_ARG(values), RIG_ARG(calls), RIG_ARG(n_steps), RIG_ARG(row)));
    rig_near(&r, "calls", calls, want, s->options, bound);
    return rig_end(&r);
}

const struct workload workload_binomial_options = {
    .name = "binomial_options",
    .summary = "European calls by a binomial tree, an option per block",
    .suite = "CUDA SDK",
    .theirs = "binomialOptions",
    .papers = "darsie",
    .sizes = { "2 options, 256 steps", "40 options, 256 steps",
               "64 options, 2048 steps" },
    .run = binomial_options_run,
};
