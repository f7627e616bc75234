/* properties.cu - properties that programs branch on: those of a real GPU, the same from
 * cudaGetDeviceProperties and cudaDeviceGetAttribute; features that are missing say so.
 */
#include "check.h"

static int attribute(cudaDeviceAttr which)
{
    int value = -1;

    GOOD(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    cudaDeviceProp p;
    size_t free_bytes, total, limit;
    int least, greatest;
    char *at;

    GOOD(cudaGetDeviceProperties(&p, 0));
    printf("async engines %d, concurrent kernels %d, stream priorities %d\n",
           p.asyncEngineCount, p.concurrentKernels, p.streamPrioritiesSupported);
    printf("managed %d, concurrent %d, registered %d, preemption %d\n", p.managedMemory,
           p.concurrentManagedAccess, p.canUseHostPointerForRegisteredMem,
           p.computePreemptionSupported);
    printf("memory pools %d, sparse arrays %d, IPC events %d\n", p.memoryPoolsSupported,
           p.sparseCudaArraySupported, p.ipcEventSupported);
    CHECK(p.ECCEnabled == (p.major == 9));
    CHECK(attribute(cudaDevAttrAsyncEngineCount) == p.asyncEngineCount);
    CHECK(attribute(cudaDevAttrConcurrentManagedAccess) == p.concurrentManagedAccess);
    CHECK(attribute((cudaDeviceAttr)147) == 0);
    GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&least, (cudaDeviceAttr)199, 0));
    GOOD(cudaMemGetInfo(&free_bytes, &total));
    CHECK(total == p.totalGlobalMem && free_bytes <= total);
    if (p.major == 9) {
        CHECK(total == 150109880320);
        GOOD(cudaMalloc(&at, (size_t)20 << 30));
        GOOD(cudaMemset(at + ((size_t)19 << 30), 1, 4096));
        GOOD(cudaFree(at));
    }
    GOOD(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest == -5);
    GOOD(cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity));
    CHECK(limit == 64);
    GIVES(cudaErrorUnsupportedLimit,
          cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetLimit(&limit, (cudaLimit)12));
    return 0;
}
