/* async.cu - barriers and asynchronous copies as CUDA programs write them: libcu++ and cooperative groups. */
#include "feature.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
// run async_barrier grid=2 block=128 out=512 in=512
KERNEL(async_barrier)
{
    __shared__ block_barrier bar;
    __shared__ u32 s[128];
    if (TID == 0) init(&bar, blockDim.x);
    __syncthreads();
    u32 v = 0;
    for (u32 k = 0; k < 5; k++) {
        s[TID] = in[(GID + 37 * k) & 511];
        auto token = bar.arrive();
        v = mix(v + k);
        bar.wait(std::move(token));
        v += s[(TID * 5 + k) & 127];
        bar.arrive_and_wait();
    }
    out[GID] = v;
}
/* Some threads arrive for others, some leave for good. */
// run async_drop grid=1 block=96 out=96 in=96
KERNEL(async_drop)
{
    __shared__ block_barrier bar;
    __shared__ u32 s[96];
    if (TID == 0) init(&bar, 96);
    __syncthreads();
    s[TID] = in[TID];
    if (TID % 3 == 2) { bar.arrive_and_drop(); out[TID] = 5; return; }
    bar.arrive_and_wait();
    u32 v = s[95 - TID];
    (void)bar.arrive();
    bar.wait_parity(true);
    if (TID % 3 == 0) { s[TID] = v * 3; bar.wait(bar.arrive(2)); }
    else bar.wait_parity(false);
    out[TID] = s[(TID / 3 * 3 + 9) % 96] + v;
}
// run async_copy grid=2 block=64 out=512 in=1024
KERNEL(async_copy)
{
    __shared__ block_barrier bar;
    __shared__ __align__(16) u32 s[256];
    auto g = cg::this_thread_block();
    if (TID == 0) init(&bar, blockDim.x);
    __syncthreads();
    u32 v[4] = {0, 0, 0, 0};
    for (u32 k = 0; k < 4; k++) {
        if (k & 1) cuda::memcpy_async(g, s, in + CTA * 256 + 64 * k, sizeof s, bar);
        else cuda::memcpy_async(s + 4 * TID, in + CTA * 256 + 64 * k + 4 * TID, cuda::aligned_size_t<16>(16), bar);
        bar.arrive_and_wait();
        for (u32 i = 0; i < 4; i++) v[i] = v[i] * 3 + s[255 - TID - 64 * i];
        __syncthreads();
    }
    for (u32 i = 0; i < 4; i++) out[CTA * 256 + 64 * i + TID] = v[i];
}
// run async_group grid=1 block=64 out=64 in=512
KERNEL(async_group)
{
    __shared__ u32 s[2][64];
    auto g = cg::this_thread_block();
    u32 v = 0;
    cg::memcpy_async(g, s[0], in, sizeof s[0]);
    for (u32 k = 0; k < 8; k++) {
        if (k < 7) { cg::memcpy_async(g, s[(k + 1) & 1], in + 64 * (k + 1), sizeof s[0]); cg::wait_prior<1>(g); }
        else cg::wait(g);
        v = v * 5 + s[k & 1][63 - TID];
        g.sync();
    }
    out[TID] = v;
}
/* A pipeline of two stages: all threads produce and consume. */
// run async_pipe grid=2 block=64 out=128 in=1024
KERNEL(async_pipe)
{
    constexpr u32 stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ u32 s[stages][64];
    auto g = cg::this_thread_block();
    auto p = cuda::make_pipeline(g, &state);
    u32 v = 0;
    for (u32 k = 0, fetched = 0; k < 8; k++) {
        for (; fetched < 8 && fetched < k + stages; fetched++) { p.producer_acquire(); cuda::memcpy_async(g, s[fetched % stages], in + CTA * 512 + 64 * fetched, sizeof s[0], p); p.producer_commit(); }
        p.consumer_wait();
        v = v * 7 + s[k % stages][63 - TID];
        p.consumer_release();
    }
    out[GID] = v;
}
/* Half of the block produces, the other half consumes. */
// run async_roles grid=1 block=128 out=64 in=512
KERNEL(async_roles)
{
    constexpr u32 stages = 3;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ u32 s[stages][64];
    auto g = cg::this_thread_block();
    auto p = cuda::make_pipeline(g, &state, TID < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    u32 v = 0;
    for (u32 k = 0; k < 8; k++) {
        if (TID < 64) { p.producer_acquire(); cuda::memcpy_async(&s[k % stages][TID], in + 64 * k + TID, sizeof(u32), p); p.producer_commit(); }
        else { p.consumer_wait(); v = v * 11 + s[k % stages][127 - TID]; p.consumer_release(); }
    }
    if (TID >= 64) out[TID - 64] = v;
}
/* A pipeline of one thread. */
// run async_thread grid=1 block=32 out=32 in=256
KERNEL(async_thread)
{
    __shared__ u32 s[2][32];
    auto p = cuda::make_pipeline();
    u32 v = 0;
    for (u32 k = 0; k < 9; k++) {
        if (k < 8) { p.producer_acquire(); cuda::memcpy_async(&s[k & 1][TID], in + 32 * k + TID, sizeof(u32), p); p.producer_commit(); }
        if (k) { cuda::pipeline_consumer_wait_prior<1>(p); v = v * 3 + s[(k - 1) & 1][TID]; p.consumer_release(); }
        if (k == 7) { p.producer_acquire(); p.producer_commit(); }
    }
    out[TID] = v;
}
#if __CUDA_ARCH__ >= 900
/* Transactions through the library. */
// run async_tx grid=2 block=64 out=512 in=512 arch=90
KERNEL(async_tx)
{
    __shared__ block_barrier bar;
    __shared__ __align__(16) u32 s[256];
    if (TID == 0) { init(&bar, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
    __syncthreads();
    block_barrier::arrival_token token;
    if (TID == 0) { cuda::device::memcpy_async_tx(s, in + CTA * 256, cuda::aligned_size_t<16>(sizeof s), bar); token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s); }
    else token = bar.arrive();
    bar.wait(std::move(token));
    for (u32 i = 0; i < 4; i++) out[CTA * 256 + TID + 64 * i] = s[255 - TID - 64 * i] * 3;
}
#endif
