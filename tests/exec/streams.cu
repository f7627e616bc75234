/* streams.cu - streams, events, callbacks and host functions in order; host threads. */
#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

__global__ void add(int *p, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        p[i] += value;
}

static void note(void *data) { ((std::vector<int> *)data)->push_back(1); }

static void CUDART_CB note_callback(cudaStream_t, cudaError_t status, void *data)
{
    CHECK(status == cudaSuccess);
    ((std::vector<int> *)data)->push_back(2);
}

static void run_streams()
{
    enum { N = 4, SIZE = 1000 };
    cudaStream_t s[N];
    cudaEvent_t e[N];
    int *d[N], *h, least, greatest, priority;
    unsigned flags;
    float ms;

    GOOD(cudaMallocHost(&h, N * SIZE * sizeof(int)));
    GOOD(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest <= 0);
    for (int i = 0; i < N; i++) {
        GOOD(i ? cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking)
               : cudaStreamCreateWithPriority(&s[i], cudaStreamDefault, greatest));
        GOOD(cudaEventCreate(&e[i]));
        GOOD(cudaMallocAsync(&d[i], SIZE * sizeof(int), s[i]));
        GOOD(cudaMemsetAsync(d[i], 0, SIZE * sizeof(int), s[i]));
        if (i)
            GOOD(cudaStreamWaitEvent(s[i], e[i - 1], 0));
        add<<<4, 256, 0, s[i]>>>(d[i], SIZE, i + 1);
        GOOD(cudaEventRecord(e[i], s[i]));
        GOOD(cudaMemcpyAsync(h + i * SIZE, d[i], SIZE * sizeof(int),
                             cudaMemcpyDeviceToHost, s[i]));
    }
    for (int i = 0; i < N; i++) {
        GOOD(cudaStreamSynchronize(s[i]));
        GOOD(cudaStreamQuery(s[i]));
        GOOD(cudaEventQuery(e[i]));
        for (int k = 0; k < SIZE; k++)
            CHECK(h[i * SIZE + k] == i + 1);
    }
    GOOD(cudaEventElapsedTime(&ms, e[0], e[3]));
    CHECK(ms > 0);
    GOOD(cudaStreamGetPriority(s[0], &priority));
    CHECK(priority == greatest);
    GOOD(cudaStreamGetFlags(s[1], &flags));
    CHECK(flags == cudaStreamNonBlocking);
    for (int i = 0; i < N; i++) {
        GOOD(cudaFreeAsync(d[i], s[i]));
        GOOD(cudaStreamDestroy(s[i]));
        GOOD(cudaEventDestroy(e[i]));
    }
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s[0]));
    GOOD(cudaFreeHost(h));
}

static void run_functions()
{
    std::vector<int> order;
    cudaStream_t s;

    GOOD(cudaStreamCreate(&s));
    GOOD(cudaLaunchHostFunc(s, note, &order));
    GOOD(cudaStreamAddCallback(s, note_callback, &order, 0));
    GOOD(cudaLaunchHostFunc(s, note, &order));
    GOOD(cudaStreamSynchronize(s));
    CHECK(order == std::vector<int>({ 1, 2, 1 }));
    GOOD(cudaStreamDestroy(s));
}

static void run_events()
{
    cudaEvent_t a, b;
    float ms;

    GOOD(cudaEventCreate(&a));
    GOOD(cudaEventCreateWithFlags(&b, cudaEventDisableTiming));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, a));
    GOOD(cudaEventRecord(a, cudaStreamPerThread));
    GOOD(cudaEventRecord(b, cudaStreamLegacy));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
    GOOD(cudaEventElapsedTime(&ms, a, a));
    CHECK(ms == 0);
    GOOD(cudaEventDestroy(a));
    GOOD(cudaEventDestroy(b));
    (void)cudaGetLastError();
}

static std::atomic<int> done;

static void worker(int id)
{
    int *d, h[256];
    cudaStream_t s;

    GOOD(cudaSetDevice(0));
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaMalloc(&d, sizeof h));
    GOOD(cudaMemset(d, 0, sizeof h));
    for (int i = 0; i < 5; i++)
        add<<<1, 256, 0, s>>>(d, 256, id);
    GOOD(cudaStreamSynchronize(s));
    GIVES(cudaErrorInvalidValue, cudaFree(h)); /* this thread's error alone */
    GOOD(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        CHECK(h[i] == 5 * id);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    GOOD(cudaFree(d));
    GOOD(cudaStreamDestroy(s));
    done++;
}

int main()
{
    std::vector<std::thread> threads;

    run_streams();
    run_functions();
    run_events();
    for (int i = 1; i <= 6; i++)
        threads.emplace_back(worker, i);
    for (auto &t : threads)
        t.join();
    CHECK(done == 6);
    GOOD(cudaGetLastError());
    puts("streams: good");
    return 0;
}
