/* barrier.cu - block barriers: counted, reducing, named, arrive without wait. */
#include "feature.h"

// run bar_reduce grid=2 block=128 out=768 in=256
KERNEL(bar_reduce)
{
    u32 v = in[GID], c = CTA * 384;
    out[c + TID] = __syncthreads_count(v & 1); out[c + 128 + TID] = __syncthreads_and(v != 3); out[c + 256 + TID] = __syncthreads_or((v & 0xff) == 7) + 2 * __syncthreads_and(v & 1);
}
// run bar_transpose grid=2 block=32,8 out=512 in=512
KERNEL(bar_transpose)
{
    __shared__ u32 s[32][33];
    u32 x = threadIdx.x, y = threadIdx.y;
    for (u32 r = 0; r < 4; r++) { s[y + 8 * r][x] = in[(GID + r * 37) % 512] * (r + 1); }
    __syncthreads();
    u32 a = 0;
    for (u32 r = 0; r < 4; r++) a = a * 3 + s[x][y + 8 * r];
    out[GID] = a;
}
// run bar_named grid=1 block=128 out=128 in=128
KERNEL(bar_named)
{
    __shared__ u32 s[128];
    u32 w = TID / 32;
    s[TID] = in[TID];
    if (w < 2) { asm volatile("bar.sync 1, 64;" ::: "memory"); out[TID] = s[63 - TID]; asm volatile("bar.sync 1, 64;" ::: "memory"); }
    else { asm volatile("bar.sync 2, 64;" ::: "memory"); out[TID] = s[191 - TID] * 5; asm volatile("bar.sync 2, 64;" ::: "memory"); }
    asm volatile("bar.sync 3;" ::: "memory");
    s[TID] = out[TID] + 1;
    u32 id = 4 + (in[0] & 3);
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(128) : "memory");
    out[TID] += s[TID ^ 96];
}
// run bar_arrive grid=1 block=128 out=64 in=256
KERNEL(bar_arrive)
{
    __shared__ u32 s[64];
    for (u32 k = 0; k < 4; k++) {
        if (TID >= 64) { asm volatile("bar.sync 2, 128;" ::: "memory"); s[TID - 64] = in[TID - 64 + 64 * k]; __threadfence_block(); asm volatile("bar.arrive 1, 128;" ::: "memory"); }
        else { asm volatile("bar.arrive 2, 128;" ::: "memory"); asm volatile("bar.sync 1, 128;" ::: "memory"); out[TID] = out[TID] * 7 + s[63 - TID]; asm volatile("bar.sync 5, 64;" ::: "memory"); }
    }
}
// run bar_redptx grid=1 block=128 out=512 in=128
KERNEL(bar_redptx)
{
    u32 v = in[TID], r = 0, p;
    if (TID < 64) {
        asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 1, 64, q;}" : "=r"(r) : "r"(v & 1) : "memory");
        asm volatile("{.reg .pred q, t; setp.ne.u32 q, %1, 0; bar.red.and.pred t, 1, 64, !q; selp.u32 %0, 1, 0, t;}" : "=r"(p) : "r"(v & 0x80000000) : "memory");
        out[TID] = r; out[TID + 128] = p;
    } else {
        asm volatile("{.reg .pred q, t; setp.ne.u32 q, %1, 0; bar.red.or.pred t, 2, 64, q; selp.u32 %0, 1, 0, t;}" : "=r"(p) : "r"((u32)(TID == 100)) : "memory");
        asm volatile("{.reg .pred q, t; setp.ne.u32 q, %1, 0; barrier.red.popc.u32 %0, 2, 64, q;}" : "=r"(r) : "r"(v & 2) : "memory");
        out[TID] = r; out[TID + 128] = p;
    }
    out[TID + 256] = __syncthreads_count(v & 4);
}
// run bar_partial grid=2 block=75 out=150 in=150
KERNEL(bar_partial)
{
    __shared__ u32 s[75];
    s[TID] = in[GID];
    __syncthreads();
    u32 v = s[74 - TID];
    for (u32 k = 1; k < 75; k *= 2) { __syncthreads(); u32 t = TID >= k ? s[TID - k] : 0; __syncthreads(); s[TID] += t; }
    __syncthreads();
    out[GID] = v ^ s[TID];
}
// run bar_reduce_loop grid=3 block=256 out=3 in=768
KERNEL(bar_reduce_loop)
{
    __shared__ u32 s[256];
    s[TID] = in[GID];
    __syncthreads();
    for (u32 k = 128; k; k >>= 1) { if (TID < k) s[TID] += s[TID + k] * 3; __syncthreads(); }
    if (TID == 0) out[CTA] = s[0];
}
// run bar_exited grid=1 block=128 out=128 in=128
KERNEL(bar_exited)
{
    __shared__ u32 s[128];
    if (TID >= 96) return;
    s[TID] = in[TID];
    __syncthreads();
    if (TID < 32) { out[TID] = s[95 - TID]; return; }
    __syncthreads();
    out[TID] = s[(TID * 7) % 96];
}
