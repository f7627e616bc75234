/* texture.cu - textures and surfaces: fetches, point and linear sampling, address modes, formats, gathers, gradients,
 * loads, stores and reductions on surfaces.
 *
 * A kernel of TKERNEL takes three objects more, made from the key tex (see image.c): t as it says, t2 on the same image
 * with coordinates from 0 to 1 that wrap, s a surface. The input words are the image's bytes, row by row. Coordinates are
 * computed with sums and products that are exact, so that every machine looks at the same places.
 */
#include "feature.h"

#ifndef HOST
#define TKERNEL(name) extern "C" __global__ void name(u32 *__restrict__ out, const u32 *__restrict__ in, u32 n, \
                                                      cudaTextureObject_t t, cudaTextureObject_t t2, cudaSurfaceObject_t s)
#endif
#define F(x) __float_as_uint(x)
#define STEP(i, k, m, d, o) ((float)(int)(((i) * (k)) % (m)) * (d) + (o))

// run tex_fetch grid=2 block=160 out=320 in=256 kind=t32 tex=linear:f32x1:256
TKERNEL(tex_fetch) { u32 i = GID; out[i] = F(tex1Dfetch<float>(t, (int)i - 32)); }
// run tex_fetch4 grid=1 block=96 out=384 in=256 tex=linear:u32x4:64
TKERNEL(tex_fetch4) { u32 i = TID; uint4 v = tex1Dfetch<uint4>(t, (int)(i * 3) - 40); out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w; }
// run tex_fetch2 grid=1 block=64 out=128 in=128 tex=linear:s32x2:64
TKERNEL(tex_fetch2) { u32 i = TID; int2 v = tex1Dfetch<int2>(t, (int)(i ^ 21)); out[2 * i] = v.x; out[2 * i + 1] = v.y; }
// run tex_fetch_u8 grid=1 block=128 out=128 in=32 tex=linear:u8x1:128:int
TKERNEL(tex_fetch_u8) { u32 i = TID; out[i] = tex1Dfetch<unsigned char>(t, (int)(i ^ 5)); }
// run tex_fetch_s8 grid=1 block=64 out=256 in=64 tex=linear:s8x4:64:int
TKERNEL(tex_fetch_s8) { u32 i = TID; char4 v = tex1Dfetch<char4>(t, (int)i); out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w; }
// run tex_fetch_u16 grid=1 block=64 out=128 in=64 tex=linear:u16x2:64:int
TKERNEL(tex_fetch_u16) { u32 i = TID; ushort2 v = tex1Dfetch<ushort2>(t, (int)i); out[2 * i] = v.x; out[2 * i + 1] = v.y; }
// run tex_fetch_s16 grid=1 block=64 out=64 in=32 tex=linear:s16x1:64:int
TKERNEL(tex_fetch_s16) { u32 i = TID; out[i] = tex1Dfetch<short>(t, (int)i); }
// run tex_diverge grid=1 block=96 out=96 in=256 kind=t32 tex=linear:f32x1:256
TKERNEL(tex_diverge) { u32 i = TID; float v = 1; if (i % 3) v = tex1Dfetch<float>(t, (int)(i * 2)); else if (i & 1) v = tex1Dfetch<float>(t, (int)(200 - i)); out[i] = F(v); }

// run tex_point1 grid=1 block=128 out=128 in=37 kind=t32 tex=1d:f32x1:37
TKERNEL(tex_point1) { u32 i = TID; out[i] = F(tex1D<float>(t, STEP(i, 29, 128, 0.5f, -12.25f))); }
// run tex_point2 grid=4 block=16,16 out=1024 in=851 kind=t32 tex=2d:f32x1:37x23
TKERNEL(tex_point2) { u32 i = GID; out[i] = F(tex2D<float>(t, STEP(i, 29, 128, 0.5f, -12.25f), STEP(i, 13, 64, 0.5f, -4.25f))); }
// run tex_pitch2 grid=4 block=16,16 out=2048 in=1702 kind=t32 tex=pitch:f32x2:37x23
TKERNEL(tex_pitch2) { u32 i = GID; float2 v = tex2D<float2>(t, STEP(i, 29, 128, 0.5f, -12.25f), STEP(i, 13, 64, 0.5f, -4.25f)); out[2 * i] = F(v.x); out[2 * i + 1] = F(v.y); }
// run tex_point3 grid=4 block=64 out=1024 in=2520 kind=t32 tex=3d:f32x4:9x10x7
TKERNEL(tex_point3) { u32 i = GID; float4 v = tex3D<float4>(t, STEP(i, 29, 64, 0.25f, -2.125f), STEP(i, 13, 64, 0.25f, -2.125f), STEP(i, 7, 64, 0.25f, -2.125f)); out[4 * i] = F(v.x); out[4 * i + 1] = F(v.y); out[4 * i + 2] = F(v.z); out[4 * i + 3] = F(v.w); }
// run tex_layer1 grid=1 block=128 out=128 in=100 kind=t32 tex=1da:f32x1:20x0x5
TKERNEL(tex_layer1) { u32 i = TID; out[i] = F(tex1DLayered<float>(t, STEP(i, 29, 64, 0.5f, -4.25f), (int)(i % 7))); }
// run tex_layer2 grid=1 block=256 out=512 in=600 tex=2da:u16x2:20x10x3:int
TKERNEL(tex_layer2) { u32 i = TID; ushort2 v = tex2DLayered<ushort2>(t, STEP(i, 29, 64, 0.5f, -4.25f), STEP(i, 11, 32, 0.5f, -2.25f), (int)(i % 4)); out[2 * i] = v.x; out[2 * i + 1] = v.y; }
// run tex_lod grid=1 block=64 out=256 in=851 kind=t32 tex=2d:f32x1:37x23
TKERNEL(tex_lod) { u32 i = TID; float x = STEP(i, 29, 64, 0.5f, 0.25f), y = STEP(i, 13, 32, 0.5f, 0.25f); out[i] = F(tex2DLod<float>(t, x, y, 0)); out[i + 64] = F(tex2DLod<float>(t, x, y, 3.5f)); out[i + 128] = F(tex2DGrad<float>(t, x, y, make_float2(1, 0), make_float2(0, 1))); out[i + 192] = F(tex2DGrad<float>(t, x, y, make_float2(9, 4), make_float2(3, 7))); }
// run tex_wrap grid=1 block=256 out=256 in=96 tex=2d:u32x1:12x8:unit,wrap
TKERNEL(tex_wrap) { u32 i = TID; out[i] = tex2D<unsigned>(t, STEP(i, 29, 256, 0.03125f, -4 + 0.015625f), STEP(i, 13, 256, 0.03125f, -3 + 0.015625f)); }
// run tex_mirror grid=1 block=256 out=256 in=96 tex=2d:u32x1:12x8:unit,mirror
TKERNEL(tex_mirror) { u32 i = TID; out[i] = tex2D<unsigned>(t, STEP(i, 29, 256, 0.03125f, -4 + 0.015625f), STEP(i, 13, 256, 0.03125f, -3 + 0.015625f)); }
// run tex_border grid=1 block=256 out=256 in=96 tex=2d:u32x1:12x8:border
TKERNEL(tex_border) { u32 i = TID; out[i] = tex2D<unsigned>(t, STEP(i, 29, 64, 0.5f, -8.25f), STEP(i, 13, 64, 0.5f, -8.25f)); }
// run tex_unit grid=1 block=256 out=256 in=96 tex=2d:s32x1:12x8:unit
TKERNEL(tex_unit) { u32 i = TID; out[i] = (u32)tex2D<int>(t, STEP(i, 29, 64, 0.03125f, -0.5f + 0.015625f), STEP(i, 13, 64, 0.03125f, -0.5f + 0.015625f)); }
// run tex_handles grid=1 block=128 out=128 in=96 tex=2d:s32x1:16x6
TKERNEL(tex_handles) { u32 i = TID; out[i] = (u32)tex2D<int>(in[i % 96] & 1 ? t : t2, STEP(i, 29, 64, 0.125f, -2 + 0.0625f), STEP(i, 13, 64, 0.125f, -2 + 0.0625f)); }
// run tex_handles3 grid=1 block=128 out=256 in=96 tex=3d:s32x1:4x6x4
TKERNEL(tex_handles3) { u32 i = TID; cudaTextureObject_t h = in[i % 96] & 1 ? t : t2; float x = STEP(i, 29, 64, 0.125f, -2 + 0.0625f), y = STEP(i, 13, 64, 0.125f, -2 + 0.0625f), z = STEP(i, 5, 64, 0.125f, -2 + 0.0625f); out[i] = (u32)tex3D<int>(h, x, y, z); out[i + 128] = (u32)tex3DLod<int>(h, z, x, y, 0); }
// run tex_handles_layer grid=1 block=128 out=256 in=96 tex=2da:s32x1:4x6x4
TKERNEL(tex_handles_layer) { u32 i = TID; cudaTextureObject_t h = in[i % 96] & 1 ? t : t2; float x = STEP(i, 29, 64, 0.125f, -2 + 0.0625f), y = STEP(i, 13, 64, 0.125f, -2 + 0.0625f); out[i] = (u32)tex2DLayered<int>(h, x, y, (int)(i & 3)); out[i + 128] = (u32)tex2DLayeredGrad<int>(h, x, y, (int)(i / 4 & 3), make_float2(0, 0), make_float2(0, 0)); }

// run surf_read1 grid=1 block=64 out=192 in=64 tex=1d:u32x1:64:surf
TKERNEL(surf_read1) { u32 i = TID; out[i] = surf1Dread<unsigned>(s, (int)i * 4); out[i + 64] = surf1Dread<unsigned char>(s, (int)i * 4 + 1); out[i + 128] = surf1Dread<unsigned short>(s, (int)i * 4 + 2); }
// run surf_read2 grid=1 block=128 out=512 in=512 tex=2d:u32x4:16x8:surf
TKERNEL(surf_read2) { u32 i = TID; uint4 v = surf2Dread<uint4>(s, (int)(i & 15) * 16, (int)(i >> 4)); out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w; }
// run surf_zero grid=1 block=256 out=256 in=64 tex=2d:u32x1:8x8:surf
TKERNEL(surf_zero) { int x = (int)(TID & 15) - 4, y = (int)(TID >> 4) - 4; out[TID] = surf2Dread<unsigned>(s, x * 4, y, cudaBoundaryModeZero); }
// run surf_clamp grid=1 block=256 out=256 in=64 tex=2d:u32x1:8x8:surf
TKERNEL(surf_clamp) { int x = (int)(TID & 15) - 4, y = (int)(TID >> 4) - 4; out[TID] = surf2Dread<unsigned>(s, x * 4, y, cudaBoundaryModeClamp); }
// run surf_read3 grid=1 block=128 out=256 in=256 tex=3d:u32x2:4x8x4:surf
TKERNEL(surf_read3) { u32 i = TID; uint2 v = surf3Dread<uint2>(s, (int)(i & 3) * 8, (int)(i >> 2 & 7), (int)(i >> 5)); out[2 * i] = v.x; out[2 * i + 1] = v.y; }
// run surf_layer grid=1 block=128 out=128 in=128 tex=2da:u32x1:4x8x4:surf
TKERNEL(surf_layer) { u32 i = TID; out[i] = surf2DLayeredread<unsigned>(s, (int)(i & 3) * 4, (int)(i >> 2 & 7), (int)(i >> 5)); }
// run surf_write grid=1 block=256 out=64 in=64 tex=2d:u32x1:8x8:surf,back
TKERNEL(surf_write) { int x = (int)(TID & 15) - 4, y = (int)(TID >> 4) - 4; surf2Dwrite<unsigned>(TID * 3, s, x * 4, y, cudaBoundaryModeZero); }
// run surf_write8 grid=1 block=256 out=64 in=64 tex=2d:u8x4:8x8:surf,back
TKERNEL(surf_write8) { int x = (int)(TID & 31), y = (int)(TID >> 5); if (TID % 3) surf2Dwrite<unsigned char>((unsigned char)(TID * 3), s, x, y); }
// run surf_write16 grid=1 block=64 out=64 in=64 tex=2d:u8x4:8x8:surf,back
TKERNEL(surf_write16) { int x = (int)(TID & 7), y = (int)(TID >> 3); if (TID % 3) surf2Dwrite<unsigned short>((unsigned short)(TID * 333), s, x * 4 + 2, y); }
// run surf_write64 grid=1 block=32 out=128 in=128 tex=3d:u32x4:4x4x2:surf,back
TKERNEL(surf_write64) { int x = (int)(TID & 3), y = (int)(TID >> 2 & 3), z = (int)(TID >> 4); if (TID & 1) surf3Dwrite<uint2>(make_uint2(TID, ~TID), s, x * 16 + 8, y, z); else surf3Dwrite<uint4>(make_uint4(TID, 1, 2, ~TID), s, x * 16, y, z); }
// run surf_write_layer grid=1 block=64 out=64 in=64 tex=1da:u32x1:16x0x4:surf,back
TKERNEL(surf_write_layer) { int x = (int)(TID & 15), z = (int)(TID >> 4); surf1DLayeredwrite<unsigned>(TID * 7, s, x * 4, z); }
// run surf_trap grid=1 block=64 out=64 in=64 tex=2d:u32x1:8x8:surf want=error
TKERNEL(surf_trap) { int x = (int)(TID & 15), y = (int)(TID >> 4); out[TID] = surf2Dread<unsigned>(s, x * 4, y); }

/* What hardware alone defines: compared with its record. */
// run surf_handles grid=1 block=64 out=128 in=64 tex=2d:u32x1:8x8:surf,two,back
TKERNEL(surf_handles) { int x = (int)(TID & 7), y = (int)(TID >> 3); cudaSurfaceObject_t h = in[TID] & 1 ? s : t2; unsigned v = surf2Dread<unsigned>(h, x * 4, y); surf2Dwrite<unsigned>(v * 3 + TID, h, x * 4, y); out[TID] = v; }
#define SURED(op, dim, type, mode, c, ...) asm volatile("sured.b." op "." dim "." type "." mode " [%0, {" c "}], %1;" ::"l"(s), "r"(v), __VA_ARGS__)
// run surf_red grid=2 block=128 out=64 in=64 tex=2d:u32x1:8x8:surf,back
TKERNEL(surf_red)
{
    u32 v = mix(GID); int x = (int)(TID & 7) * 4, y = (int)(TID >> 4 & 7);
    switch (y) {
    case 0: SURED("add", "2d", "u32", "trap", "%2,%3", "r"(x), "r"(y)); break;
    case 1: SURED("min", "2d", "u32", "trap", "%2,%3", "r"(x), "r"(y)); break;
    case 2: SURED("max", "2d", "u32", "trap", "%2,%3", "r"(x), "r"(y)); break;
    case 3: SURED("min", "2d", "s32", "trap", "%2,%3", "r"(x), "r"(y)); break;
    case 4: SURED("max", "2d", "s32", "zero", "%2,%3", "r"(x + 16), "r"(y)); break;
    case 5: SURED("and", "2d", "b32", "clamp", "%2,%3", "r"(x + 16), "r"(y)); break;
    case 6: SURED("or", "2d", "b32", "trap", "%2,%3", "r"(x), "r"(y)); break;
    default: asm volatile("sured.p.or.2d.b32.zero [%0, {%1,%2}], %3;" ::"l"(s), "r"(x / 4 + 3), "r"(y), "r"(v));
    }
}
// run surf_red64 grid=1 block=64 out=64 in=64 tex=1d:u32x2:32:surf,back
TKERNEL(surf_red64) { u64 v = (u64)mix(TID) << 32 | mix(TID + 99); asm volatile("sured.b.add.1d.u64.trap [%0, {%1}], %2;" ::"l"(s), "r"((int)(TID & 31) * 8), "l"(v)); }
#define SUSTP(name) TKERNEL(name) { int x = (int)(TID & 7), y = (int)(TID >> 3); float v = (float)(int)(mix(TID) >> 8 & 0xffff) * 0.0001f - 3; asm volatile("sust.p.2d.v4.b32.trap [%0, {%1,%2}], {%3,%4,%5,%6};" ::"l"(s), "r"(x), "r"(y), "f"(v), "r"(mix(TID + 7) >> (TID & 31)), "r"(TID * 5 - 100), "f"(v * v)); }
// run surf_p_f32 grid=1 block=64 out=256 in=256 tex=2d:f32x4:8x8:surf,back
SUSTP(surf_p_f32)
// run surf_p_f16 grid=1 block=64 out=128 in=128 tex=2d:f16x4:8x8:surf,back
SUSTP(surf_p_f16)
// run surf_p_u8 grid=1 block=64 out=64 in=64 tex=2d:u8x4:8x8:surf,back
SUSTP(surf_p_u8)
// run surf_p_s8 grid=1 block=64 out=64 in=64 tex=2d:s8x4:8x8:surf,back
SUSTP(surf_p_s8)
// run surf_p_u16 grid=1 block=64 out=64 in=64 tex=2d:u16x2:8x8:surf,back
SUSTP(surf_p_u16)
// run surf_p_s16 grid=1 block=64 out=32 in=32 tex=2d:s16x1:8x8:surf,back
SUSTP(surf_p_s16)
// run surf_clamp_wide grid=1 block=256 out=1024 in=64 tex=2d:u32x1:8x8:surf
TKERNEL(surf_clamp_wide) { int x = (int)(TID & 15) - 4, y = (int)(TID >> 4) - 4; uint4 v = surf2Dread<uint4>(s, x * 16, y, cudaBoundaryModeClamp); out[4 * TID] = v.x; out[4 * TID + 1] = v.y; out[4 * TID + 2] = v.z; out[4 * TID + 3] = v.w; }
// run surf_clamp_byte grid=1 block=256 out=256 in=64 tex=2d:u32x1:8x8:surf
TKERNEL(surf_clamp_byte) { int x = (int)(TID & 63) - 12, y = (int)(TID >> 6); out[TID] = surf2Dread<unsigned char>(s, x, y * 5 - 3, cudaBoundaryModeClamp); }

#define QUERY(k, q) asm volatile("txq." q ".b32 %0, [%1];" : "=r"(v) : "l"(t)); out[k] = v
#define QUERIES(name) TKERNEL(name) { u32 v; QUERY(0, "width"); QUERY(1, "height"); QUERY(2, "depth"); asm volatile("suq.width.b32 %0, [%1];" : "=r"(v) : "l"(s)); out[3] = v; asm volatile("suq.height.b32 %0, [%1];" : "=r"(v) : "l"(s)); out[4] = v; asm volatile("suq.depth.b32 %0, [%1];" : "=r"(v) : "l"(s)); out[5] = v; }
// run tex_query1 grid=1 block=1 out=8 in=64 tex=1d:u32x1:64:surf
QUERIES(tex_query1)
// run tex_query2 grid=1 block=1 out=8 in=64 tex=2d:u32x1:4x16:surf
QUERIES(tex_query2)
// run tex_query3 grid=1 block=1 out=8 in=64 tex=3d:u32x1:4x8x2:surf
QUERIES(tex_query3)
// run tex_query_layer1 grid=1 block=1 out=8 in=64 tex=1da:u32x1:16x0x4:surf
QUERIES(tex_query_layer1)
// run tex_query_layer2 grid=1 block=1 out=8 in=60 tex=2da:u32x1:4x5x3:surf
QUERIES(tex_query_layer2)
// run tex_query_cube grid=1 block=1 out=8 in=96 tex=cube:u32x1:4x4x6:surf
QUERIES(tex_query_cube)

// run tex_half grid=1 block=64 out=256 in=128 kind=t16 tex=linear:f16x4:64
TKERNEL(tex_half) { u32 i = TID; float4 v = tex1Dfetch<float4>(t, (int)i); out[4 * i] = F(v.x); out[4 * i + 1] = F(v.y); out[4 * i + 2] = F(v.z); out[4 * i + 3] = F(v.w); }
#define FRACTION(name) TKERNEL(name) { u32 i = GID; out[i] = F(tex1Dfetch<float>(t, (int)i)); }
// run tex_frac_u8 grid=1 block=256 out=256 in=64 kind=bytes tex=linear:u8x1:256
FRACTION(tex_frac_u8)
// run tex_frac_s8 grid=1 block=256 out=256 in=64 kind=bytes tex=linear:s8x1:256
FRACTION(tex_frac_s8)
// run tex_frac_u16 grid=16 block=1024 out=16384 in=8192 kind=shorts tex=linear:u16x1:16384
FRACTION(tex_frac_u16)
// run tex_frac_s16 grid=16 block=1024 out=16384 in=8192 kind=shorts tex=linear:s16x1:16384
FRACTION(tex_frac_s16)
#define MISSING(name, f) TKERNEL(name) { float a, b, c, d; int k = (int)TID - 1; asm volatile("tex.1d.v4." f ".s32 {%0,%1,%2,%3}, [%4, {%5}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(k)); out[4 * TID] = F(a); out[4 * TID + 1] = F(b); out[4 * TID + 2] = F(c); out[4 * TID + 3] = F(d); }
// run tex_missing_f1 grid=1 block=8 out=32 in=6 kind=t32 tex=linear:f32x1:6
MISSING(tex_missing_f1, "f32")
// run tex_missing_f2 grid=1 block=8 out=32 in=12 kind=t32 tex=linear:f32x2:6
MISSING(tex_missing_f2, "f32")
// run tex_missing_u1 grid=1 block=8 out=32 in=6 tex=linear:u32x1:6
MISSING(tex_missing_u1, "f32")
// run tex_missing_n1 grid=1 block=8 out=32 in=2 tex=linear:u8x1:6
MISSING(tex_missing_n1, "f32")
// run tex_fetch2d grid=1 block=128 out=384 in=96 kind=t32 tex=2d:f32x1:12x8
TKERNEL(tex_fetch2d) { u32 i = TID; int x = (int)(i & 15) - 2, y = (int)(i >> 4); float a, b, c, d; asm volatile("tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y + 2)); out[i] = F(a); asm volatile("tex.level.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y), "r"(i & 1)); out[i + 128] = F(a); asm volatile("tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}], {-2,3};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y)); out[i + 256] = F(a); }
// run tex_fetch3d grid=1 block=128 out=256 in=120 kind=t32 tex=3d:f32x1:4x6x5
TKERNEL(tex_fetch3d) { u32 i = TID; int x = (int)(i & 3), y = (int)(i >> 2 & 7) - 1, z = (int)(i >> 5); float a, b, c, d; asm volatile("tex.3d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y), "r"(z)); out[i] = F(a); asm volatile("tex.3d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}], {1,-1,2,2};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y), "r"(z)); out[i + 128] = F(a); }
// run tex_fetch_layer grid=1 block=128 out=256 in=120 kind=t32 tex=2da:f32x1:4x6x5
TKERNEL(tex_fetch_layer) { u32 i = TID; int x = (int)(i & 3), y = (int)(i >> 2 & 7) - 1, z = (int)(i >> 5) * 2; float a, b, c, d; asm volatile("tex.a2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%7,%5,%6,%6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(x), "r"(y), "r"(z)); out[i] = F(a); asm volatile("tex.level.a2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%7,%5,%6,%6}], %8, {1,-1};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"((float)x + 0.5f), "f"((float)y + 0.5f), "r"(z), "f"(0.0f)); out[i + 128] = F(a); }

#define GATHER(k) { float4 v = tex2Dgather<float4>(t, x, y, k); out[16 * i + 4 * k] = F(v.x); out[16 * i + 4 * k + 1] = F(v.y); out[16 * i + 4 * k + 2] = F(v.z); out[16 * i + 4 * k + 3] = F(v.w); }
// run tex_gather grid=1 block=256 out=4096 in=384 kind=t32 tex=2d:f32x4:12x8:gather
TKERNEL(tex_gather) { u32 i = TID; float x = STEP(i, 29, 256, 0.0625f, -2), y = STEP(i, 13, 256, 0.0625f, -3 + 0.015625f); GATHER(0) GATHER(1) GATHER(2) GATHER(3) }
// run tex_gather_edge grid=4 block=256 out=16384 in=384 kind=t32 tex=2d:f32x4:12x8:gather,border,color
TKERNEL(tex_gather_edge) { u32 i = GID; float x = STEP(i, 1, 1024, 0.0009765625f, 0), y = 3.5f + STEP(i, 1, 1024, 0.0000152587890625f, -0.0078125f); GATHER(0) GATHER(1) GATHER(2) GATHER(3) }
// run tex_gather_offset grid=1 block=256 out=1024 in=96 kind=t32 tex=2d:f32x1:12x8:gather
TKERNEL(tex_gather_offset) { u32 i = TID; float x = STEP(i, 29, 256, 0.0625f, -2), y = STEP(i, 13, 256, 0.0625f, -3); float a, b, c, d; asm volatile("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {5,-2};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y)); out[4 * i] = F(a); out[4 * i + 1] = F(b); out[4 * i + 2] = F(c); out[4 * i + 3] = F(d); }

// run tex_edge1 grid=16 block=256 out=8192 in=37 kind=t32 tex=1d:f32x1:37
TKERNEL(tex_edge1) { u32 i = GID; out[i] = F(tex1D<float>(t, 8 + STEP(i, 1, 4096, 0.0000152587890625f, -0.03125f))); out[i + 4096] = F(tex1D<float>(t, __uint_as_float(0x41000000u - 2048 + i))); }
// run tex_edge_unit grid=16 block=256 out=8192 in=37 kind=t32 tex=1d:f32x1:37:unit
TKERNEL(tex_edge_unit) { u32 i = GID; out[i] = F(tex1D<float>(t, STEP(i, 1, 4096, 0.000244140625f, 0))); out[i + 4096] = F(tex1D<float>(t, __uint_as_float(F(8.0f / 37) - 2048 + i))); }
// run tex_edge_wrap grid=16 block=256 out=8192 in=37 kind=t32 tex=1d:f32x1:37:unit,wrap
TKERNEL(tex_edge_wrap) { u32 i = GID; out[i] = F(tex1D<float>(t, STEP(i, 1, 4096, 0.001953125f, -4))); out[i + 4096] = F(tex1D<float>(t, __uint_as_float(F(1.0f) - 2048 + i))); }
// run tex_edge_mirror grid=16 block=256 out=8192 in=37 kind=t32 tex=1d:f32x1:37:unit,mirror
TKERNEL(tex_edge_mirror) { u32 i = GID; out[i] = F(tex1D<float>(t, STEP(i, 1, 4096, 0.001953125f, -4))); out[i + 4096] = F(tex1D<float>(t, __uint_as_float(F(1.0f) - 2048 + i))); }
// run tex_odd grid=1 block=256 out=1024 in=37 kind=t32 tex=1d:f32x1:37
TKERNEL(tex_odd) { u32 i = TID; float x = __uint_as_float(mix(i)), y = __uint_as_float((i & 1) << 31 | (i >> 1) << 24); out[i] = F(tex1D<float>(t, x)); out[i + 256] = F(tex1D<float>(t2, x)); out[i + 512] = F(tex1D<float>(t, y)); out[i + 768] = F(tex1D<float>(t2, y)); }
// run tex_border_color grid=1 block=256 out=1024 in=384 kind=t32 tex=2d:f32x4:12x8:border,color
TKERNEL(tex_border_color) { u32 i = TID; float4 v = tex2D<float4>(t, STEP(i, 29, 64, 0.5f, -8.25f), STEP(i, 13, 64, 0.5f, -8.25f)); out[4 * i] = F(v.x); out[4 * i + 1] = F(v.y); out[4 * i + 2] = F(v.z); out[4 * i + 3] = F(v.w); }
// run tex_border_u8 grid=1 block=256 out=256 in=24 tex=2d:u8x1:12x8:border,color
TKERNEL(tex_border_u8) { u32 i = TID; out[i] = F(tex2D<float>(t, STEP(i, 29, 64, 0.5f, -8.25f), STEP(i, 13, 64, 0.5f, -8.25f))); }
// run tex_border_int grid=1 block=256 out=256 in=96 tex=2d:u32x1:12x8:border,color
TKERNEL(tex_border_int) { u32 i = TID; out[i] = tex2D<unsigned>(t, STEP(i, 29, 64, 0.5f, -8.25f), STEP(i, 13, 64, 0.5f, -8.25f)); }
// run tex_cube grid=4 block=256 out=1024 in=384 tex=cube:u32x1:8x8x6
TKERNEL(tex_cube) { u32 i = GID; out[i] = texCubemap<unsigned>(t, STEP(i, 29, 63, 0.03125f, -0.96875f), STEP(i, 13, 61, 0.03125f, -0.9375f), STEP(i, 7, 59, 0.03125f, -0.90625f)); }
// run tex_cube_layer grid=4 block=256 out=1024 in=768 tex=cubea:u32x1:8x8x12
TKERNEL(tex_cube_layer) { u32 i = GID; out[i] = texCubemapLayered<unsigned>(t, STEP(i, 29, 63, 0.03125f, -0.96875f), STEP(i, 13, 61, 0.03125f, -0.9375f), STEP(i, 7, 59, 0.03125f, -0.90625f), (int)(i % 3)); }

#define LINEAR1(name, k, d, o) TKERNEL(name) { u32 i = GID; out[i] = F(tex1D<float>(t, STEP(i, k, 4096, d, o))); }
// run lin_ramp grid=16 block=256 out=4096 in=16 kind=ramp tex=1d:f32x1:16:linear
LINEAR1(lin_ramp, 1, 0.0009765625f, 4)
// run lin_ramp_fine grid=16 block=256 out=4096 in=16 kind=ramp tex=1d:f32x1:16:linear
LINEAR1(lin_ramp_fine, 1, 0.0000152587890625f, 5.96875f)
// run lin_ramp_unit grid=16 block=256 out=4096 in=16 kind=ramp tex=1d:f32x1:16:linear,unit
LINEAR1(lin_ramp_unit, 1, 0.000244140625f, 0)
// run lin_f32 grid=16 block=256 out=4096 in=37 kind=t32 tex=1d:f32x1:37:linear
LINEAR1(lin_f32, 29, 0.01171875f, -4)
// run lin_wide grid=16 block=256 out=4096 in=37 kind=f32 tex=1d:f32x1:37:linear
LINEAR1(lin_wide, 29, 0.01171875f, -4)
// run lin_f16 grid=16 block=256 out=4096 in=19 kind=t16 tex=1d:f16x1:37:linear
LINEAR1(lin_f16, 29, 0.01171875f, -4)
// run lin_u8 grid=16 block=256 out=4096 in=10 tex=1d:u8x1:37:linear
LINEAR1(lin_u8, 29, 0.01171875f, -4)
// run lin_s8 grid=16 block=256 out=4096 in=10 tex=1d:s8x1:37:linear
LINEAR1(lin_s8, 29, 0.01171875f, -4)
// run lin_u16 grid=16 block=256 out=4096 in=19 tex=1d:u16x1:37:linear
LINEAR1(lin_u16, 29, 0.01171875f, -4)
// run lin_s16 grid=16 block=256 out=4096 in=19 tex=1d:s16x1:37:linear
LINEAR1(lin_s16, 29, 0.01171875f, -4)
// run lin_wrap grid=16 block=256 out=4096 in=37 kind=t32 tex=1d:f32x1:37:linear,unit,wrap
LINEAR1(lin_wrap, 29, 0.0009765625f, -2)
// run lin_mirror grid=16 block=256 out=4096 in=37 kind=t32 tex=1d:f32x1:37:linear,unit,mirror
LINEAR1(lin_mirror, 29, 0.0009765625f, -2)
// run lin_border grid=16 block=256 out=4096 in=37 kind=t32 tex=1d:f32x1:37:linear,border,color
LINEAR1(lin_border, 29, 0.01171875f, -4)
#define LINEAR2(name) TKERNEL(name) { u32 i = GID; out[i] = F(tex2D<float>(t, STEP(i, 29, 4096, 0.00390625f, -2), STEP(i, 45, 4096, 0.0029296875f, -2))); }
// run lin2_ramp grid=16 block=256 out=4096 in=96 kind=ramp tex=2d:f32x1:12x8:linear
LINEAR2(lin2_ramp)
// run lin2_f32 grid=16 block=256 out=4096 in=96 kind=t32 tex=2d:f32x1:12x8:linear
LINEAR2(lin2_f32)
// run lin2_pitch grid=16 block=256 out=4096 in=96 kind=t32 tex=pitch:f32x1:12x8:linear
LINEAR2(lin2_pitch)
// run lin2_wide grid=16 block=256 out=4096 in=96 kind=f32 tex=2d:f32x1:12x8:linear
LINEAR2(lin2_wide)
// run lin2_u8 grid=16 block=256 out=4096 in=24 tex=2d:u8x1:12x8:linear
LINEAR2(lin2_u8)
// run lin2_s16 grid=16 block=256 out=4096 in=48 tex=2d:s16x1:12x8:linear
LINEAR2(lin2_s16)
// run lin2_border grid=16 block=256 out=4096 in=96 kind=t32 tex=2d:f32x1:12x8:linear,border
LINEAR2(lin2_border)
// run lin2_four grid=4 block=256 out=4096 in=96 tex=2d:u8x4:12x8:linear,unit,mirror
TKERNEL(lin2_four) { u32 i = GID; float4 v = tex2D<float4>(t, STEP(i, 29, 1024, 0.00390625f, -2), STEP(i, 45, 1024, 0.00390625f, -2)); out[4 * i] = F(v.x); out[4 * i + 1] = F(v.y); out[4 * i + 2] = F(v.z); out[4 * i + 3] = F(v.w); }
#define LINEAR3(name) TKERNEL(name) { u32 i = GID; out[i] = F(tex3D<float>(t, STEP(i, 29, 4096, 0.00390625f, -2), STEP(i, 45, 4096, 0.0029296875f, -2), STEP(i, 77, 4096, 0.001953125f, -1))); }
// run lin3_f32 grid=16 block=256 out=4096 in=480 kind=t32 tex=3d:f32x1:12x8x5:linear
LINEAR3(lin3_f32)
// run lin3_u8 grid=16 block=256 out=4096 in=120 tex=3d:u8x1:12x8x5:linear
LINEAR3(lin3_u8)
// run lin_layer grid=16 block=256 out=4096 in=480 kind=t32 tex=2da:f32x1:12x8x5:linear
TKERNEL(lin_layer) { u32 i = GID; out[i] = F(tex2DLayered<float>(t, STEP(i, 29, 4096, 0.00390625f, -2), STEP(i, 45, 4096, 0.0029296875f, -2), (int)(i % 5))); }
// run lin_cube grid=4 block=256 out=1024 in=384 kind=t32 tex=cube:f32x1:8x8x6:linear
TKERNEL(lin_cube) { u32 i = GID; out[i] = F(texCubemap<float>(t, STEP(i, 29, 63, 0.03125f, -0.96875f), STEP(i, 13, 61, 0.03125f, -0.9375f), STEP(i, 7, 59, 0.03125f, -0.90625f))); }
