/* recursion.cu - recursive kernels whose lanes part: each lane starts with a number of its
 * own. tests/data/converge/recursion.txt has what an H200 executes for them.
 * Built by nvcc -arch=sm_90 -cubin. */
#define KERNEL(name, value)                                                      \
    extern "C" __global__ void name(const int *in, int *out, const float *, int) \
    {                                                                            \
        int v = in[threadIdx.x];                                                 \
        out[threadIdx.x] = value;                                                \
    }

__device__ __noinline__ int fib(int n)
{
    int x = n;
    if (n >= 2) {
        x = fib(n - 1);
        x += fib(n - 2);
    }
    return x;
}
KERNEL(fibonacci, fib(v))

__device__ __noinline__ int fact(int n)
{
    int x = 1;
    if (n > 0) {
        x = fact(n - 1) * n + 3;
    }
    return x;
}
KERNEL(factorial, fact(v))

__device__ __noinline__ unsigned queens(unsigned all, unsigned cols, unsigned l,
                                        unsigned r)
{
    unsigned n = 0, free = all & ~(cols | l | r);
    if (cols == all) {
        return 1;
    }
    while (free) {
        unsigned bit = free & -free;
        free ^= bit;
        n += queens(all, cols | bit, (l | bit) << 1, (r | bit) >> 1);
    }
    return n;
}
KERNEL(queens_from, queens(63, 1u << v % 6, 2u << v % 6, 1u << v % 6 >> 1))

__device__ __noinline__ int ack(int m, int n)
{
    if (!m) {
        return n + 1;
    }
    if (!n) {
        return ack(m - 1, 1);
    }
    n = ack(m, n - 1);
    return ack(m - 1, n);
}
KERNEL(ackermann, ack(1 + v % 2, 1 + v % 5))

__device__ int odd(int n, int x);
__device__ __noinline__ int even(int n, int x)
{
    if (n <= 0)
        return x;
    x = odd(n - 1 - (x & 1), x * 3 + 1) ^ n;
    return x;
}
__device__ __noinline__ int odd(int n, int x)
{
    if (n <= 0)
        return x + 1;
    int y = even(n - 1, x * 5 + 3);
    y += even(n - 3, x ^ 7);
    return y;
}
__device__ __forceinline__ int either(int v)
{
    return threadIdx.x & 1 ? even(v, threadIdx.x) : odd(v, threadIdx.x);
}
KERNEL(mutual, either(v))

__device__ __noinline__ void quick(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p)
            i++;
        while (a[j] > p)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
__device__ __forceinline__ int sorted(int v)
{
    int a[24], h = 0, n = 4 + v;
    unsigned x = (threadIdx.x + v * 32) * 2654435761u + 1;

    for (int i = 0; i < 24; i++) {
        x = x * 1664525 + 1013904223;
        a[i] = x >> 16;
    }
    quick(a, 0, n - 1);
    for (int i = 0; i < n; i++)
        h = h * 31 + a[i];
    return h;
}
KERNEL(quicksort, sorted(v))

/* A tree in which a hash decides who has which child. */
__device__ __forceinline__ unsigned child(unsigned at, unsigned side)
{
    unsigned x = (at * 2 + side) * 2654435761u;

    return x >> 28 < 3 ? 0 : x ^ x >> 15;
}
__device__ __noinline__ int depth(unsigned at, int most)
{
    if (!at || most < 0)
        return 0;
    int l = depth(child(at, 0), most - 1);
    int r = depth(child(at, 1), most - 1);
    return 1 + (l > r ? l : r);
}
KERNEL(tree_depth, depth(threadIdx.x * 3 + 1, v % 7))
__device__ __noinline__ int search(unsigned at, int most, unsigned lo, unsigned hi)
{
    if (!at || most < 0)
        return 0;
    unsigned key = at >> 7 & 255;
    int n = key >= lo && key < hi;
    if (key > lo) {
        n += search(child(at, 0), most - 1, lo, hi);
    }
    if (key < hi) {
        n += search(child(at, 1), most - 1, lo, hi);
    }
    return n;
}
KERNEL(tree_search, search(1, 9, v * 20, v * 20 + 9 + 4 * threadIdx.x))

__device__ __noinline__ int hanoi(int n, int a, int b, int c)
{
    if (!n)
        return b;
    int x = hanoi(n - 1, a, c, b) * 3 + a;
    x += hanoi(n - 1, c, b, a);
    return x;
}
KERNEL(towers, hanoi(v % 8, 1, 2, 3))

__device__ __noinline__ int perm(int *a, int k, int n)
{
    int s = 0;
    if (k == n) {
        for (int i = 0; i < n; i++)
            s = s * 7 + a[i];
        return s;
    }
    for (int i = k; i < n; i++) {
        int t = a[k];
        a[k] = a[i];
        a[i] = t;
        s += perm(a, k + 1, n);
        t = a[k];
        a[k] = a[i];
        a[i] = t;
    }
    return s;
}
__device__ __forceinline__ int permuted(int v)
{
    int a[6];

    for (int i = 0; i < 6; i++)
        a[i] = i + v;
    return perm(a, 0, 2 + v % 3);
}
KERNEL(permutations, permuted(v))

/* One call, in one side of a branch, with work on both. */
__device__ __noinline__ int collatz(int n, int most)
{
    if (n <= 1 || !most)
        return most;
    if (n & 1) {
        n = collatz(3 * n + 1, most - 1) + 1;
    } else {
        n = collatz(n / 2, most - 1) ^ 5;
    }
    return n;
}
KERNEL(hailstone, collatz(v + 1, 20))
