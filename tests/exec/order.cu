/* order.cu - programs whose result depends on the order in which warps and blocks run, as
 * old programs rely on it: no barrier where one is needed, but a GPU's warps advance
 * together, and its blocks start together. */
#include "check.h"

enum { THREADS = 128, BLOCKS = 24, ROUNDS = 6 };

/* All warps read a sum before any of them writes it: one contribution counts. */
__global__ void add_shared(const int *in, int *out)
{
    __shared__ volatile int sum[32];
    int lane = threadIdx.x % 32;

    if (threadIdx.x < 32)
        sum[lane] = 0;
    __syncthreads();
    for (int k = 0; k < ROUNDS; k++) {
        sum[lane] += in[lane];
        __syncthreads();
    }
    if (threadIdx.x < 32)
        out[lane] = sum[lane];
}

__global__ void add_global(const int *in, volatile int *out)
{
    out[threadIdx.x % 32] += in[threadIdx.x % 32];
}

/* The last warp still reduces in shared memory when the others, which have to fetch the
 * next values first, are about to overwrite it. */
__global__ void reduce_late(const int *in, int *out)
{
    __shared__ volatile int word[THREADS];
    int t = threadIdx.x, total = 0;

    for (int k = 0; k < ROUNDS; k++) {
        word[t] = in[(t + 32 * k) % 64];
        __syncthreads();
        if (t >= THREADS - 32) {
            int sum = 0;

            for (int w = THREADS - 32; w >= 0; w -= 32)
                sum += word[w + t % 32];
            total += sum;
        }
    }
    if (t >= THREADS - 32)
        out[t % 32] = total;
}

/* Every block leaves a number at its start, the first one adds them all up at its end. */
__global__ void sum_blocks(const int *in, volatile int *left, int *out)
{
    if (threadIdx.x == 0)
        left[blockIdx.x] = 1 + in[blockIdx.x % 32];
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int sum = 0, at = 0;

        for (int k = 0; k < 64; k++) /* a chain of loads: in[] holds 0 to 31 */
            at = in[(at + 1) % 32];
        for (int k = 0; k < BLOCKS; k++)
            sum += left[k];
        *out = sum + at;
    }
}

/* As many blocks as the device holds, all of which wait for the last one. */
__global__ void wait_for_last(volatile int *left, int *out)
{
    if (blockIdx.x + 1 == gridDim.x)
        left[0] = -1;
    while (!threadIdx.x && left[0] != -1)
        ;
    __syncthreads();
    if (!threadIdx.x && !blockIdx.x)
        out[0] = 7;
}

static int *in, *out, *left;

static void print(const char *name, int n)
{
    int host[THREADS];
    unsigned digest = 0;

    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(host, out, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (int k = 0; k < n; k++)
        digest = digest * 31 + (unsigned)host[k];
    printf("%s %d %08x\n", name, host[0], digest);
    GOOD(cudaMemset(out, 0, THREADS * sizeof *out));
}

int main(void)
{
    int host[64], sms, blocks;

    for (int k = 0; k < 64; k++)
        host[k] = k % 32;
    GOOD(cudaMalloc(&in, sizeof host));
    GOOD(cudaMalloc(&out, THREADS * sizeof *out));
    GOOD(cudaMalloc(&left, BLOCKS * sizeof *left));
    GOOD(cudaMemset(out, 0, THREADS * sizeof *out));
    GOOD(cudaMemset(left, 0, BLOCKS * sizeof *left));
    GOOD(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    add_shared<<<1, THREADS>>>(in, out);
    print("add_shared", 32);
    add_global<<<1, THREADS>>>(in, out);
    print("add_global", 32);
    reduce_late<<<1, THREADS>>>(in, out);
    print("reduce_late", 32);
    sum_blocks<<<BLOCKS, THREADS>>>(in, left, out);
    print("sum_blocks", 1);
    GOOD(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, wait_for_last, 32, 4096));
    wait_for_last<<<sms * blocks, 32, 4096>>>(left, out);
    print("wait_for_last", 1);
    return 0;
}
