/* cuda.c - a program of CUDA's driver interface, as leno exec runs it: adds vectors with a
 * kernel of the workloads.
 * usage: cuda CUBIN [N]    N: elements, of which 1000 are allocated
 */
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                \
    do {                                         \
        CUresult result = call;                  \
        if (result) {                            \
            printf(#call ": %d\n", (int)result); \
            return 1;                            \
        }                                        \
    } while (0)

enum { N = 1000 };

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : N;
    static float a[N], b[N], c[N];
    CUdeviceptr da, db, dc;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    void *args[] = { &da, &db, &dc, &n };

    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 2;
    }
    TRY(cuInit(0));
    TRY(cuDeviceGet(&device, 0));
    TRY(cuDevicePrimaryCtxRetain(&context, device));
    TRY(cuCtxSetCurrent(context));
    TRY(cuModuleLoad(&module, argv[1]));
    TRY(cuModuleGetFunction(&f, module, "vecadd"));
    TRY(cuMemAlloc(&da, sizeof a));
    TRY(cuMemAlloc(&db, sizeof b));
    TRY(cuMemAlloc(&dc, sizeof c));
    TRY(cuMemcpyHtoD(da, a, sizeof a));
    TRY(cuMemcpyHtoD(db, b, sizeof b));
    TRY(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    TRY(cuCtxSynchronize());
    TRY(cuMemcpyDtoH(c, dc, sizeof c));
    printf("%g\n", c[N - 1]);
    return 0;
}
