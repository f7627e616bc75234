/* backprop.cu - one training step of a layered network: the input layer's share.
 *
 * Sixteen hidden units; a block of 16x16 threads takes sixteen input units.
 * layer_forward: products of inputs and weights, summed over the block's inputs by a
 * tree in shared memory; the host adds the blocks' sums. adjust_weights: gradient and
 * momentum; their factors are double constants, as in the suite the papers use.
 * Row 0 of the weights belongs to the bias unit, column 0 is unused.
 */
enum { SIDE = 16 };

extern "C" __global__ void layer_forward(const float *input, const float *weights,
                                         float *partial, int hidden)
{
    __shared__ float unit[SIDE];
    __shared__ float product[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int in = blockIdx.y * SIDE + ty + 1;

    if (tx == 0)
        unit[ty] = input[in];
    __syncthreads();
    product[ty][tx] = weights[in * (hidden + 1) + tx + 1] * unit[ty];
    __syncthreads();
    for (int step = 1; step < SIDE; step *= 2) {
        if (ty % (2 * step) == 0)
            product[ty][tx] = product[ty][tx] + product[ty + step][tx];
        __syncthreads();
    }
    if (ty == 0)
        partial[blockIdx.y * hidden + tx] = product[0][tx];
}

extern "C" __global__ void adjust_weights(const float *delta, const float *input,
                                          float *weights, float *momentum, int hidden)
{
    const double rate = 0.3, keep = 0.3;
    int tx = threadIdx.x, ty = threadIdx.y;
    int in = blockIdx.y * SIDE + ty + 1;
    int at = in * (hidden + 1) + tx + 1;
    double change = fma(rate * (double)delta[tx + 1], (double)input[in],
                        keep * (double)momentum[at]);

    weights[at] = (float)((double)weights[at] + change);
    momentum[at] = (float)change;
    if (ty == 0 && blockIdx.y == 0) {
        change = fma(rate, (double)delta[tx + 1], keep * (double)momentum[tx + 1]);
        weights[tx + 1] = (float)((double)weights[tx + 1] + change);
        momentum[tx + 1] = (float)change;
    }
}
