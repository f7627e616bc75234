/* modules.cu - the driver's interface, directly: a module from a file, launches, copies;
 * beside it the runtime in the same context.
 */
#include <cuda.h>

#include "check.h"

#define DONE(call)                                                                \
    do {                                                                          \
        CUresult result_ = (call);                                                \
        const char *name_ = "?";                                                  \
        if (result_) {                                                            \
            cuGetErrorName(result_, &name_);                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

extern "C" __global__ void triple(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        p[i] *= 3;
}

int main(int argc, char **argv)
{
    enum { N = 300 };
    int h[N], n = N, count, major;
    CUdevice device;
    CUcontext context, current;
    CUmodule module;
    CUfunction f;
    CUdeviceptr d;
    CUstream stream;
    CUevent a, b;
    float ms;
    char name[100];
    size_t bytes;
    void *args[] = { &d, &n };

    CHECK(argc == 2);
    CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
    DONE(cuInit(0));
    DONE(cuDeviceGetCount(&count));
    CHECK(count == 1);
    DONE(cuDeviceGet(&device, 0));
    DONE(cuDeviceGetName(name, sizeof name, device));
    DONE(cuDeviceTotalMem(&bytes, device));
    DONE(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                              device));
    CHECK(major >= 7 && bytes >= (size_t)1 << 30);
#if CUDA_VERSION >= 13000
    CUctxCreateParams params = {};
    CUexecAffinityParam part = {};

    params.execAffinityParams = &part;
    params.numExecAffinityParams = 1;
    CHECK(cuCtxCreate(&context, &params, 0, device) == CUDA_ERROR_NOT_SUPPORTED);
    params = {};
    DONE(cuCtxCreate(&context, &params, 0, device));
    DONE(cuCtxDestroy(context));
    DONE(cuCtxCreate(&context, NULL, 0, device));
#else
    DONE(cuCtxCreate(&context, 0, device));
#endif
    DONE(cuModuleLoad(&module, argv[1]));
    DONE(cuModuleGetFunction(&f, module, "triple"));
    CHECK(cuModuleGetFunction(&f, module, "treble") == CUDA_ERROR_NOT_FOUND);
    for (int i = 0; i < N; i++)
        h[i] = i;
    DONE(cuMemAlloc(&d, sizeof h));
    DONE(cuMemcpyHtoD(d, h, sizeof h));
    DONE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DONE(cuEventCreate(&a, 0));
    DONE(cuEventCreate(&b, 0));
    DONE(cuEventRecord(a, stream));
    DONE(cuLaunchKernel(f, 3, 1, 1, 128, 1, 1, 0, stream, args, NULL));
    DONE(cuEventRecord(b, stream));
    DONE(cuStreamSynchronize(stream));
    DONE(cuEventElapsedTime(&ms, a, b));
    CHECK(ms > 0);
    triple<<<3, 128>>>((int *)d, N); /* the runtime joins the context that is there */
    GOOD(cudaGetLastError());
    DONE(cuCtxGetCurrent(&current));
    CHECK(current == context);
    DONE(cuMemcpyPeer(d, context, d, context, 4));
    CHECK(cuMemcpyPeer(d, (CUcontext)&n, d, context, 4) != CUDA_SUCCESS);
    DONE(cuMemcpyDtoH(h, d, sizeof h));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 9 * i);
    CHECK(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, 0, args, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    DONE(cuMemFree(d));
    d = 16; /* the kernel fails, not its launch; the next one does */
    DONE(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL));
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL) ==
          CUDA_ERROR_ILLEGAL_ADDRESS);
    DONE(cuCtxDestroy(context));
    puts("modules: good");
    return 0;
}
