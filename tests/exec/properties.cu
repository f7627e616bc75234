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

/* A window of L2 that persists, as programs ask for it where the GPU has one. */
static void use_window(const cudaDeviceProp &p, void *at)
{
    cudaStreamAttrValue v = {}, got = {};
    cudaStream_t s;
    size_t limit;

    GOOD(cudaStreamCreate(&s));
    v.accessPolicyWindow.base_ptr = at;
    v.accessPolicyWindow.num_bytes = p.major >= 8 ? 4096 : 0;
    v.accessPolicyWindow.hitRatio = 0.5;
    v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    GOOD(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    GOOD(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &got));
    CHECK(got.accessPolicyWindow.base_ptr == at && got.accessPolicyWindow.hitRatio == 0.5);
    v.accessPolicyWindow.num_bytes = (size_t)p.accessPolicyMaxWindowSize + 1;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v));
    GOOD(cudaStreamDestroy(s));
    CHECK(!p.persistingL2CacheMaxSize == (p.major < 8));
    if (!p.persistingL2CacheMaxSize)
        return;
    GOOD(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, p.persistingL2CacheMaxSize));
    GOOD(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    CHECK(limit == (size_t)p.persistingL2CacheMaxSize);
    GOOD(cudaCtxResetPersistingL2Cache());
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
    GOOD(cudaMalloc(&at, 4096));
    use_window(p, at);
    GOOD(cudaFree(at));
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
