/* launches.cu - three kernels, sixty launches each, for --sample: all launches alike, work
 * that grows from launch to launch, and work that varies. */
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1 << 14, LAUNCHES = 60 };

__global__ void scale(float *x, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    x[i] = x[i] * a + 1.0f;
}

__global__ void grow(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = sqrtf(x[i]) + 0.5f;
}

/* As many steps as a hash of the launch and the block says. */
__global__ void vary(float *x, unsigned launch)
{
    unsigned h = (launch * 2654435761u) ^ (blockIdx.x * 40503u);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];

    for (unsigned k = 0; k < (h >> 16) % 61; k++)
        v = v * 0.99f + x[(i + 64 * k) % N] * 0.01f;
    x[i] = v;
}

int main()
{
    static float host[N];
    float *x;
    double sum = 0;

    for (int i = 0; i < N; i++)
        host[i] = (float)(i % 97);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    for (unsigned k = 0; k < LAUNCHES; k++) {
        scale<<<N / 256, 256>>>(x, 0.5f);
        grow<<<16, 128>>>(x, N / LAUNCHES * (k + 1));
        vary<<<32, 128>>>(x, k);
    }
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        sum += host[i];
    printf("%s, sum %.3f\n", cudaGetErrorString(cudaGetLastError()), sum);
    return 0;
}
