/* clusters.cu - how many clusters a device holds at once: on h200 as on a real one. */
#include "check.h"

__global__ void store(int *p)
{
    extern __shared__ int s[];

    s[threadIdx.x] = 1;
    __syncthreads();
    if (p)
        *p = s[0];
}

static cudaError_t clusters(int threads, int shared, unsigned blocks, int *n)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute a[1];

    config.gridDim = 960;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim = { blocks, 1, 1 };
    config.attrs = a;
    config.numAttrs = blocks ? 1 : 0;
    return cudaOccupancyMaxActiveClusters(n, store, &config);
}

static void expect_clusters(int threads, int shared, unsigned blocks, int want)
{
    int n = -1;

    GOOD(clusters(threads, shared, blocks, &n));
    CHECK(n == want);
}

static void expect_size(int want)
{
    cudaLaunchConfig_t config = {};
    int n = -1;

    config.blockDim = 128;
    GOOD(cudaOccupancyMaxPotentialClusterSize(&n, store, &config));
    CHECK(n == want);
}

int main()
{
    int n, can = -1;

    GOOD(cudaDeviceGetAttribute(&can, cudaDevAttrClusterLaunch, 0));
    printf("clusters: good\n");
    if (!can) {
        GIVES(cudaErrorInvalidClusterSize, clusters(128, 0, 2, &n));
        return 0;
    }
    GOOD(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    expect_clusters(128, 0, 0, 0);
    expect_clusters(32, 0, 2, 528);
    expect_clusters(1024, 0, 4, 62);
    expect_clusters(128, 40000, 8, 77);
    expect_clusters(128, 60000, 3, 124);
    expect_clusters(128, 232448, 8, 15);
    expect_size(8);
    GIVES(cudaErrorInvalidClusterSize, clusters(128, 0, 16, &n));
    (void)cudaGetLastError();
    GOOD(cudaFuncSetAttribute(store, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    expect_clusters(128, 232448, 16, 7);
    expect_clusters(128, 0, 32, 0);
    expect_size(16);
    return 0;
}
