/* shared.cu - static and dynamic shared memory, more than 48 KB, attributes, occupancy. */
#include "check.h"

extern __shared__ int dynamic[];

__global__ void reverse(int *data, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dynamic[i] = data[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = dynamic[n - 1 - i];
}

template <int N> __global__ void __launch_bounds__(128) sum(const float *in, float *out)
{
    __shared__ float part[N];

    part[threadIdx.x] = in[threadIdx.x];
    for (int half = N / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (!threadIdx.x)
        *out = part[0];
}

static void run_reverse(int n)
{
    int *d, *h = new int[n];

    for (int i = 0; i < n; i++)
        h[i] = i;
    GOOD(cudaMalloc(&d, n * sizeof(int)));
    GOOD(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
    reverse<<<1, 256, n * sizeof(int)>>>(d, n);
    GOOD(cudaGetLastError());
    GOOD(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[i] == n - 1 - i);
    GOOD(cudaFree(d));
    delete[] h;
}

static void run_sum()
{
    float *d, h[128], total;

    for (int i = 0; i < 128; i++)
        h[i] = i;
    GOOD(cudaMalloc(&d, sizeof h + sizeof total));
    GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    sum<128><<<1, 128>>>(d, d + 128);
    GOOD(cudaMemcpy(&total, d + 128, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(total == 127 * 64);
    GOOD(cudaFree(d));
}

/* The last 12 bytes of a block: ptxas reads 16, as a GPU allocates more. */
__global__ void last(float *a)
{
    __shared__ float4 first[4];
    __shared__ float3 sums;

    if (threadIdx.x < 4)
        first[threadIdx.x] = make_float4(threadIdx.x, 0, 0, 0);
    if (!threadIdx.x)
        sums = make_float3(a[0], a[1], a[2]);
    __syncthreads();
    float3 s = sums;
    a[threadIdx.x] = first[threadIdx.x & 3].x * s.x + s.y * s.z;
}

static void run_last()
{
    float *d, h[32] = { 5, 2, 3 };

    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    last<<<1, 32>>>(d);
    GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == (i & 3) * 5 + 6);
    GOOD(cudaFree(d));
}

static void run_questions()
{
    cudaFuncAttributes a;
    int blocks, grid, block, optin;
    size_t bytes;

    GOOD(cudaFuncGetAttributes(&a, sum<128>));
    CHECK(a.sharedSizeBytes == 512 && a.maxThreadsPerBlock == 128 && a.numRegs > 0);
    CHECK(a.binaryVersion >= 75 && a.localSizeBytes == 0);
    GOOD(cudaFuncGetAttributes(&a, reverse));
    CHECK(a.sharedSizeBytes == 0 && a.maxDynamicSharedSizeBytes == 49152);
    GOOD(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(optin >= 64 * 1024);
    reverse<<<1, 32, 60 * 1024>>>(NULL, 0);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    GOOD(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              60 * 1024));
    GIVES(cudaErrorInvalidValue,
          cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               optin + 1));
    GOOD(cudaFuncSetAttribute(reverse, cudaFuncAttributePreferredSharedMemoryCarveout,
                              cudaSharedmemCarveoutMaxShared));
    GOOD(cudaFuncSetCacheConfig(reverse, cudaFuncCachePreferShared));
    (void)cudaGetLastError();

    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 256, 0));
    CHECK(blocks >= 4);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 256, 40 * 1024));
    CHECK(blocks >= 1 && blocks <= 5);
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reverse, 0, 0));
    CHECK(block % 32 == 0 && block >= 128 && grid >= 1);
    GOOD(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse, 2, 128));
    CHECK(bytes >= 30 * 1024);
}

int main()
{
    run_reverse(1000);
    run_reverse(12 * 1024);
    run_sum();
    run_last();
    run_questions();
    run_reverse(15 * 1024);
    puts("shared: good");
    return 0;
}
