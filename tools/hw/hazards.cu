// hazards.cu: how far apart two instructions must be that write, or write and read, the same
// register, without the hardware's help.
// nvcc -O3 -arch=sm_90 -cubin -o hazards.cubin hazards.cu; nvcc -O2 -o hazards hazards.cu -lcuda
// python3 hazards.py | ./hazards hazards.cubin > hazards.txt
// A line of input is NAME DISTANCE and the words of a whole kernel, which replace the code of
// slot(). A line of results is NAME DISTANCE, what R12 and R13 hold at the end, and the cycles
// from the clock before the two instructions to the one after them. What should be there,
// leno exec --functional -- ./hazards hazards.cubin prints.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <elf.h>

// Long enough, with registers enough, for what is written over it.
extern "C" __global__ void slot(unsigned *out, unsigned *in)
{
    unsigned v[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        v[i] = in[i * 7];
#pragma unroll
    for (int r = 0; r < 6; r++)
#pragma unroll
        for (int i = 0; i < 64; i++)
            v[i] = v[i] * v[(i * 5 + 3) & 63] + r;
#pragma unroll
    for (int i = 0; i < 64; i++)
        out[i] = v[i];
}

#define CK(x)                               \
    do {                                    \
        CUresult e_ = (x);                  \
        if (e_ != CUDA_SUCCESS) {           \
            printf("%s: %d\n", #x, (int)e_); \
            exit(1);                        \
        }                                   \
    } while (0)

static char cubin[1 << 20], code[1 << 20], line[1 << 16];

// Where the code of slot() is in the cubin.
static Elf64_Shdr *find_code()
{
    Elf64_Ehdr *e = (Elf64_Ehdr *)cubin;
    Elf64_Shdr *s = (Elf64_Shdr *)(cubin + e->e_shoff);
    const char *names = cubin + s[e->e_shstrndx].sh_offset;
    for (int i = 0; i < e->e_shnum; i++)
        if (!strcmp(names + s[i].sh_name, ".text.slot"))
            return &s[i];
    printf("no kernel slot\n");
    exit(1);
}

static void run(CUdeviceptr out, const char *name, const char *distance)
{
    void *args[] = { &out, &out };
    uint32_t r[4];
    CUmodule m;
    CUfunction k;
    CK(cuModuleLoadData(&m, code));
    CK(cuModuleGetFunction(&k, m, "slot"));
    for (int i = 0; i < 3; i++) { // the first brings the code near
        CK(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, 0, args, 0));
        CK(cuCtxSynchronize());
    }
    CK(cuMemcpyDtoH(r, out, sizeof r));
    printf("%s %s %x %x %u\n", name, distance, r[0], r[1], r[3] - r[2]);
    CK(cuModuleUnload(m));
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t n = f ? fread(cubin, 1, sizeof cubin, f) : 0;
    Elf64_Shdr *s;
    CUdevice device;
    CUcontext context;
    CUdeviceptr out;
    if (!n) {
        printf("usage: hazards hazards.cubin <code\n");
        return 1;
    }
    s = find_code();
    CK(cuInit(0));
    CK(cuDeviceGet(&device, 0));
    CK(cuDevicePrimaryCtxRetain(&context, device));
    CK(cuCtxSetCurrent(context));
    CK(cuMemAlloc(&out, 4096));
    while (fgets(line, sizeof line, stdin)) {
        char *name = strtok(line, " "), *distance = strtok(NULL, " "), *w;
        size_t at = s->sh_offset;
        memcpy(code, cubin, n);
        for (; (w = strtok(NULL, " \n")) && at < s->sh_offset + s->sh_size; at += 8) {
            uint64_t v = strtoull(w, NULL, 16);
            memcpy(code + at, &v, 8);
        }
        run(out, name, distance);
    }
}
