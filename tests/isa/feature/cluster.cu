/* cluster.cu - sm_90 only: tokens of barriers in shared memory, bulk reductions, clusters. */
#include "feature.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#if __CUDA_ARCH__ >= 900
static __device__ u32 sptr(const void *p) { return (u32)__cvta_generic_to_shared(p); }
static __device__ void bar_init(u64 *b, u32 c) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sptr(b)), "r"(c) : "memory"); }
#define CLUSTER(name, x, y, z) extern "C" __global__ __cluster_dims__(x, y, z) void name(u32 *__restrict__ out, const u32 *__restrict__ in, u32 n)
static __device__ u32 peer(const void *p, u32 rank) { u32 r; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(sptr(p)), "r"(rank)); return r; }
static __device__ void cluster_sync() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
static __device__ u32 cluster_rank() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
static __device__ void bar_expect(u64 *b, u32 bytes) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(sptr(b)), "r"(bytes) : "memory"); }
static __device__ void bar_wait_cluster(u64 *b, u32 parity)
{
    u32 done = 0;
    while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(sptr(b)), "r"(parity) : "memory");
}
#define TOKEN { out[k++] = (u32)t; out[k++] = (u32)(t >> 32); }
/* The tokens of every operation: what they show of a barrier's word. A plain load of the
 * word reads something else on hardware, so none is made. */
// run sm90_mbword grid=1 block=1 out=64 in=16 arch=90
KERNEL(sm90_mbword)
{
    __shared__ u64 b; u64 t; u32 k = 0, a = sptr(&b);
    bar_init(&b, 9);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(0x1234) : "memory");
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(0x34) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 16;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(0x1200) : "memory");
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(16) : "memory");
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(32) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 8;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(32) : "memory");
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 8;" : "=l"(t) : "r"(a) : "memory"); TOKEN
    out[63] = k;
}
/* Lanes that arrive together: what each of them gets. */
// run sm90_mbtoken grid=1 block=32 out=512 in=32 arch=90 golden_last=90
KERNEL(sm90_mbtoken)
{
    __shared__ u64 b[4]; u64 t[5]; u32 c;
    if (TID < 4) bar_init(b + TID, 400 + TID);
    __syncwarp();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t[0]) : "r"(sptr(b)) : "memory");
    __syncwarp();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t[1]) : "r"(sptr(b + 1 + TID % 3)) : "memory");
    __syncwarp();
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(t[2]) : "r"(sptr(b)) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(c) : "l"(t[2]));
    __syncwarp();
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(t[3]) : "r"(sptr(b + 1)), "r"(1 + TID % 4) : "memory");
    __syncwarp();
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(t[4]) : "r"(sptr(b + 2 + TID % 2)), "r"(1 + TID % 5) : "memory");
    __syncwarp();
    for (int i = 0; i < 5; i++) { out[TID * 10 + 2 * i] = (u32)t[i]; out[TID * 10 + 2 * i + 1] = (u32)(t[i] >> 32); }
    out[320 + TID] = c;
}
#define BULKRED(k, type) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." type " [%0], [%1], %2;" ::"l"(out + (k) * 64), "r"(sptr(s + (k) * 64)), "r"(256) : "memory");
static __device__ __forceinline__ void bulk_all(u32 *out, u32 *s)
{
    BULKRED(0, "min.s32") BULKRED(1, "max.u32") BULKRED(2, "inc.u32") BULKRED(3, "dec.u32") BULKRED(4, "and.b32") BULKRED(5, "or.b32")
    BULKRED(6, "add.u64") BULKRED(7, "min.s64") BULKRED(8, "max.u64") BULKRED(9, "xor.b64") BULKRED(10, "add.f32") BULKRED(11, "add.f64")
    BULKRED(12, "add.noftz.f16") BULKRED(13, "add.noftz.bf16") BULKRED(14, "min.f16") BULKRED(15, "max.bf16")
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
// run sm90_bulkops grid=1 block=64 out=1024 in=2048 arch=90
KERNEL(sm90_bulkops)
{
    __shared__ __align__(128) u32 s[1024];
    for (u32 i = TID; i < 1024; i += 64) { out[i] = in[i]; s[i] = in[i + 1024]; }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (TID == 0) bulk_all(out, s);
}
// run sm90_bulkf16 grid=1 block=64 out=1024 in=2048 arch=90 kind=f16
KERNEL(sm90_bulkf16)
{
    __shared__ __align__(128) u32 s[1024];
    for (u32 i = TID; i < 1024; i += 64) { out[i] = in[i]; s[i] = in[i + 1024]; }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (TID == 0) bulk_all(out, s);
}
// run sm90_bulkf32 grid=1 block=64 out=1024 in=2048 arch=90 kind=f32
KERNEL(sm90_bulkf32)
{
    __shared__ __align__(128) u32 s[1024];
    for (u32 i = TID; i < 1024; i += 64) { out[i] = in[i]; s[i] = in[i + 1024]; }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (TID == 0) bulk_all(out, s);
}
/* Bulk copies inside a cluster: to the next block, to several blocks at once, and sums. */
// run sm90_bulkcl grid=8 block=64 out=1536 in=1024 arch=90
CLUSTER(sm90_bulkcl, 4, 1, 1)
{
    __shared__ __align__(128) u32 s[64], r[64], m[64], a[64]; __shared__ u64 b[3];
    u32 rank = cluster_rank(), next = (rank + 1) & 3;
    s[TID] = in[GID]; a[TID] = in[GID + 512]; r[TID] = m[TID] = 0;
    if (TID == 0) { for (int i = 0; i < 3; i++) bar_init(b + i, 1); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
    if (TID == 0) { bar_expect(b, 256); bar_expect(b + 1, rank % 2 ? 256 : 0); bar_expect(b + 2, 256); }
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster_sync();
    if (TID == 0) asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(peer(r, next)), "r"(sptr(s)), "r"(256), "r"(peer(b, next)) : "memory");
    if (TID == 0 && rank == 2) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(sptr(m)), "l"(in + CTA * 64), "r"(256), "r"(sptr(b + 1)), "h"((unsigned short)10) : "memory");
    if (TID == 0) asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::"r"(peer(a, rank ^ 1)), "r"(sptr(s)), "r"(256), "r"(peer(b + 2, rank ^ 1)) : "memory");
    bar_wait_cluster(b, 0); bar_wait_cluster(b + 1, 0); bar_wait_cluster(b + 2, 0);
    cluster_sync();
    out[GID] = r[TID]; out[GID + 512] = m[TID]; out[GID + 1024] = a[TID];
}
/* Stores and reductions that report to a barrier of the other block. */
// run sm90_stas grid=4 block=64 out=2048 in=1024 arch=90
CLUSTER(sm90_stas, 2, 1, 1)
{
    __shared__ __align__(16) u32 w1[64], w4[256], sum[64], low[64]; __shared__ u64 w2[64], wide[64], b;
    u32 to = cluster_rank() ^ 1, v = in[GID];
    sum[TID] = in[GID + 256]; low[TID] = in[GID + 512]; wide[TID] = (u64)in[GID] << 32 | in[GID + 768];
    if (TID == 0) { bar_init(&b, 1); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); bar_expect(&b, 64 * (4 + 8 + 16 + 4 + 4 + 8)); }
    cluster_sync();
    u32 bar = peer(&b, to);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(peer(w1 + TID, to)), "r"(v), "r"(bar) : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(peer(w2 + TID, to)), "l"((u64)v * v), "r"(bar) : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];" ::"r"(peer(w4 + 4 * TID, to)), "r"(v), "r"(v + 1), "r"(v * 3), "r"(~v), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(peer(sum + TID / 4, to)), "r"(v), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%0], %1, [%2];" ::"r"(peer(low + TID / 2, to)), "r"((s32)v), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(peer(wide + TID / 8, to)), "l"((u64)v << 20), "r"(bar) : "memory");
    bar_wait_cluster(&b, 0);
    out[GID * 8] = w1[TID]; out[GID * 8 + 1] = (u32)w2[TID]; out[GID * 8 + 2] = (u32)(w2[TID] >> 32);
    out[GID * 8 + 3] = w4[4 * TID] ^ w4[4 * TID + 1] * 5 ^ w4[4 * TID + 2] * 7 ^ w4[4 * TID + 3] * 11;
    out[GID * 8 + 4] = sum[TID]; out[GID * 8 + 5] = low[TID]; out[GID * 8 + 6] = (u32)wide[TID]; out[GID * 8 + 7] = (u32)(wide[TID] >> 32);
    cluster_sync();
}
/* Loads, stores and atomics of all widths on another block's shared memory. */
// run sm90_dsmem grid=8 block=32 out=4096 in=512 arch=90
CLUSTER(sm90_dsmem, 4, 1, 1)
{
    __shared__ __align__(16) u32 s[32 * 8]; __shared__ u64 d[64]; __shared__ float f[32];
    auto c = cg::this_cluster();
    u32 to = (c.block_rank() + 3) & 3, v = in[GID], *o = out + GID * 16;
    for (int i = 0; i < 8; i++) s[TID * 8 + i] = mix(v + i);
    d[TID] = (u64)v << 20 | 5; d[TID + 32] = ~(u64)v; f[TID] = (float)(s32)v;
    cluster_sync();
    u32 *p = c.map_shared_rank(s, to) + TID * 8; u64 *q = c.map_shared_rank(d, to) + TID; float *g = c.map_shared_rank(f, to) + TID;
    o[0] = *(volatile unsigned char *)(p + 7); o[1] = (u32)*(volatile short *)(p + 6);
    uint4 w = *(uint4 *)p; o[2] = w.x ^ w.y * 3 ^ w.z * 5 ^ w.w * 7;
    o[3] = atomicAdd(p, v); o[4] = atomicMin((s32 *)p + 1, (s32)v); o[5] = atomicCAS(p + 2, mix(in[GID ^ 1] + 2), v); o[6] = atomicExch(p + 3, v ^ 1);
    u64 x = atomicAdd((unsigned long long *)q, (unsigned long long)v); o[7] = (u32)x; o[8] = (u32)(x >> 32);
    x = atomicExch((unsigned long long *)q + 32, (unsigned long long)v * 3); o[9] = (u32)x; o[10] = (u32)(x >> 32);
    o[11] = __float_as_uint(atomicAdd(g, 1.5f)); atomicOr(p + 4, v); atomicInc(p + 5, v);
    *(volatile unsigned char *)(p + 6) = (unsigned char)v; *((volatile u64 *)q + 0) += 7;
    cluster_sync();
    u32 h = 0;
    for (int i = 0; i < 8; i++) h = mix(h ^ s[TID * 8 + i]);
    o[12] = h; o[13] = (u32)d[TID] ^ (u32)(d[TID] >> 32); o[14] = (u32)d[TID + 32]; o[15] = __float_as_uint(f[TID]);
}
#define SREG(k, name) { u32 v; asm volatile("mov.u32 %0, %%" name ";" : "=r"(v)); o[k] = v; }
static __device__ __forceinline__ void cluster_ids(u32 *o)
{
    SREG(0, "cluster_ctaid.x") SREG(1, "cluster_ctaid.y") SREG(2, "cluster_ctaid.z") SREG(3, "cluster_nctaid.x") SREG(4, "cluster_nctaid.y") SREG(5, "cluster_nctaid.z")
    SREG(6, "clusterid.x") SREG(7, "clusterid.y") SREG(8, "clusterid.z") SREG(9, "nclusterid.x") SREG(10, "nclusterid.y") SREG(11, "nclusterid.z")
    SREG(12, "cluster_ctarank") SREG(13, "cluster_nctarank")
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0,1,0,p;}" : "=r"(o[14]));
}
// run sm90_clid grid=6,4,6 block=32 out=2304 in=16 arch=90
CLUSTER(sm90_clid, 3, 1, 2)
{
    u32 o[16];
    cluster_ids(o); o[15] = blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z;
    if (TID == 0) for (int i = 0; i < 16; i++) out[CTA * 16 + i] = o[i];
}
// run sm90_noclid grid=5,2,3 block=32 out=480 in=16 arch=90
KERNEL(sm90_noclid)
{
    u32 o[16];
    cluster_ids(o); o[15] = 0;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (TID == 0) for (int i = 0; i < 16; i++) out[CTA * 16 + i] = o[i];
}
/* The barrier of a cluster: phases, work between arrival and wait, warps that end early. */
// run sm90_clbar grid=4 block=128 out=512 in=512 arch=90
CLUSTER(sm90_clbar, 4, 1, 1)
{
    __shared__ u32 s[128];
    auto c = cg::this_cluster();
    u32 v = in[GID], rank = c.block_rank();
    s[TID] = v;
    if (TID / 32 == 3 && rank == 1) { out[GID] = 7; return; }
    for (u32 k = 1; k < 6; k++) {
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
        v = mix(v + k);
        asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
        u32 x = c.map_shared_rank(s, (rank + k) & 3)[(TID + k) & 63];
        cluster_sync();
        s[TID] = v ^ x;
        if (k == 3 && TID / 32 == 2 && rank == 2) break;
    }
    if (TID / 32 == 2 && rank == 2) { out[GID] = s[TID]; return; }
    cluster_sync();
    out[GID] = s[TID];
}
/* All blocks of a cluster arrive at one block's barrier, some with bytes, some leaving it. */
// run sm90_rmbar grid=8 block=32 out=256 in=256 arch=90
CLUSTER(sm90_rmbar, 4, 1, 1)
{
    __shared__ u64 b; __shared__ u32 s[32];
    auto c = cg::this_cluster();
    u32 rank = c.block_rank(), bar = peer(&b, 0);
    s[TID] = 0;
    if (TID == 0) { bar_init(&b, 4 * 32); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
    cluster_sync();
    for (u32 k = 0; k < 4; k++) {
        atomicAdd(c.map_shared_rank(s, 0) + TID, in[GID] * (k + 1));
        if (k == 1 && TID % 2) { asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 24;" ::"r"(bar) : "memory"); asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 24;" ::"r"(bar) : "memory"); }
        else if (k == 2) { if (TID < 16) asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 2;" ::"r"(bar) : "memory"); }
        else asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
        if (rank == 0) bar_wait_cluster(&b, k & 1);
        out[GID] = out[GID] * 5 + (rank == 0 ? s[TID] : 0);
        cluster_sync();
    }
}
#endif
