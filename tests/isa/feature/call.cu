/* call.cu - calls: recursion, pointers, virtual functions, divergent callers, large arguments, stack arrays. */
#include "feature.h"
#include <stdarg.h>

__device__ __noinline__ u32 leaf(u32 x) { return x * 3 + 1; }
__device__ __noinline__ u32 fib(u32 k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }
__device__ __noinline__ u32 odd(u32 k);
__device__ __noinline__ u32 even(u32 k) { return k == 0 ? 1 : odd(k - 1) * 3; }
__device__ __noinline__ u32 odd(u32 k) { return k == 0 ? 7 : even(k - 1) + 1; }
__device__ __noinline__ u32 ack(u32 m, u32 k) { return m == 0 ? k + 1 : k == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, k - 1)); }

// run call_fib grid=1 block=64 out=64 in=64
KERNEL(call_fib) { out[GID] = fib(in[GID] % 11); }
// run call_mutual grid=1 block=64 out=64 in=64
KERNEL(call_mutual) { out[GID] = even(in[GID] % 19); }
// run call_ack grid=1 block=32 out=32 in=32
KERNEL(call_ack) { out[GID] = ack(in[GID] % 3, in[GID] >> 8 & 7); }
// run call_divergent grid=2 block=64 out=128 in=128
KERNEL(call_divergent)
{
    u32 v = in[GID], r = 0;
    if (v & 1) r = leaf(v);
    else if (v & 2) { r = leaf(v ^ 5); if (r & 1) r += leaf(r); }
    if (v & 4) for (u32 i = 0; i < (v >> 3 & 7); i++) r = leaf(r + i);
    out[GID] = r;
}

typedef u32 (*fn)(u32, u32);
__device__ __noinline__ u32 fa(u32 x, u32 y) { return x + y; }
__device__ __noinline__ u32 fb(u32 x, u32 y) { return x * y; }
__device__ __noinline__ u32 fc(u32 x, u32 y) { return fib(x % 7) - y; }
__device__ __noinline__ u32 fd(u32 x, u32 y) { return x > y ? x : leaf(y); }
__device__ fn table[4] = {fa, fb, fc, fd};
__constant__ fn ctable[2] = {fd, fb};
// run call_pointer grid=1 block=128 out=128 in=128
KERNEL(call_pointer)
{
    u32 v = in[GID];
    fn f = table[v & 3];
    u32 r = f(v >> 8, v & 255);
    out[GID] = r + ctable[v >> 4 & 1](r, v);
}

struct shape {
    __device__ virtual u32 area(u32 x) const { return x; }
    __device__ virtual u32 twice(u32 x) const { return area(x) * 2; }
};
struct square : shape {
    u32 k;
    __device__ square(u32 q) : k(q) {}
    __device__ u32 area(u32 x) const override { return x * k; }
};
struct circle : shape {
    u32 k;
    __device__ circle(u32 q) : k(q) {}
    __device__ u32 area(u32 x) const override { return x * x * 3 + k; }
    __device__ u32 twice(u32 x) const override { return shape::twice(x) + 1; }
};
// run call_virtual grid=1 block=96 out=96 in=96
KERNEL(call_virtual)
{
    u32 v = in[GID];
    square a(v >> 4);
    circle b(v >> 5);
    shape c;
    const shape *p = v % 3 == 0 ? (const shape *)&a : v % 3 == 1 ? (const shape *)&b : &c;
    out[GID] = p->twice(v & 0xff) + p->area(3);
}

struct big { u32 v[24]; };
__device__ __noinline__ big make(u32 s) { big b; for (u32 i = 0; i < 24; i++) b.v[i] = mix(s + i); return b; }
__device__ __noinline__ u32 fold(big b, u32 k) { u32 s = k; for (u32 i = 0; i < 24; i++) s = s * 31 + b.v[(i * k) % 24]; return s; }
// run call_struct grid=1 block=64 out=64 in=64
KERNEL(call_struct) { out[GID] = fold(make(in[GID]), in[GID] & 15); }

__device__ __noinline__ double many(double a, float b, s64 c, char d, short e, u32 f, u64 g, double h)
{
    return a * b + (double)c - d + e * 0.5 + f + (double)(g >> 40) * h;
}
// run call_many grid=1 block=64 out=128 in=64
KERNEL(call_many)
{
    u32 v = in[GID];
    ((double *)out)[GID] = many(v * 0.25, (float)(v & 15), (s64)(s32)v, (char)v, (short)(v >> 3), v >> 16, (u64)v << 20, 0.125);
}
__device__ __noinline__ u32 vsum(int k, ...)
{
    va_list ap;
    va_start(ap, k);
    u32 s = 0;
    for (int i = 0; i < k; i++) s += i & 1 ? (u32)va_arg(ap, double) : va_arg(ap, u32);
    va_end(ap);
    return s;
}
// run call_vararg grid=1 block=32 out=32 in=32
KERNEL(call_vararg) { out[GID] = vsum(5, in[GID], 2.5, in[GID] & 7, 100.0, 3u); }
// run call_alloca grid=1 block=64 out=64 in=64 n=40
KERNEL(call_alloca)
{
    u32 k = 4 + in[GID] % n;
    u32 *p = (u32 *)__builtin_alloca(k * 4);
    for (u32 i = 0; i < k; i++) p[i] = mix(i + GID);
    u32 s = 0;
    for (u32 i = 0; i < k; i++) s += p[(i * 7) % k] ^ i;
    out[GID] = s;
}
__device__ __noinline__ void quick(u32 *a, int lo, int hi)
{
    if (lo >= hi) return;
    u32 p = a[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p) i++;
        while (a[j] > p) j--;
        if (i <= j) { u32 t = a[i]; a[i++] = a[j]; a[j--] = t; }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
// run call_quick grid=1 block=32 out=1024 in=1024
KERNEL(call_quick)
{
    u32 a[32];
    for (int i = 0; i < 32; i++) a[i] = in[GID * 32 + i];
    quick(a, 0, 31);
    for (int i = 0; i < 32; i++) out[GID * 32 + i] = a[i];
}
// run call_inloop grid=1 block=64 out=64 in=64
KERNEL(call_inloop)
{
    u32 v = in[GID], s = 0;
    for (u32 i = 0; i < (v & 15); i++) {
        fn f = table[(v >> i) & 3];
        s += f(s & 0xff, i);
        if ((s & 63) == 9) break;
    }
    out[GID] = s;
}
