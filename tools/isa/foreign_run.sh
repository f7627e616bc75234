#!/bin/bash
# foreign_run.sh - runs library algorithms in the simulator; each kernel checks its own result serially.
# usage: tools/isa/foreign_run.sh [ARCH...]   needs nvcc and build/tests/isa/suite (tools/isa/leno.sh makes it)
# Its output is not committed: the sources are the toolkit's.
set -u
cd "$(dirname "$0")/../.." || exit 1
archs=${*:-sm_90 sm_75 sm_86}
dir=build/foreign-run
mkdir -p $dir
cuda=${CUDA_HOME:-/usr/local/cuda}
cat >$dir/cub.cu <<'END'
#include <cub/cub.cuh>
#include <curand_kernel.h>
#include "feature.h"
#define N 512
#define OK 12345u
template <class T> __device__ T value(const u32 *in, u32 i) { return (T)(in[i] & 0xfff) * (T)3 + (T)(in[i] >> 16 & 255); }
template <class T> __device__ u32 diff(T a, T b) { return a == b ? 0 : 1; }
#define LOAD(k, items) T k[items]; for (int q = 0; q < items; q++) k[q] = value<T>(in, TID * items + q);
#define SAVE(k, items) __shared__ T res[N]; __syncthreads(); for (int q = 0; q < items; q++) res[TID * items + q] = k[q]; __syncthreads(); if (TID == 0) { u32 bad = 0;
#define DONE out[0] = OK + bad; }
#define ALGS(T_, n) namespace ns_##n { typedef T_ T; \
extern "C" __global__ void sort_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockRadixSort<T, 128, 4> B; __shared__ typename B::TempStorage s; LOAD(k, 4) B(s).Sort(k); SAVE(k, 4) for (int i = 1; i < N; i++) bad += res[i - 1] > res[i]; double a = 0, b = 0; for (int i = 0; i < N; i++) { a += (double)res[i]; b += (double)value<T>(in, i); } bad += a != b; DONE } \
extern "C" __global__ void sortdesc_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockRadixSort<T, 128, 4, int> B; __shared__ typename B::TempStorage s; LOAD(k, 4) int v[4]; for (int q = 0; q < 4; q++) v[q] = TID * 4 + q; B(s).SortDescending(k, v); __shared__ int idx[N]; for (int q = 0; q < 4; q++) idx[TID * 4 + q] = v[q]; SAVE(k, 4) for (int i = 0; i < N; i++) { bad += i && (res[i - 1] < res[i] || (res[i - 1] == res[i] && idx[i - 1] > idx[i])); bad += diff(res[i], value<T>(in, idx[i])); } DONE } \
extern "C" __global__ void merge_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockMergeSort<T, 128, 4> B; __shared__ typename B::TempStorage s; LOAD(k, 4) B(s).Sort(k, [](const T &a, const T &b) { return a < b; }); SAVE(k, 4) for (int i = 1; i < N; i++) bad += res[i - 1] > res[i]; DONE } \
extern "C" __global__ void scan_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockScan<T, 128> B; __shared__ typename B::TempStorage s; LOAD(k, 4) B(s).InclusiveSum(k, k); SAVE(k, 4) T a = 0; for (int i = 0; i < N; i++) { a += value<T>(in, i); bad += diff(res[i], a); } DONE } \
extern "C" __global__ void rake_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockScan<T, 128, cub::BLOCK_SCAN_RAKING> B; __shared__ typename B::TempStorage s; LOAD(k, 4) B(s).ExclusiveSum(k, k); SAVE(k, 4) T a = 0; for (int i = 0; i < N; i++) { bad += diff(res[i], a); a += value<T>(in, i); } DONE } \
extern "C" __global__ void reduce_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockReduce<T, 128> B; __shared__ typename B::TempStorage s; LOAD(k, 4) T r = B(s).Sum(k); if (TID == 0) { T a = 0; for (int i = 0; i < N; i++) a += value<T>(in, i); out[0] = OK + diff(a, r); } } \
extern "C" __global__ void wscan_##n(u32 *out, const u32 *in, u32) { typedef cub::WarpScan<T, 16> B; __shared__ typename B::TempStorage s[8]; LOAD(k, 1) B(s[TID / 16]).InclusiveSum(k[0], k[0]); SAVE(k, 1) T a = 0; for (int i = 0; i < 128; i++) { a = (i % 16 ? a : 0) + value<T>(in, i); bad += diff(res[i], a); } DONE } \
extern "C" __global__ void exch_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockExchange<T, 128, 4> B; __shared__ typename B::TempStorage s; LOAD(k, 4) B(s).BlockedToStriped(k, k); SAVE(k, 4) for (int t = 0; t < 128; t++) for (int q = 0; q < 4; q++) bad += diff(res[t * 4 + q], value<T>(in, q * 128 + t)); DONE } \
extern "C" __global__ void heads_##n(u32 *out, const u32 *in, u32) { typedef cub::BlockDiscontinuity<T, 128> B; __shared__ typename B::TempStorage s; T k[4]; int h[4]; for (int q = 0; q < 4; q++) k[q] = (T)(in[TID * 4 + q] & 1); B(s).FlagHeads(h, k, ::cuda::std::not_equal_to<T>()); T g[4]; for (int q = 0; q < 4; q++) g[q] = (T)h[q]; SAVE(g, 4) for (int i = 0; i < N; i++) bad += (res[i] != (T)0) != (i == 0 || (in[i] & 1) != (in[i - 1] & 1)); DONE } }
ALGS(int, i32) ALGS(float, f32) ALGS(double, f64) ALGS(unsigned long long, u64) ALGS(unsigned short, u16) ALGS(long long, s64)
extern "C" __global__ void histo(u32 *out, const u32 *in, u32) { typedef cub::BlockHistogram<unsigned char, 128, 4, 256> B; __shared__ typename B::TempStorage s; __shared__ u32 h[256]; unsigned char k[4]; for (int q = 0; q < 4; q++) k[q] = (unsigned char)in[TID * 4 + q]; B(s).Histogram(k, h); __syncthreads(); if (TID == 0) { u32 bad = 0; for (int i = 0; i < 512; i++) h[in[i] & 255]--; for (int i = 0; i < 256; i++) bad += h[i] != 0; out[0] = OK + bad; } }
extern "C" __global__ void rand_xorwow(u32 *out, const u32 *in, u32) { curandStateXORWOW s; curand_init(1234, TID, 0, &s); float a = curand_uniform(&s), n = curand_normal(&s); u32 bad = __syncthreads_count(!(a > 0 && a <= 1 && n > -8 && n < 8)); double m = curand_uniform_double(&s); bad += __syncthreads_count(!(m > 0 && m <= 1)); if (TID == 0) out[0] = OK + bad; }
extern "C" __global__ void rand_philox(u32 *out, const u32 *in, u32) { curandStatePhilox4_32_10 s; curand_init(7, TID, 3, &s); float4 v = curand_uniform4(&s); u32 bad = __syncthreads_count(!(v.x > 0 && v.w <= 1)); u32 p = curand_poisson(&s, 12.5); bad += __syncthreads_count(p > 60); if (TID == 0) out[0] = OK + bad; }
extern "C" __global__ void rand_mrg(u32 *out, const u32 *in, u32) { curandStateMRG32k3a s; curand_init(7, TID, 3, &s); float v = curand_log_normal(&s, 0.f, 1.f); u32 bad = __syncthreads_count(!(v > 0)); if (TID == 0) out[0] = OK + bad; }
END
grep -o '^extern "C" __global__ void [a-z_0-9]*' $dir/cub.cu | sed 's/.* //' | grep -v '_$' >$dir/names
for t in i32 f32 f64 u64 u16 s64; do
    for a in sort sortdesc merge scan rake reduce wscan exch heads; do echo "${a}_$t"; done
done >>$dir/names
sed 's/.*/cub & grid=1 block=128 out=4 in=1024/' $dir/names >$dir/suite.tab
for arch in $archs; do
    [ $dir/cub.$arch.cubin -nt "$0" ] || nice nvcc -cubin -std=c++17 --extended-lambda -w -arch="$arch" -I"$cuda/include/cccl" -Itests/isa/feature -o $dir/cub.$arch.cubin $dir/cub.cu || continue
    build/tests/isa/suite $dir --arch "$arch" --fork --module cub --show --seconds 60 >$dir/$arch.log 2>&1
    echo "$arch: $(grep -c ' 3039 0 0 0 :' $dir/$arch.log) of $(wc -l <$dir/names) right"
    grep -v -e ' 3039 0 0 0 :' -e 'passed' $dir/$arch.log | cut -c1-250
done
