/* hopper.cu - sm_90 only: elect, memory barriers in shared memory, bulk copies, clusters. */
#include "feature.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#if __CUDA_ARCH__ >= 900
static __device__ u32 sptr(const void *p) { return (u32)__cvta_generic_to_shared(p); }
static __device__ void bar_init(u64 *b, u32 c) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sptr(b)), "r"(c) : "memory"); }
static __device__ void bar_wait(u64 *b, u32 parity)
{
    u32 done = 0;
    while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(sptr(b)), "r"(parity) : "memory");
}
// run sm90_elect grid=1 block=96 out=192 in=96 arch=90
KERNEL(sm90_elect)
{
    u32 l, p;
    asm volatile("{.reg .pred q; elect.sync %0|q, -1; selp.u32 %1,1,0,q;}" : "=r"(l), "=r"(p));
    out[TID] = l * 10 + p;
    if (TID % 32 >= 9 && TID % 32 < 20) { asm volatile("{.reg .pred q; elect.sync %0|q, 0xffe00; selp.u32 %1,1,0,q;}" : "=r"(l), "=r"(p)); out[TID + 96] = l * 10 + p + 1000; }
}
// run sm90_mbarrier grid=1 block=128 out=256 in=512 arch=90
KERNEL(sm90_mbarrier)
{
    __shared__ u64 full, empty; __shared__ u32 s[64];
    if (TID == 0) { bar_init(&full, 64); bar_init(&empty, 64); }
    __syncthreads();
    for (u32 k = 0; k < 8; k++) {
        if (TID < 64) { if (k) bar_wait(&empty, (k - 1) & 1); s[TID] = in[k * 64 + TID]; asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(sptr(&full)) : "memory"); }
        else { bar_wait(&full, k & 1); out[TID - 64] = out[TID - 64] * 7 + s[127 - TID]; asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(sptr(&empty)) : "memory"); }
    }
    __syncthreads();
    if (TID == 0) { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sptr(&full)) : "memory"); out[64] = 1; }
}
// run sm90_mbtest grid=1 block=32 out=32 in=32 arch=90
KERNEL(sm90_mbtest)
{
    __shared__ u64 b; u64 t; u32 p, q, c;
    if (TID == 0) bar_init(&b, 32);
    __syncwarp();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(sptr(&b)) : "memory");
    __syncwarp();
    asm volatile("{.reg .pred x; mbarrier.test_wait.shared.b64 x, [%1], %2; selp.u32 %0,1,0,x;}" : "=r"(p) : "r"(sptr(&b)), "l"(t) : "memory");
    asm volatile("{.reg .pred x; mbarrier.test_wait.parity.shared.b64 x, [%1], 1; selp.u32 %0,1,0,x;}" : "=r"(q) : "r"(sptr(&b)) : "memory");
    __syncwarp();
    if (TID == 0) asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%1], 3; mbarrier.pending_count.b64 %0, t;}" : "=r"(c) : "r"(sptr(&b)) : "memory"); else c = 0;
    __syncwarp();
    out[TID] = p + 2 * q + c * 100;
}
// run sm90_bulk grid=2 block=64 out=1024 in=1024 arch=90
KERNEL(sm90_bulk)
{
    __shared__ __align__(128) u32 s[512]; __shared__ u64 b;
    if (TID == 0) { bar_init(&b, 1); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
    __syncthreads();
    if (TID == 0) {
        asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1;}" ::"r"(sptr(&b)), "r"(2048) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sptr(s)), "l"(in + CTA * 512), "r"(2048), "r"(sptr(&b)) : "memory");
    }
    bar_wait(&b, 0);
    u32 v[8];
    for (int i = 0; i < 8; i++) v[i] = s[511 - TID - 64 * i] * 3;
    __syncthreads();
    for (int i = 0; i < 8; i++) s[TID + 64 * i] = v[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (TID == 0) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + CTA * 512), "r"(sptr(s)), "r"(2048) : "memory"); asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); }
}
// run sm90_bulkred grid=4 block=32 out=64 in=256 arch=90
KERNEL(sm90_bulkred)
{
    __shared__ __align__(128) u32 s[64];
    s[TID] = in[GID]; s[TID + 32] = in[GID + 128];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (TID == 0) { asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out), "r"(sptr(s)), "r"(256) : "memory"); asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); }
}
// run sm90_cpmbar grid=1 block=64 out=64 in=64 arch=90
KERNEL(sm90_cpmbar)
{
    __shared__ u32 s[64]; __shared__ u64 b;
    if (TID == 0) bar_init(&b, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sptr(s + TID)), "l"(in + TID) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sptr(&b)) : "memory");
    bar_wait(&b, 0);
    out[TID] = s[63 - TID];
}
// run sm90_cluster grid=8 block=64 out=1024 in=512 arch=90
extern "C" __global__ __cluster_dims__(4, 1, 1) void sm90_cluster(u32 *__restrict__ out, const u32 *__restrict__ in, u32 n)
{
    __shared__ u32 s[64];
    auto c = cg::this_cluster();
    s[TID] = in[GID];
    c.sync();
    u32 *r = c.map_shared_rank(s, (c.block_rank() + 1) & 3);
    u32 v = r[63 - TID];
    c.sync();
    atomicAdd(&c.map_shared_rank(s, 0)[TID], v);
    c.sync();
    out[GID] = v * 3 + c.block_rank() + c.num_blocks() * 16; out[GID + 512] = s[TID];
}
#endif
