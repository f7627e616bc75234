/* tango_gru.cu - one time step of a network of gated recurrent units.
 *
 * One block of 10x10 threads, one thread per unit, numbered down the block's columns: lanes
 * next to each other are ten units apart. A gate's weights have one row per unit that they
 * come from. Update and reset gate are summed in one loop; the third sum needs the reset
 * gate of all units, which they leave in shared memory. Gates are lines between 0 and 1,
 * computed in double, as in the suite's program.
 */
enum { SIDE = 10, UNITS = SIDE * SIDE };

struct gate {
    const float *from_input, *from_units, *bias;
};

static __device__ float gate_line(float x)
{
    if (x < -2.5f)
        return 0.0f;
    if (x > 2.5f)
        return 1.0f;
    return (float)fma(0.2, (double)x, 0.5);
}

static __device__ float gate_total(struct gate gate, float input, float sum, int unit)
{
    return fmaf(input, gate.from_input[unit], sum) + gate.bias[unit];
}

extern "C" __global__ void gru_step(struct gate update, struct gate reset,
                                    struct gate fresh, const float *input,
                                    const float *state, float *next)
{
    __shared__ float kept[UNITS];
    int unit = threadIdx.x * SIDE + threadIdx.y;
    float to_update = 0.0f, to_reset = 0.0f, to_fresh = 0.0f;

    for (int i = 0; i < UNITS; i++) {
        to_update = fmaf(state[i], update.from_units[i * UNITS + unit], to_update);
        to_reset = fmaf(state[i], reset.from_units[i * UNITS + unit], to_reset);
    }

    float change = gate_line(gate_total(update, *input, to_update, unit));

    kept[unit] = gate_line(gate_total(reset, *input, to_reset, unit));
    __syncthreads();
    for (int i = 0; i < UNITS; i++)
        to_fresh =
            fmaf(kept[i] * state[i], fresh.from_units[i * UNITS + unit], to_fresh);

    float value = tanhf(gate_total(fresh, *input, to_fresh, unit));

    next[unit] = fmaf(1.0f - change, state[unit], change * value);
}
