/* faults.cu - one fault per case, by its name as argument, for leno exec --sanitize and for
 * compute-sanitizer (tools/hw/sanitize.sh); "clean" and "fine" have none.
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

/* Waits for a message by relaxed loads; the flag is set by a relaxed store, or not. */
__global__ void pass_relaxed(int *to, int *mail, int is_plain)
{
    int *flag = mail + 1, seen;

    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        mail[0] = 7;
        __threadfence();
        if (is_plain)
            *flag = 1;
        else
            asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        do
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        __threadfence();
        to[0] = mail[0];
    }
}

/* A counter under a lock: the unlocking exchange has no register but RZ. */
__global__ void count_locked(int *lock, int *counter)
{
    bool done = false;

    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            counter[0]++;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

/* Structures with padding, of which only the members are written. */
struct letter {
    char name;
    int value;
};

struct alignas(16) point {
    float x, y, z;
};

__global__ void fill_padded(struct letter *l, struct point *p)
{
    l[threadIdx.x].name = 1;
    l[threadIdx.x].value = 2;
    p[threadIdx.x].x = p[threadIdx.x].y = p[threadIdx.x].z = 3;
}

__global__ void copy_padded(struct letter *l, struct point *p)
{
    __shared__ struct letter tile[THREADS];

    tile[threadIdx.x].name = 4;
    tile[threadIdx.x].value = 5;
    l[blockDim.x + threadIdx.x] = l[threadIdx.x];
    p[blockDim.x + threadIdx.x] = p[threadIdx.x];
    l[2 * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void use_heap(float *to, int at, int is_freed)
{
    float *a = (float *)malloc(10 * sizeof *a);

    for (int i = 0; i < 10; i++)
        a[i] = 1;
    if (is_freed)
        free(a);
    to[0] = a[at];
}

/* Two small allocations, and one in the place of both. */
__global__ void reuse_heap(int *to)
{
    int *a = (int *)malloc(40), *b = (int *)malloc(40), *both;

    a[0] = b[0] = 1;
    to[0] = a[0] + b[0];
    free(a);
    free(b);
    both = (int *)malloc(96);
    for (int i = 0; i < 24; i++)
        both[i] = i;
    for (int i = 0; i < 24; i++)
        to[1] += both[i];
}

/* Atomics without a register but RZ. */
__global__ void count_shared(int *to)
{
    __shared__ int n[4];

    if (threadIdx.x < 4)
        n[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&n[to[0] & 3], 1);
    __syncthreads();
    to[1] = n[to[0] & 3];
}

__device__ float table[10];

__global__ void read_table(float *to, int at)
{
    to[0] = table[at];
}

__global__ void read_shared(float *to, int at)
{
    __shared__ float tile[THREADS];

    tile[threadIdx.x] = 1;
    __syncthreads();
    to[0] = tile[at];
}

__global__ void read_local(float *to, int at)
{
    volatile float own[128];

    for (int i = 0; i < 128; i++)
        own[i] = (float)at;
    to[0] = own[at];
}

__global__ void add_one(int *a)
{
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(a));
}

__global__ void put_byte(char *a, int n)
{
    a[n] = 1;
}

static float *allocate(int n)
{
    float *a;

    GOOD(cudaMalloc(&a, n * sizeof *a));
    return a;
}

/* What a checker may take for a fault, and is none. */
static void run_fine(void)
{
    int *lock = (int *)allocate(2);
    struct letter *l = (struct letter *)allocate(6 * 32);
    struct point *p = (struct point *)allocate(8 * 32);

    GOOD(cudaMemset(lock, 0, 2 * sizeof *lock));
    count_locked<<<4, THREADS>>>(lock, lock + 1);
    fill_padded<<<1, 32>>>(l, p);
    copy_padded<<<1, 32>>>(l, p);
    use_heap<<<1, 1>>>((float *)l, 3, 0);
    read_table<<<1, 1>>>((float *)l, 9);
    reuse_heap<<<1, 1>>>(lock);
    count_shared<<<1, 32>>>(lock);
    GOOD(cudaMemset(lock, 0, 2 * sizeof *lock));
    pass_relaxed<<<2, 32>>>((int *)l, lock, 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "clean";
    float *from = allocate(N), *to = allocate(N), host[N] = { 0 };
    cudaError_t end;

    GOOD(cudaMemcpy(to, host, sizeof host, cudaMemcpyHostToDevice));
    if (strcmp(what, "unset-global") && strcmp(what, "unset-atomic") &&
        strcmp(what, "freed-early"))
        fill<<<1, THREADS>>>(from, N);
    if (!strncmp(what, "freed", 5))
        GOOD(cudaFree(from));
    if (!strcmp(what, "freed"))
        fill<<<1, THREADS>>>(allocate(N), N); /* a GPU gives it the same place */
    if (!strcmp(what, "clean") || !strncmp(what, "freed", 5) || !strcmp(what, "unset-global"))
        copy<<<1, THREADS>>>(to, from, N);
    else if (!strcmp(what, "far"))
        copy<<<1, THREADS>>>(to, from + (1 << 28), N);
    else if (!strcmp(what, "overrun-read"))
        copy<<<1, THREADS>>>(to, from + 1, N);
    else if (!strcmp(what, "overrun-write"))
        fill<<<1, THREADS>>>(to, N + 2);
    else if (!strcmp(what, "overrun-byte"))
        put_byte<<<1, 1>>>((char *)to, N * sizeof *to + 1);
    else if (!strcmp(what, "unset-atomic"))
        add_one<<<1, 1>>>((int *)from);
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
    else if (!strcmp(what, "race-flag")) {
        GOOD(cudaMemset(from, 0, N * sizeof *from));
        pass_relaxed<<<2, 32>>>((int *)to, (int *)from, 1);
    } else if (!strcmp(what, "fine"))
        run_fine();
    else if (!strcmp(what, "heap-freed"))
        use_heap<<<1, 1>>>(to, 3, 1);
    else if (!strcmp(what, "heap-overrun"))
        use_heap<<<1, 1>>>(to, 10, 0);
    else if (!strcmp(what, "variable"))
        read_table<<<1, 1>>>(to, 10);
    else if (!strcmp(what, "far-shared"))
        read_shared<<<1, THREADS>>>(to, THREADS);
    else if (!strcmp(what, "far-local"))
        read_local<<<1, 1>>>(to, 1 << 20);
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
