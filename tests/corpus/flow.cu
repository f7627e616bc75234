/* flow.cu - control flow: divergence, calls, tables, recursion, stack objects, variadic functions. */
#include <assert.h>
#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>
#define K extern "C" __global__ void

__device__ __noinline__ int leaf(int x) { return x * 3 + 1; }
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ double dleaf(double x, float y, long long z, char c) { return x * y + (double)z - c; }
struct big { int v[20]; };
__device__ __noinline__ struct big mkbig(int s) { struct big b; for (int i = 0; i < 20; i++) b.v[i] = s * i; return b; }
__device__ __noinline__ int vsum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s += i & 1 ? (int)va_arg(ap, double) : va_arg(ap, int); va_end(ap); return s; }
typedef int (*fn)(int);
__device__ __noinline__ int fa(int x) { return x + 1; }
__device__ __noinline__ int fb(int x) { return x * x; }
__device__ __noinline__ int fc(int x) { return fib(x & 7); }
__device__ fn table[3] = {fa, fb, fc};
__constant__ fn ctable[2] = {fb, fa};
struct base { __device__ virtual int f(int x) const { return x; } __device__ virtual ~base() {} };
struct d1 : base { int k; __device__ d1(int q) : k(q) {} __device__ int f(int x) const override { return x + k; } };
struct d2 : base { int k; __device__ d2(int q) : k(q) {} __device__ int f(int x) const override { return x * k; } };

K ifelse(int *o, const int *a) { int i = threadIdx.x; int v = a[i]; if (v & 1) { if (v & 2) v = v * 7 + o[i]; else v -= o[i + 1]; } else if (v & 4) v ^= o[i + 2]; o[i] = v; }
K loops(int *o, const int *a, int n) { int i = threadIdx.x, s = 0; for (int k = a[i]; k < n; k++) { if (a[k] == 13) continue; if (a[k] == 77) break; for (int j = 0; j < (k & 3); j++) { if (a[j + k] < 0) goto out; s += a[j] * k; } } out: o[i] = s; }
K sw(int *o, const int *a) { int i = threadIdx.x, v = a[i], r; switch (v) { case 0: r = leaf(v); break; case 1: r = v * v; break; case 2: r = o[v]; break; case 3: r = v / 3; break; case 4: r = atomicAdd(o, 3); break; case 5: r = fib(v); break; case 6: r = __popc(v) + o[v]; break; case 7: r = v % 17; break; case 8: __syncwarp(); r = 1; break; case 9: r = o[9]; break; default: r = -1; } o[i] = r; }
K early(int *o, const int *a, int n) { int i = threadIdx.x; if (i >= n) return; int v = a[i]; if (v < 0) return; while (v > 3) { v = v & 1 ? 3 * v + 1 : v >> 1; if (v == 1000) return; } o[i] = v; }
K irreducible(int *o, const int *a) { int i = threadIdx.x, v = a[i], n = 0; if (v & 1) goto b; a_: n++; v += o[n]; if (v > 100) goto done; b: v *= 2; if (n < 20) goto a_; done: o[i] = v; }
K recur(int *o, const int *a) { int i = threadIdx.x; o[i] = fib(a[i]); }
K fptr(int *o, const int *a) { int i = threadIdx.x; o[i] = table[a[i] % 3](i) + ctable[a[i] & 1](i); }
K virt(int *o, const int *a) { int i = threadIdx.x; d1 x(3); d2 y(i); base b; const base *p = a[i] == 0 ? (const base *)&x : a[i] == 1 ? (const base *)&y : &b; o[i] = p->f(i); }
K heapv(int *o, const int *a) { int i = threadIdx.x; base *p = a[i] & 1 ? (base *)new d1(i) : (base *)new d2(i); o[i] = p->f(i); delete p; }
K divcall(int *o, const int *a) { int i = threadIdx.x; int r = 0; if (a[i] & 1) r = leaf(a[i]); else if (a[i] & 2) r = (int)dleaf(a[i], 2.f, r, 3); o[i] = r + (a[i] > 5 ? leaf(r) : 0); }
K structs(int *o, int n) { struct big b = mkbig(n + threadIdx.x); o[threadIdx.x] = b.v[n] + b.v[threadIdx.x % 20]; }
K vararg(int *o, int n) { o[threadIdx.x] = vsum(4, n, 2.5, (int)threadIdx.x, 7.0); }
K allocaK(int *o, int n) { int *p = (int *)__builtin_alloca(n * 4); for (int i = 0; i < n; i++) p[i] = i * threadIdx.x; o[threadIdx.x] = p[o[threadIdx.x]]; }
K prt(int *o, float f, double d, const char *s) { printf("%d %s %f %g %c %llx %%\n", o[0], "abc", f, d, 'x', (unsigned long long)o); if (threadIdx.x == 3) printf("plain\n"); }
K asrt(int *o) { assert(o[threadIdx.x] > 3); o[threadIdx.x] = 1; }
K heap(int *o, int n) { int *p = (int *)malloc(n * 4); if (p) { for (int i = 0; i < n; i++) p[i] = i; o[threadIdx.x] = p[n - 1]; free(p); } }
K locarr(int *o, const int *a, int n) { int t[32]; for (int i = 0; i < 32; i++) t[i] = a[i] * n; for (int i = 0; i < n; i++) t[(i * 7) & 31] += t[i & 15]; o[threadIdx.x] = t[threadIdx.x]; }
K locby(char *o, const char *a, int n) { char t[64]; short u[16]; for (int i = 0; i < 64; i++) t[i] = a[i] * n; for (int i = 0; i < 16; i++) u[i] = t[i] * n; o[threadIdx.x] = t[n] + u[n & 15]; }
K spin(int *lock, int *o) { bool done = false; while (!done) { if (atomicCAS(lock, 0, 1) == 0) { o[0] += threadIdx.x; __threadfence(); atomicExch(lock, 0); done = true; } } }
K trapk(int *o) { if (o[0] == 1) __trap(); if (o[1] == 1) __brkpt(); __nanosleep(o[2]); __prof_trigger(2); o[3] = 1; }
K uni(int *o, const int *a, int n, int m) { int s = 0; for (int k = 0; k < n; k++) { if ((k * m) % 5 == 3) s += a[k * m]; else s -= a[k ^ m]; if (k > m && (m & 3)) s ^= a[(k << 2) + m]; } o[blockIdx.x * n + threadIdx.x] = s + min(n, m) * max((int)blockIdx.x, n) + __popc(n) + __clz(m) + __brev(n); }
K launch_(int4 *o, __grid_constant__ const struct big b) { o[threadIdx.x].x = b.v[threadIdx.x]; const int *p = b.v; o[threadIdx.x].y = p[o[0].x]; }
extern "C" __global__ __launch_bounds__(1024, 2) void pressure(float *o, const float *a) { float v[64]; for (int i = 0; i < 64; i++) v[i] = a[i * 32 + threadIdx.x]; for (int k = 0; k < 10; k++) for (int i = 0; i < 64; i++) v[i] = v[i] * v[(i + 7) & 63] + v[(i + 13) & 63]; for (int i = 0; i < 64; i++) o[i * 32 + threadIdx.x] = v[i]; }
