/* children.cu - kernels that launch kernels: order, streams, errors, queries, copies. What is
 * printed is what an H200 prints.
 */
#include <cstdio>

__device__ int order[64], n_order;
__device__ int from[256], to[256];

__global__ void note(int x)
{
    order[atomicAdd(&n_order, 1)] = x;
}

__global__ void shares(int x)
{
    extern __shared__ int s[];

    s[threadIdx.x] = x;
}

__global__ void __launch_bounds__(64) bounded()
{
}

static void show(const char *what)
{
    int n = 0, o[64], none = 0;
    cudaError_t e = cudaDeviceSynchronize();

    cudaMemcpyFromSymbol(&n, n_order, sizeof n);
    cudaMemcpyFromSymbol(o, order, sizeof o);
    printf("%s: %s:", what, cudaGetErrorName(e));
    for (int i = 0; i < n && i < 64; i++)
        printf(" %d", o[i]);
    printf("\n");
    cudaMemcpyToSymbol(n_order, &none, sizeof none);
}

__global__ void errors()
{
    cudaStream_t s;
    cudaEvent_t e;

    if (threadIdx.x == 1)
        note<<<1, 2048>>>(1); /* the error is this thread's */
    __syncwarp();
    if (threadIdx.x != 1) {
        printf("of another thread: %d\n", cudaGetLastError());
        note<<<0, 1>>>(1);
        printf("no blocks: %d", cudaPeekAtLastError());
        printf(" %d", cudaGetLastError());
        printf(" %d\n", cudaGetLastError());
        note<<<dim3(1, 70000), 1>>>(1);
        printf("70000 in y: %d\n", cudaGetLastError());
        shares<<<1, 1, 49153>>>(1);
        printf("shared memory: %d\n", cudaGetLastError());
        bounded<<<1, 128>>>();
        printf("launch bounds: %d\n", cudaGetLastError());
        printf("stream: %d %d\n", cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking),
               cudaStreamDestroy(s));
        printf("event with time: %d", cudaEventCreateWithFlags(&e, 0));
        printf(" %d\n", cudaGetLastError());
        printf("event: %d", cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        printf(" %d %d %d\n", cudaEventRecord(e, 0), cudaStreamWaitEvent(0, e, 0),
               cudaEventDestroy(e));
    } else {
        printf("2048 threads: %d\n", cudaGetLastError());
    }
}

__global__ void queries()
{
    cudaFuncAttributes f;
    size_t limit = 1;
    int v = -1, blocks = -1;
    void *p = NULL;

    printf("device: %d", cudaGetDevice(&v));
    printf(" %d", v);
    printf(" %d", cudaGetDeviceCount(&v));
    printf(" %d\n", v);
    printf("attributes: %d", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    printf(" %d", v);
    printf(" %d\n", cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0));
    printf("limits: %d", cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    printf(" %d", (int)limit);
    printf(" %d\n", cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
    printf("kernel: %d", cudaFuncGetAttributes(&f, bounded));
    printf(" %d %d\n", f.maxThreadsPerBlock, (int)f.sharedSizeBytes);
    printf("occupancy: %d", cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                &blocks, shares, 1024, 0));
    printf(" %d\n", blocks > 0);
    printf("%s, %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration),
           cudaGetErrorName(cudaErrorInvalidValue));
    printf("memory: %d", cudaMalloc(&p, 100));
    printf(" %d %d\n", p != NULL, cudaFree(p));
}

__global__ void two()
{
    note<<<1, 1>>>(threadIdx.x);
    note<<<1, 1>>>(threadIdx.x + 5);
}

__global__ void tails(int d)
{
    if (d == 3)
        return;
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(d);
    tails<<<1, 1, 0, cudaStreamTailLaunch>>>(d + 1);
    note<<<1, 1>>>(100 + d);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(200 + d);
}

__global__ void nest(int d)
{
    if (d == 24)
        return;
    note<<<1, 1>>>(d);
    nest<<<1, 1>>>(d + 1);
}

__global__ void copies()
{
    for (int i = 0; i < 256; i++)
        from[i] = i;
    printf("copies: %d", cudaMemcpyAsync(to, from, 1024, cudaMemcpyDeviceToDevice, 0));
    printf(" %d\n", cudaMemsetAsync(to + 128, 1, 256, 0));
}

__global__ void sum()
{
    int s = 0;

    for (int i = 0; i < 256; i++)
        s = s * 31 + to[i];
    printf("sum: %d\n", s);
}

__global__ void fault(int *p)
{
    *p = 1;
}

__global__ void faults()
{
    fault<<<1, 1>>>((int *)16);
}

int main()
{
    errors<<<1, 2>>>();
    show("errors");
    queries<<<1, 1>>>();
    two<<<1, 2>>>();
    show("two");
    tails<<<1, 1>>>(0);
    show("tails");
    nest<<<1, 1>>>(0);
    show("nest");
    copies<<<1, 1>>>();
    sum<<<1, 1>>>();
    show("copies");
    faults<<<1, 1>>>();
    printf("fault: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
