/* memory.cu - addressing: widths and signs, generic pointers, local arrays, constants, dynamic shared, async copies. */
#include "feature.h"

// run mem_widths grid=1 block=64 out=1024 in=1024
KERNEL(mem_widths)
{
    u32 i = TID;
    out[i] = (u32)((const signed char *)in)[i * 5] + ((const unsigned char *)in)[i * 3 + 1]; out[i + 64] = (u32)((const short *)in)[i * 3 + 1] * 3 + ((const unsigned short *)in)[i * 7];
    ((u64 *)out)[i + 64] = ((const u64 *)in)[i * 3]; ((uint4 *)out)[i + 64] = ((const uint4 *)in)[i * 3]; ((ushort4 *)out)[i + 256] = ((const ushort4 *)in)[i]; ((unsigned char *)out)[i * 3 + 2600] = (unsigned char)in[i]; ((unsigned short *)out)[i * 3 + 1500] = (unsigned short)in[i];
}
// run mem_shared grid=1 block=64 out=1024 in=256
KERNEL(mem_shared)
{
    __shared__ __align__(16) unsigned char s[2048];
    u32 i = TID;
    for (u32 k = i; k < 512; k += 64) ((u32 *)s)[k] = k;
    __syncthreads();
    ((uint4 *)s)[i] = ((const uint4 *)in)[i]; ((u64 *)s)[i + 128] = ((const u64 *)in)[i]; ((unsigned short *)s)[i + 768] = (unsigned short)in[i]; s[i * 3 + 1700] = (unsigned char)in[i] ^ 1;
    __syncthreads();
    out[i] = (u32)((signed char *)s)[i * 27] + s[i * 31 + 1]; out[i + 64] = (u32)((short *)s)[i * 15] * 3 + ((unsigned short *)s)[i * 13]; ((u64 *)out)[i + 64] = ((u64 *)s)[(i * 5) % 192]; ((uint4 *)out)[i + 64] = ((uint4 *)s)[(i * 7) % 96]; ((uint2 *)out)[i + 256] = ((uint2 *)s)[(i * 11) % 192];
}
// run mem_generic grid=1 block=64 out=192 in=128
KERNEL(mem_generic)
{
    __shared__ u32 s[64];
    u32 l[16];
    for (u32 k = 0; k < 16; k++) l[k] = in[(TID + k) & 63];
    s[TID] = in[TID] * 3;
    __syncthreads();
    u32 v = in[TID + 64];
    const u32 *p = v % 3 == 0 ? s : v % 3 == 1 ? (const u32 *)l : in;
    u32 r = 0;
    for (u32 k = 0; k < 16; k++) r = r * 5 + p[(k * v) & 15];
    out[TID] = r;
    u32 *w = v & 4 ? s + TID : v & 8 ? l + (TID & 15) : out + 64 + TID;
    *w = 17 + TID;
    ((unsigned char *)w)[1] = (unsigned char)v;
    __syncthreads();
    out[TID + 64] += s[TID] + l[TID & 15];
    out[TID + 128] = __isShared(p) + 2 * __isLocal(p) + 4 * __isGlobal(p) + 8 * __isConstant(p);
}
// run mem_local grid=1 block=64 out=256 in=64
KERNEL(mem_local)
{
    u32 a[40]; unsigned char b[48]; short c[32]; u64 d[16];
    for (u32 k = 0; k < 40; k++) a[k] = mix(in[TID] + k);
    for (u32 k = 0; k < 48; k++) b[k] = (unsigned char)a[(k * 3) % 40];
    for (u32 k = 0; k < 32; k++) c[k] = (short)(a[k] >> 7);
    for (u32 k = 0; k < 16; k++) d[k] = (u64)a[k] << 32 | b[k];
    u32 s = in[TID];
    for (u32 k = 0; k < 60; k++) { a[s % 40] += b[s % 48]; b[(s >> 5) % 48] ^= (unsigned char)k; c[(s >> 9) & 31] += (short)a[k % 40]; d[(s >> 13) & 15] *= 3; s = mix(s + a[k % 40]); }
    out[TID] = a[s % 40] + b[s % 48]; out[TID + 64] = (u32)c[s & 31]; ((u64 *)out)[TID + 64] = d[s & 15];
}
// run mem_local4 grid=1 block=32 out=128 in=128
KERNEL(mem_local4)
{
    uint4 t[8];
    for (int k = 0; k < 8; k++) t[k] = make_uint4(in[TID] + k, in[TID + 32] * k, in[TID + 64] ^ k, k);
    u32 j = in[TID + 96] & 7;
    t[j].y += 5; t[(j + 3) & 7] = t[j];
    ((uint4 *)out)[TID] = t[in[(TID + 1) & 31] & 7];
}
__constant__ u32 cw[256] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
__constant__ unsigned char cb[64] = {1, 2, 250, 4, 5, 6, 7, 8, 9, 200};
__constant__ short cs[16] = {-1, 2, -3, 4, -5, 6, -7, 8};
__constant__ double cd[8] = {1.5, -2.25, 1e300, 3e-300, 0.1};
__device__ u32 gw[16] = {0x1234, 0x5678, 0x9abc, 0xdef0};
__device__ u32 *gp = gw + 2;
// run mem_const grid=2 block=64 out=512 in=128
KERNEL(mem_const)
{
    u32 v = in[GID];
    out[GID] = cw[v & 31] + cw[n] * 3 + cw[blockIdx.x]; out[GID + 128] = cb[v & 15] * 5 + (u32)cs[v >> 4 & 7] + (u32)(signed char)cb[n + 2];
    ((double *)out)[GID + 128] = cd[v >> 8 & 3] * cd[blockIdx.x];
    if (GID == 0) out[0] += gp[0] + *gp + gw[n & 3];
}
extern __shared__ u32 dyn[];
// run mem_dynamic grid=2 block=64 out=128 in=128 smem=1024 n=64
KERNEL(mem_dynamic)
{
    u32 *a = dyn; u64 *b = (u64 *)(dyn + n);
    a[TID] = in[GID]; b[TID] = (u64)in[GID] * in[GID];
    __syncthreads();
    u32 sz;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sz));
    out[GID] = a[63 - TID] + (u32)(b[TID ^ 5] >> 17) + sz;
}
// run mem_big grid=1 block=64 out=64 in=64 smem=65536
KERNEL(mem_big) { dyn[TID * 250] = in[TID]; __syncthreads(); out[TID] = dyn[(63 - TID) * 250] + (dyn[16383] = TID, 0); }
#pragma pack(push, 1)
struct packed { unsigned char t; u32 a; unsigned short b; u64 c; float d; };
#pragma pack(pop)
// run mem_packed grid=1 block=32 out=320 in=320
KERNEL(mem_packed)
{
    packed p = ((const packed *)in)[TID];
    p.a += p.t; p.b ^= (unsigned short)p.c; p.c *= 5; p.t ^= 0x5a;
    ((packed *)out)[31 - TID] = p;
}
struct wide { double a[3]; u32 b; unsigned char c[4]; };
// run mem_struct grid=1 block=32 out=512 in=512
KERNEL(mem_struct) { wide w = ((const wide *)in)[TID]; w.b += w.c[2]; w.c[TID % 4] ^= 1; ((wide *)out)[(TID * 5) & 31] = w; }
// run mem_cache grid=1 block=64 out=512 in=256
KERNEL(mem_cache)
{
    u32 i = TID; u32 *o = out; const u32 *a = in;
    o[i] = __ldg(a + i) + __ldcg(a + i + 1) * 3 + __ldca(a + i + 2) * 5 + __ldcs(a + i + 3) * 7 + __ldlu(a + i + 4) * 11 + __ldcv(a + i + 5) * 13;
    __stwb(o + 64 + i, 1 + i); __stcg(o + 128 + i, 2 + i); __stcs(o + 192 + i, 3 + i); __stwt(o + 256 + i, 4 + i);
    uint2 t = __ldcs((const uint2 *)a + i); o[320 + i] = t.x ^ t.y;
    u32 r;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(r) : "l"(a + i)); o[384 + i] = r;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(r) : "l"(a + i + 1)); o[384 + i] += r;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(o + 448 + i), "r"(r * 3) : "memory");
    asm volatile("ld.global.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(r) : "l"(a + i)); o[448 + i] += r;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(a + i)); asm volatile("prefetch.global.L1 [%0];" ::"l"(a + i)); __threadfence_system();
}
// run mem_async grid=2 block=64 out=768 in=1024 arch=80
#if __CUDA_ARCH__ >= 800
KERNEL(mem_async)
{
    __shared__ __align__(16) u32 s[768];
    u32 a = (u32)__cvta_generic_to_shared(s), i = TID;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(a + i * 16), "l"(in + i * 4 + CTA * 4) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a + 1024 + i * 4), "l"(in + i * 3) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(a + 1280 + i * 8), "l"(in + i * 6), "r"(i % 9) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(a + 1792 + i * 16), "l"(in + i * 8), "r"(i % 17) : "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    u32 r = s[255 - i * 3] + s[256 + (i * 5) % 64] * 3;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (u32 k = i; k < 384; k += 64) out[CTA * 384 + k] = s[320 + k] + r;
}
#endif
// run mem_matrix grid=2,2 block=16,16 out=1024 in=2048 n=32
KERNEL(mem_matrix)
{
    __shared__ float a[16][16], b[16][17];
    u32 x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float acc = 0;
    for (u32 t = 0; t < n; t += 16) {
        a[y][x] = (float)(in[row * n + t + x] & 255); b[y][x] = (float)(in[1024 + (t + y) * n + col] & 255) * 0.5f;
        __syncthreads();
        for (u32 k = 0; k < 16; k++) acc += a[y][k] * b[k][x];
        __syncthreads();
    }
    ((float *)out)[row * n + col] = acc;
}
