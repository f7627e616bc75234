/* samples.cu - what vendors' example programs do: choosing a device by its attributes, a
 * timed loop of launches, overlapped copies, clocks, votes and atomics, page-locked and
 * write-combined memory, templates around dynamic shared memory.
 */
#include <cuda_profiler_api.h>

#include "check.h"

/* The device with most multiprocessors, as a helper would choose it. */
static int best_device()
{
    int n, best = -1, most = 0;

    GOOD(cudaGetDeviceCount(&n));
    for (int i = 0; i < n; i++) {
        int mode, major, sms;

        GOOD(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, i));
        GOOD(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i));
        GOOD(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, i));
        if (mode != cudaComputeModeProhibited && major > 0 && sms > most) {
            most = sms;
            best = i;
        }
    }
    return best;
}

template <typename T> struct dynamic {
    __device__ operator T *()
    {
        extern __shared__ int raw[];
        return (T *)raw;
    }
};
template <> struct dynamic<double> {
    __device__ operator double *()
    {
        extern __shared__ double raw_double[];
        return raw_double;
    }
};

template <typename T, unsigned THREADS>
__global__ void reduce(const T *in, T *out, unsigned n)
{
    T *part = dynamic<T>(), sum = 0;
    unsigned t = threadIdx.x;

    for (unsigned i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (unsigned half = THREADS / 2; half >= 32; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        sum = part[t];
        for (int k = 16; k; k /= 2)
            sum += __shfl_down_sync(~0u, sum, k);
        if (!t)
            out[blockIdx.x] = sum;
    }
}

template <typename T> static void run_reduce()
{
    enum { N = 10000, BLOCKS = 8, THREADS = 128 };
    T *h, *d, *parts, sums[BLOCKS], sum = 0, want = 0;
    cudaEvent_t start, stop;
    float ms = 0;

    GOOD(cudaHostAlloc(&h, N * sizeof(T), cudaHostAllocWriteCombined));
    for (int i = 0; i < N; i++) {
        h[i] = (T)(i % 17);
        want += h[i];
    }
    GOOD(cudaMalloc(&d, N * sizeof(T)));
    GOOD(cudaMalloc(&parts, sizeof sums));
    GOOD(cudaMemcpy(d, h, N * sizeof(T), cudaMemcpyHostToDevice));
    GOOD(cudaEventCreateWithFlags(&start, cudaEventBlockingSync));
    GOOD(cudaEventCreate(&stop));
    GOOD(cudaEventRecord(start, NULL));
    for (int i = 0; i < 3; i++)
        reduce<T, THREADS><<<BLOCKS, THREADS, THREADS * sizeof(T)>>>(d, parts, N);
    GOOD(cudaEventRecord(stop, NULL));
    GOOD(cudaEventSynchronize(stop));
    GOOD(cudaEventElapsedTime(&ms, start, stop));
    GOOD(cudaMemcpy(sums, parts, sizeof sums, cudaMemcpyDeviceToHost));
    for (T s : sums)
        sum += s;
    CHECK(sum == want && ms > 0);
    GOOD(cudaFreeHost(h));
    GOOD(cudaFree(d));
    GOOD(cudaFree(parts));
}

__global__ void intrinsics(int *data, unsigned *votes, long long *times)
{
    long long start = clock64();
    unsigned tid = blockDim.x * blockIdx.x + threadIdx.x;

    atomicAdd(&data[0], 10);
    atomicSub(&data[1], 1);
    atomicExch(&data[2], (int)tid);
    atomicMax(&data[3], (int)tid);
    atomicMin(&data[4], (int)tid);
    atomicInc((unsigned *)&data[5], 17);
    atomicCAS(&data[6], (int)tid - 1, (int)tid);
    atomicAnd(&data[7], 2 * (int)tid + 7);
    atomicOr(&data[8], 1 << (tid & 31));
    atomicXor(&data[9], (int)tid);
    votes[tid] = __ballot_sync(~0u, tid % 3 == 0) + __any_sync(~0u, tid == 5) +
                 __all_sync(~0u, tid < 64);
    if (!threadIdx.x)
        times[blockIdx.x] = clock64() - start;
}

static void run_intrinsics()
{
    int *d, h[10] = { 0, 0, 0, -5, 1000, 0, 0, 0xff, 0, 0 };
    unsigned *v, votes[64];
    long long *t, times[2];

    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaMalloc(&v, sizeof votes));
    GOOD(cudaMalloc(&t, sizeof times));
    GOOD(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    intrinsics<<<2, 32>>>(d, v, t);
    GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(votes, v, sizeof votes, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(times, t, sizeof times, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 640 && h[1] == -64 && h[3] == 63 && h[4] == 0 && h[5] == 64 % 18);
    CHECK(h[7] == 1 && h[8] == -1 && h[9] == 0 && h[2] >= 0 && h[2] < 64);
    CHECK(votes[0] == 0x49249249u + 2 && times[0] > 0 && times[1] > 0);
    GOOD(cudaFree(d));
    GOOD(cudaFree(v));
    GOOD(cudaFree(t));
}

__global__ void increment(int *data, int value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

/* Copies and kernels queued, and the host counting until they are over. */
static void run_async()
{
    enum { N = 1 << 14 };
    cudaEvent_t stop;
    int *h, *d, counter = 0;

    GOOD(cudaMallocHost(&h, N * sizeof(int)));
    memset(h, 0, N * sizeof(int));
    GOOD(cudaMalloc(&d, N * sizeof(int)));
    GOOD(cudaMemset(d, 255, N * sizeof(int)));
    GOOD(cudaEventCreate(&stop));
    GOOD(cudaProfilerStart());
    GOOD(cudaMemcpyAsync(d, h, N * sizeof(int), cudaMemcpyHostToDevice, 0));
    increment<<<N / 512, 512, 0, 0>>>(d, 26);
    GOOD(cudaMemcpyAsync(h, d, N * sizeof(int), cudaMemcpyDeviceToHost, 0));
    GOOD(cudaEventRecord(stop, 0));
    GOOD(cudaProfilerStop());
    while (cudaEventQuery(stop) == cudaErrorNotReady)
        counter++;
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 26);
    GOOD(cudaEventDestroy(stop));
    GOOD(cudaFreeHost(h));
    GOOD(cudaFree(d));
}

int main()
{
    cudaDeviceProp p;
    int device = best_device();

    CHECK(device == 0);
    GOOD(cudaSetDevice(device));
    GOOD(cudaGetDeviceProperties(&p, device));
    run_reduce<int>();
    run_reduce<float>();
    run_reduce<double>();
    run_intrinsics();
    run_async();
    GOOD(cudaDeviceReset());
    printf("samples: warp of %d, %s\n", p.warpSize, p.name[0] ? "a name" : "no name");
    return 0;
}
