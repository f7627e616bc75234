/* basics.cu - memory, templates, launches in every form, events, device queries. */
#include <vector>

#include "check.h"

template <typename T, int K> __global__ void scale(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i] * K;
}

struct pair {
    int a;
    double b;
};

__global__ void structs(pair p, char c, pair *out)
{
    out[threadIdx.x] = { p.a + c, p.b + threadIdx.x };
}

__global__ void shape(int *out)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

template <typename T> static void run_scale(int n)
{
    std::vector<T> in(n), out(n);
    T *a, *b;

    for (int i = 0; i < n; i++)
        in[i] = (T)(i % 100);
    GOOD(cudaMalloc(&a, n * sizeof(T)));
    GOOD(cudaMalloc((void **)&b, n * sizeof(T)));
    GOOD(cudaMemcpy(a, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    GOOD(cudaMemset(b, 0xff, n * sizeof(T)));
    scale<T, 3><<<(n + 127) / 128, 128>>>(a, b, n);
    GOOD(cudaGetLastError());
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(out.data(), b, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(out[i] == in[i] * 3);
    GOOD(cudaFree(a));
    GOOD(cudaFree(b));
}

static void run_structs()
{
    pair *d, h[4], p = { 7, 0.5 };
    char c = 3;
    void *args[] = { &p, &c, &d };

    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaLaunchKernel((const void *)structs, dim3(1), dim3(4), args, 0, 0));
    GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault));
    for (int i = 0; i < 4; i++)
        CHECK(h[i].a == 10 && h[i].b == 0.5 + i);
    GOOD(cudaFree(d));
}

static void run_shape()
{
    dim3 grid(3, 2, 2), block(5, 3, 2);
    int n = 12 * 30, *d;
    std::vector<int> h(n);

    GOOD(cudaMalloc(&d, n * sizeof(int)));
    shape<<<grid, block>>>(d);
    GOOD(cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[i] == i / 30 * 1000 + i % 30);
    GOOD(cudaFree(d));
}

static void run_events()
{
    cudaEvent_t start, stop;
    float ms = -1;
    int *d;

    GOOD(cudaMalloc(&d, 1 << 20));
    GOOD(cudaEventCreate(&start));
    GOOD(cudaEventCreate(&stop));
    GOOD(cudaEventRecord(start));
    scale<int, 2><<<64, 256>>>(d, d, 64 * 256);
    GOOD(cudaEventRecord(stop));
    GOOD(cudaEventSynchronize(stop));
    GOOD(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms > 0 && ms < 1000);
    GOOD(cudaEventDestroy(start));
    GOOD(cudaEventDestroy(stop));
    GOOD(cudaFree(d));
}

static void run_device()
{
    int n = 0, device = -1, major, minor, sms, driver, runtime;
    size_t free_bytes, total;
    cudaDeviceProp p;

    GOOD(cudaGetDeviceCount(&n));
    CHECK(n == 1);
    GOOD(cudaSetDevice(0));
    GOOD(cudaGetDevice(&device));
    CHECK(device == 0);
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(1));
    GOOD(cudaGetDeviceProperties(&p, 0));
    CHECK(strstr(p.name, "Leno"));
    GOOD(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    GOOD(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    GOOD(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(p.major == major && p.minor == minor && p.multiProcessorCount == sms);
    CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64);
    CHECK(p.maxGridSize[0] == 2147483647 && p.totalConstMem == 65536);
    CHECK(p.sharedMemPerBlock == 49152 && p.regsPerBlock == 65536);
    CHECK(p.unifiedAddressing == 1 && p.managedMemory == 1 && p.cooperativeLaunch == 1);
    GOOD(cudaMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= total && total == p.totalGlobalMem);
    GOOD(cudaDriverGetVersion(&driver));
    GOOD(cudaRuntimeGetVersion(&runtime));
    CHECK(driver >= runtime && runtime / 1000 == CUDART_VERSION / 1000);
    GOOD(cudaChooseDevice(&device, &p));
    CHECK(device == 0);
}

int main(int argc, char **argv)
{
    run_scale<int>(1000);
    run_scale<float>(333);
    run_scale<double>(64);
    run_scale<unsigned char>(1);
    run_structs();
    run_shape();
    run_events();
    run_device();
    printf("basics: %d arguments, last %s\n", argc - 1, argc > 1 ? argv[argc - 1] : "none");
    return argc > 1 ? atoi(argv[1]) : 0;
}
