/* adder.c - a program for the tests of commands and suites: adds vectors with the workload
 * vecadd's kernel.
 * usage: adder CUBIN INPUT [HOW]: INPUT has the number of elements and of launches; HOW is
 *   twice    in two processes, neither of which ends before the other has launched
 *   helper   once more after a child has ended, which was forked after the first launches
 *   child    the same, and the child launches too
 *   quit     by _exit(), so that nothing is done at the end
 *   fault    prints a line and launches with a wild pointer
 *   fail     prints a line and ends with status 7 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/cuda.h"

static const char *how = "";

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
    if (!strcmp(how, "fault")) {
        expect(puts("adder: begins") < 0 || fflush(stdout), "output");
        c += 1LL << 40;
    }
    for (int i = 0; i < launches; i++)
        expect((int)cuLaunchKernel(add, ((unsigned)n + 255) / 256, 1, 1, 256, 1, 1, 0,
                                   NULL, args, NULL),
               "launch");
}

static CUfunction find_kernel(const char *cubin)
{
    CUcontext context;
    CUmodule module;
    CUfunction add;

    expect((int)cuInit(0), "cuInit");
    expect((int)cuDevicePrimaryCtxRetain(&context, 0), "context");
    expect((int)cuCtxSetCurrent(context), "context");
    expect((int)cuModuleLoad(&module, cubin), "module");
    expect((int)cuModuleGetFunction(&add, module, "vecadd"), "function");
    return add;
}

/* Until both processes have been here. */
static void meet(int to, int from)
{
    char byte = 0;

    expect(write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1, "meeting");
}

int main(int argc, char **argv)
{
    FILE *input = argc >= 3 ? fopen(argv[2], "r") : NULL;
    int n = 0, launches = 0, up[2], down[2];
    pid_t child = 0;
    CUfunction add;

    if (argc > 3)
        how = argv[3];
    expect(!input, "no input");
    expect(fscanf(input, "%d %d", &n, &launches) != 2, "a bad input");
    fclose(input);
    expect(pipe(up) || pipe(down), "pipes");
    if (!strcmp(how, "twice"))
        child = fork();
    add = find_kernel(argv[1]);
    launch_all(add, n, launches);
    if (!strcmp(how, "twice"))
        meet(child ? down[1] : up[1], child ? up[0] : down[0]);
    if (!strcmp(how, "helper") || !strcmp(how, "child")) {
        child = fork();
        if (!child && !strcmp(how, "child"))
            launch_all(add, n, launches);
        if (!child)
            exit(0);
        waitpid(child, NULL, 0);
        launch_all(add, n, launches);
    }
    if (!strcmp(how, "quit"))
        _exit(0);
    printf("%d launches\n", launches);
    if (child)
        waitpid(child, NULL, 0);
    if (!strcmp(how, "fail"))
        puts("adder: no luck");
    return strcmp(how, "fail") ? 0 : 7;
}
