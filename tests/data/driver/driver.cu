/* driver.cu - what test_driver.c loads. Compiled by
 *   nvcc -cubin -arch=sm_NN -o sm_NN.cubin driver.cu
 */
__constant__ int table[4] = { 1, 2, 3, 4 };
__device__ int counter = 7;
__device__ double zeros[32];

struct pair {
    char a;
    double b;
};

extern "C" __global__ void mixed(char a, short b, struct pair c, int *out)
{
    out[0] = a + b + (int)c.b + c.a;
}

extern "C" __global__ void __launch_bounds__(64) bounded(int *out)
{
    out[threadIdx.x] = table[threadIdx.x & 3] + counter;
}

extern "C" __global__ void shared(int *out)
{
    __shared__ int fixed[1024];
    extern __shared__ int dynamic[];

    fixed[threadIdx.x] = out[threadIdx.x];
    dynamic[threadIdx.x] = out[threadIdx.x] + 1;
    __syncthreads();
    out[threadIdx.x] = fixed[1023 - threadIdx.x] + dynamic[threadIdx.x ^ 1];
    zeros[threadIdx.x & 31] = 1.0;
}

extern "C" __global__ void nothing(void) {}
