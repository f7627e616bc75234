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
    else
        CHECK(!"a case");
    if (!strcmp(what, "clean")) {
        copy_shared<<<1, N>>>(to, from, -1);
        turn<<<1, THREADS>>>(to, from, 1);
        pass<<<1, 32>>>(to, from);
        part<<<1, THREADS>>>(to, THREADS);
    }
    end = cudaDeviceSynchronize();
    printf("%s: %s\n", what, cudaGetErrorName(end));
    return 0;
}
