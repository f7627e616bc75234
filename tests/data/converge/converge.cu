/* converge.cu - loops that lanes leave after so many rounds each. How often a warp executes
 * an instruction shows which lanes ran together. Built by nvcc -arch=sm_90 -cubin. */
#define KERNEL(name) extern "C" __global__ void name(const int *leave, float *out, const float *in, int n)

/* Out of the middle of a loop. */
KERNEL(k0)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    for (; i < n; i++) {
        if (x > 1e30f || i == l)
            break;
        x = x * 1.5f + 0.25f;
    }
    out[threadIdx.x] = x + i;
}

/* The same with a volatile load, for which the compiler puts YIELD into the loop. */
KERNEL(k1)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    for (; i < n; i++) {
        if (x > 1e30f || i == l)
            break;
        x = x * 1.5f + ((volatile const float *)in)[(int)x & 31];
    }
    out[threadIdx.x] = x + i;
}

/* At the end of a loop. */
KERNEL(k2)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    do {
        x = x * 1.5f + 0.25f;
        i++;
    } while (i < l);
    out[threadIdx.x] = x + i;
}

/* The same with a volatile load. */
KERNEL(k3)
{
    int l = leave[threadIdx.x];
    float x = in[threadIdx.x];
    int i = 0;
#pragma unroll 1
    do {
        x = x * 1.5f + ((volatile const float *)in)[(int)x & 31];
        i++;
    } while (i < l);
    out[threadIdx.x] = x + i;
}
