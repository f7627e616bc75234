/* blackscholes.c - prices of options: logarithm, root, exponentials and a rational
 * approximation of the normal distribution, no branches. */
#include "maths.h"
#include "rig.h"

enum { N = TINY ? 64 : 1024 };

#define RATE       0.02f
#define VOLATILITY 0.3f

struct option {
    float price, strike, years;
};

static struct option RIG_ARRAY options[N];
static float RIG_ARRAY calls[N], puts[N];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    options[i] = (struct option){
        .price = 10 + (float)rig_value(1, i),
        .strike = 10 + (float)rig_value(2, i >> 2),
        .years = 1 + 0.25f * (float)rig_value(3, i >> 1),
    };
}

static float density(float x)
{
    return 0.39894228f * maths_exp(-0.5f * x * x);
}

/* Of a normally distributed number: how likely it is below x (Abramowitz and Stegun,
 * 26.2.17; the error is at most 7.5e-8). */
static float distribution(float x)
{
    float t = 1 / (1 + 0.2316419f * maths_abs(x));
    float series =
        t * (0.319381530f +
             t * (-0.356563782f +
                  t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float tail = density(x) * series;

    return maths_select(x > 0, 1 - tail, tail);
}

static void blackscholes(void *arg)
{
    uint32_t i = blockIdx.x;
    struct option o = options[i];
    float spread = VOLATILITY * maths_sqrt(o.years);
    float growth = (RATE + 0.5f * VOLATILITY * VOLATILITY) * o.years;
    float d1 = (maths_log(o.price / o.strike) + growth) / spread;
    float p1 = distribution(d1), p2 = distribution(d1 - spread);
    float present = o.strike * maths_exp(-RATE * o.years);

    (void)arg;
    calls[i] = o.price * p1 - present * p2;
    puts[i] = present * (1 - p2) - o.price * (1 - p1);
}

/* The distribution by another series: 1/2 + density (x + x^3/3 + x^5/(3 5) + ...). */
static float distribution_by_series(float x)
{
    float term = x, sum = x;

    for (uint32_t k = 3; k < 40; k += 2) {
        term *= x * x / (float)k;
        sum += term;
    }
    return 0.5f + density(x) * sum;
}

static uint32_t differ(float a, float b)
{
    return maths_abs(a - b) >= 1e-4f;
}

/* The put comes from the call: with both and the strike's value one owns the share. */
static uint32_t is_wrong(uint32_t i)
{
    struct option o = options[i];
    float spread = VOLATILITY * maths_sqrt(o.years), present, d2, call;

    present = o.strike * maths_exp(-RATE * o.years);
    d2 = maths_log(o.price / present) / spread - 0.5f * spread;
    call = o.price * distribution_by_series(d2 + spread) -
           present * distribution_by_series(d2);
    return differ(calls[i], call) | differ(puts[i], call + present - o.price);
}

int main(void)
{
    uint32_t grid[] = { N };

    rig_each(N, fill, NULL);
    vx_spawn_threads(1, grid, NULL, blackscholes, NULL);
    rig_sync();
    return rig_end("blackscholes", rig_sum(N, is_wrong));
}
