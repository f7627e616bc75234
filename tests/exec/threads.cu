/* threads.cu - blocks that communicate through global memory while they run. What they print
 * depends on the order in which they do: it must not depend on leno's threads
 * (tests/cli/threads.sh).
 */
#include "check.h"

enum { BLOCKS = 80, THREADS = 64, PHASES = 4 };

/* Order in which blocks take numbers. */
__global__ void tickets(unsigned *next, unsigned *got)
{
    if (!threadIdx.x)
        got[blockIdx.x] = atomicAdd(next, 1);
}

/* A lock, and plain memory that it protects. */
__global__ void locked(int *lock, unsigned *values)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1))
        ;
    __threadfence();
    values[0] += blockIdx.x;
    values[1] = values[1] * 31 + blockIdx.x; /* the order */
    __threadfence();
    atomicExch(lock, 0);
}

/* A barrier of all blocks, after each of which they read what others wrote before it. */
__global__ void phases(unsigned *arrived, unsigned *cells)
{
    unsigned k = blockIdx.x * THREADS + threadIdx.x, n = BLOCKS * THREADS;

    for (unsigned phase = 0; phase < PHASES; phase++) {
        unsigned *from = cells + phase % 2 * n, *to = cells + !(phase % 2) * n;

        to[k] = from[k] + from[(k + THREADS) % n];
        __syncthreads();
        if (!threadIdx.x) {
            __threadfence();
            atomicAdd(arrived, 1);
            while (*(volatile unsigned *)arrived < (phase + 1) * BLOCKS)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

/* The last block to end adds what all have written. */
__global__ void reduce(const unsigned *in, unsigned *part, unsigned *done, unsigned *out)
{
    __shared__ unsigned is_last;
    unsigned sum = 0;

    atomicAdd(&part[blockIdx.x], in[blockIdx.x * THREADS + threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (!threadIdx.x)
        is_last = atomicInc(done, BLOCKS - 1) == BLOCKS - 1;
    __syncthreads();
    if (!is_last || threadIdx.x)
        return;
    for (unsigned k = 0; k < BLOCKS; k++)
        sum += *(volatile unsigned *)&part[k];
    out[0] = sum;
    out[1] = blockIdx.x; /* the order */
}

/* Each block waits for the one before it: flags without atomics. */
__global__ void chain(volatile unsigned *flag, unsigned *sum)
{
    if (threadIdx.x)
        return;
    while (blockIdx.x && !flag[blockIdx.x - 1])
        ;
    __threadfence();
    sum[blockIdx.x] = blockIdx.x + (blockIdx.x ? sum[blockIdx.x - 1] : 0);
    __threadfence();
    flag[blockIdx.x] = 1;
}

/* A race, on purpose: words that all blocks write and read, and paths that depend on it. */
__global__ void races(unsigned *word, unsigned *seen)
{
    unsigned n = 0;

    for (unsigned k = 0; k < 40; k++) {
        word[threadIdx.x] = blockIdx.x * 0x01010101u + k;
        n = n * 3 + word[(threadIdx.x + 1) % THREADS];
        for (unsigned m = n % 8; m; m--)
            n ^= n << m;
    }
    seen[blockIdx.x * THREADS + threadIdx.x] = n;
}

/* Bytes of lines that blocks share, in stores of every size, read back by their block. */
__global__ void bytes(unsigned char *byte, uint4 *wide, double *pair, unsigned *bad)
{
    unsigned k = blockIdx.x * THREADS + threadIdx.x;

    byte[threadIdx.x * BLOCKS + blockIdx.x] = (unsigned char)k;
    wide[k] = make_uint4(k, k + 1, k + 2, k + 3);
    if (threadIdx.x % 3)
        pair[k] = k;
    if (byte[threadIdx.x * BLOCKS + blockIdx.x] != (unsigned char)k ||
        wide[k].w != k + 3 || pair[k] != (threadIdx.x % 3 ? k : 0))
        atomicAdd(bad, 1);
}

static unsigned memory[2048 + 6 * BLOCKS * THREADS];
static unsigned *device;

static void start(void)
{
    GOOD(cudaMemset(device, 0, sizeof memory));
}

static void print(const char *name)
{
    unsigned long long digest = 1469598103934665603ull;

    GOOD(cudaGetLastError());
    GOOD(cudaMemcpy(memory, device, sizeof memory, cudaMemcpyDeviceToHost));
    for (unsigned word : memory)
        digest = (digest ^ word) * 1099511628211ull;
    printf("%s %016llx\n", name, digest);
}

static void check_bytes(void)
{
    const unsigned char *byte = (const unsigned char *)(memory + 1);

    start();
    bytes<<<BLOCKS, THREADS>>>((unsigned char *)(device + 1), (uint4 *)(device + 2048),
                               (double *)(device + 2048 + 4 * BLOCKS * THREADS), device);
    print("bytes");
    CHECK(!memory[0]);
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned t = 0; t < THREADS; t++)
            CHECK(byte[t * BLOCKS + b] == (unsigned char)(b * THREADS + t));
}

int main(void)
{
    GOOD(cudaMalloc(&device, sizeof memory));
    start();
    tickets<<<1, THREADS>>>(device, device + 1); /* for one SM, before any other launch */
    print("ticket");
    CHECK(memory[0] == 1);
    start();
    tickets<<<BLOCKS, THREADS>>>(device, device + 1);
    print("tickets");
    CHECK(memory[0] == BLOCKS);
    start();
    locked<<<BLOCKS, THREADS>>>((int *)device, device + 1);
    print("locked");
    CHECK(memory[1] == BLOCKS * (BLOCKS - 1) / 2);
    for (unsigned k = 0; k < BLOCKS * THREADS; k++)
        memory[k + 64] = k;
    GOOD(cudaMemcpy(device + 64, memory + 64, BLOCKS * THREADS * 4, cudaMemcpyHostToDevice));
    GOOD(cudaMemset(device, 0, 256));
    phases<<<BLOCKS, THREADS>>>(device, device + 64);
    print("phases");
    CHECK(memory[64] == THREADS * (4 * 1 + 6 * 2 + 4 * 3 + 4)); /* of cell 0 */
    start();
    GOOD(cudaMemset(device + 1024, 1, BLOCKS * THREADS * 4));
    reduce<<<BLOCKS, THREADS>>>(device + 1024, device + 64, device, device + 2);
    print("reduce");
    CHECK(memory[2] == 0x01010101u * BLOCKS * THREADS);
    start();
    chain<<<BLOCKS, THREADS>>>(device, device + BLOCKS);
    print("chain");
    CHECK(memory[2 * BLOCKS - 1] == BLOCKS * (BLOCKS - 1) / 2);
    start();
    races<<<BLOCKS, THREADS>>>(device, device + THREADS);
    print("races");
    check_bytes();
    GOOD(cudaFree(device));
    return 0;
}
