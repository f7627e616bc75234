#!/bin/bash
# foreign.sh - compiles library instantiations (CUB, Thrust, cuRAND, libcu++) to build/corpus as a stand-in for
# foreign programs. Its output is not committed.
# usage: tools/isa/foreign.sh [ARCH...]
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/corpus
work=build/foreign
mkdir -p "$out" "$work"
archs=${*:-sm_75 sm_86 sm_90 sm_100 sm_120}
cuda=${CUDA_HOME:-/usr/local/cuda}

unit() { # NAME: the rest of the unit comes on stdin
    cat >"$work/$1.cu"
    for arch in $archs; do
        nice nvcc -cubin -std=c++17 -w -arch="$arch" -I"$cuda/include/cccl" -o "$out/foreign-$1.$arch.cubin" "$work/$1.cu" \
            >"$work/$1.$arch.log" 2>&1 || echo "skipped: $1 $arch: $(grep -m1 error "$work/$1.$arch.log")"
    done
}

block() { # block-level CUB algorithms, one kernel per type
    local t=$1 n=$2
    unit "block-$n" <<END
#include <cub/cub.cuh>
typedef $t T;
extern "C" __global__ void sort(T *d) { typedef cub::BlockRadixSort<T, 128, 4> B; __shared__ typename B::TempStorage s; T k[4]; cub::LoadDirectBlocked(threadIdx.x, d, k); B(s).Sort(k); cub::StoreDirectStriped<128>(threadIdx.x, d, k); }
extern "C" __global__ void sortpairs(T *d, int *v) { typedef cub::BlockRadixSort<T, 128, 4, int> B; __shared__ typename B::TempStorage s; T k[4]; int w[4]; cub::LoadDirectBlocked(threadIdx.x, d, k); cub::LoadDirectBlocked(threadIdx.x, v, w); B(s).SortDescending(k, w); cub::StoreDirectStriped<128>(threadIdx.x, d, k); cub::StoreDirectBlocked(threadIdx.x, v, w); }
extern "C" __global__ void scan(T *d) { typedef cub::BlockScan<T, 128> B; __shared__ typename B::TempStorage s; T k[4]; cub::LoadDirectStriped<128>(threadIdx.x, d, k); B(s).InclusiveSum(k, k); cub::StoreDirectStriped<128>(threadIdx.x, d, k); }
extern "C" __global__ void scanr(T *d) { typedef cub::BlockScan<T, 128, cub::BLOCK_SCAN_RAKING> B; __shared__ typename B::TempStorage s; T k = d[threadIdx.x]; B(s).ExclusiveSum(k, k); d[threadIdx.x] = k; }
extern "C" __global__ void reduce(T *d) { typedef cub::BlockReduce<T, 128> B; __shared__ typename B::TempStorage s; T r = B(s).Sum(d[threadIdx.x]); if (threadIdx.x == 0) d[0] = r; }
extern "C" __global__ void reduceo(T *d) { typedef cub::BlockReduce<T, 128, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> B; __shared__ typename B::TempStorage s; T r = B(s).Sum(d[threadIdx.x]); if (threadIdx.x == 0) d[0] = r; }
extern "C" __global__ void exch(T *d) { typedef cub::BlockExchange<T, 128, 8> B; __shared__ typename B::TempStorage s; T k[8]; cub::LoadDirectStriped<128>(threadIdx.x, d, k); B(s).StripedToBlocked(k, k); cub::StoreDirectBlocked(threadIdx.x, d, k); }
extern "C" __global__ void heads(T *d, int *f) { typedef cub::BlockDiscontinuity<T, 128> B; __shared__ typename B::TempStorage s; T k[4]; int h[4]; cub::LoadDirectBlocked(threadIdx.x, d, k); B(s).FlagHeads(h, k, ::cuda::std::not_equal_to<T>()); cub::StoreDirectBlocked(threadIdx.x, f, h); }
struct less { __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
extern "C" __global__ void merge(T *d) { typedef cub::BlockMergeSort<T, 128, 4> B; __shared__ typename B::TempStorage s; T k[4]; cub::LoadDirectBlocked(threadIdx.x, d, k); B(s).Sort(k, less()); cub::StoreDirectBlocked(threadIdx.x, d, k); }
extern "C" __global__ void wmerge(T *d) { typedef cub::WarpMergeSort<T, 4, 16> B; __shared__ typename B::TempStorage s[8]; T k[4]; cub::LoadDirectBlocked(threadIdx.x, d, k); B(s[threadIdx.x / 16]).Sort(k, less()); cub::StoreDirectBlocked(threadIdx.x, d, k); }
extern "C" __global__ void wscan(T *d) { typedef cub::WarpScan<T, 16> B; __shared__ typename B::TempStorage s[8]; T k = d[threadIdx.x]; B(s[threadIdx.x / 16]).InclusiveSum(k, k); d[threadIdx.x] = k; }
extern "C" __global__ void wreduce(T *d, int *f) { typedef cub::WarpReduce<T> B; __shared__ typename B::TempStorage s[4]; T k = B(s[threadIdx.x / 32]).HeadSegmentedSum(d[threadIdx.x], f[threadIdx.x]); d[threadIdx.x] = k; }
END
}

device() { # whole device-level algorithms; their kernels are instantiated by the host calls
    local t=$1 n=$2
    unit "device-$n" <<END
#include <cub/cub.cuh>
typedef $t T;
void go(T *a, T *b, int *i, int *j, char *f, size_t z, void *w, int n) {
    cub::DeviceRadixSort::SortPairs(w, z, a, b, i, j, n); cub::DeviceRadixSort::SortKeysDescending(w, z, a, b, n);
    cub::DeviceScan::ExclusiveSum(w, z, a, b, n); cub::DeviceReduce::Sum(w, z, a, b, n); cub::DeviceReduce::Max(w, z, a, b, n);
    cub::DeviceSelect::Flagged(w, z, a, f, b, i, n); cub::DeviceSelect::Unique(w, z, a, b, i, n);
    cub::DeviceRunLengthEncode::Encode(w, z, a, b, i, j, n);
    cub::DeviceSegmentedReduce::Sum(w, z, a, b, n, i, j);
}
END
}

block int i32; block float f32; block double f64; block "unsigned long long" u64; block "unsigned char" u8
device int i32; device float f32; device "unsigned long long" u64
unit device-merge <<'END'
#include <cub/cub.cuh>
struct less { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
void go(double *a, int *i, unsigned char *p, float *q, int *h, float *lv, size_t z, void *w, int n) {
    cub::DeviceMergeSort::SortPairs(w, z, a, i, n, less()); cub::DeviceMergeSort::StableSortKeys(w, z, i, n, less());
    cub::DeviceHistogram::HistogramEven(w, z, p, h, 257, 0, 256, n); cub::DeviceHistogram::HistogramRange(w, z, q, h, 33, lv, n);
    cub::DevicePartition::Flagged(w, z, i, p, h, i, n);
    cub::DeviceSegmentedSort::SortKeys(w, z, i, h, n, n, i, i);
}
END
unit thrust <<'END'
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/inner_product.h>
#include <thrust/set_operations.h>
#include <thrust/unique.h>
#include <thrust/binary_search.h>
struct sq { __device__ float operator()(float x) const { return x * x + sinf(x); } };
void go(float *a, float *b, int *c, int n) {
    thrust::sort(thrust::device, a, a + n); thrust::inclusive_scan(thrust::device, a, a + n, b);
    thrust::transform(thrust::device, a, a + n, b, sq()); thrust::inner_product(thrust::device, a, a + n, b, 0.f);
    thrust::set_union(thrust::device, a, a + n, b, b + n, a); thrust::unique_by_key(thrust::device, c, c + n, b);
    thrust::lower_bound(thrust::device, a, a + n, b, b + n, c); thrust::reduce_by_key(thrust::device, c, c + n, a, c, b);
}
END
unit curand <<'END'
#include <curand_kernel.h>
#define G(S, N) extern "C" __global__ void N(float *o, double *d, unsigned *u) { S s; curand_init(1234, threadIdx.x, 0, &s); o[threadIdx.x] = curand_uniform(&s) + curand_normal(&s) + curand_log_normal(&s, 1.f, 2.f); d[threadIdx.x] = curand_uniform_double(&s) + curand_normal_double(&s); u[threadIdx.x] = curand(&s) + curand_poisson(&s, 12.5); }
G(curandStateXORWOW, xorwow) G(curandStateMRG32k3a, mrg) G(curandStatePhilox4_32_10, philox)
extern "C" __global__ void philox4(float4 *o) { curandStatePhilox4_32_10 s; curand_init(7, threadIdx.x, 3, &s); o[threadIdx.x] = curand_uniform4(&s); o[threadIdx.x + 32] = curand_normal4(&s); }
extern "C" __global__ void mt(curandStateMtgp32 *s, float *o) { o[threadIdx.x] = curand_uniform(s + blockIdx.x); }
extern "C" __global__ void sobol(curandDirectionVectors32_t *v, float *o) { curandStateSobol32 s; curand_init(v[0], threadIdx.x, &s); o[threadIdx.x] = curand_uniform(&s); }
END
unit libcupp <<'END'
#include <cuda/atomic>
#include <cuda/std/complex>
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/bit>
#include <cuda/std/tuple>
#include <cuda/std/functional>
#include <cuda/std/optional>
extern "C" __global__ void cx(cuda::std::complex<float> *o, const cuda::std::complex<float> *a) { int i = threadIdx.x; o[i] = a[i] * a[i + 1] / a[i + 2]; o[i + 32] = cuda::std::exp(a[i]); o[i + 64] = cuda::std::sqrt(a[i]); o[i + 96] = cuda::std::pow(a[i], a[i + 1]); }
extern "C" __global__ void cd(cuda::std::complex<double> *o, const cuda::std::complex<double> *a) { int i = threadIdx.x; o[i] = a[i] * a[i + 1] / a[i + 2]; o[i + 32] = cuda::std::log(a[i]); o[i + 64] = cuda::std::tanh(a[i]); }
extern "C" __global__ void at(cuda::atomic<unsigned char> *c, cuda::atomic<unsigned short> *s, cuda::atomic<double> *d) { c->fetch_add(3); s->fetch_xor(7); d->fetch_add(2.5); c->exchange(9); unsigned short e = 3; s->compare_exchange_weak(e, 8); }
extern "C" __global__ void bit(unsigned long long *o) { int i = threadIdx.x; o[i] = cuda::std::bit_ceil(o[i]) + cuda::std::countl_zero(o[i]) + cuda::std::rotl(o[i], i); }
extern "C" __global__ void tm(long long *o) { o[0] = cuda::std::chrono::system_clock::now().time_since_epoch().count(); }
END
