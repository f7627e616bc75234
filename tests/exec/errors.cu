/* errors.cu - errors that pass and errors that stay, with their names and numbers. */
#include <cassert>

#include "check.h"

__global__ void store(int *p, int value) { *p = value; }
__global__ void misaligned(char *p) { *(int *)(p + 1) = 1; }
__global__ void doubtful(int x) { assert(x == 1); }
__global__ void trapped() { __trap(); }
__global__ void many(int *p)
{
    __shared__ int s[1024];

    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[1023 - threadIdx.x];
}

/* A failed kernel's error is there at the next call, and at all after it; asking for the
 * last error forgets it as any other.
 */
static void expect_sticky(cudaError_t error, int *good)
{
    int h = 0;

    GIVES(error, cudaDeviceSynchronize());
    GIVES(error, cudaGetLastError());
    GIVES(cudaSuccess, cudaGetLastError());
    GIVES(error, cudaMemcpy(&h, good, sizeof h, cudaMemcpyDeviceToHost));
    GIVES(error, cudaGetLastError());
    store<<<1, 1>>>(good, 1);
    GIVES(error, cudaPeekAtLastError());
    printf("%d %s\n", (int)error, cudaGetErrorName(error));
    GOOD(cudaDeviceReset());
    (void)cudaGetLastError();
    GOOD(cudaGetLastError());
}

static void run_passing()
{
    int *d, h = 3;
    cudaEvent_t event;
    cudaFuncAttributes a;

    GOOD(cudaMalloc(&d, 4096));
    store<<<0, 1>>>(d, 1);
    GIVES(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    GIVES(cudaSuccess, cudaGetLastError());
    store<<<1, 1025>>>(d, 1);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    store<<<dim3(1, 65536), 1>>>(d, 1);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    store<<<1, dim3(1, 1, 65)>>>(d, 1);
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel((const void *)run_passing, dim3(1), dim3(1), NULL, 0, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncGetAttributes(&a, (const void *)run_passing));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&d, (size_t)1 << 45));
    GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
    GIVES(cudaErrorInvalidValue, cudaFree(&h));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(&h, &h, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, &h, 4, (cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&h));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord((cudaEvent_t)&h));
    GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    GIVES(cudaErrorInvalidValue, cudaMemset(&h, 0, 4));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(7));
    GIVES(cudaErrorInvalidDevice, cudaGetLastError());
    GIVES(cudaSuccess, cudaPeekAtLastError());
    GOOD(cudaDeviceSynchronize()); /* none of these stays */
    GOOD(cudaFree(0));
    GOOD(cudaFreeHost(0));
}

int main(int argc, char **)
{
    int *d;

    if (argc > 1) /* what Leno has to say must come out all the same */
        fclose(stderr);
    run_passing();
    GOOD(cudaMalloc(&d, 64));
    store<<<1, 1>>>((int *)16, 1);
    expect_sticky(cudaErrorIllegalAddress, d);
    GOOD(cudaMalloc(&d, 64));
    store<<<1, 1>>>(d + (1 << 20), 1);
    expect_sticky(cudaErrorIllegalAddress, d);
    GOOD(cudaMalloc(&d, 64));
    misaligned<<<1, 1>>>((char *)d);
    expect_sticky(cudaErrorMisalignedAddress, d);
    GOOD(cudaMalloc(&d, 64));
    doubtful<<<1, 2>>>(2);
    expect_sticky(cudaErrorAssert, d);
    GOOD(cudaMalloc(&d, 64));
    trapped<<<1, 1>>>();
    expect_sticky(cudaErrorLaunchFailure, d);

    /* After all that the device works. */
    GOOD(cudaMalloc(&d, 4096));
    GOOD(cudaMemset(d, 0, 4096));
    many<<<1, 1024>>>(d);
    GOOD(cudaDeviceSynchronize());
    printf("%s: %s\n", cudaGetErrorName(cudaSuccess), cudaGetErrorString(cudaSuccess));
    printf("%s %d\n", cudaGetErrorName(cudaErrorNoKernelImageForDevice),
           cudaErrorNoKernelImageForDevice);
    printf("%s\n", cudaGetErrorName((cudaError_t)12345));
    return 0;
}
