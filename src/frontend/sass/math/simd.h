/* simd.h - loops over lanes, compiled twice: for any host, and for AVX2 with FMA.
 *
 * The body is an always-inline function `name_body`; SIMD_KERNEL makes a static `name`,
 * which asks the processor each time (a load and a test of libgcc's table) and calls the
 * version that fits. That is used rather than target_clones because it needs no ifunc,
 * so it works with both compilers, under the sanitizers and in static programs. In files
 * that are compiled for AVX2 as a whole (Makefile) there is nothing to ask.
 *
 * SIMD_INDEPENDENT stands before a loop that reads and writes lane i only in turn i: the
 * destination may then be a source.
 */
#ifndef LENO_SASS_SIMD_H
#define LENO_SASS_SIMD_H

#define SIMD_BODY static inline __attribute__((always_inline)) void

#if !defined(__clang__)
#define SIMD_UNROLL      _Pragma("GCC unroll 16")
#define SIMD_INDEPENDENT _Pragma("GCC ivdep")
#else
#pragma clang diagnostic ignored "-Wpass-failed" /* unoptimised builds */
#define SIMD_UNROLL
#define SIMD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#endif

/* -DLENO_PLAIN: to test the other */
#if defined(__x86_64__) && !defined(__AVX2__) && !defined(LENO_PLAIN)
#define SIMD_KERNEL(name, params, args)                                          \
    static __attribute__((noinline, target("avx2,fma"))) void name##_wide params \
    {                                                                            \
        name##_body args;                                                        \
    }                                                                            \
    static __attribute__((noinline)) void name##_plain params                    \
    {                                                                            \
        name##_body args;                                                        \
    }                                                                            \
    static void name params                                                      \
    {                                                                            \
        if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))     \
            name##_wide args;                                                    \
        else                                                                     \
            name##_plain args;                                                   \
    }
#else
#define SIMD_KERNEL(name, params, args) \
    static void name params             \
    {                                   \
        name##_body args;               \
    }
#endif

#endif
