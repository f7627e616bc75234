/* binomial_options.cu - European call options by a binomial tree.
 *
 * A block of 256 threads prices one option. The values at expiry go to global memory; then the
 * tree is walked back ROUND steps at a time: a strip of 256 values is read into shared memory,
 * each step makes it one shorter, and what is left is written back. Strips overlap by a
 * round. The options are in constant memory, one per block.
 */
enum { WIDTH = 256, ROUND = 32, STRIDE = WIDTH - ROUND, MOST_OPTIONS = 64 };

struct option {
    float price, strike; /* of the stock now, and the agreed one */
    float drift;         /* of its logarithm in a step */
    float up, down;      /* discounted probabilities of a step */
};

__constant__ struct option options[MOST_OPTIONS];

static __device__ float value_at_expiry(const struct option &o, int n_steps, int ups)
{
    float gain = fmaf(o.price, __expf(o.drift * (float)(2 * ups - n_steps)), -o.strike);

    return gain > 0.0f ? gain : 0.0f;
}

/* One step back: to[i] from the two values it may become, for all i up to the last. */
static __device__ void step_back(float *to, const float *from, const struct option &o,
                                 int last)
{
    int i = threadIdx.x;

    __syncthreads();
    if (i <= last)
        to[i] = fmaf(o.up, from[i + 1], o.down * from[i]);
}

/* n_steps is a multiple of ROUND; a row of values has room for n_steps + 1. */
extern "C" __global__ void binomial_options(float *values, float *calls, int n_steps,
                                            int row)
{
    __shared__ float strip[WIDTH], next[WIDTH];
    const struct option &o = options[blockIdx.x];
    float *own = values + blockIdx.x * row;
    int i = threadIdx.x;

    for (int ups = i; ups <= n_steps; ups += WIDTH)
        own[ups] = value_at_expiry(o, n_steps, ups);
    for (int step = n_steps; step > 0; step -= ROUND) {
        for (int first = 0; first < step; first += STRIDE) {
            int last = min(WIDTH - 1, step - first), end = last - ROUND;

            __syncthreads();
            if (i <= last)
                strip[i] = own[first + i];
            for (int k = last - 1; k >= end; k -= 2) {
                step_back(next, strip, o, k);
                step_back(strip, next, o, k - 1);
            }
            __syncthreads();
            if (i <= end)
                own[first + i] = strip[i];
        }
    }
    if (i == 0)
        calls[blockIdx.x] = strip[0];
}
