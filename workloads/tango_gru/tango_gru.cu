/* tango_gru.cu - one time step of a network of gated recurrent units.
 *
 * One block, one thread per unit: three gates, each a sum over all units whose weights lie
 * in the unit's own row. The third needs the second of all units, so threads wait for each
 * other before it.
 */
struct gate {
    const float *from_input, *from_units, *bias;
};

static __device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static __device__ float gate_sum(struct gate gate, float input, const float *state,
                                 int unit, int units)
{
    float sum = fmaf(gate.from_input[unit], input, gate.bias[unit]);

    for (int i = 0; i < units; i++)
        sum = fmaf(gate.from_units[unit * units + i], state[i], sum);
    return sum;
}

extern "C" __global__ void gru_step(struct gate update, struct gate reset,
                                    struct gate fresh, const float *inputs, int step,
                                    const float *state, float *kept, float *next)
{
    int unit = threadIdx.x, units = blockDim.x;
    float input = inputs[step], value;
    float change = sigmoid(gate_sum(update, input, state, unit, units));

    kept[unit] = sigmoid(gate_sum(reset, input, state, unit, units)) * state[unit];
    __syncthreads();
    value = tanhf(gate_sum(fresh, input, kept, unit, units));
    next[unit] = fmaf(change, state[unit] - value, value);
}
