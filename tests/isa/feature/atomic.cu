/* atomic.cu - atomics of every operation and type, on global, shared and generic addresses. */
#include "feature.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class P> __device__ void ops32(P *o, u32 v, u32 i)
{
    atomicAdd((u32 *)o + 0, v); atomicSub((u32 *)o + 1, v); atomicMin((u32 *)o + 2, v); atomicMax((u32 *)o + 3, v);
    atomicMin((s32 *)o + 4, (s32)v); atomicMax((s32 *)o + 5, (s32)v); atomicAnd((u32 *)o + 6, v | ~(1u << (i & 31))); atomicOr((u32 *)o + 7, v & (1u << (i & 31))); atomicXor((u32 *)o + 8, v);
    atomicInc((u32 *)o + 9, 36); atomicDec((u32 *)o + 10, 50); atomicAdd((s32 *)o + 11, (s32)v >> 3); atomicAdd((float *)o + 12, (float)(v & 255)); atomicExch((u32 *)o + 13, 77);
}
template <class P> __device__ void ops64(P *o, u64 v)
{
    atomicAdd((unsigned long long *)o + 0, v); atomicMin((unsigned long long *)o + 1, v); atomicMax((unsigned long long *)o + 2, v); atomicMin((long long *)o + 3, (s64)v); atomicMax((long long *)o + 4, (s64)v);
    atomicAnd((unsigned long long *)o + 5, v | 0xffff); atomicOr((unsigned long long *)o + 6, v & 0x1111000011110000); atomicXor((unsigned long long *)o + 7, v); atomicAdd((double *)o + 8, (double)(v & 0xffff)); atomicExch((unsigned long long *)o + 9, 99);
}
__device__ void preset(u32 *o) { o[2] = ~0u; o[6] = ~0u; o[10] = 1000; }
__device__ void preset64(u64 *o) { o[1] = ~0ull; o[5] = ~0ull; }
// run atom_global grid=3 block=96 out=64 in=576
KERNEL(atom_global)
{
    ops32(out + 16, in[GID], GID);
    ops64((u64 *)(out + 32), ((const u64 *)in)[GID]);
}
// run atom_shared grid=2 block=96 out=128 in=384
KERNEL(atom_shared)
{
    __shared__ u64 s[32];
    if (TID < 32) s[TID] = 0;
    __syncthreads();
    if (TID == 0) { preset((u32 *)s); preset64(s + 10); }
    __syncthreads();
    ops32((u32 *)s, in[GID], GID);
    ops64(s + 10, ((const u64 *)in)[GID]);
    __syncthreads();
    if (TID < 64) out[CTA * 64 + TID] = ((u32 *)s)[TID];
}
// run atom_generic grid=1 block=64 out=64 in=128
KERNEL(atom_generic)
{
    __shared__ u64 s[32];
    if (TID < 32) s[TID] = 0;
    __syncthreads();
    u32 *p = in[0] & 1 ? out : (u32 *)s;
    u32 *q = in[0] & 1 ? (u32 *)s : out;
    u32 *r = TID & 1 ? p : q;
    ops32(r, in[GID], GID);
    ops64((u64 *)r + 10, ((const u64 *)in)[GID]);
    __syncthreads();
    if (TID < 64) out[TID] += 3 * ((u32 *)s)[TID];
}
// run atom_return grid=1 block=32 out=32 in=32
KERNEL(atom_return)
{
    __shared__ u32 s[8];
    if (TID < 8) s[TID] = 5;
    __syncwarp();
    u32 a = atomicAdd(&s[TID & 7], 1);
    __syncwarp();
    u32 m = a;
    for (int k = 8; k < 32; k += 8) m += __shfl_xor_sync(~0u, a, k);
    out[TID] = m + s[TID & 7] * 100;
}
// run atom_exchange grid=1 block=64 out=8 in=64
KERNEL(atom_exchange)
{
    u32 old = atomicExch(out, in[TID]);
    atomicAdd(out + 1, old);
    __syncthreads();
    if (TID == 0) { u32 s = 0; for (int i = 0; i < 64; i++) s += in[i]; out[2] = out[1] + out[0] - s; out[1] = 0; out[0] = 0; }
}
// run atom_cas grid=2 block=64 out=16 in=128
KERNEL(atom_cas)
{
    u32 old = out[0], as;
    do { as = old; old = atomicCAS(out, as, as * 3 + 1); } while (old != as);
    unsigned long long *q = (unsigned long long *)(out + 2), o = *q, a;
    do { a = o; o = atomicCAS(q, a, a + ((u64)in[GID] << 16)); } while (o != a);
    unsigned short *h = (unsigned short *)(out + 4) + (GID & 3), ho = *h, ha;
    do { ha = ho; ho = atomicCAS(h, ha, (unsigned short)(ha + in[GID])); } while (ho != ha);
}
// run atom_cas_shared grid=1 block=64 out=16 in=64
KERNEL(atom_cas_shared)
{
    __shared__ u64 s[8];
    if (TID < 8) s[TID] = 0;
    __syncthreads();
    u32 *p = (u32 *)s, old = p[0], as;
    do { as = old; old = atomicCAS(p, as, as ^ in[TID]); } while (old != as);
    unsigned long long *q = (unsigned long long *)s + 1, o = *q, a;
    do { a = o; o = atomicCAS(q, a, a + ((u64)in[TID] << 9)); } while (o != a);
    unsigned short *h = (unsigned short *)(s + 2) + (TID & 3), ho = *h, ha;
    do { ha = ho; ho = atomicCAS(h, ha, (unsigned short)(ha + in[TID])); } while (ho != ha);
    __syncthreads();
    if (TID < 16) out[TID] = ((u32 *)s)[TID];
}
// run atom_half grid=2 block=64 out=16 in=128
KERNEL(atom_half)
{
    u32 v = in[GID] & 7;
    atomicAdd((__half2 *)out, __floats2half2_rn((float)v, (float)(v >> 1)));
    atomicAdd((__half *)(out + 1), __float2half((float)(v & 1)));
    atomicAdd((__half *)(out + 1) + 1, __float2half((float)(v & 2)));
}
// run atom_bfloat grid=2 block=64 out=16 in=128 arch=80
#if __CUDA_ARCH__ >= 800
KERNEL(atom_bfloat)
{
    u32 v = in[GID] & 7;
    atomicAdd((__nv_bfloat162 *)(out + 2), __floats2bfloat162_rn((float)(v & 1), (float)(GID & 1)));
    atomicAdd((__nv_bfloat16 *)(out + 3), __float2bfloat16((float)(GID & 1)));
}
#endif
// run atom_half_shared grid=1 block=64 out=4 in=64
KERNEL(atom_half_shared)
{
    __shared__ u32 s[4];
    if (TID < 4) s[TID] = 0;
    __syncthreads();
    u32 v = in[GID] & 7;
    atomicAdd((__half2 *)s, __floats2half2_rn((float)v, (float)(v >> 1)));
    atomicAdd((__half *)(s + 1) + 1, __float2half((float)(v & 1)));
    __syncthreads();
    if (TID < 4) out[TID] = s[TID];
}
// run atom_scopes grid=2 block=64 out=16 in=128
KERNEL(atom_scopes)
{
    u32 v = in[GID];
    atomicAdd_block(out + CTA, v); atomicAdd_system(out + 2, v); atomicMax_system(out + 3, v); atomicXor_block(out + 4 + CTA, v); atomicCAS_system(out + 6, 0, 5);
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(out + 7), "r"(v) : "memory");
    u32 t;
    asm volatile("atom.acq_rel.sys.global.or.b32 %0, [%1], %2;" : "=r"(t) : "l"(out + 8), "r"(v & 0xff) : "memory");
    asm volatile("red.relaxed.cta.global.min.s32 [%0], %1;" ::"l"(out + 10 + CTA), "r"(v) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(out + 12), "f"((float)(v & 63)) : "memory");
    asm volatile("red.relaxed.sys.global.add.f64 [%0], %1;" ::"l"(out + 14), "d"((double)(v & 63) * 0.5) : "memory");
}
// run atom_histogram grid=4 block=128 out=256 in=2048
KERNEL(atom_histogram)
{
    __shared__ u32 h[256];
    for (u32 i = TID; i < 256; i += 128) h[i] = 0;
    __syncthreads();
    for (u32 i = GID; i < 2048; i += 512) atomicAdd(&h[in[i] >> 24], 1u);
    __syncthreads();
    for (u32 i = TID; i < 256; i += 128) if (h[i]) atomicAdd(out + i, h[i]);
}
// run atom_128 grid=1 block=64 out=8 in=64 arch=90
#if __CUDA_ARCH__ >= 900
KERNEL(atom_128)
{
    u64 a = 0, b = 0, c, d;
    for (;;) {
        u64 na = a + in[TID], nb = b ^ ((u64)in[TID] << 7);
        asm volatile("{.reg .b128 x, y, z; mov.b128 x, {%3,%4}; mov.b128 y, {%5,%6}; atom.global.cas.b128 z, [%2], x, y; mov.b128 {%0,%1}, z;}" : "=l"(c), "=l"(d) : "l"(out), "l"(a), "l"(b), "l"(na), "l"(nb) : "memory");
        if (c == a && d == b) break;
        a = c; b = d;
    }
}
// run atom_vector grid=1 block=64 out=16 in=64 arch=90
KERNEL(atom_vector)
{
    float v = (float)(in[TID] & 15);
    asm volatile("red.global.add.v2.f32 [%0], {%1,%2};" ::"l"(out), "f"(v), "f"(v * 2) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1,%2,%1,%2};" ::"l"(out + 4), "f"(v), "f"(v * 2) : "memory");
    asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1,%1,%2,%2};" ::"l"(out + 8), "r"(0x3c003c00), "r"(0x3c000000) : "memory");
}
#endif
