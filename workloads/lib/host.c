/* host.c - lib: value and slopes of a portfolio of swaptions in the LIBOR market model.
 *
 * All paths get the same shocks, so the check follows one path, in double. The kernel has the
 * GPU's fast exp() and division, each off by some 2^-22, and a value is a hundred times a
 * difference of numbers near 1: results are off by up to 2^-14.
 */
#include <math.h>
#include <string.h>

#include "../reference.h"
#include "../workload.h"

enum { THREADS = 256, MOST_RATES = 80, MOST_STEPS = 40, N_SWAPTIONS = 15 };

static const float bound = 0x1p-12f;

struct shape {
    int rates, steps;
    unsigned blocks;
};

struct market {
    int n_rates, n_steps, maturity[N_SWAPTIONS];
    float accrual, swap_rate[N_SWAPTIONS], volatility[MOST_RATES];
    float first_rate, shock;
};

static struct market market_make(struct rig *r, const struct shape *s)
{
    struct rng rng = rng_start(r->env, 28);
    struct market m = { .n_rates = s->rates, .n_steps = s->steps, .accrual = 0.25f };
    int n_bonds = s->rates - s->steps;

    for (int k = 0; k < N_SWAPTIONS; k++) {
        m.maturity[k] =
            n_bonds * (k / 3 + 1) / 5; /* five maturities, three rates each */
        m.swap_rate[k] = 0.045f + 0.005f * (float)(k % 3);
    }
    for (int i = 0; i < s->rates; i++)
        m.volatility[i] = 0.15f + 0.1f * rng_unit(&rng);
    m.first_rate = 0.045f + 0.01f * rng_unit(&rng);
    m.shock = 0.1f + 0.4f * rng_unit(&rng);
    return m;
}

static void market_upload(struct rig *r, const struct market *m)
{
    const int n_swaptions = N_SWAPTIONS;
    const struct {
        const char *name;
        const void *at;
        size_t size;
    } variables[] = {
        { "n_rates", &m->n_rates, sizeof m->n_rates },
        { "n_steps", &m->n_steps, sizeof m->n_steps },
        { "n_swaptions", &n_swaptions, sizeof n_swaptions },
        { "maturity", m->maturity, sizeof m->maturity },
        { "accrual", &m->accrual, sizeof m->accrual },
        { "swap_rate", m->swap_rate, sizeof m->swap_rate },
        { "volatility", m->volatility, sizeof m->volatility },
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        rig_write(r, rig_global(r, variables[i].name, variables[i].size),
                  variables[i].at, variables[i].size);
}

struct path {
    double rate[MOST_STEPS + 1][MOST_RATES]; /* before the first step and after each */
};

static void follow_path(const struct market *m, struct path *p)
{
    double delta = (double)m->accrual;

    for (int i = 0; i < m->n_rates; i++)
        p->rate[0][i] = (double)m->first_rate;
    for (int n = 0; n < m->n_steps; n++) {
        double drift = 0.0, walk = sqrt(delta) * (double)m->shock;

        memcpy(p->rate[n + 1], p->rate[n], sizeof p->rate[n]);
        for (int i = n + 1; i < m->n_rates; i++) {
            double vol = (double)m->volatility[i - n - 1], step = delta * vol;
            double rate = p->rate[n][i];

            drift += step * rate / (1.0 + delta * rate);
            p->rate[n + 1][i] =
                rate * reference_exp(step * drift + vol * (walk - 0.5 * step));
        }
    }
}

/* Value of the portfolio now for the rates after the last step; slope: by each of them. */
static double portfolio(const struct market *m, const double *rate, double *slope)
{
    int n_bonds = m->n_rates - m->n_steps;
    double bond[MOST_RATES], annuity[MOST_RATES], by_bond[MOST_RATES] = { 0 };
    double delta = (double)m->accrual, b = 1.0, s = 0.0, value = 0.0, discount = 1.0;

    for (int n = 0; n < m->n_steps; n++)
        discount /= 1.0 + delta * rate[n];
    for (int i = 0; i < n_bonds; i++) {
        bond[i] = b /= 1.0 + delta * rate[m->n_steps + i];
        annuity[i] = s += delta * b;
    }
    for (int k = 0; k < N_SWAPTIONS; k++) {
        int last = m->maturity[k] - 1;
        double swap = bond[last] + (double)m->swap_rate[k] * annuity[last] - 1.0;

        if (swap >= 0.0)
            continue;
        value -= 100.0 * swap;
        by_bond[last] -= 100.0;
        for (int i = 0; i <= last; i++)
            by_bond[i] -= 100.0 * (double)m->swap_rate[k] * delta;
    }
    for (int i = n_bonds - 1; i >= 0; i--) { /* a bond holds all growth up to it */
        double by = -delta / (1.0 + delta * rate[m->n_steps + i]), sum = 0.0;

        for (int j = i; j < n_bonds; j++)
            sum += by_bond[j] * bond[j];
        slope[m->n_steps + i] = by * sum * discount;
    }
    for (int n = 0; n < m->n_steps; n++)
        slope[n] = -value * discount * delta / (1.0 + delta * rate[n]);
    return value * discount;
}

/* Slopes by the rates after the last step become slopes by those before the first. */
static void follow_path_back(const struct market *m, const struct path *p,
                             double *slope)
{
    double delta = (double)m->accrual;

    for (int n = m->n_steps - 1; n >= 0; n--) {
        double sum = 0.0;

        for (int i = m->n_rates - 1; i > n; i--) {
            double vol = (double)m->volatility[i - n - 1], before = p->rate[n][i];
            double after = p->rate[n + 1][i], factor = delta / (1.0 + delta * before);

            sum += vol * after * slope[i];
            slope[i] = slope[i] * after / before + sum * vol * factor * factor;
        }
    }
}

static int lib_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 9, 4, 2 },
        { 24, 12, 16 },
        { 80, 40, 16 },
    };
    const struct shape *s = &shapes[env->size];
    unsigned n = s->blocks * THREADS;
    struct launch l = { "lib_slopes", { s->blocks }, { THREADS }, 0 };
    struct rig r = rig_begin(env);
    float *values = rig_host(&r, n, sizeof *values),
          *slopes = rig_host(&r, n, sizeof *slopes);
    struct path *path = rig_host(&r, 1, sizeof *path);
    double slope[MOST_RATES];

    if (r.failed)
        return rig_end(&r);
    struct market m = market_make(&r, s);
    CUdeviceptr d_values = rig_alloc(&r, n * sizeof *values);
    CUdeviceptr d_slopes = rig_alloc(&r, n * sizeof *slopes);

    market_upload(&r, &m);
    follow_path(&m, path);
    values[0] = (float)portfolio(&m, path->rate[m.n_steps], slope);
    follow_path_back(&m, path, slope);
    slopes[0] = (float)slope[m.n_rates - 1];
    for (unsigned i = 1; i < n; i++) {
        values[i] = values[0];
        slopes[i] = slopes[0];
    }
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(d_values), RIG_ARG(d_slopes), RIG_ARG(n),
                        RIG_ARG(m.first_rate), RIG_ARG(m.shock)));
    rig_near(&r, "values_with_slopes", d_values, values, n, bound);
    rig_near(&r, "slopes", d_slopes, slopes, n, bound);
    l.kernel = "lib_values";
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(d_values), RIG_ARG(n), RIG_ARG(m.first_rate),
                        RIG_ARG(m.shock)));
    rig_near(&r, "values", d_values, values, n, bound);
    return rig_end(&r);
}

const struct workload workload_lib = {
    .name = "lib",
    .summary = "LIBOR market model: value and slopes of a portfolio of swaptions",
    .suite = "ISPASS",
    .theirs = "LIB",
    .papers = "ghost darsie",
    .sizes = { "9 rates, 512 paths", "24 rates, 4096 paths", "80 rates, 4096 paths" },
    .run = lib_run,
};
