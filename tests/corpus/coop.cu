/* coop.cu - cooperative groups, warp collectives, barriers, pipelines, clusters as the headers write them. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/latch>
namespace cg = cooperative_groups;
#define K extern "C" __global__ void
K tiles(int *o, const int *a) { auto b = cg::this_thread_block(); int i = threadIdx.x; auto t = cg::tiled_partition<8>(b); o[i] = cg::reduce(t, a[i], cg::plus<int>()) + t.shfl_xor(a[i], 1) + t.ballot(a[i]) + t.any(a[i] > 3) + t.match_any(a[i]); auto t2 = cg::tiled_partition<32>(b); o[i + 32] = cg::inclusive_scan(t2, a[i]) + cg::exclusive_scan(t2, a[i], cg::bit_xor<int>()) + cg::reduce(t2, a[i], cg::less<int>()); t.sync(); auto t3 = cg::tiled_partition<4>(t); o[i + 64] = cg::reduce(t3, a[i], cg::greater<int>()) + t3.meta_group_rank(); }
K coal(int *o, const int *a) { int i = threadIdx.x; if (a[i] & 1) { auto g = cg::coalesced_threads(); o[i] = g.thread_rank() + g.size() * g.shfl(a[i], 0) + cg::reduce(g, a[i], cg::plus<int>()); auto l = cg::labeled_partition(g, a[i] & 3); o[i + 32] = l.size() + cg::reduce(l, a[i], cg::bit_or<int>()); auto bp = cg::binary_partition(g, a[i] > 5); o[i + 64] = bp.thread_rank(); cg::invoke_one(g, [&] { o[0]++; }); } }
K agg(int *c, int *o, const int *a) { int i = threadIdx.x; if (a[i] > 0) o[atomicAdd(c, 1)] = a[i]; }
K gridsync(int *o) { auto g = cg::this_grid(); o[g.thread_rank()] = 1; g.sync(); o[g.thread_rank() + 1] += 2; }
K prims(int *o, const int *a) { int i = threadIdx.x; unsigned m = __activemask(); o[i] = __shfl_sync(~0u, a[i], 3) + __shfl_up_sync(~0u, a[i], 2, 16) + __shfl_down_sync(~0u, a[i], 5, 8) + __shfl_xor_sync(~0u, a[i], 9); o[i + 32] = __ballot_sync(m, a[i] > 2) + __any_sync(m, a[i]) + __all_sync(m, a[i]); o[i + 64] = __match_any_sync(~0u, a[i]); int p; o[i + 96] = __match_all_sync(~0u, a[i], &p) + p; o[i + 128] = __syncthreads_count(a[i]) + __syncthreads_and(a[i]) + __syncthreads_or(a[i]); __syncwarp(0xff); o[i + 160] = __fns(a[i], 3, 2); }
K shfl64(double *o, const double *a) { int i = threadIdx.x; o[i] = __shfl_xor_sync(~0u, a[i], 1) + __shfl_sync(~0u, a[i], a[i] > 3 ? 1 : 2); }
#if __CUDA_ARCH__ >= 800
K redux(int *o, const int *a) { int i = threadIdx.x; unsigned u = a[i]; o[i] = __reduce_add_sync(~0u, a[i]) + __reduce_min_sync(~0u, a[i]) + __reduce_max_sync(~0u, u) + __reduce_and_sync(~0u, u) + __reduce_or_sync(~0u, u) + __reduce_xor_sync(~0u, u); }
#endif
K barrier_(int *o, const int *a) { __shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ int s[256]; if (threadIdx.x == 0) init(&b, blockDim.x); __syncthreads(); cuda::memcpy_async(&s[threadIdx.x], &a[threadIdx.x], sizeof(int), b); b.arrive_and_wait(); o[threadIdx.x] = s[255 - threadIdx.x]; auto t = b.arrive(); b.wait(std::move(t)); b.arrive_and_drop(); }
K pipe(int4 *o, const int4 *a, int n) { extern __shared__ int4 sm[]; __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st; auto blk = cg::this_thread_block(); auto p = cuda::make_pipeline(blk, &st); for (int k = 0; k < n; k++) { p.producer_acquire(); cuda::memcpy_async(blk, sm + (k & 1) * 256, a + k * 256, sizeof(int4) * 256, p); p.producer_commit(); p.consumer_wait(); o[k * 256 + threadIdx.x] = sm[(k & 1) * 256 + 255 - threadIdx.x]; p.consumer_release(); } }
K cgcopy(int *o, const int *a) { __shared__ int s[512]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, a, sizeof s); cg::wait_prior<1>(b); cg::wait(b); o[threadIdx.x] = s[511 - threadIdx.x]; }
K atomics(int *o, unsigned long long *q) { cuda::atomic_ref<int, cuda::thread_scope_device> r(*o); r.fetch_add(1, cuda::memory_order_relaxed); r.fetch_max(4); r.store(r.load(cuda::memory_order_acquire) + 1, cuda::memory_order_release); cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> s(*q); unsigned long long e = 3; s.compare_exchange_strong(e, 9); s.fetch_or(7, cuda::memory_order_acq_rel); cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system); r.wait(3); cuda::atomic_ref<float, cuda::thread_scope_block> f(*(float *)(o + 9)); f.fetch_add(2.f); f.fetch_min(1.f); }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster(int *o, const int *a) { __shared__ int s[128]; auto c = cg::this_cluster(); s[threadIdx.x] = a[threadIdx.x]; c.sync(); int *r = c.map_shared_rank(s, c.block_rank() ^ 1); o[threadIdx.x] = r[threadIdx.x] + c.num_blocks() + c.thread_rank(); atomicAdd(&r[3], 5); r[threadIdx.x ^ 1] = 4; auto t = c.barrier_arrive(); c.barrier_wait(std::move(t)); }
#endif
