/* transfers.cu - batches of copies, copies between peers, advice about managed memory, flags
 * of host memory, attributes of pointers. Results are an H200's, except for copies and access between
 * peers and lists of attributes, which follow CUDA's documentation.
 */
#include <cuda.h>

#include "check.h"

static void batches()
{
    cudaMemcpyAttributes a = {};
    cudaStream_t stream;
    int host[30], back[10], *d;
    size_t first = 0, bytes[3] = { 40, 40, 40 };

    for (int i = 0; i < 30; i++)
        host[i] = i;
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaMalloc(&d, 4096));
    const void *to[3] = { d, d + 100, d + 200 }, *from[3] = { host, host + 10, host + 20 };
    a.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    GOOD(cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 1, stream));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 1, 0));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 0, &a, &first, 1, stream));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 0, stream));
    first = 1;
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 1, stream));
    first = 0;
    a.srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 1, stream));
    a.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    bytes[1] = 0;
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyBatchAsync(to, from, bytes, 3, &a, &first, 1, stream));
    GOOD(cudaMemcpy(back, d + 200, sizeof back, cudaMemcpyDeviceToHost));
    printf("batch: %d %d\n", back[0], back[9]);
    GOOD(cudaFree(d));
}

static void peers()
{
    cudaMemcpy3DPeerParms p = {};
    int host[64], *d;

    for (int i = 0; i < 64; i++)
        host[i] = i;
    GOOD(cudaMalloc(&d, 8192));
    GOOD(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
    p.srcPtr = make_cudaPitchedPtr(d, 64, 64, 4);
    p.dstPtr = make_cudaPitchedPtr(d + 512, 32, 32, 4);
    p.extent = make_cudaExtent(32, 4, 1);
    GOOD(cudaMemcpy3DPeer(&p));
    GOOD(cudaMemcpy(host, d + 512, sizeof host / 2, cudaMemcpyDeviceToHost));
    printf("peers: %d %d %d\n", host[0], host[8], host[31]);
    GIVES(cudaErrorInvalidValue, cudaMemcpy3DPeer(NULL));
    GOOD(cudaFree(d));
}

static void advice()
{
    cudaMemLocation device = { cudaMemLocationTypeDevice, 0 },
                    host = { cudaMemLocationTypeHost, 0 },
                    other = { cudaMemLocationTypeDevice, 5 },
                    none = { (cudaMemLocationType)77, 0 };
    char *m, *d;

    GOOD(cudaMallocManaged(&m, 1 << 20));
    GOOD(cudaMalloc(&d, 4096));
    GOOD(cudaMemPrefetchAsync(m, 1 << 20, device, 0, 0));
    GOOD(cudaMemPrefetchAsync(m, 1 << 20, host, 0, 0));
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(m, 1 << 20, other, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, 1 << 20, none, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, 1 << 20, device, 1, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, (1 << 20) + 1, device, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(d, 4096, device, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, 0, device, 0, 0));
    for (int i = 0; i <= 7; i++)
        GIVES(i < 1 || i > 6 ? cudaErrorInvalidValue : cudaSuccess,
              cudaMemAdvise(m, 4096, (cudaMemoryAdvise)i, device));
    GOOD(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, host));
    GIVES(cudaErrorInvalidValue,
          cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, other));
    GIVES(cudaErrorInvalidValue,
          cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, device));
    GOOD(cudaFree(m));
    GOOD(cudaFree(d));
}

static void flags()
{
    unsigned f = 0;
    void *h, *d, *plain = malloc(64);

    GOOD(cudaMallocHost(&h, 100));
    GOOD(cudaMalloc(&d, 100));
    GOOD(cudaHostGetFlags(&f, h));
    printf("flags: %u", f);
    GIVES(cudaErrorInvalidValue, cudaHostGetFlags(&f, d));
    GIVES(cudaErrorInvalidValue, cudaHostGetFlags(&f, plain));
    GOOD(cudaFreeHost(h));
    GOOD(cudaHostAlloc(&h, 100, cudaHostAllocPortable | cudaHostAllocWriteCombined));
    GOOD(cudaHostGetFlags(&f, h));
    printf(" %u\n", f);
    GOOD(cudaFreeHost(h));
    GOOD(cudaFree(d));
    free(plain);
}

int main()
{
    CUcontext c;

    batches();
    peers();
    advice();
    flags();
    CHECK(cuCtxGetCurrent(&c) == CUDA_SUCCESS);
    CHECK(cuCtxEnablePeerAccess(NULL, 0) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxEnablePeerAccess(c, 0) == CUDA_ERROR_INVALID_CONTEXT);
    return 0;
}
