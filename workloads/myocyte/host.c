/* host.c - myocyte: Runge-Kutta-Fehlberg steps of order 4(5) of a heart muscle cell.
 *
 * The kernel gives the rates of change, six times per step; the host combines them, and
 * halves a step whose error is too large. Every rate is checked within a bound against
 * the same equations with the functions of reference.h, at the state the kernel had. */
#include <math.h>
#include <string.h>

#include "../reference.h"
#include "../workload.h"

enum {
    VOLTAGE,
    GATE_M,
    GATE_H,
    GATE_J,
    SLOW_GATE,
    N_SLOW = 6,
    SODIUM = SLOW_GATE + N_SLOW,
    POTASSIUM,
    CALCIUM,
    STORED,
    N_MEMBRANE
};

enum { CAM, CA2CAM, CA4CAM, BOUND, CA4BOUND, KINASE, TRAPPED, N_CALMODULIN };

enum { N_COMPARTMENT = 3, N_STATE = N_MEMBRANE + N_COMPARTMENT * N_CALMODULIN };

enum { THREADS = 32, BLOCKS = 2, STAGES = 6, MAX_ATTEMPTS = 4 };

/* Rates are rounded to float from double: half a unit in the last place, and what
 * terms of up to a thousand that cancel leave of the double's error. */
static const double share = 0x1p-23, least = 1.0e-11;

struct gate {
    double half, slope, least, height, centre, width;
};

static double sigmoid(double x)
{
    return 1.0 / (1.0 + reference_exp(-x));
}

static double power(double x, double y)
{
    return reference_exp(y * reference_log(x));
}

static double gate_rate(struct gate g, double v, double now)
{
    double off = (v - g.centre) / g.width;
    double time = g.least + g.height * reference_exp(-off * off);

    return (sigmoid((v - g.half) / g.slope) - now) / time;
}

static void sodium_gates(double v, const double *y, float *rate)
{
    double open_m = 0.32 * (v + 47.13) / (1.0 - reference_exp(-0.1 * (v + 47.13)));
    double shut_m = 0.08 * reference_exp(-v / 11.0);
    double open_h = 0.0, open_j = 0.0, shut_h, shut_j;

    if (v >= -40.0) {
        shut_h = sigmoid((v + 10.66) / 11.1) / 0.13;
        shut_j = 0.3 * reference_exp(-2.535e-7 * v) * sigmoid(0.1 * (v + 32.0));
    } else {
        open_h = 0.135 * reference_exp((80.0 + v) / -6.8);
        shut_h = 3.56 * reference_exp(0.079 * v) + 3.1e5 * reference_exp(0.35 * v);
        open_j = (-1.2714e5 * reference_exp(0.2444 * v) -
                  3.474e-5 * reference_exp(-0.04391 * v)) *
                 (v + 37.78) * sigmoid(-0.311 * (v + 79.23));
        shut_j = 0.1212 * reference_exp(-0.01052 * v) * sigmoid(0.1378 * (v + 40.14));
    }
    rate[GATE_M] = (float)(open_m * (1.0 - y[GATE_M]) - shut_m * y[GATE_M]);
    rate[GATE_H] = (float)(open_h * (1.0 - y[GATE_H]) - shut_h * y[GATE_H]);
    rate[GATE_J] = (float)(open_j * (1.0 - y[GATE_J]) - shut_j * y[GATE_J]);
}

static double rectifier(double over)
{
    double open = 1.02 * sigmoid(-0.2385 * (over - 59.215));
    double shut = (0.49124 * reference_exp(0.08032 * (over + 5.476)) +
                   reference_exp(0.06175 * (over - 594.31))) *
                  sigmoid(0.5143 * (over + 4.753));

    return open / (open + shut);
}

static double hill(double x, double half, double exponent)
{
    double ratio = power(x / half, exponent);

    return ratio / (1.0 + ratio);
}

static void slow_gates(double v, const double *y, float *rate)
{
    static const struct gate slow[N_SLOW] = {
        { -14.5, 6.0, 0.6, 2.6, -14.5, 18.0 },
        { -35.1, -8.6, 20.0, 50.0, -20.0, 30.0 },
        { -50.0, 7.5, 40.0, 250.0, -30.0, 35.0 },
        { 1.5, 16.7, 60.0, 400.0, 10.0, 45.0 },
        { -3.0, 15.0, 3.0, 9.0, -30.0, 30.0 },
        { -33.5, -10.0, 20.0, 40.0, -60.0, 25.0 },
    };

    for (int i = 0; i < N_SLOW; i++)
        rate[SLOW_GATE + i] = (float)gate_rate(slow[i], v, y[SLOW_GATE + i]);
}

/* Charge that the pump and the exchanger of sodium and calcium carry. */
static double sodium_pump(double v, double na)
{
    double sigma = (reference_exp(140.0 / 67.3) - 1.0) / 7.0;

    return 1.9 * hill(na, 11.0, 4.0) * 5.4 / (5.4 + 1.5) /
           (1.0 + 0.1245 * reference_exp(-0.1 * v) +
            0.0365 * sigma * reference_exp(-v));
}

static double exchanger(double v, double na, double ca)
{
    double out = reference_exp(-0.65 * v), na_out = 140.0 * 140.0 * 140.0;

    return (reference_exp(0.35 * v) * (na * na * na) * 1.8 - out * na_out * ca) /
           (87.5 * 87.5 * 87.5 + na_out) / (1.38 + 1.8) / (1.0 + 0.1 * out) * 9.0;
}

static void membrane_rates(float time, const double *y, float *rate)
{
    const double per_volt = 1.0 / 26.708;
    double v = y[VOLTAGE], na = y[SODIUM], ca = y[CALCIUM];
    const double *s = y + SLOW_GATE;
    double e_na = reference_log(140.0 / na) / per_volt;
    double e_k = reference_log(5.4 / y[POTASSIUM]) / per_volt;
    double e_ca = 0.5 * reference_log(1.8 / ca) / per_volt;
    double m = y[GATE_M];

    sodium_gates(v, y, rate);
    slow_gates(v, y, rate);
    double i_na = 16.0 * m * m * m * y[GATE_H] * y[GATE_J] * (v - e_na);
    double i_ca = 0.09 * s[0] * s[1] * (v - e_ca);
    double i_k = 0.03 * s[2] * sigmoid(-(v + 9.0) / 22.4) + 0.07 * s[3] * s[3];
    i_k = (i_k + 0.9 * rectifier(v - e_k) + 0.13 * s[4] * s[5]) * (v - e_k);
    double pump = sodium_pump(v * per_volt, na), swap = exchanger(v * per_volt, na, ca);
    double leak_ca = 0.0673 * hill(ca, 5.0e-4, 1.6);
    double up = power(ca / 2.46e-4, 1.787), down = power(y[STORED] / 1.7, 1.787);
    double taken = 2.86e-4 * (up - down) / (1.0 + up + down);
    double given = (0.02 * s[0] * hill(ca, 1.0e-3, 2.5) + 5.0e-6) * (y[STORED] - ca);
    double stimulus = time <= 5.0f ? 9.5 : 0.0;

    rate[VOLTAGE] = (float)(stimulus - i_na - i_ca - i_k - pump - swap - leak_ca);
    rate[SODIUM] = (float)(-(i_na + 3.0 * pump + 3.0 * swap) * 1.0e-3);
    rate[POTASSIUM] = (float)(-(i_k - 2.0 * pump - stimulus) * 1.0e-3);
    rate[CALCIUM] = (float)(given - taken - (i_ca + leak_ca - 2.0 * swap) * 5.0e-6);
    rate[STORED] = (float)((taken - given) * 20.0);
}

static void calmodulin_rates(double ca, const double *y, float *rate)
{
    double square = ca * ca, fourth = square * square, active = y[KINASE] + y[TRAPPED];
    double buffer = 24.2 - y[BOUND] - y[CA4BOUND], idle = 1.0 - active;
    double first = 0.9 * square * y[CAM] - 2.1 * y[CA2CAM];
    double second = 3.4 * square * y[CA2CAM] - 1.7 * y[CA4CAM];
    double bind = 0.0014 * y[CAM] * buffer - 0.0016 * y[BOUND];
    double bind4 = 0.0014 * y[CA4CAM] * buffer - 0.0015 * y[CA4BOUND];
    double fill = 1.3 * fourth / (1.0 + fourth) * y[BOUND] - 0.4 * y[CA4BOUND];
    double start = 0.6 * y[CA4CAM] * idle - 0.8 * y[KINASE];
    double trap = active * (0.055 + active * (0.0074 + 0.015 * active));

    trap = trap * y[KINASE] - 1.72 * 0.96 * y[TRAPPED] / (11.5 + 120.0 * y[TRAPPED]);
    rate[CAM] = (float)(1.0e-3 * (-first - bind));
    rate[CA2CAM] = (float)(1.0e-3 * (first - second));
    rate[CA4CAM] = (float)(1.0e-3 * (second - bind4 - 0.1 * start));
    rate[BOUND] = (float)(1.0e-3 * (bind - fill));
    rate[CA4BOUND] = (float)(1.0e-3 * (bind4 + fill));
    rate[KINASE] = (float)(1.0e-3 * (start - trap));
    rate[TRAPPED] = (float)(1.0e-3 * trap);
}

static void rates_expected(float time, const float state[N_STATE], float *rate)
{
    static const double calcium[N_COMPARTMENT] = { 10.0e3, 3.0e3, 1.0e3 };
    double y[N_STATE];

    for (int i = 0; i < N_STATE; i++)
        y[i] = (double)state[i];
    membrane_rates(time, y, rate);
    for (int i = 0; i < N_COMPARTMENT; i++) {
        int at = N_MEMBRANE + i * N_CALMODULIN;

        calmodulin_rates(y[CALCIUM] * calcium[i], y + at, rate + at);
    }
}

/* ---- the solver ---- */

struct solver {
    float time, step;
    float y[N_STATE];
    CUdeviceptr d_y, d_rates; /* d_rates: of every evaluation, one after the other */
    float *want;              /* the same as they should be */
    unsigned n_done;          /* evaluations */
};

static void evaluate(struct rig *r, struct solver *s, float time,
                     const float y[N_STATE], float rate[N_STATE])
{
    size_t bytes = N_STATE * sizeof *rate, at = s->n_done++ * (size_t)N_STATE;
    CUdeviceptr d_rate = s->d_rates + at * sizeof *rate;
    struct launch l = { "myocyte", { BLOCKS }, { THREADS }, 0 };

    rates_expected(time, y, s->want + at);
    rig_write(r, s->d_y, y, bytes);
    rig_launch(r, &l, RIG_ARGS(RIG_ARG(time), RIG_ARG(s->d_y), RIG_ARG(d_rate)));
    rig_download(r, rate, d_rate, bytes);
}

/* y + step * the rates so far, weighted. */
static void combine(const struct solver *s, const double weight[STAGES], int n,
                    float rate[STAGES][N_STATE], float y[N_STATE])
{
    for (int i = 0; i < N_STATE; i++) {
        double sum = 0.0;

        for (int k = 0; k < n; k++)
            sum += weight[k] * (double)rate[k][i];
        y[i] = (float)((double)s->y[i] + (double)s->step * sum);
    }
}

/* Whether the two orders agree: what they differ by, per variable, against its size. */
static bool is_close(const struct solver *s, float rate[STAGES][N_STATE])
{
    static const double weight[STAGES] = { 1.0 / 360.0,     0.0,
                                           -128.0 / 4275.0, -2197.0 / 75240.0,
                                           1.0 / 50.0,      2.0 / 55.0 };
    const double tolerance = 1.0e-2;

    for (int i = 0; i < N_STATE; i++) {
        double error = 0.0, size = fabs((double)s->y[i]);

        for (int k = 0; k < STAGES; k++)
            error += weight[k] * (double)rate[k][i];
        if (fabs((double)s->step * error) > tolerance * (size > 0.01 ? size : 0.01))
            return false;
    }
    return true;
}

static void step_once(struct rig *r, struct solver *s)
{
    static const double moment[STAGES] = { 0.0, 0.25, 0.375, 12.0 / 13.0, 1.0, 0.5 };
    static const double stage[STAGES][STAGES] = {
        { 0.0 },
        { 0.25 },
        { 3.0 / 32.0, 9.0 / 32.0 },
        { 1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0 },
        { 439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0 },
        { -8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0 },
    };
    static const double fifth[STAGES] = { 16.0 / 135.0,     0.0,
                                          6656.0 / 12825.0, 28561.0 / 56430.0,
                                          -9.0 / 50.0,      2.0 / 55.0 };
    float rate[STAGES][N_STATE] = { 0 }, y[N_STATE];
    bool close = false;

    for (int i = 0; i < MAX_ATTEMPTS && !close; i++) {
        for (int k = 0; k < STAGES; k++) {
            combine(s, stage[k], k, rate, y);
            evaluate(r, s, (float)((double)s->time + moment[k] * (double)s->step), y,
                     rate[k]);
        }
        close = is_close(s, rate);
        if (!close && i < MAX_ATTEMPTS - 1)
            s->step *= 0.5f;
    }
    combine(s, fifth, STAGES, rate, y);
    memcpy(s->y, y, sizeof s->y);
    s->time += s->step;
    if (s->step < 0.0625f)
        s->step *= 2.0f;
}

/* A cell at rest, each variable off by up to a hundredth. */
static void state_make(struct workload_env *env, float y[N_STATE])
{
    static const float rest[N_MEMBRANE] = { -85.0f, 0.0014f, 0.987f,  0.992f, 0.01f,
                                            0.98f,  0.009f,  0.005f,  0.004f, 0.99f,
                                            9.1f,   120.0f,  1.0e-4f, 0.55f };
    static const float bind[N_CALMODULIN] = { 350.0f, 2.0f,  0.02f, 8.0f,
                                              0.1f,   0.02f, 0.01f };
    struct rng rng = rng_start(env, 103);

    for (int i = 0; i < N_STATE; i++) {
        float from = i < N_MEMBRANE ? rest[i] : bind[(i - N_MEMBRANE) % N_CALMODULIN];

        y[i] = from * (1.0f + 0.02f * (rng_unit(&rng) - 0.5f));
    }
}

/* Hands over the rates of all evaluations and compares them. */
static void check_rates(struct rig *r, const struct solver *s)
{
    size_t n = (size_t)s->n_done * N_STATE;
    float *got = rig_host(r, n, sizeof *got);

    if (r->failed)
        return;
    rig_download(r, got, s->d_rates, n * sizeof *got);
    rig_output(r, "rates", got, NULL, n);
    for (size_t i = 0; i < n; i++) {
        double want = (double)s->want[i];

        if (!(fabs((double)got[i] - want) <= fma(share, fabs(want), least)))
            rig_fail(r, "rate %zu of evaluation %zu is %.9g, expected %.9g",
                     i % N_STATE, i / N_STATE, (double)got[i], want);
    }
}

static int myocyte_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 1, 20, 100 };
    unsigned steps = sizes[env->size];
    size_t most = (size_t)steps * STAGES * MAX_ATTEMPTS * N_STATE;
    struct rig r = rig_begin(env);
    struct solver s = { .step = 0.015625f };

    s.d_y = rig_alloc(&r, sizeof s.y);
    s.d_rates = rig_alloc(&r, most * sizeof *s.want);
    s.want = rig_host(&r, most, sizeof *s.want);
    state_make(env, s.y);
    for (unsigned i = 0; i < steps && !r.failed; i++)
        step_once(&r, &s);
    if (r.failed)
        return rig_end(&r);
    check_rates(&r, &s);
    rig_output(&r, "state", s.y, NULL, N_STATE);
    return rig_end(&r);
}

const struct workload workload_myocyte = {
    .name = "myocyte",
    .summary = "heart muscle cell: equations of one thread per block",
    .suite = "Rodinia",
    .papers = "ghost",
    .sizes = { "1 step", "20 steps", "100 steps" },
    .run = myocyte_run,
};
