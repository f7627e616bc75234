/* myocyte.cu - rates of change of a heart muscle cell's state.
 *
 * One evaluation per launch, for a solver on the host. Two blocks of 32 threads, of
 * which one thread each works: the first has the membrane (gates, currents and ion
 * concentrations), the second calmodulin in three compartments. Long straight chains of
 * exp, log and pow in double, between a float load of each state variable and a float
 * store of its rate; nothing else runs on the SM.
 */
enum membrane {
    VOLTAGE,
    GATE_M, /* sodium channel: activation, fast and slow inactivation */
    GATE_H,
    GATE_J,
    SLOW_GATE, /* the first of N_SLOW */
    N_SLOW = 6,
    SODIUM = SLOW_GATE + N_SLOW,
    POTASSIUM,
    CALCIUM,
    STORED, /* calcium in the sarcoplasmic reticulum */
    N_MEMBRANE
};

enum calmodulin { CAM, CA2CAM, CA4CAM, BOUND, CA4BOUND, KINASE, TRAPPED, N_CALMODULIN };

enum { N_COMPARTMENT = 3 };

/* A gate that relaxes to a sigmoid of the voltage, its time a bell around a voltage. */
struct gate {
    double half, slope, least, height, centre, width;
};

static __device__ double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static __device__ double gate_rate(struct gate g, double v, double now)
{
    double off = (v - g.centre) / g.width;
    double time = g.least + g.height * exp(-off * off);

    return (sigmoid((v - g.half) / g.slope) - now) / time;
}

/* Opening and closing rates of the sodium channel's three gates. */
static __device__ void sodium_gates(double v, const float *y, float *rate)
{
    double open_m = 0.32 * (v + 47.13) / (1.0 - exp(-0.1 * (v + 47.13)));
    double shut_m = 0.08 * exp(-v / 11.0);
    double open_h = 0.0, open_j = 0.0, shut_h, shut_j;

    if (v >= -40.0) {
        shut_h = sigmoid((v + 10.66) / 11.1) / 0.13;
        shut_j = 0.3 * exp(-2.535e-7 * v) * sigmoid(0.1 * (v + 32.0));
    } else {
        open_h = 0.135 * exp((80.0 + v) / -6.8);
        shut_h = 3.56 * exp(0.079 * v) + 3.1e5 * exp(0.35 * v);
        open_j = (-1.2714e5 * exp(0.2444 * v) - 3.474e-5 * exp(-0.04391 * v)) *
                 (v + 37.78) * sigmoid(-0.311 * (v + 79.23));
        shut_j = 0.1212 * exp(-0.01052 * v) * sigmoid(0.1378 * (v + 40.14));
    }
    rate[GATE_M] = (float)(open_m * (1.0 - y[GATE_M]) - shut_m * y[GATE_M]);
    rate[GATE_H] = (float)(open_h * (1.0 - y[GATE_H]) - shut_h * y[GATE_H]);
    rate[GATE_J] = (float)(open_j * (1.0 - y[GATE_J]) - shut_j * y[GATE_J]);
}

/* Share of the inward rectifier that is open, over the potential of potassium. */
static __device__ double rectifier(double over)
{
    double open = 1.02 * sigmoid(-0.2385 * (over - 59.215));
    double shut =
        (0.49124 * exp(0.08032 * (over + 5.476)) + exp(0.06175 * (over - 594.31))) *
        sigmoid(0.5143 * (over + 4.753));

    return open / (open + shut);
}

static __device__ double hill(double x, double half, double power)
{
    double ratio = pow(x / half, power);

    return ratio / (1.0 + ratio);
}

static __device__ void membrane_rates(float time, const float *y, float *rate)
{
    const double per_volt = 1.0 / 26.708; /* F / RT, per mV */
    const double na_out = 140.0, k_out = 5.4, ca_out = 1.8;
    const struct gate slow[N_SLOW] = {
        { -14.5, 6.0, 0.6, 2.6, -14.5, 18.0 },    /* calcium, opens */
        { -35.1, -8.6, 20.0, 50.0, -20.0, 30.0 }, /* calcium, shuts */
        { -50.0, 7.5, 40.0, 250.0, -30.0, 35.0 }, /* rapid rectifier */
        { 1.5, 16.7, 60.0, 400.0, 10.0, 45.0 },   /* slow rectifier */
        { -3.0, 15.0, 3.0, 9.0, -30.0, 30.0 },    /* transient, opens */
        { -33.5, -10.0, 20.0, 40.0, -60.0, 25.0 } /* transient, shuts */
    };
    double v = y[VOLTAGE], na = y[SODIUM], k = y[POTASSIUM], ca = y[CALCIUM];
    double e_na = log(na_out / na) / per_volt, e_k = log(k_out / k) / per_volt;
    double e_ca = 0.5 * log(ca_out / ca) / per_volt;
    double m = y[GATE_M], s[N_SLOW];

    sodium_gates(v, y, rate);
#pragma unroll
    for (int i = 0; i < N_SLOW; i++) {
        s[i] = y[SLOW_GATE + i];
        rate[SLOW_GATE + i] = (float)gate_rate(slow[i], v, s[i]);
    }
    double i_na = 16.0 * m * m * m * y[GATE_H] * y[GATE_J] * (v - e_na);
    double i_ca = 0.09 * s[0] * s[1] * (v - e_ca);
    double i_k = 0.03 * s[2] * sigmoid(-(v + 9.0) / 22.4) + 0.07 * s[3] * s[3];
    i_k = (i_k + 0.9 * rectifier(v - e_k) + 0.13 * s[4] * s[5]) * (v - e_k);
    double sigma = (exp(na_out / 67.3) - 1.0) / 7.0;
    double pump =
        1.9 * hill(na, 11.0, 4.0) * k_out / (k_out + 1.5) /
        (1.0 + 0.1245 * exp(-0.1 * v * per_volt) + 0.0365 * sigma * exp(-v * per_volt));
    double out = exp(-0.65 * v * per_volt);
    double swap = (exp(0.35 * v * per_volt) * pow(na, 3.0) * ca_out -
                   out * pow(na_out, 3.0) * ca) /
                  (pow(87.5, 3.0) + pow(na_out, 3.0)) / (1.38 + ca_out) /
                  (1.0 + 0.1 * out) * 9.0;
    double leak_ca = 0.0673 * hill(ca, 5.0e-4, 1.6);
    double up = pow(ca / 2.46e-4, 1.787), down = pow(y[STORED] / 1.7, 1.787);
    double taken = 2.86e-4 * (up - down) / (1.0 + up + down);
    double given = (0.02 * s[0] * hill(ca, 1.0e-3, 2.5) + 5.0e-6) * (y[STORED] - ca);
    double stimulus = time <= 5.0f ? 9.5 : 0.0;

    rate[VOLTAGE] = (float)(stimulus - i_na - i_ca - i_k - pump - swap - leak_ca);
    rate[SODIUM] = (float)(-(i_na + 3.0 * pump + 3.0 * swap) * 1.0e-3);
    rate[POTASSIUM] = (float)(-(i_k - 2.0 * pump - stimulus) * 1.0e-3);
    rate[CALCIUM] = (float)(given - taken - (i_ca + leak_ca - 2.0 * swap) * 5.0e-6);
    rate[STORED] = (float)((taken - given) * 20.0);
}

/* Calmodulin takes up calcium in pairs, binds to a buffer, and with four calcium makes
 * a kinase active, which some of it then traps. */
static __device__ void calmodulin_rates(double ca, const float *y, float *rate)
{
    double square = pow(ca, 2.0), active = (double)y[KINASE] + y[TRAPPED];
    double buffer = 24.2 - y[BOUND] - y[CA4BOUND], idle = 1.0 - active;
    double first = 0.9 * square * y[CAM] - 2.1 * y[CA2CAM];
    double second = 3.4 * square * y[CA2CAM] - 1.7 * y[CA4CAM];
    double bind = 0.0014 * y[CAM] * buffer - 0.0016 * y[BOUND];
    double bind4 = 0.0014 * y[CA4CAM] * buffer - 0.0015 * y[CA4BOUND];
    double fill =
        1.3 * pow(ca, 4.0) / (1.0 + pow(ca, 4.0)) * y[BOUND] - 0.4 * y[CA4BOUND];
    double start = 0.6 * y[CA4CAM] * idle - 0.8 * y[KINASE];
    double trap = 0.055 * active + 0.0074 * pow(active, 2.0) + 0.015 * pow(active, 3.0);

    trap = trap * y[KINASE] - 1.72 * 0.96 * y[TRAPPED] / (11.5 + 120.0 * y[TRAPPED]);
    rate[CAM] = (float)(1.0e-3 * (-first - bind));
    rate[CA2CAM] = (float)(1.0e-3 * (first - second));
    rate[CA4CAM] = (float)(1.0e-3 * (second - bind4 - 0.1 * start));
    rate[BOUND] = (float)(1.0e-3 * (bind - fill));
    rate[CA4BOUND] = (float)(1.0e-3 * (bind4 + fill));
    rate[KINASE] = (float)(1.0e-3 * (start - trap));
    rate[TRAPPED] = (float)(1.0e-3 * trap);
}

/* y: the membrane's variables, then those of each compartment; calcium there, in uM,
 * is so many times that of the cell. */
extern "C" __global__ void myocyte(float time, const float *y, float *rate)
{
    const double calcium[N_COMPARTMENT] = { 10.0e3, 3.0e3, 1.0e3 };

    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        membrane_rates(time, y, rate);
    } else {
#pragma unroll
        for (int i = 0; i < N_COMPARTMENT; i++) {
            int at = N_MEMBRANE + i * N_CALMODULIN;

            calmodulin_rates(y[CALCIUM] * calcium[i], y + at, rate + at);
        }
    }
}
