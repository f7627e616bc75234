/* adder.c - a program for the tests of commands and suites: adds vectors with the workload
 * vecadd's kernel.
 * usage: adder CUBIN INPUT: INPUT has the number of elements and of launches. */
#include <stdio.h>
#include <stdlib.h>

#include "driver/cuda.h"

static void expect(int status, const char *what)
{
    if (!status)
        return;
    fprintf(stderr, "adder: %s: %d\n", what, status);
    exit(3);
}

static void launch_all(CUfunction add, int n, int launches)
{
    CUdeviceptr a, b, c;
    void *args[] = { &a, &b, &c, &n };

    expect((int)cuMemAlloc(&a, 4 * (size_t)n), "memory");
    expect((int)cuMemAlloc(&b, 4 * (size_t)n), "memory");
    expect((int)cuMemAlloc(&c, 4 * (size_t)n), "memory");
    for (int i = 0; i < launches; i++)
        expect((int)cuLaunchKernel(add, ((unsigned)n + 255) / 256, 1, 1, 256, 1, 1, 0,
                                   NULL, args, NULL),
               "launch");
}

int main(int argc, char **argv)
{
    FILE *input = argc == 3 ? fopen(argv[2], "r") : NULL;
    int n = 0, launches = 0;
    CUcontext context;
    CUmodule module;
    CUfunction add;

    expect(!input, "no input");
    expect(fscanf(input, "%d %d", &n, &launches) != 2, "a bad input");
    fclose(input);
    expect((int)cuInit(0), "cuInit");
    expect((int)cuDevicePrimaryCtxRetain(&context, 0), "context");
    expect((int)cuCtxSetCurrent(context), "context");
    expect((int)cuModuleLoad(&module, argv[1]), "module");
    expect((int)cuModuleGetFunction(&add, module, "vecadd"), "function");
    launch_all(add, n, launches);
    printf("%d launches\n", launches);
    return 0;
}
