/* gmma.cu - sm_90a only: warpgroups multiply all types, layouts and shapes. */
#include "feature.h"
#if __CUDA_ARCH__ >= 900
static __device__ u64 descriptor(const void *p, u32 lead, u32 stride)
{
    u64 a = (u32)__cvta_generic_to_shared(p);
    return (a >> 4 & 0x3fff) | (u64)(lead >> 4) << 16 | (u64)(stride >> 4) << 32;
}
/* A core matrix is 8 rows of 16 bytes; the two along k follow each other, then those along m or n. */
static __device__ u32 place(u32 row, u32 byte) { return (row / 8 * 2 + byte / 16) * 128 + row % 8 * 16 + byte % 16; }
#define GROUP(mma) asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); mma; asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
/* Rows of 32 bytes of A and B, k-major: w is the swizzle's width or 0, at the place in its rows. */
static __device__ __forceinline__ u32 place_k(u32 row, u32 byte, u32 w, u32 at)
{
    if (!w) return place(row, byte);
    u32 x = row / 8 * 8 * w + row % 8 * w + at + byte;
    return x ^ (x >> 3 & (w - 16));
}
/* The same of 16-bit elements with rows side by side: chunks of 8 rows, then k. */
static __device__ __forceinline__ u32 place_m(u32 row, u32 k, u32 w)
{
    if (!w) return row / 8 * 256 + k / 8 * 128 + k % 8 * 16 + row % 8 * 2;
    u32 q = w / 16, g = row / 8, x = g % q * 16 + g / q * 16 * w + k % 8 * w + k / 8 * 8 * w + row % 8 * 2;
    return x ^ (x >> 3 & (w - 16));
}
static __device__ __forceinline__ u64 desc_k(const void *p, u32 w, u32 at) { return descriptor((const char *)p + at, 128, w ? 8 * w : 256) | (u64)(w == 128 ? 1 : w == 64 ? 2 : w == 32 ? 3 : 0) << 62; }
static __device__ __forceinline__ u64 desc_m(const void *p, u32 w) { return (w ? descriptor(p, 16 * w, 8 * w) : descriptor(p, 128, 256)) | (u64)(w == 128 ? 1 : w == 64 ? 2 : w == 32 ? 3 : 0) << 62; }
/* Bytes of the input, the top bit of the exponent cleared in most rows if asked. */
static __device__ __forceinline__ void fill_k(unsigned char *to, const unsigned char *from, u32 rows, u32 w, u32 at, u32 tame)
{
    for (u32 i = TID; i < rows * 32; i += 128) to[place_k(i / 32, i % 32, w, at)] = from[i] & (tame && i / 32 % 4 ? 0xbf : 0xff);
}
static __device__ __forceinline__ void fill_m(unsigned char *to, const unsigned short *from, u32 rows, u32 w)
{
    for (u32 i = TID; i < rows * 16; i += 128) *(unsigned short *)(to + place_m(i / 16, i % 16, w)) = from[i];
}
static __device__ __forceinline__ u32 start(const u32 *in, u32 i) { return i & 1 ? __float_as_uint((float)((s32)(TID * 7 + i * 13) - 400) * 0.37f) : in[(TID * 8 + i) & 1023]; }
#define READY asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
#define R4 "{%0,%1,%2,%3}"
#define R8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define IO4 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define IO8 IO4, "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
/* 64 x 16 with both matrices k-major in shared memory. n: registers of D, R and IO lists of them, p, q: the operands behind. */
#define WGMMA16(name, n, R, IO, p, q, form, tail, w, at, tame) KERNEL(name) \
{ \
    __shared__ __align__(1024) unsigned char a[8192], b[2048]; u32 d[n]; \
    const unsigned char *h = (const unsigned char *)in; \
    fill_k(a, h, 64, w, at, tame); fill_k(b, h + 2048, 16, w, at, tame); \
    READY \
    for (u32 i = 0; i < n; i++) d[i] = start(in, i); \
    GROUP(asm volatile("wgmma.mma_async.sync.aligned." form " " R ", %" #p ", %" #q tail ";" : IO : "l"(desc_k(a, w, at)), "l"(desc_k(b, w, at)) : "memory")) \
    for (u32 i = 0; i < n; i++) out[TID * n + i] = d[i]; \
}
// run wgmma_bf16 grid=1 block=128 out=1024 in=1024 arch=90 kind=bf16
WGMMA16(wgmma_bf16, 8, R8, IO8, 8, 9, "m64n16k16.f32.bf16.bf16", ", 1, 1, 1, 0, 0", 0, 0, 0)
// run wgmma_tf32 grid=1 block=128 out=1024 in=1024 arch=90 kind=f32
WGMMA16(wgmma_tf32, 8, R8, IO8, 8, 9, "m64n16k8.f32.tf32.tf32", ", 1, 1, 1", 0, 0, 0)
// run wgmma_f16acc grid=1 block=128 out=512 in=1024 arch=90 kind=f16
WGMMA16(wgmma_f16acc, 4, R4, IO4, 4, 5, "m64n16k16.f16.f16.f16", ", 1, 1, 1, 0, 0", 0, 0, 0)
// run wgmma_tame grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_tame, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 1, 1, 1, 0, 0", 0, 0, 1)
// run wgmma_e4m3 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_e4m3, 8, R8, IO8, 8, 9, "m64n16k32.f32.e4m3.e4m3", ", 1, 1, 1", 0, 0, 1)
// run wgmma_e5m2 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_e5m2, 8, R8, IO8, 8, 9, "m64n16k32.f32.e5m2.e5m2", ", 1, 1, 1", 0, 0, 1)
// run wgmma_e4e5 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_e4e5, 8, R8, IO8, 8, 9, "m64n16k32.f32.e4m3.e5m2", ", 1, -1, 1", 0, 0, 1)
// run wgmma_f8zero grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_f8zero, 8, R8, IO8, 8, 9, "m64n16k32.f32.e4m3.e4m3", ", 0, 1, 1", 0, 0, 1)
// run wgmma_f8f16 grid=1 block=128 out=512 in=1024 arch=90
WGMMA16(wgmma_f8f16, 4, R4, IO4, 4, 5, "m64n16k32.f16.e5m2.e4m3", ", 1, 1, 1", 0, 0, 1)
// run wgmma_u8 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_u8, 8, R8, IO8, 8, 9, "m64n16k32.s32.u8.u8", ", 1", 0, 0, 0)
// run wgmma_su8 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_su8, 8, R8, IO8, 8, 9, "m64n16k32.s32.s8.u8.satfinite", ", 1", 0, 0, 0)
// run wgmma_b1 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_b1, 8, R8, IO8, 8, 9, "m64n16k256.s32.b1.b1.and.popc", ", 1", 0, 0, 0)
// run wgmma_neg grid=1 block=128 out=1024 in=1024 arch=90 kind=f16
WGMMA16(wgmma_neg, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 1, -1, 1, 0, 0", 0, 0, 0)
// run wgmma_zero grid=1 block=128 out=1024 in=1024 arch=90 kind=f16
WGMMA16(wgmma_zero, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 0, 1, -1, 0, 0", 0, 0, 0)
// run wgmma_k128 grid=1 block=128 out=1024 in=1024 arch=90 kind=f16
WGMMA16(wgmma_k128, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 1, 1, 1, 0, 0", 128, 32, 0)
// run wgmma_k64 grid=1 block=128 out=1024 in=1024 arch=90 kind=f16
WGMMA16(wgmma_k64, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 1, 1, 1, 0, 0", 64, 32, 0)
// run wgmma_k32 grid=1 block=128 out=1024 in=1024 arch=90 kind=f16
WGMMA16(wgmma_k32, 8, R8, IO8, 8, 9, "m64n16k16.f32.f16.f16", ", 1, 1, 1, 0, 0", 32, 0, 0)
// run wgmma_s8k128 grid=1 block=128 out=1024 in=1024 arch=90
WGMMA16(wgmma_s8k128, 8, R8, IO8, 8, 9, "m64n16k32.s32.s8.s8", ", 1", 128, 96, 0)
#define R32 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
#define IO32 IO8, "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]), "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
/* 64 x 64 with A, B or both m-major. */
#define WGMMA64(name, ta, tb, w) KERNEL(name) \
{ \
    __shared__ __align__(1024) unsigned char a[16384], b[16384]; u32 d[32]; \
    if (ta) fill_m(a, (const unsigned short *)in, 64, w); else fill_k(a, (const unsigned char *)in, 64, w, 0, 0); \
    if (tb) fill_m(b, (const unsigned short *)in + 1024, 64, w); else fill_k(b, (const unsigned char *)in + 2048, 64, w, 0, 0); \
    READY \
    for (u32 i = 0; i < 32; i++) d[i] = start(in, i); \
    GROUP(asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " R32 ", %32, %33, 1, 1, 1, " #ta ", " #tb ";" : IO32 : "l"(ta ? desc_m(a, w) : desc_k(a, w, 0)), "l"(tb ? desc_m(b, w) : desc_k(b, w, 0)) : "memory")) \
    for (u32 i = 0; i < 32; i++) out[TID * 32 + i] = d[i]; \
}
// run wgmma_m0 grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_m0, 1, 1, 0)
// run wgmma_m128 grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_m128, 1, 1, 128)
// run wgmma_m64 grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_m64, 1, 1, 64)
// run wgmma_m32 grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_m32, 1, 1, 32)
// run wgmma_mk grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_mk, 1, 0, 128)
// run wgmma_km grid=1 block=128 out=4096 in=1024 arch=90 kind=f16
WGMMA64(wgmma_km, 0, 1, 128)
/* A in registers, 64 x 16. */
#define WGMMAREG(name, form, tail, type) KERNEL(name) \
{ \
    __shared__ __align__(1024) unsigned char b[2048]; u32 d[8], r[4]; \
    fill_k(b, (const unsigned char *)in + 2048, 16, 0, 0, 0); \
    READY \
    for (u32 i = 0; i < 8; i++) d[i] = start(in, i); \
    for (u32 i = 0; i < 4; i++) r[i] = in[TID * 4 + i]; \
    GROUP(asm volatile("wgmma.mma_async.sync.aligned." form " " R8 ", {%8,%9,%10,%11}, %12" tail ";" : IO8 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(desc_k(b, 0, 0)) : "memory")) \
    for (u32 i = 0; i < 8; i++) out[TID * 8 + i] = d[i]; \
}
// run wgmma_rtf32 grid=1 block=128 out=1024 in=1024 arch=90 kind=f32
WGMMAREG(wgmma_rtf32, "m64n16k8.f32.tf32.tf32", ", 1, -1, 1", float)
// run wgmma_rbf16 grid=1 block=128 out=1024 in=1024 arch=90 kind=bf16
WGMMAREG(wgmma_rbf16, "m64n16k16.f32.bf16.bf16", ", 1, 1, -1, 0", float)
// run wgmma_rs8 grid=1 block=128 out=1024 in=1024 arch=90
WGMMAREG(wgmma_rs8, "m64n16k32.s32.s8.s8", ", 1", s32)
// run wgmma_re5 grid=1 block=128 out=1024 in=1024 arch=90
WGMMAREG(wgmma_re5, "m64n16k32.f32.e5m2.e4m3", ", 1, 1, 1", float)
/* Two warpgroups with different numbers of registers; four steps along k in rows of 128 bytes, one group. */
// run wgmma_steps grid=1 block=256 out=2048 in=4096 arch=90 kind=f16
extern "C" __global__ void __launch_bounds__(256, 1) wgmma_steps(u32 *__restrict__ out, const u32 *__restrict__ in, u32 n)
{
    __shared__ __align__(1024) unsigned char a[8192], b[2048]; u32 d[8];
    const unsigned char *h = (const unsigned char *)in;
    for (u32 i = TID; i < 64 * 128; i += 256) a[place_k(i / 128, i % 128, 128, 0)] = h[i];
    for (u32 i = TID; i < 16 * 128; i += 256) b[place_k(i / 128, i % 128, 128, 0)] = h[8192 + i];
    READY
    if (TID < 128) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); else asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    for (u32 i = 0; i < 8; i++) d[i] = start(in, i);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (u32 k = 0; k < 4; k++) asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " R8 ", %8, %9, 1, 1, 1, 0, 0;" : IO8 : "l"(desc_k(a, 128, 32 * k)), "l"(desc_k(b, 128, 32 * k)) : "memory");
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (u32 i = 0; i < 8; i++) out[TID * 8 + i] = d[i];
}
#endif
