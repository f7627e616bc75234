/* faults.cu - one fault per case, by its name as argument, for leno exec --sanitize and for
 * compute-sanitizer (tools/hw/sanitize.sh); "clean" has none.
 */
#include "check.h"

enum { N = 25, THREADS = 64 }; /* N floats: 100 bytes, in an allocation of 256 */

__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] = (float)i;
}

__global__ void copy(float *to, const float *from, int n)
{
    int i = threadIdx.x;

    if (i < n)
        to[i] = from[i];
}

__global__ void copy_shared(float *to, const float *from, int skip)
{
    __shared__ float tile[THREADS];
    int i = threadIdx.x;

    if (i != skip)
        tile[i] = from[i % N];
    __syncthreads();
    to[i % N] = tile[i];
}

__global__ void turn(float *to, const float *from, int waits)
{
    __shared__ float tile[THREADS];
    int i = threadIdx.x;

    tile[i] = from[i % N];
    if (waits)
        __syncthreads();
    to[i % N] = tile[THREADS - 1 - i];
}

__global__ void pass(float *to, float *mail)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0)
        mail[0] = 7;
    else
        to[0] = mail[0];
}

__global__ void part(float *to, int half)
{
    if ((int)threadIdx.x < half) {
        to[0] = 1;
        __syncthreads();
        to[1] = 2;
    } else {
        to[2] = 3;
        __syncthreads();
        to[3] = 4;
    }
}

/* Odd threads come to a barrier to which even ones do not. */
__global__ void odd(float *to)
{
    if (threadIdx.x & 1)
        __syncthreads();
    else
        to[threadIdx.x / 4] = 1;
    __syncthreads();
}

__global__ void spin(volatile float *from)
{
    while (from[0] != 1)
        ;
}

/* Shared memory that a bulk copy writes, where there are such. */
__global__ void copy_bulk(float *to, const float *from)
{
    enum { BYTES = 96 };
    __shared__ alignas(128) float tile[BYTES / sizeof(float)];
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(8) unsigned long long bar;
    unsigned s = (unsigned)__cvta_generic_to_shared(tile), done = 0;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);

    if (!threadIdx.x) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(b), "r"((unsigned)BYTES)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(s), "l"(from), "r"((unsigned)BYTES), "r"(b)
                     : "memory");
    }
    __syncthreads();
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(b) : "memory");
#else
    if (threadIdx.x < BYTES / sizeof(float))
        tile[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
#endif
    if (threadIdx.x < BYTES / sizeof(float))
        to[threadIdx.x] = tile[threadIdx.x];
}

static float *allocate(int n)
{
    float *a;

    GOOD(cudaMalloc(&a, n * sizeof *a));
    return a;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "clean";
    float *from = allocate(N), *to = allocate(N), host[N] = { 0 };
    cudaError_t end;

    GOOD(cudaMemcpy(to, host, sizeof host, cudaMemcpyHostToDevice));
    if (strcmp(what, "unset-global"))
        fill<<<1, THREADS>>>(from, N);
    if (!strcmp(what, "freed")) {
        GOOD(cudaFree(from));
        fill<<<1, THREADS>>>(allocate(N), N); /* a GPU gives it the same place */
    }
    if (!strcmp(what, "clean") || !strcmp(what, "freed") || !strcmp(what, "unset-global"))
        copy<<<1, THREADS>>>(to, from, N);
    else if (!strcmp(what, "far"))
        copy<<<1, THREADS>>>(to, from + (1 << 28), N);
    else if (!strcmp(what, "overrun-read"))
        copy<<<1, THREADS>>>(to, from + 1, N);
    else if (!strcmp(what, "overrun-write"))
        fill<<<1, THREADS>>>(to, N + 2);
    else if (!strcmp(what, "unset-shared"))
        copy_shared<<<1, THREADS>>>(to, from, 5);
    else if (!strcmp(what, "race-shared"))
        turn<<<1, THREADS>>>(to, from, 0);
    else if (!strcmp(what, "race-global"))
        pass<<<2, 32>>>(to, from);
    else if (!strcmp(what, "barrier-block"))
        part<<<1, THREADS>>>(to, 32);
    else if (!strcmp(what, "barrier-warp"))
        part<<<1, THREADS>>>(to, 40);
    else if (!strcmp(what, "barrier-odd"))
        odd<<<1, THREADS>>>(to);
    else if (!strcmp(what, "spin"))
        spin<<<1, THREADS>>>(from);
    else
        CHECK(!"a case");
    if (!strcmp(what, "clean")) {
        copy_shared<<<1, N>>>(to, from, -1);
        copy_bulk<<<1, 32>>>(to, from);
        turn<<<1, THREADS>>>(to, from, 1);
        pass<<<1, 32>>>(to, from);
        part<<<1, THREADS>>>(to, THREADS);
    }
    end = cudaDeviceSynchronize();
    printf("%s: %s\n", what, cudaGetErrorName(end));
    return 0;
}
