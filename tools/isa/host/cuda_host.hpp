/* cuda_host.hpp - enough CUDA to run the integer feature kernels on the CPU, one fiber a thread.
 *
 * An independent reference: it shares nothing with the simulator. Threads of a block take turns and
 * give way at barriers, collectives and atomics; blocks run one after the other.
 */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H
#include <cassert>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define __device__
#define __global__
#define __constant__
#define __noinline__    __attribute__((noinline))
#define __forceinline__ inline
#define __shared__      static
#define __align__(n)    __attribute__((aligned(n)))
#define __CUDA_ARCH__   900
#define warpSize        32

struct dim {
    uint32_t x, y, z;
};
extern dim threadIdx, blockIdx, blockDim, gridDim;
struct uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct ushort4 {
    uint16_t x, y, z, w;
};
static inline uint4 make_uint4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return { a, b, c, d };
}

/* The scheduler. */
void host_yield();
void host_barrier();
uint32_t host_reduce(uint32_t v, int how); /* block-wide: 0 count, 1 and, 2 or */
const uint64_t *host_exchange(uint32_t mask, uint64_t v,
                              uint32_t *lane); /* every lane's value */
uint32_t host_live();

template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b)
{
    return a < b ? a : b;
}
template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b)
{
    return a > b ? a : b;
}

static inline int __popc(uint32_t x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(uint64_t x)
{
    return __builtin_popcountll(x);
}
static inline int __clz(uint32_t x)
{
    return x ? __builtin_clz(x) : 32;
}
static inline int __clzll(uint64_t x)
{
    return x ? __builtin_clzll(x) : 64;
}
static inline int __ffs(uint32_t x)
{
    return __builtin_ffs((int)x);
}
static inline int __ffsll(uint64_t x)
{
    return __builtin_ffsll((long long)x);
}
static inline uint32_t __brev(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}
static inline uint64_t __brevll(uint64_t x)
{
    return (uint64_t)__brev((uint32_t)x) << 32 | __brev((uint32_t)(x >> 32));
}
static inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline int32_t __mulhi(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}
static inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
static inline int64_t __mul64hi(int64_t a, int64_t b)
{
    return (int64_t)((__int128)a * b >> 64);
}
static inline int32_t __mul24(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)(a << 8 >> 8) * (b << 8 >> 8));
}
static inline uint32_t __umul24(uint32_t a, uint32_t b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
static inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t s)
{
    uint64_t v = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t k = s >> (4 * i), c = (uint32_t)(v >> (8 * (k & 7))) & 0xff;
        r |= (k & 8 ? (c & 0x80 ? 0xffu : 0) : c) << (8 * i);
    }
    return r;
}

static inline void __syncthreads()
{
    host_barrier();
}
static inline int __syncthreads_count(int p)
{
    return (int)host_reduce(p != 0, 0);
}
static inline int __syncthreads_and(int p)
{
    return (int)host_reduce(p != 0, 1);
}
static inline int __syncthreads_or(int p)
{
    return (int)host_reduce(p != 0, 2);
}
static inline void __threadfence()
{
    host_yield();
}
static inline void __threadfence_block()
{
    host_yield();
}
static inline void __threadfence_system()
{
    host_yield();
}
static inline void __nanosleep(uint32_t)
{
    host_yield();
}
static inline void __syncwarp(uint32_t m = ~0u)
{
    uint32_t l;
    host_exchange(m & host_live(), 0, &l);
}
static inline uint32_t __activemask()
{
    return host_live();
}

template <class T> static inline uint64_t host_bits(T v)
{
    uint64_t b = 0;
    memcpy(&b, &v, sizeof v);
    return b;
}
template <class T> static inline T host_value(uint64_t b)
{
    T v;
    memcpy(&v, &b, sizeof v);
    return v;
}
template <class T> static T host_shfl(uint32_t m, T v, int k, int width, int mode)
{
    uint32_t l;
    const uint64_t *s = host_exchange(m, host_bits(v), &l);
    int seg = (int)l & ~(width - 1), in = (int)l & (width - 1), from;
    switch (mode) {
    case 0:
        from = seg + (k & (width - 1));
        break;
    case 1:
        from = in - k < 0 ? (int)l : (int)l - k;
        break;
    case 2:
        from = in + k >= width ? (int)l : (int)l + k;
        break;
    default:
        from = (in ^ k) >= width ? (int)l : seg + (in ^ k);
        break;
    }
    return host_value<T>(s[from]);
}
template <class T> static T __shfl_sync(uint32_t m, T v, int k, int w = 32)
{
    return host_shfl(m, v, k, w, 0);
}
template <class T> static T __shfl_up_sync(uint32_t m, T v, uint32_t k, int w = 32)
{
    return host_shfl(m, v, (int)k, w, 1);
}
template <class T> static T __shfl_down_sync(uint32_t m, T v, uint32_t k, int w = 32)
{
    return host_shfl(m, v, (int)k, w, 2);
}
template <class T> static T __shfl_xor_sync(uint32_t m, T v, int k, int w = 32)
{
    return host_shfl(m, v, k, w, 3);
}
static inline uint32_t __ballot_sync(uint32_t m, int p)
{
    uint32_t l, r = 0;
    const uint64_t *s = host_exchange(m, p != 0, &l);
    for (int i = 0; i < 32; i++)
        if (m >> i & 1)
            r |= (uint32_t)s[i] << i;
    return r;
}
static inline int __any_sync(uint32_t m, int p)
{
    return __ballot_sync(m, p) != 0;
}
static inline int __all_sync(uint32_t m, int p)
{
    return __ballot_sync(m, p) == m;
}
template <class T> static uint32_t __match_any_sync(uint32_t m, T v)
{
    uint32_t l, r = 0;
    uint64_t b = host_bits(v);
    const uint64_t *s = host_exchange(m, b, &l);
    for (int i = 0; i < 32; i++)
        if (m >> i & 1 && s[i] == b)
            r |= 1u << i;
    return r;
}
template <class T> static uint32_t __match_all_sync(uint32_t m, T v, int *p)
{
    uint32_t r = __match_any_sync(m, v);
    *p = r == m;
    return *p ? m : 0;
}
#define HOST_REDUX(name, T, first, expr)                                 \
    static inline T name(uint32_t m, T v)                                \
    {                                                                    \
        uint32_t l;                                                      \
        const uint64_t *s = host_exchange(m, (uint64_t)(uint32_t)v, &l); \
        T r = first;                                                     \
        for (int i = 0; i < 32; i++)                                     \
            if (m >> i & 1) {                                            \
                T x = (T)(uint32_t)s[i];                                 \
                r = expr;                                                \
            }                                                            \
        return r;                                                        \
    }
HOST_REDUX(__reduce_add_sync, uint32_t, 0, r + x)
HOST_REDUX(__reduce_min_sync, uint32_t, ~0u, x < r ? x : r)
    HOST_REDUX(__reduce_max_sync, uint32_t, 0, x > r ? x : r)
        HOST_REDUX(__reduce_and_sync, uint32_t, ~0u, r &x)
            HOST_REDUX(__reduce_or_sync, uint32_t, 0, r | x)
                HOST_REDUX(__reduce_xor_sync, uint32_t, 0, r ^ x) static inline int32_t
    __reduce_add_sync(uint32_t m, int32_t v)
{
    return (int32_t)__reduce_add_sync(m, (uint32_t)v);
}
HOST_REDUX(__reduce_min_sync, int32_t, INT32_MAX, x < r ? x : r)
HOST_REDUX(__reduce_max_sync, int32_t, INT32_MIN, x > r ? x : r) static inline uint32_t
    __fns(uint32_t mask, uint32_t base, int off)
{
    if (off == 0)
        return mask >> base & 1 ? base : ~0u;
    int step = off > 0 ? 1 : -1, left = off > 0 ? off : -off;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (uint32_t)i;
    return ~0u;
}
static inline double __longlong_as_double(long long v)
{
    return host_value<double>((uint64_t)v);
}
static inline long long __double_as_longlong(double v)
{
    return (long long)host_bits(v);
}

template <class T, class F> static T host_atomic(T *p, F f)
{
    host_yield();
    T o;
    memcpy(&o, p, sizeof o);
    T v = f(o);
    memcpy(p, &v, sizeof v);
    return o;
}
#define HOST_ATOMIC(name, expr)                                \
    template <class T, class U> static T name(T *p, U u)       \
    {                                                          \
        T v = (T)u;                                            \
        return host_atomic(p, [=](T o) -> T { return expr; }); \
    }
HOST_ATOMIC(atomicAdd, o + v)
HOST_ATOMIC(atomicSub, o - v) HOST_ATOMIC(atomicMin, v < o ? v : o)
    HOST_ATOMIC(atomicMax, v > o ? v : o) HOST_ATOMIC(atomicAnd, o &v)
        HOST_ATOMIC(atomicOr, o | v) HOST_ATOMIC(atomicXor, o ^ v)
            HOST_ATOMIC(atomicExch, v) HOST_ATOMIC(atomicInc, o >= v ? 0 : o + 1)
                HOST_ATOMIC(atomicDec, o == 0 || o > v
                                           ? v
                                           : o - 1) template <class T, class U, class V>
                static T atomicCAS(T *p, U c, V v)
{
    return host_atomic(p, [=](T o) -> T { return o == (T)c ? (T)v : o; });
}
#endif
