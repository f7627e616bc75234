/* lib.cu - Monte Carlo of the LIBOR market model: a portfolio of swaptions.
 *
 * A thread follows one path of forward rates from step to step and then values the portfolio.
 * lib_slopes also differentiates the value by the rates, backwards through all steps, for
 * which it keeps every rate of every step. Rates, shocks and discounts are arrays in local
 * memory, since their lengths are known at run time only; volatilities and swaptions are in
 * constant memory. As in the suite the papers use, all paths get the same shocks, where a
 * real application would draw them: threads differ in nothing but the place of their result.
 */
enum { MOST_RATES = 80, MOST_STEPS = 40, MOST_SWAPTIONS = 15 };

__constant__ int n_rates, n_steps, n_swaptions, maturity[MOST_SWAPTIONS];
__constant__ float accrual, swap_rate[MOST_SWAPTIONS], volatility[MOST_RATES];

/* 1 + accrual * rate: what one unit becomes in a period. */
static __device__ float growth(float rate)
{
    return fmaf(accrual, rate, 1.0f);
}

/* The rate after a step. drift sums up over the rates of the step, in order. */
static __device__ float next_rate(float rate, float vol, float walk, float *drift)
{
    float step = accrual * vol;

    *drift += __fdividef(step * rate, growth(rate));
    return rate * __expf(fmaf(step, *drift, vol * fmaf(-0.5f, step, walk)));
}

static __device__ void follow_path(float *rate, const float *shock)
{
    for (int n = 0; n < n_steps; n++) {
        float walk = sqrtf(accrual) * shock[n], drift = 0.0f;

        for (int i = n + 1; i < n_rates; i++)
            rate[i] = next_rate(rate[i], volatility[i - n - 1], walk, &drift);
    }
}

/* The same; kept: a row of rates before the first step and after each. */
static __device__ void follow_path_keeping(float *rate, const float *shock, float *kept)
{
    for (int i = 0; i < n_rates; i++)
        kept[i] = rate[i];
    for (int n = 0; n < n_steps; n++) {
        float walk = sqrtf(accrual) * shock[n], drift = 0.0f;

        for (int i = n + 1; i < n_rates; i++) {
            rate[i] = next_rate(rate[i], volatility[i - n - 1], walk, &drift);
            kept[(n + 1) * n_rates + i] = rate[i];
        }
    }
}

/* Slopes by the rates after the last step become slopes by the rates before the first. */
static __device__ void follow_path_back(float *slope, const float *kept)
{
    for (int n = n_steps - 1; n >= 0; n--) {
        const float *before = kept + n * n_rates, *after = before + n_rates;
        float sum = 0.0f;

        for (int i = n_rates - 1; i > n; i--) {
            float vol = volatility[i - n - 1];
            float factor = __fdividef(accrual, growth(before[i]));

            sum = fmaf(vol * after[i], slope[i], sum);
            slope[i] = fmaf(slope[i], __fdividef(after[i], before[i]),
                            sum * vol * factor * factor);
        }
    }
}

/* Value now of one unit at the end of the steps. */
static __device__ float discount_of_steps(const float *rate)
{
    float discount = 1.0f;

    for (int n = 0; n < n_steps; n++)
        discount = discount / growth(rate[n]);
    return discount;
}

/* What swaption k loses when exercised, per unit: negative if it is worth exercising. */
static __device__ float swap_value(int k, const float *bond, const float *annuity)
{
    int m = maturity[k] - 1;

    return fmaf(swap_rate[k], annuity[m], bond[m]) - 1.0f;
}

/* Bonds and annuities of all maturities, at the end of the steps. */
static __device__ void price_bonds(const float *rate, float *bond, float *annuity)
{
    float b = 1.0f, s = 0.0f;

    for (int m = 0; m < n_rates - n_steps; m++) {
        b = __fdividef(b, growth(rate[n_steps + m]));
        s = fmaf(accrual, b, s);
        bond[m] = b;
        annuity[m] = s;
    }
}

static __device__ float portfolio(const float *rate)
{
    float bond[MOST_STEPS], annuity[MOST_STEPS], value = 0.0f;

    price_bonds(rate, bond, annuity);
    for (int k = 0; k < n_swaptions; k++) {
        float swap = swap_value(k, bond, annuity);

        if (swap < 0.0f)
            value = fmaf(-100.0f, swap, value);
    }
    return discount_of_steps(rate) * value;
}

/* The value; rates are replaced by the slopes of the value by them. */
static __device__ float portfolio_with_slopes(float *rate)
{
    float bond[MOST_STEPS], annuity[MOST_STEPS];
    float by_bond[MOST_STEPS], by_annuity[MOST_STEPS];
    float value = 0.0f, discount = discount_of_steps(rate);
    int n_bonds = n_rates - n_steps;

    price_bonds(rate, bond, annuity);
    for (int m = 0; m < n_bonds; m++)
        by_bond[m] = by_annuity[m] = 0.0f;
    for (int k = 0; k < n_swaptions; k++) {
        int m = maturity[k] - 1;
        float swap = swap_value(k, bond, annuity);

        if (swap < 0.0f) {
            value = fmaf(-100.0f, swap, value);
            by_annuity[m] = fmaf(-100.0f, swap_rate[k], by_annuity[m]);
            by_bond[m] += -100.0f;
        }
    }
    for (int m = n_bonds - 1; m >= 0; m--) {
        float grown = growth(rate[n_steps + m]);
        float by = fmaf(accrual, by_annuity[m], by_bond[m]);

        if (m > 0) {
            by_annuity[m - 1] += by_annuity[m];
            by_bond[m - 1] += __fdividef(by, grown);
        }
        rate[n_steps + m] = -by * bond[m] * __fdividef(accrual, grown) * discount;
    }
    value *= discount;
    for (int n = 0; n < n_steps; n++)
        rate[n] = -value * accrual / growth(rate[n]);
    return value;
}

static __device__ void start_path(float *rate, float *shock, float first_rate,
                                  float each_shock)
{
    for (int i = 0; i < n_rates; i++) {
        shock[i] = each_shock;
        rate[i] = first_rate;
    }
}

extern "C" __global__ void lib_slopes(float *values, float *slopes, int n_paths,
                                      float first_rate, float shock)
{
    float rate[MOST_RATES], shocks[MOST_RATES], kept[MOST_RATES * (MOST_STEPS + 1)];
    int n_threads = blockDim.x * gridDim.x;

    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < n_paths;
         path += n_threads) {
        start_path(rate, shocks, first_rate, shock);
        follow_path_keeping(rate, shocks, kept);
        values[path] = portfolio_with_slopes(rate);
        follow_path_back(rate, kept);
        slopes[path] = rate[n_rates - 1];
    }
}

extern "C" __global__ void lib_values(float *values, int n_paths, float first_rate,
                                      float shock)
{
    float rate[MOST_RATES], shocks[MOST_RATES];
    int n_threads = blockDim.x * gridDim.x;

    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < n_paths;
         path += n_threads) {
        start_path(rate, shocks, first_rate, shock);
        follow_path(rate, shocks);
        values[path] = portfolio(rate);
    }
}
