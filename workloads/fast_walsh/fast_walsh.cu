/* fast_walsh.cu - Walsh transform of a long vector, and a dyadic convolution with it.
 *
 * Butterflies of four. While the stride is long a launch does one stage in global memory, a
 * thread one butterfly; the last five stages are one launch, with 1024 elements in the
 * shared memory of 256 threads.
 */
enum { SIZE = 1024, THREADS = SIZE / 4 };

/* The first of the thread's four elements; the others follow a stride apart. */
static __device__ int first_of_four(int thread, int stride)
{
    int low = thread & (stride - 1);

    return ((thread - low) << 2) + low;
}

static __device__ void butterfly(float *v, int stride)
{
    float a = v[0], b = v[stride], c = v[2 * stride], d = v[3 * stride];
    float even = a + c, odd = b + d, even_less = a - c, odd_less = b - d;

    v[0] = even + odd;
    v[stride] = even - odd;
    v[2 * stride] = even_less + odd_less;
    v[3 * stride] = even_less - odd_less;
}

extern "C" __global__ void walsh_stage(float *v, int stride)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;

    butterfly(v + first_of_four(thread, stride), stride);
}

extern "C" __global__ void walsh_last_stages(float *v)
{
    __shared__ float part[SIZE];
    float *own = v + blockIdx.x * SIZE;

    for (int i = threadIdx.x; i < SIZE; i += THREADS)
        part[i] = own[i];
    for (int stride = SIZE / 4; stride > 0; stride >>= 2) {
        __syncthreads();
        butterfly(part + first_of_four(threadIdx.x, stride), stride);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < SIZE; i += THREADS)
        own[i] = part[i];
}

/* v = v w / n, element by element. */
extern "C" __global__ void walsh_multiply(float *v, const float *w, int n)
{
    int step = blockDim.x * gridDim.x;
    float scale = 1.0f / (float)n;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        v[i] *= w[i] * scale;
}
