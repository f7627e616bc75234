/* tango_lstm.cu - one time step of a long short-term memory, and its prediction.
 *
 * One block, one thread per unit: four gates, each a sum over all units whose weights lie
 * in the unit's own row. The prediction is one thread's sum.
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

extern "C" __global__ void lstm_step(struct gate enter, struct gate forget,
                                     struct gate leave, struct gate fresh,
                                     const float *inputs, int step, const float *state,
                                     float *cells, float *next)
{
    int unit = threadIdx.x, units = blockDim.x;
    float input = inputs[step];
    float in = sigmoid(gate_sum(enter, input, state, unit, units));
    float keep = sigmoid(gate_sum(forget, input, state, unit, units));
    float out = sigmoid(gate_sum(leave, input, state, unit, units));
    float value = tanhf(gate_sum(fresh, input, state, unit, units));
    float cell = fmaf(keep, cells[unit], in * value);

    cells[unit] = cell;
    next[unit] = out * tanhf(cell);
}

extern "C" __global__ void lstm_predict(const float *weights, const float *state,
                                        float *predicted, int step, int units)
{
    float sum = 0.0f;

    for (int i = 0; i < units; i++)
        sum = fmaf(weights[i], state[i], sum);
    predicted[step] = sum;
}
