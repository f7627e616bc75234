/* converge.c - launches the kernels of tests/data/converge, one warp each, in the order of
 * recorded.txt, so that a profiler can count their instructions; see converge.sh.
 * usage: converge CUBIN RECORDED
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32 };

#define TRY(call)                                                  \
    do {                                                           \
        CUresult result = (call);                                  \
                                                                   \
        if (result) {                                              \
            fprintf(stderr, "%s: error %d\n", #call, (int)result); \
            exit(1);                                               \
        }                                                          \
    } while (0)

int main(int argc, char **argv)
{
    char name[32], line[1024];
    float in[LANES];
    int dev, rounds = 1000;
    CUcontext context;
    CUmodule module;
    CUdeviceptr leave, out, from;
    void *params[] = { &leave, &out, &from, &rounds };
    FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;

    if (!f)
        return fprintf(stderr, "usage: converge CUBIN RECORDED\n"), 1;
    TRY(cuInit(0));
    TRY(cuDeviceGet(&dev, 0));
    TRY(cuDevicePrimaryCtxRetain(&context, dev));
    TRY(cuCtxSetCurrent(context));
    TRY(cuModuleLoad(&module, argv[1]));
    TRY(cuMemAlloc(&leave, sizeof(int) * LANES));
    TRY(cuMemAlloc(&out, sizeof in));
    TRY(cuMemAlloc(&from, sizeof in));
    for (int l = 0; l < LANES; l++)
        in[l] = (float)l * 0.01f;
    TRY(cuMemcpyHtoD(from, in, sizeof in));
    while (fgets(line, sizeof line, f)) {
        int v[LANES], at, n;
        CUfunction kernel;

        if (sscanf(line, "%31s %*s%n", name, &at) != 1 || name[0] == '#')
            continue;
        for (int l = 0; l < LANES; l++, at += n)
            if (sscanf(line + at, "%d%n", &v[l], &n) != 1)
                return fprintf(stderr, "%s: expected %d numbers\n", line, LANES), 1;
        TRY(cuModuleGetFunction(&kernel, module, name));
        TRY(cuMemcpyHtoD(leave, v, sizeof v));
        TRY(cuLaunchKernel(kernel, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL));
        TRY(cuCtxSynchronize());
    }
    return fclose(f);
}
