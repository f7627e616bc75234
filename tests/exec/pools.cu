/* pools.cu - memory pools: their numbers, attributes, access, and wrong calls. Numbers and
 * results are an H200's.
 */
#include <cstdint>

#include "check.h"

__global__ void fill(int *a, int v)
{
    a[threadIdx.x] = v + threadIdx.x;
}

static void show(const char *when, cudaMemPool_t pool)
{
    uint64_t v[4];

    for (int i = 0; i < 4; i++)
        GOOD(cudaMemPoolGetAttribute(
            pool, (cudaMemPoolAttr)(cudaMemPoolAttrReservedMemCurrent + i), v + i));
    printf("%s: reserved %llu, at most %llu, used %llu, at most %llu\n", when,
           (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
           (unsigned long long)v[3]);
}

static void numbers(cudaMemPool_t pool, cudaStream_t stream)
{
    void *a, *b;
    uint64_t v = 5;

    show("at first", pool);
    GOOD(cudaMallocAsync(&a, 1000, stream));
    show("1000 bytes", pool);
    GOOD(cudaMallocAsync(&b, 40 << 20, stream));
    show("40 MiB more", pool);
    GOOD(cudaFreeAsync(b, stream));
    GOOD(cudaStreamSynchronize(stream));
    show("freed", pool);
    GIVES(cudaErrorInvalidValue,
          cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
    GIVES(cudaErrorInvalidValue,
          cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    v = 0;
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &v));
    show("reset", pool);
    v = 1 << 30;
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v));
    GOOD(cudaMallocAsync(&b, 40 << 20, stream));
    GOOD(cudaFreeAsync(b, stream));
    GOOD(cudaStreamSynchronize(stream));
    show("kept", pool);
    GOOD(cudaMemPoolTrimTo(pool, 0));
    show("trimmed", pool);
    GOOD(cudaFree(a));
}

static void flags(cudaMemPool_t pool)
{
    int v = 5;

    for (int i = cudaMemPoolReuseFollowEventDependencies;
         i <= cudaMemPoolReuseAllowInternalDependencies; i++) {
        GOOD(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)i, &v));
        printf("attribute %d: %d\n", i, v);
    }
    v = 0;
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &v));
    v = 7;
    GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &v));
    CHECK(v == 0);
    GIVES(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &v));
    GIVES(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &v));
}

static void access(cudaMemPool_t pool)
{
    cudaMemAccessDesc d = {};
    cudaMemAccessFlags f;

    d.location.type = cudaMemLocationTypeDevice;
    d.flags = cudaMemAccessFlagsProtReadWrite;
    GOOD(cudaMemPoolSetAccess(pool, &d, 1));
    GOOD(cudaMemPoolSetAccess(pool, &d, 0));
    GOOD(cudaMemPoolGetAccess(&f, pool, &d.location));
    CHECK(f == cudaMemAccessFlagsProtReadWrite);
    d.flags = cudaMemAccessFlagsProtNone;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &d, 1));
    d.location.id = 2;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(pool, &d, 1));
    GIVES(cudaErrorInvalidValue, cudaMemPoolGetAccess(&f, pool, &d.location));
    d.location.id = 0;
    d.location.type = cudaMemLocationTypeHost;
    GOOD(cudaMemPoolGetAccess(&f, pool, &d.location));
    CHECK(f == cudaMemAccessFlagsProtNone);
}

static cudaMemPool_t create()
{
    cudaMemPool_t pool;
    cudaMemPoolProps p = {};

    GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &p));
    p.allocType = cudaMemAllocationTypePinned;
    GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &p));
    p.location.type = cudaMemLocationTypeDevice;
    p.location.id = 3;
    GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &p));
    p.location.id = 0;
    p.handleTypes = (cudaMemAllocationHandleType)0x40;
    GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &p));
    p.handleTypes = cudaMemHandleTypeNone;
    GOOD(cudaMemPoolCreate(&pool, &p));
    return pool;
}

/* Allocations outlive their pool; the default one comes back. */
static void lives(cudaMemPool_t main, cudaStream_t stream)
{
    cudaMemPool_t own = create(), now;
    cudaPointerAttributes at;
    int *a, *b, *none = (int *)16, got[32];

    flags(own);
    access(own);
    GOOD(cudaMallocFromPoolAsync((void **)&a, sizeof got, own, stream));
    GOOD(cudaMallocFromPoolAsync((void **)&none, 0, own, stream));
    GIVES(cudaErrorMemoryAllocation, cudaMallocAsync((void **)&none, 1ull << 40, stream));
    GOOD(cudaPointerGetAttributes(&at, a));
    CHECK(at.type == cudaMemoryTypeDevice && at.device == 0 && !at.hostPointer);
    GOOD(cudaDeviceSetMemPool(0, own));
    GIVES(cudaErrorInvalidValue, cudaDeviceSetMemPool(1, own));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == own);
    GOOD(cudaMallocAsync((void **)&b, sizeof got, stream));
    show("own", own);
    GOOD(cudaMemPoolDestroy(own));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == main);
    fill<<<1, 32, 0, stream>>>(a, 100);
    fill<<<1, 32, 0, stream>>>(b, 200);
    GOOD(cudaMemcpyAsync(got, a, sizeof got, cudaMemcpyDefault, stream));
    GOOD(cudaStreamSynchronize(stream));
    CHECK(got[0] == 100 && got[31] == 131);
    GOOD(cudaMemcpyAsync(got, b, sizeof got, cudaMemcpyDefault, stream));
    GOOD(cudaStreamSynchronize(stream));
    CHECK(got[0] == 200 && got[31] == 231);
    GOOD(cudaFreeAsync(a, stream));
    GOOD(cudaFree(b));
}

int main()
{
    cudaMemPool_t pool, now;
    cudaStream_t stream;
    void *plain;
    int has = 0;

    GOOD(cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, 0));
    CHECK(has);
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == pool);
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&now, 1));
    numbers(pool, stream);
    lives(pool, stream);
    GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
    GOOD(cudaMalloc(&plain, 4)); /* can be freed in a stream, too */
    GOOD(cudaFreeAsync(plain, stream));
    GOOD(cudaFreeAsync(NULL, stream));
    GIVES(cudaErrorInvalidValue, cudaFreeAsync((void *)16, stream));
    printf("pools: good\n");
    return 0;
}
