/* calls.cu - recursion, function pointers, virtual functions, device malloc and new,
 * lambdas, and a stack that has to be deep.
 */
#include "check.h"

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    if (!m)
        return n + 1;
    return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}

__device__ unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
typedef int (*operation)(int);
__device__ operation operations[2] = { twice, square };

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual float area() const = 0;
};
struct box : shape {
    float a, b;
    __device__ box(float x, float y) : a(x), b(y) {}
    __device__ float area() const override { return a * b; }
};
struct disc : shape {
    float r;
    __device__ disc(float x) : r(x) {}
    __device__ float area() const override { return 3 * r * r; }
};

__global__ void recurse(unsigned *out)
{
    out[threadIdx.x] = fib(threadIdx.x);
    out[32 + threadIdx.x] = ackermann(2, threadIdx.x % 4);
}

__global__ void indirect(int *out, int which)
{
    out[threadIdx.x] = operations[(which + threadIdx.x) % 2](threadIdx.x);
}

__global__ void objects(float *out)
{
    shape *s;

    if (threadIdx.x % 2)
        s = new box(threadIdx.x, 2);
    else
        s = new disc(threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
}

__global__ void lists(int **heads)
{
    int *p = (int *)malloc(16 * sizeof(int));

    for (int i = 0; p && i < 16; i++)
        p[i] = threadIdx.x * 100 + i;
    heads[threadIdx.x] = p;
}

__global__ void sum_lists(int **heads, int *out)
{
    int *p = heads[threadIdx.x], sum = 0;

    for (int i = 0; i < 16; i++)
        sum += p[i];
    free(p);
    out[threadIdx.x] = sum;
}

template <typename F> __global__ void apply(int *out, F f)
{
    out[threadIdx.x] = f((int)threadIdx.x);
}

static unsigned fib_host(unsigned n)
{
    return n < 2 ? n : fib_host(n - 1) + fib_host(n - 2);
}

int main()
{
    static const unsigned ack[4] = { 3, 5, 7, 9 };
    unsigned *u, hu[64];
    int *d, hd[32], base = 5, **heads;
    float *f, hf[32];
    size_t stack, heap;

    GOOD(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
    GOOD(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    CHECK(stack >= 16 * 1024);
    GOOD(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
    GOOD(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    CHECK(heap >= 4 << 20);
    GOOD(cudaMalloc(&u, sizeof hu));
    GOOD(cudaMalloc(&d, sizeof hd));
    GOOD(cudaMalloc(&f, sizeof hf));
    GOOD(cudaMalloc(&heads, 32 * sizeof(int *)));
    recurse<<<1, 16>>>(u);
    GOOD(cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 16; i++)
        CHECK(hu[i] == fib_host(i) && hu[32 + i] == ack[i % 4]);
    indirect<<<1, 32>>>(d, 1);
    GOOD(cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(hd[i] == (i % 2 ? 2 * i : i * i));
    objects<<<1, 32>>>(f);
    GOOD(cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(hf[i] == (i % 2 ? 2.0f * i : 3.0f * i * i));
    lists<<<1, 32>>>(heads);
    sum_lists<<<1, 32>>>(heads, d);
    GOOD(cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(hd[i] == i * 1600 + 120);
    apply<<<1, 32>>>(d, [base] __device__(int x) { return base + x; });
    GOOD(cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(hd[i] == 5 + i);
    puts("calls: good");
    return 0;
}
