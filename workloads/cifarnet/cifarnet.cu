/* cifarnet.cu - layers of a small network that classifies pictures.
 *
 * A convolution has a block per filter and picture and a thread per pixel; pooling a block
 * per map and a thread per pixel that is left. All sums are one chain per thread over
 * weights that a whole block reads at the same address. The last layers have a block per
 * picture and a thread per neuron.
 */
enum { REACH = 2, SPAN = 2 * REACH + 1, WINDOW = 3 };

static __device__ float rectify(float x)
{
    return x > 0.0f ? x : 0.0f;
}

/* The picture continues with zeros beyond its edge. */
extern "C" __global__ void convolve(const float *in, const float *weights,
                                    const float *bias, float *out, int maps,
                                    int rectifies)
{
    int side = blockDim.x, x = threadIdx.x, y = threadIdx.y, filter = blockIdx.x;
    const float *picture = in + blockIdx.y * maps * side * side;
    float sum = bias[filter];

    for (int map = 0; map < maps; map++) {
        for (int dy = -REACH; dy <= REACH; dy++) {
            for (int dx = -REACH; dx <= REACH; dx++) {
                int tap = (dy + REACH) * SPAN + dx + REACH;

                if (x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side)
                    sum = fmaf(picture[(map * side + y + dy) * side + x + dx],
                               weights[(filter * maps + map) * SPAN * SPAN + tap], sum);
            }
        }
    }
    filter += blockIdx.y * gridDim.x;
    out[(filter * side + y) * side + x] = rectifies ? rectify(sum) : sum;
}

/* Largest value of each window, every second pixel; rectified. */
extern "C" __global__ void pool_largest(const float *in, float *out)
{
    int side = blockDim.x, x = threadIdx.x, y = threadIdx.y, wide = 2 * side;
    const float *map = in + blockIdx.x * wide * wide;
    float most = map[2 * y * wide + 2 * x];

    for (int row = 2 * y; row < min(2 * y + WINDOW, wide); row++)
        for (int column = 2 * x; column < min(2 * x + WINDOW, wide); column++)
            most = fmaxf(most, map[row * wide + column]);
    out[(blockIdx.x * side + y) * side + x] = rectify(most);
}

/* Mean of each window, every second pixel. */
extern "C" __global__ void pool_mean(const float *in, float *out)
{
    int side = blockDim.x, x = threadIdx.x, y = threadIdx.y, wide = 2 * side;
    const float *map = in + blockIdx.x * wide * wide;
    float sum = 0.0f;
    int n = 0;

    for (int row = 2 * y; row < min(2 * y + WINDOW, wide); row++) {
        for (int column = 2 * x; column < min(2 * x + WINDOW, wide); column++) {
            sum += map[row * wide + column];
            n++;
        }
    }
    out[(blockIdx.x * side + y) * side + x] = sum / (float)n;
}

/* A fully connected layer. */
extern "C" __global__ void connect(const float *in, const float *weights,
                                   const float *bias, float *out, int inputs)
{
    const float *picture = in + blockIdx.x * inputs;
    float sum = bias[threadIdx.x];

    for (int i = 0; i < inputs; i++)
        sum = fmaf(picture[i], weights[threadIdx.x * inputs + i], sum);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* From scores to probabilities; every thread makes the sum for itself. */
extern "C" __global__ void softmax(const float *scores, float *chances)
{
    const float *own = scores + blockIdx.x * blockDim.x;
    float most = own[0], sum = 0.0f;

    for (int i = 1; i < blockDim.x; i++)
        most = fmaxf(most, own[i]);
    for (int i = 0; i < blockDim.x; i++)
        sum += expf(own[i] - most);
    chances[blockIdx.x * blockDim.x + threadIdx.x] =
        expf(own[threadIdx.x] - most) / sum;
}
