/* wgmma.cu - sm_90a only: one warpgroup multiplies 64 x 8 x 16 tiles from shared memory, no swizzle. */
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
// run wgmma_f16 grid=2 block=128 out=1024 in=1024 arch=90 kind=f16
KERNEL(wgmma_f16)
{
    __shared__ __align__(128) unsigned char a[2048], b[256];
    const unsigned short *h = (const unsigned short *)in + CTA * 64;
    for (u32 i = TID; i < 1024; i += 128) *(unsigned short *)(a + place(i / 16, i % 16 * 2)) = h[i];
    for (u32 i = TID; i < 128; i += 128) *(unsigned short *)(b + place(i / 16, i % 16 * 2)) = h[1024 + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {1.f, 2.f, 3.f, 4.f};
    GROUP(asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a, 128, 256)), "l"(descriptor(b, 128, 256)) : "memory"))
    for (u32 i = 0; i < 4; i++) ((float *)out)[CTA * 512 + TID * 4 + i] = d[i];
}
// run wgmma_s8 grid=1 block=128 out=512 in=1024 arch=90
KERNEL(wgmma_s8)
{
    __shared__ __align__(128) unsigned char a[2048], b[256];
    const unsigned char *h = (const unsigned char *)in;
    for (u32 i = TID; i < 2048; i += 128) a[place(i / 32, i % 32)] = h[i];
    for (u32 i = TID; i < 256; i += 128) b[place(i / 32, i % 32)] = h[2048 + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    s32 d[4] = {1, 2, 3, 4};
    GROUP(asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0,%1,%2,%3}, %4, %5, 1;" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "l"(descriptor(a, 128, 256)), "l"(descriptor(b, 128, 256)) : "memory"))
    for (u32 i = 0; i < 4; i++) out[TID * 4 + i] = (u32)d[i];
}
// run wgmma_reg grid=1 block=128 out=512 in=1024 arch=90 kind=f16
KERNEL(wgmma_reg)
{
    __shared__ __align__(128) unsigned char b[256];
    const unsigned short *h = (const unsigned short *)in;
    for (u32 i = TID; i < 128; i += 128) *(unsigned short *)(b + place(i / 16, i % 16 * 2)) = h[1024 + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {0.f, 0.f, 0.f, 0.f};
    u32 r[4];
    for (u32 i = 0; i < 4; i++) r[i] = in[TID * 4 + i];
    GROUP(asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(descriptor(b, 128, 256)) : "memory"))
    for (u32 i = 0; i < 4; i++) ((float *)out)[TID * 4 + i] = d[i];
}
#endif
