/* tango_lstm.cu - two time steps of a long short-term memory, in double.
 *
 * One block, one thread per unit; states go from step to step in shared memory. A gate's
 * weights have one row per unit that they come from; all four gates are summed in one loop,
 * which the first step does not need. After each step one thread sums up the prediction;
 * the others wait for it or, after the last step, end. The steps are unrolled: straight
 * code, executed once.
 */
enum { UNITS = 100, STEPS = 2 };

struct gate {
    const double *from_input, *from_units, *bias;
};

struct inputs {
    double at[STEPS];
};

static __device__ double gate_line(double x)
{
    if (x < -2.5)
        return 0.0;
    return x > 2.5 ? 1.0 : fma(0.2, x, 0.5);
}

static __device__ double gate_total(struct gate gate, double input, double sum, int unit)
{
    return fma(input, gate.from_input[unit], sum) + gate.bias[unit];
}

static __device__ double predict(const double *weights, const double *bias,
                                 const double *state)
{
    double sum = *bias;

    for (int i = 0; i < UNITS; i++)
        sum = fma(weights[i], state[i], sum);
    return sum;
}

extern "C" __global__ void lstm_steps(struct gate enter, struct gate forget,
                                      struct gate leave, struct gate fresh,
                                      struct inputs inputs, const double *weights,
                                      const double *bias, double *predicted)
{
    __shared__ double state[STEPS][UNITS];
    int unit = threadIdx.x;
    double to_enter = 0.0, to_forget = 0.0, to_leave = 0.0, to_fresh = 0.0, cell = 0.0;

#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; step > 0 && i < UNITS; i++) {
            double from = state[step - 1][i];

            to_fresh = fma(from, fresh.from_units[i * UNITS + unit], to_fresh);
            to_enter = fma(from, enter.from_units[i * UNITS + unit], to_enter);
            to_forget = fma(from, forget.from_units[i * UNITS + unit], to_forget);
            to_leave = fma(from, leave.from_units[i * UNITS + unit], to_leave);
        }

        double input = inputs.at[step];
        double value = tanh(gate_total(fresh, input, to_fresh, unit));
        double in = gate_line(gate_total(enter, input, to_enter, unit));
        double keep = gate_line(gate_total(forget, input, to_forget, unit));
        double out = gate_line(gate_total(leave, input, to_leave, unit));

        cell = fma(value, in, keep * cell);
        state[step][unit] = out * tanh(cell);
        __syncthreads();
        if (unit == 0)
            predicted[step] = predict(weights, bias, state[step]);
        if (step + 1 < STEPS)
            __syncthreads();
    }
}
