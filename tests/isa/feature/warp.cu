/* warp.cu - warp primitives: shuffles, votes, matches, reductions, partial masks, groups. */
#include "feature.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#define ALL 0xffffffffu

template <int W> __device__ u32 shuffles(u32 v, u32 k)
{
    return __shfl_sync(ALL, v, k, W) * 3 + __shfl_up_sync(ALL, v, k % W, W) * 5 + __shfl_down_sync(ALL, v, k % W, W) * 7 + __shfl_xor_sync(ALL, v, k % W, W) * 11;
}
// run warp_shfl grid=1 block=64 out=384 in=64
KERNEL(warp_shfl)
{
    u32 v = in[GID], k = n + 3;
    out[GID] = shuffles<32>(v, k); out[GID + 64] = shuffles<16>(v, k); out[GID + 128] = shuffles<8>(v, k);
    out[GID + 192] = shuffles<4>(v, k); out[GID + 256] = shuffles<2>(v, k); out[GID + 320] = shuffles<32>(v, (GID * 7 + 1) & 31);
}
#define SHFL(mode) { u32 d; u32 p; asm volatile("{.reg .pred q; shfl.sync." mode ".b32 %0|q, %2, %3, %4, -1; selp.u32 %1,1,0,q;}" : "=r"(d), "=r"(p) : "r"(v), "r"(b), "r"(c)); out[GID + 64 * k] = d; out[GID + 64 * k + 32] = p; k++; }
// run warp_shflraw grid=1 block=32 out=1024 in=128
KERNEL(warp_shflraw)
{
    u32 v = in[GID], k = 0;
    for (u32 r = 0; r < 4; r++) {
        u32 b = r == 0 ? in[GID + 32] & 31 : r == 1 ? in[GID + 64] : r, c = r == 0 ? 31 : r == 1 ? in[GID + 96] & 0x1f1f : r == 2 ? 0x181f : 0x1c03;
        SHFL("up") SHFL("down") SHFL("bfly") SHFL("idx")
    }
}
// run warp_shfl64 grid=1 block=32 out=192 in=64
KERNEL(warp_shfl64)
{
    u64 v = ((const u64 *)in)[GID];
    u64 *o = (u64 *)out;
    o[GID] = __shfl_xor_sync(ALL, v, 5); o[GID + 32] = (u64)__double_as_longlong(__shfl_down_sync(ALL, (double)(s64)v, 3)); o[GID + 64] = __shfl_sync(ALL, v, (int)(v & 31));
}
// run warp_vote grid=1 block=96 out=576 in=96
KERNEL(warp_vote)
{
    u32 v = in[GID];
    out[GID] = __ballot_sync(ALL, v & 1); out[GID + 96] = __any_sync(ALL, (v & 0xff) == 3); out[GID + 192] = __all_sync(ALL, v != 0);
    u32 m = 0;
    if (v & 2) { m = __activemask(); m = m * 3 + __ballot_sync(__activemask(), v & 4); }
    out[GID + 288] = m;
    out[GID + 384] = 1 + __ballot_sync(0xffffu << (GID & 16), v & 8);
    if (GID % 32 < 20) out[GID + 480] = __ballot_sync(0xfffff, v & 16) + __all_sync(0xfffff, v & 1) + __any_sync(0xfffff, v & 1);
}
// run warp_match grid=1 block=64 out=512 in=64
KERNEL(warp_match)
{
    u32 v = in[GID] & 3; int p, q;
    out[GID] = __match_any_sync(ALL, v); out[GID + 64] = __match_any_sync(ALL, (u64)v << 33 | 1);
    out[GID + 128] = __match_all_sync(ALL, v, &p); out[GID + 192] = p;
    out[GID + 256] = __match_all_sync(ALL, GID >> 5, &q) + q;
    if (GID & 1) out[GID + 320] = __match_any_sync(0xaaaaaaaa, v) + __match_all_sync(0xaaaaaaaa, (u64)7, &p) + p;
    out[GID + 384] = __match_any_sync(ALL, (float)v);
}
// run warp_redux grid=1 block=64 out=640 in=64 arch=80
#if __CUDA_ARCH__ >= 800
KERNEL(warp_redux)
{
    u32 v = in[GID];
    out[GID] = __reduce_add_sync(ALL, v); out[GID + 64] = (u32)__reduce_add_sync(ALL, (s32)v); out[GID + 128] = __reduce_min_sync(ALL, v); out[GID + 192] = (u32)__reduce_min_sync(ALL, (s32)v);
    out[GID + 256] = __reduce_max_sync(ALL, v); out[GID + 320] = (u32)__reduce_max_sync(ALL, (s32)v); out[GID + 384] = __reduce_and_sync(ALL, v | 0xff00ff00); out[GID + 448] = __reduce_or_sync(ALL, v & 0x11111); out[GID + 512] = __reduce_xor_sync(ALL, v);
    if (GID % 3) out[GID + 576] = __reduce_add_sync(GID < 32 ? 0xb6db6db6 : 0x6db6db6d, v);
}
#endif
// run warp_sync grid=1 block=32 out=64 in=32
KERNEL(warp_sync)
{
    __shared__ volatile u32 s[32];
    s[GID] = in[GID];
    __syncwarp();
    u32 v = s[31 - GID];
    __syncwarp();
    if (GID < 16) { s[GID] = v * 3; __syncwarp(0xffff); v = s[15 - GID]; __syncwarp(0xffff); }
    else { s[GID] = v + 9; __syncwarp(0xffff0000); v = s[GID ^ 3]; __syncwarp(0xffff0000); }
    out[GID] = v;
    for (u32 k = 0; k < 5; k++) { if (GID & 1) { v += 3; __syncwarp(0xaaaaaaaa); } else { v ^= k; __syncwarp(0x55555555); } __syncwarp(); }
    out[GID + 32] = v;
}
// run warp_tiles grid=1 block=64 out=640 in=64
KERNEL(warp_tiles)
{
    auto b = cg::this_thread_block();
    s32 v = (s32)in[GID] >> 4;
    auto t8 = cg::tiled_partition<8>(b);
    auto t32 = cg::tiled_partition<32>(b);
    auto t4 = cg::tiled_partition<4>(t8);
    out[GID] = cg::reduce(t8, v, cg::plus<s32>()); out[GID + 64] = t8.shfl_xor(v, 3) + t8.ballot(v & 1) * 100 + t8.any(v & 2) + t8.match_any(v & 3) * 1000;
    out[GID + 128] = cg::inclusive_scan(t32, v); out[GID + 192] = cg::exclusive_scan(t8, v); out[GID + 256] = cg::reduce(t32, v, cg::less<s32>()); out[GID + 320] = cg::reduce(t4, v, cg::greater<s32>()) + t4.meta_group_rank();
    out[GID + 384] = t4.thread_rank() + t8.thread_rank() * 10 + t32.meta_group_rank() * 1000 + t8.meta_group_size() * 10000;
    out[GID + 448] = cg::reduce(t8, v, cg::bit_xor<s32>()); out[GID + 512] = (u32)__double_as_longlong(cg::reduce(t32, (double)v, cg::plus<double>())); out[GID + 576] = t8.shfl_down(v, 2);
}
// run warp_coalesced grid=1 block=64 out=256 in=64
KERNEL(warp_coalesced)
{
    u32 v = in[GID];
    if (v & 1) {
        auto g = cg::coalesced_threads();
        out[GID] = g.thread_rank() + g.size() * 100; out[GID + 64] = g.shfl(v, 0) + cg::reduce(g, v, cg::plus<u32>());
        auto l = cg::labeled_partition(g, v >> 1 & 3);
        out[GID + 128] = l.size() + l.thread_rank() * 100 + cg::reduce(l, v, cg::bit_or<u32>());
        auto bp = cg::binary_partition(g, (v & 16) != 0);
        out[GID + 192] = bp.thread_rank() + bp.size() * 50 + g.ballot(v & 32) + g.shfl_up(v, 1);
    }
}
// run warp_aggregate grid=4 block=128 out=516 in=512
KERNEL(warp_aggregate) { if (in[GID] & 1) { auto g = cg::coalesced_threads(); u32 base = 0; if (g.thread_rank() == 0) base = atomicAdd(out, g.size()); base = g.shfl(base, 0); atomicXor(out + 1, mix(in[GID])); atomicAdd(out + 4 + base + g.thread_rank(), 1u); } }
// run warp_fns grid=1 block=64 out=64 in=64
KERNEL(warp_fns) { out[GID] = __fns(in[GID], GID & 31, (int)(GID % 9) - 4); }
