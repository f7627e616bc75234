/* printing.cu - printf from kernels, in order with the host's. */
#include "check.h"

__global__ void hello(const char *what, double x)
{
    if (threadIdx.x < 2)
        printf("block %d thread %u: %s %5.2f %c 0x%08x %lld%%\n", blockIdx.x,
               threadIdx.x, what, x + threadIdx.x, 'a' + threadIdx.x, 48879,
               (long long)threadIdx.x << 40);
}

__global__ void plain()
{
    printf("a kernel without arguments\n");
}

int main()
{
    char *d, text[] = "from the device";

    GOOD(cudaMalloc(&d, sizeof text));
    GOOD(cudaMemcpy(d, text, sizeof text, cudaMemcpyHostToDevice));
    printf("before\n");
    hello<<<2, 32>>>(d, 1.5);
    GOOD(cudaDeviceSynchronize());
    printf("between\n");
    plain<<<1, 1>>>();
    GOOD(cudaDeviceSynchronize());
    printf("after\n");
    return 0;
}
