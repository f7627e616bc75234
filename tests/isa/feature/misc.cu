/* misc.cu - special registers, clocks, printf, assert, device heap, odd launch shapes, traps. */
#include "feature.h"
#include <assert.h>
#include <stdio.h>
#define SREG(r) ({ u32 x_; asm volatile("mov.u32 %0, %%" r ";" : "=r"(x_)); x_; })

// run misc_sreg grid=2,3,2 block=5,7,3 out=18900 in=1
KERNEL(misc_sreg)
{
    u32 *o = out + GID * 15;
    o[0] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16; o[1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16; o[2] = blockDim.x | blockDim.y << 8 | blockDim.z << 16; o[3] = gridDim.x | gridDim.y << 8 | gridDim.z << 16;
    o[4] = SREG("laneid"); o[5] = SREG("lanemask_eq"); o[6] = SREG("lanemask_lt"); o[7] = SREG("lanemask_le"); o[8] = SREG("lanemask_gt"); o[9] = SREG("lanemask_ge"); o[10] = warpSize; o[11] = SREG("warpid") < SREG("nwarpid"); o[12] = SREG("smid") < SREG("nsmid"); o[13] = TID / 32 + 1; o[14] = SREG("total_smem_size") > 0 ? 0 : 0;
}
// run misc_odd3d grid=3,2,5 block=3,5,7 out=3150 in=64
KERNEL(misc_odd3d) { u32 v = mix(GID) + in[GID & 63]; u32 x = __shfl_xor_sync(__activemask(), TID, 1); out[GID] = v ^ (TID < 104 ? x : 0); }
// run misc_tail grid=7 block=33 out=231 in=231
KERNEL(misc_tail) { u32 v = in[GID]; u32 b = __ballot_sync(__activemask(), v & 1); out[GID] = b * 3 + __popc(__activemask()); }
// run misc_one grid=1 block=1 out=1 in=1
KERNEL(misc_one) { out[0] = in[0] * 3 + __activemask(); }
// run misc_max grid=2 block=1024 out=2048 in=2048
KERNEL(misc_max) { __shared__ u32 s[1024]; s[TID] = in[GID]; __syncthreads(); out[GID] = s[1023 - TID]; }
// run misc_clock grid=1 block=64 out=64 in=64
KERNEL(misc_clock)
{
    long long a = clock64(); u32 c = clock(); u64 g, h; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    u32 v = in[TID]; for (int i = 0; i < 100; i++) v = mix(v);
    __nanosleep(50);
    long long b = clock64(); u32 d = clock(); asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(h));
    out[TID] = (b > a) | ((s32)(d - c) > 0) << 1 | (h >= g) << 2 | (v == 12345) << 3;
}
// run misc_printf grid=1 block=4 out=4 in=4
KERNEL(misc_printf)
{
    if (TID == 0) out[0] = (u32)printf("int %d unsigned %u hex %08x\n", -5, 4000000000u, in[0] & 0xff);
    if (TID == 1) out[1] = (u32)printf("float %f %e %g char %c string %s percent %%\n", 1.5f, 2.25e10, 1e-5, 'z', "text");
    if (TID == 2) out[2] = (u32)printf("long %lld %llx short %hd wide %-8d|%+5d|%*d\n", -1234567890123ll, 0xabcdef012345ull, (short)-3, 42, 42, 6, 7);
    if (TID == 3) out[3] = (u32)printf("no arguments\n");
}
// run misc_assert_ok grid=1 block=64 out=64 in=64
KERNEL(misc_assert_ok) { assert(TID < 64); out[TID] = in[TID] + 1; }
// run misc_assert_bad grid=1 block=64 out=64 in=64 want=error
KERNEL(misc_assert_bad) { assert(TID != 40); out[TID] = in[TID] + 1; }
// run misc_trap grid=1 block=32 out=32 in=32 want=error
KERNEL(misc_trap) { if (in[TID] & 1) __trap(); out[TID] = 1; }
// run misc_badaddr grid=1 block=32 out=32 in=32 want=error
KERNEL(misc_badaddr) { out[TID] = 1; if (TID == 5) ((volatile u32 *)(u64)16)[n] = 1; }
// run misc_misaligned grid=1 block=32 out=32 in=32 want=error
KERNEL(misc_misaligned) { *(volatile u64 *)((char *)out + 4 + (in[0] & 3) * 0) = 1; }
// run misc_badshared grid=1 block=32 out=32 in=32 want=error n=100000000
KERNEL(misc_badshared) { __shared__ volatile u32 s[32]; s[TID + n] = in[TID]; out[TID] = s[TID]; }
// run misc_heap grid=2 block=64 out=128 in=128
KERNEL(misc_heap)
{
    u32 k = 1 + (in[GID] & 63), *p = (u32 *)malloc(k * 4), s = 0;
    if (!p) { out[GID] = 0xdead; return; }
    for (u32 i = 0; i < k; i++) p[i] = mix(i + GID);
    u32 *q = (u32 *)malloc(40);
    if (q) { for (u32 i = 0; i < 10; i++) q[i] = i; }
    for (u32 i = 0; i < k; i++) s += p[i] * (q ? q[i % 10] : 0);
    free(p);
    free(q);
    out[GID] = s;
}
struct node { node *next; u32 v; __device__ node(u32 x) : next(nullptr), v(x) {} __device__ virtual u32 get() { return v * 2; } __device__ virtual ~node() {} };
// run misc_new grid=1 block=32 out=32 in=32
KERNEL(misc_new)
{
    node *h = nullptr;
    for (u32 i = 0; i < 1 + (in[TID] & 7); i++) { node *m = new node(in[TID] >> i); m->next = h; h = m; }
    u32 s = 0;
    while (h) { s = s * 3 + h->get(); node *m = h->next; delete h; h = m; }
    out[TID] = s;
}
struct params { u32 a[40]; double d; char c; const u32 *p; };
// run misc_kparam grid=1 block=64 out=64 in=64
KERNEL(misc_kparam) { const u32 *p = &n; out[TID] = in[TID] + p[0] * 3 + (u32)(size_t)(&n != nullptr); }
// run misc_uniform grid=8 block=64 out=512 in=64 n=37
KERNEL(misc_uniform)
{
    u32 a = n * blockIdx.x + 5, b = a >> 3 ^ n << 5, c = b * gridDim.x - a;
    u64 d = (u64)a * b + c, e = d << 7 | d >> 57;
    s32 f = (s32)(a - 100); u32 g = f < 0 ? (u32)-f : (u32)f * 3; g = (g & 0xff00) | (c & 0xff) | __popc(b) << 16; g += min(a, b) + max((s32)c, f) + __clz((s32)a) + __brev(g);
    if (e > d) g ^= (u32)(e >> 11);
    out[GID] = g + in[(TID + a) & 63] * (b & 7) + (u32)(d % 1000);
}
// run misc_order grid=16 block=32 out=17 in=512
KERNEL(misc_order)
{
    u32 s = in[GID];
    for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
    if (TID == 0) { out[1 + CTA] = s; __threadfence(); u32 t = atomicInc(out, 15); if (t == 15) { u32 r = 0; for (u32 i = 0; i < 16; i++) r += ((volatile u32 *)out)[1 + i] * (i + 1); out[1] = r; } }
}
