/* illegal.cu - what an H200 refuses to execute, with its errors, and legal neighbours. The
 * last kernel never ends there. */
#include "check.h"

__global__ void meet(int *p, const unsigned *with)
{
    __syncwarp(with[threadIdx.x]);
    p[threadIdx.x] = threadIdx.x + 1;
}
__global__ void vote(int *p, const unsigned *with)
{
    p[threadIdx.x] = __ballot_sync(with[threadIdx.x], threadIdx.x & 1);
}
/* Two halves of a block meet apart, then together. */
__global__ void halves(int *p, int id, int n)
{
    int half = threadIdx.x / 64;

    asm volatile("bar.sync %0, %1;" ::"r"(id + half), "r"(n) : "memory");
    asm volatile("bar.sync %0, %1;" ::"r"(id + 2), "r"(2 * n) : "memory");
    p[threadIdx.x] = half;
}
__global__ void call(int *p, unsigned long long at)
{
    ((void (*)(int *))at)(p);
}
__global__ void endless(int *p)
{
    *p = 1;
    asm volatile("here: bra here;");
}

static cudaError_t finish()
{
    cudaError_t e = cudaDeviceSynchronize();

    if (e)
        GOOD(cudaDeviceReset());
    (void)cudaGetLastError();
    return e;
}

static void tell(const char *name)
{
    cudaError_t e = finish();

    printf("%s: %d %s\n", name, (int)e, cudaGetErrorName(e));
}

/* Lanes meet, each with a mask of its own. Older architectures do this in software. */
static void meet_with(cudaError_t error, void (*kernel)(int *, const unsigned *),
                      unsigned (*mask)(unsigned))
{
    unsigned masks[32], *with;
    int *p, major;

    for (unsigned l = 0; l < 32; l++)
        masks[l] = mask(l);
    GOOD(cudaMalloc(&p, sizeof masks));
    GOOD(cudaMalloc(&with, sizeof masks));
    GOOD(cudaMemcpy(with, masks, sizeof masks, cudaMemcpyHostToDevice));
    GOOD(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    kernel<<<1, 32>>>(p, with);
    if (major < 9)
        (void)finish();
    else
        GIVES(error, finish());
}

static unsigned own_half(unsigned l)
{
    return l < 16 ? 0xffff : 0xffff0000;
}
static unsigned own_lane(unsigned l)
{
    return 1u << l;
}
static unsigned next_lane(unsigned l)
{
    return 1u << (l ^ 1);
}
static unsigned all_but_one(unsigned)
{
    return ~(1u << 5);
}
static unsigned none(unsigned)
{
    return 0;
}

static int *fresh()
{
    int *p;

    GOOD(cudaMalloc(&p, 4096));
    return p;
}

int main()
{
    const cudaError_t illegal = cudaErrorIllegalInstruction;

    meet_with(cudaSuccess, meet, own_half);
    meet_with(cudaSuccess, meet, own_lane);
    meet_with(illegal, meet, next_lane);
    meet_with(illegal, meet, all_but_one);
    meet_with(illegal, meet, none);
    meet_with(illegal, vote, all_but_one);
    halves<<<1, 128>>>(fresh(), 4, 64);
    tell("halves of a block");
    halves<<<1, 128>>>(fresh(), 4, 33);
    tell("33 threads");
    call<<<1, 32>>>(fresh(), 0x1238);
    tell("a call between instructions");
    endless<<<1, 32>>>(fresh());
    tell("a branch to itself");
    return 0;
}
