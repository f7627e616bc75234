/* capture.cu - streams captured into graphs: which calls are captured, in which order
 * their nodes depend on each other, and what calls give that cannot be captured.
 * Prints results that an H200 gives.
 */
#include <thread>
#include <vector>

#include "check.h"

/* Prints what a call gives. */
#define SHOW(call) printf("  %s: %s\n", #call, cudaGetErrorName(call))

__device__ int symbol;

__global__ void add(int *p, int value) { p[threadIdx.x] += value; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static int *device, *host;
static cudaStream_t s, other;
static cudaEvent_t event, timer;
static int n_calls;

static void count_call(void *) { n_calls++; }
static void CUDART_CB callback(cudaStream_t, cudaError_t, void *) {}

static const char *name_of(cudaGraphNodeType type)
{
    static const char *const names[] = { "kernel", "memcpy", "memset", "host",
                                         "graph",  "empty",  "wait",   "record",
                                         "signal", "semaphore", "alloc", "free" };

    return (unsigned)type < 12 ? names[type] : "?";
}

/* Nodes in order of creation with the places of those that they depend on. */
static void show_graph(cudaGraph_t graph)
{
    size_t n = 0, roots = 0;

    GOOD(cudaGraphGetNodes(graph, NULL, &n));
    GOOD(cudaGraphGetRootNodes(graph, NULL, &roots));
    std::vector<cudaGraphNode_t> nodes(n);
    GOOD(cudaGraphGetNodes(graph, nodes.data(), &n));
    printf("  %zu nodes, %zu of them roots:", n, roots);
    for (size_t i = 0; i < n; i++) {
        cudaGraphNodeType type;
        size_t m = 0;

        GOOD(cudaGraphNodeGetType(nodes[i], &type));
        GOOD(cudaGraphNodeGetDependencies(nodes[i], NULL, NULL, &m));
        std::vector<cudaGraphNode_t> from(m);
        GOOD(cudaGraphNodeGetDependencies(nodes[i], from.data(), NULL, &m));
        printf(" %s(", name_of(type));
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < n; j++)
                if (nodes[j] == from[k])
                    printf(k ? " %zu" : "%zu", j);
        printf(")");
    }
    puts("");
}

static int status_of(cudaStream_t stream)
{
    cudaStreamCaptureStatus status;

    GOOD(cudaStreamIsCapturing(stream, &status));
    return status;
}

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    GOOD(cudaStreamBeginCapture(s, mode));
}

/* Ends a capture; prints the states before and the graph. */
static void end()
{
    cudaGraph_t graph = NULL;
    int before = status_of(s);
    cudaError_t error = cudaStreamEndCapture(s, &graph);

    printf("  end: status %d, %s, %s\n", before, cudaGetErrorName(error),
           graph ? "graph" : "no graph");
    if (!error && graph)
        show_graph(graph);
    if (graph)
        GOOD(cudaGraphDestroy(graph));
    (void)cudaGetLastError();
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
    cudaGraphExec_t exec;

    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

/* Every kind of stream-ordered work, twice replayed; parameters are those of the call. */
static void run_all_kinds()
{
    cudaGraph_t graph;
    int value = 5, *p = device;
    void *args[] = { &p, &value };

    puts("all kinds of work");
    for (int i = 0; i < 32; i++)
        host[i] = i;
    begin();
    GOOD(cudaMemcpyAsync(device, host, 32 * sizeof(int), cudaMemcpyHostToDevice, s));
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaLaunchKernel((void *)add, dim3(1), dim3(32), args, 0, s));
    value = 1000;
    GOOD(cudaMemsetAsync(device + 32, 0, 32 * sizeof(int), s));
    GOOD(cudaMemset2DAsync(device + 64, 64, 1, 16, 4, s));
    GOOD(cudaMemcpy2DAsync(device + 64, 64, device + 16, 64, 16, 1,
                           cudaMemcpyDeviceToDevice, s));
    GOOD(cudaLaunchHostFunc(s, count_call, NULL));
    GOOD(cudaMemcpyToSymbolAsync(symbol, device, sizeof(int), 0,
                                 cudaMemcpyDeviceToDevice, s));
    GOOD(cudaMemcpyFromSymbolAsync(host + 128, symbol, sizeof(int), 0,
                                   cudaMemcpyDeviceToHost, s));
    GOOD(cudaMemcpyAsync(host + 64, device, 64 * sizeof(int), cudaMemcpyDefault, s));
    CHECK(status_of(s) == cudaStreamCaptureStatusActive && n_calls == 0);
    GOOD(cudaStreamEndCapture(s, &graph));
    show_graph(graph);
    cudaGraphExec_t exec = instantiate(graph);
    for (int turn = 0; turn < 2; turn++) {
        host[128] = -1;
        GOOD(cudaGraphLaunch(exec, s));
        GOOD(cudaStreamSynchronize(s));
        for (int i = 0; i < 32; i++)
            CHECK(host[64 + i] == i + 6 && host[96 + i] == 0);
        CHECK(host[128] == 6 && n_calls == turn + 1);
    }
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

/* A second stream joins by an event and comes back by another. */
static void run_fork()
{
    cudaGraph_t graph;
    cudaEvent_t join;

    puts("fork and join");
    GOOD(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    GOOD(cudaMemset(device, 0, 64 * sizeof(int)));
    begin();
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaEventRecord(event, s));
    GOOD(cudaStreamWaitEvent(other, event, 0));
    printf("  status of the other stream: %d\n", status_of(other));
    add<<<1, 32, 0, other>>>(device + 32, 2);
    add<<<1, 32, 0, s>>>(device, 4);
    twice<<<1, 32, 0, other>>>(device + 32);
    GOOD(cudaEventRecord(join, other));
    GOOD(cudaStreamWaitEvent(s, join, 0));
    twice<<<1, 32, 0, s>>>(device);
    GOOD(cudaStreamEndCapture(s, &graph));
    show_graph(graph);
    printf("  status of the other stream: %d\n", status_of(other));
    cudaGraphExec_t exec = instantiate(graph);
    GOOD(cudaGraphLaunch(exec, s));
    GOOD(cudaMemcpy(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(host[0] == 10 && host[32] == 4);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));

    puts("a stream that does not join");
    begin();
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaEventRecord(event, s));
    GOOD(cudaStreamWaitEvent(other, event, 0));
    add<<<1, 32, 0, other>>>(device + 32, 2);
    end();
    printf("  status of the other stream: %d\n", status_of(other));
    puts("a forked stream ends the capture");
    begin();
    GOOD(cudaEventRecord(event, s));
    GOOD(cudaStreamWaitEvent(other, event, 0));
    SHOW(cudaStreamEndCapture(other, &graph));
    end();
    puts("waiting for an event of before the capture");
    GOOD(cudaEventRecord(event, other));
    begin();
    SHOW(cudaStreamWaitEvent(s, event, 0));
    end();
    puts("events that are recorded in the graph");
    begin();
    SHOW(cudaEventRecordWithFlags(timer, s, cudaEventRecordExternal));
    SHOW(cudaStreamWaitEvent(s, timer, cudaEventWaitExternal));
    end();
    GOOD(cudaEventDestroy(join));
}

/* Calls that cannot be captured, and what is left of the capture after each. */
static void run_unsafe(cudaStreamCaptureMode mode)
{
    cudaGraph_t graph;
    void *p = NULL;
    cudaEvent_t made;
    cudaStream_t stream;
    size_t a, b;
    float ms;

    printf("calls that are not captured, mode %d\n", (int)mode);
#define CASE(call)   \
    do {             \
        begin(mode); \
        SHOW(call);  \
        end();       \
    } while (0)
    CASE(cudaStreamSynchronize(s));
    CASE(cudaStreamQuery(s));
    CASE(cudaStreamSynchronize(other));
    CASE(cudaStreamQuery(other));
    CASE(cudaDeviceSynchronize());
    CASE(cudaEventQuery(timer));
    CASE(cudaEventSynchronize(timer));
    CASE(cudaMalloc(&p, 256));
    if (p)
        GOOD(cudaFree(p));
    p = NULL;
    CASE(cudaMallocHost(&p, 256));
    if (p)
        GOOD(cudaFreeHost(p));
    p = NULL;
    CASE(cudaMallocManaged(&p, 256));
    if (p)
        GOOD(cudaFree(p));
    CASE(cudaFree(NULL));
    GOOD(cudaMalloc(&p, 256));
    CASE(cudaFree(p));
    (void)cudaFree(p);
    (void)cudaGetLastError();
    CASE(cudaMemGetInfo(&a, &b));
    CASE(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
    CASE(cudaMemset(device, 0, 4));
    CASE(cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, cudaStreamLegacy));
    CASE(cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    CASE(cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, other));
    CASE((add<<<1, 32>>>(device, 1), cudaGetLastError()));
    CASE(cudaStreamAddCallback(s, callback, NULL, 0));
    CASE(cudaEventRecord(timer, other));
    CASE(cudaEventRecord(timer, 0));
    CASE(cudaStreamWaitEvent(0, timer, 0));
    CASE(cudaEventElapsedTime(&ms, timer, timer));
    CASE(cudaEventCreate(&made));
    CASE(cudaStreamCreate(&stream));
    CASE(cudaStreamBeginCapture(s, mode));
    CASE(cudaStreamBeginCapture(other, mode) ? cudaErrorUnknown
                                             : cudaStreamEndCapture(other, &graph));
    CASE(cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    CASE(cudaHostGetDevicePointer(&p, host, 0));
    CASE(cudaGetSymbolAddress(&p, symbol));
    CASE(cudaMemcpyAsync(device, host, 4, (cudaMemcpyKind)9, s));
    CASE((add<<<1, 2000, 0, s>>>(device, 1), cudaGetLastError()));
#undef CASE
}

static void run_errors()
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaSuccess;

    puts("captures that are refused");
    SHOW(cudaStreamEndCapture(s, &graph));
    SHOW(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)7));
    puts("an event that was recorded in a capture");
    begin();
    GOOD(cudaEventRecord(event, s));
    SHOW(cudaEventQuery(event));
    end();
    SHOW(cudaEventQuery(event));
    SHOW(cudaEventSynchronize(event));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    begin();
    SHOW(cudaStreamWaitEvent(s, event, 0));
    end();
    puts("two captures that would merge");
    begin();
    GOOD(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
    GOOD(cudaEventRecord(event, other));
    SHOW(cudaStreamWaitEvent(s, event, 0));
    printf("  status of the other stream: %d\n", status_of(other));
    SHOW(cudaStreamEndCapture(other, &graph));
    end();
    puts("the wrong thread");
    begin();
    std::thread([&] { error = cudaStreamEndCapture(s, &graph); }).join();
    printf("  end in another thread: %s\n", cudaGetErrorName(error));
    end();
    begin(cudaStreamCaptureModeRelaxed);
    std::thread([&] { error = cudaStreamEndCapture(s, &graph); }).join();
    printf("  end in another thread: %s\n", cudaGetErrorName(error));
    if (!error)
        GOOD(cudaGraphDestroy(graph));
    puts("another thread allocates");
    for (int mode = 0; mode < 3; mode++) {
        void *p = NULL;

        begin((cudaStreamCaptureMode)mode);
        std::thread([&] { error = cudaMalloc(&p, 256); }).join();
        printf("  mode %d: %s\n", mode, cudaGetErrorName(error));
        end();
        std::thread([&] {
            cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;

            GOOD(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)mode));
            GOOD(cudaThreadExchangeStreamCaptureMode(&relaxed));
            printf("  was %d\n", (int)relaxed);
            error = cudaMalloc(&p, 256);
            GOOD(cudaThreadExchangeStreamCaptureMode(&relaxed));
            printf("  mode %d, relaxed thread: %s\n", mode, cudaGetErrorName(error));
            end();
        }).join();
    }
}

static void run_info()
{
    cudaStreamCaptureStatus status;
    unsigned long long id = 0, again = 0;
    cudaGraph_t graph = NULL, ended, own;
    const cudaGraphNode_t *from = NULL;
    const cudaGraphEdgeData *edges = NULL;
    cudaGraphNode_t node;
    size_t n = 99;

    puts("what is known of a capture");
    GOOD(cudaStreamGetCaptureInfo(s, &status, &id, &graph, &from, &edges, &n));
    printf("  before: %d\n", (int)status);
    begin();
    GOOD(cudaStreamGetCaptureInfo(s, &status, &id, &graph, &from, &edges, &n));
    printf("  empty: %d, %zu nodes\n", (int)status, n);
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaStreamGetCaptureInfo(s, &status, &again, &graph, &from, &edges, &n));
    printf("  one kernel: %d, %zu nodes, id %s\n", (int)status, n,
           id == again ? "same" : "other");
    GOOD(cudaGraphAddEmptyNode(&node, graph, from, n));
    GOOD(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1,
                                             cudaStreamSetCaptureDependencies));
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    GOOD(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1,
                                             cudaStreamAddCaptureDependencies));
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaStreamEndCapture(s, &ended));
    CHECK(ended == graph);
    show_graph(ended);
    GOOD(cudaGraphDestroy(ended));
    puts("capture into a graph");
    GOOD(cudaGraphCreate(&own, 0));
    GOOD(cudaGraphAddEmptyNode(&node, own, NULL, 0));
    GOOD(cudaStreamBeginCaptureToGraph(s, own, &node, NULL, 1,
                                       cudaStreamCaptureModeRelaxed));
    add<<<1, 32, 0, s>>>(device, 1);
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaStreamEndCapture(s, &ended));
    CHECK(ended == own);
    show_graph(own);
    GOOD(cudaGraphDestroy(own));
    puts("a graph launched into a capture");
    begin();
    add<<<1, 32, 0, s>>>(device, 1);
    GOOD(cudaStreamEndCapture(s, &graph));
    cudaGraphExec_t exec = instantiate(graph);
    begin();
    twice<<<1, 32, 0, s>>>(device);
    SHOW(cudaGraphLaunch(exec, s));
    end();
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

static void run_memory()
{
    cudaGraph_t graph;
    int *p = NULL;

    puts("memory of a captured stream");
    begin();
    SHOW(cudaMallocAsync(&p, 128, s));
    GOOD(cudaMemsetAsync(p, 0, 128, s));
    add<<<1, 32, 0, s>>>(p, 7);
    GOOD(cudaMemcpyAsync(host, p, 128, cudaMemcpyDeviceToHost, s));
    SHOW(cudaFreeAsync(p, s));
    GOOD(cudaStreamEndCapture(s, &graph));
    show_graph(graph);
    cudaGraphExec_t exec = instantiate(graph);
    for (int i = 0; i < 2; i++) {
        memset(host, 0, 128);
        GOOD(cudaGraphLaunch(exec, s));
        GOOD(cudaStreamSynchronize(s));
        CHECK(host[0] == 7 && host[31] == 7);
    }
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

int main()
{
    GOOD(cudaMalloc(&device, 4096));
    GOOD(cudaMemset(device, 0, 4096));
    GOOD(cudaMallocHost(&host, 4096));
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    GOOD(cudaEventCreate(&timer));
    GOOD(cudaEventRecord(timer, other));
    add<<<1, 32, 0, other>>>(device, 0);
    twice<<<1, 32, 0, other>>>(device);
    GOOD(cudaDeviceSynchronize());
    run_all_kinds();
    run_fork();
    for (int mode = 0; mode < 3; mode++)
        run_unsafe((cudaStreamCaptureMode)mode);
    run_errors();
    run_info();
    run_memory();
    GOOD(cudaGetLastError());
    puts("capture: good");
    return 0;
}
