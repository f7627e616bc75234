/* surf.cu - surface loads, stores and reductions of every dimension, width and boundary mode. */
#include <cuda_runtime.h>
#include <surface_indirect_functions.h>
#define K extern "C" __global__ void

#define RW(T, n) \
    K s1_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surf1Dread<T>(s, i * 16); surf1Dwrite<T>(o[i], s, i * 16 + 64); o[i] = v; } \
    K s2_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surf2Dread<T>(s, i * 16, i, cudaBoundaryModeClamp); surf2Dwrite<T>(o[i], s, i * 16 + 64, i, cudaBoundaryModeZero); o[i] = v; } \
    K s3_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surf3Dread<T>(s, i * 16, i, i + 1, cudaBoundaryModeZero); surf3Dwrite<T>(o[i], s, i * 16 + 64, i, 3, cudaBoundaryModeClamp); o[i] = v; } \
    K sl_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surf2DLayeredread<T>(s, i * 16, i, i + 1); surf2DLayeredwrite<T>(o[i], s, i * 16 + 64, i, 3); o[i] = v; } \
    K s1l_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surf1DLayeredread<T>(s, i * 16, i); surf1DLayeredwrite<T>(o[i], s, i * 16 + 64, i); o[i] = v; } \
    K sc_##n(cudaSurfaceObject_t s, T *o) { int i = threadIdx.x; T v = surfCubemapread<T>(s, i * 16, i, 2); surfCubemapwrite<T>(o[i], s, i * 16 + 64, i, 3); o[i] = v; }
RW(uchar1, u8) RW(short1, s16) RW(int, s32) RW(uint2, u64) RW(float4, f128) RW(uchar4, u8x4)

#define RED(NAME, PTX) K NAME(cudaSurfaceObject_t s, int v) { int i = threadIdx.x; PTX; }
RED(r_add, asm volatile("sured.b.add.2d.u32.trap [%0, {%1,%2}], %3;" ::"l"(s), "r"(i * 4), "r"(i), "r"(v)))
RED(r_min, asm volatile("sured.b.min.2d.s32.clamp [%0, {%1,%2}], %3;" ::"l"(s), "r"(i * 4), "r"(i), "r"(v)))
RED(r_max, asm volatile("sured.b.max.1d.u32.zero [%0, {%1}], %2;" ::"l"(s), "r"(i * 4), "r"(v)))
RED(r_and, asm volatile("sured.b.and.3d.b32.trap [%0, {%1,%2,%2,%2}], %3;" ::"l"(s), "r"(i * 4), "r"(i), "r"(v)))
RED(r_or, asm volatile("sured.b.or.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(i * 4), "r"(v)))
RED(r_p, asm volatile("sured.p.add.2d.b32.trap [%0, {%1,%2}], %3;" ::"l"(s), "r"(i), "r"(i), "r"(v)))
RED(r_64, asm volatile("{.reg .b64 q; cvt.u64.u32 q, %3; sured.b.add.2d.u64.trap [%0, {%1,%2}], q;}" ::"l"(s), "r"(i), "r"(i), "r"(v)))
RED(p_st, asm volatile("sust.p.2d.v4.b32.trap [%0, {%1,%2}], {%3,%3,%3,%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)))
RED(p_st1, asm volatile("sust.p.1d.b32.clamp [%0, {%1}], {%2};" ::"l"(s), "r"(i), "r"(v)))
RED(b_cs, asm volatile("sust.b.2d.cs.b32.trap [%0, {%1,%2}], {%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)))
RED(b_wt, asm volatile("sust.b.2d.wt.v2.b32.trap [%0, {%1,%2}], {%3,%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)))
K ld_cv(cudaSurfaceObject_t s, int *o) { int i = threadIdx.x, a, b; asm volatile("suld.b.2d.cv.b32.trap {%0}, [%1, {%2,%2}];" : "=r"(a) : "l"(s), "r"(i)); asm volatile("suld.b.2d.cg.b32.zero {%0}, [%1, {%2,%2}];" : "=r"(b) : "l"(s), "r"(i)); o[i] = a + b; }
K squery(cudaSurfaceObject_t t, int *o) { int w, h, d; asm volatile("suq.width.b32 %0, [%1];" : "=r"(w) : "l"(t)); asm volatile("suq.height.b32 %0, [%1];" : "=r"(h) : "l"(t)); asm volatile("suq.depth.b32 %0, [%1];" : "=r"(d) : "l"(t)); o[0] = w; o[1] = h; o[2] = d; }
K s2_default(cudaSurfaceObject_t s, int *o) { int i = threadIdx.x; surf2Dwrite<int>(o[i], s, i * 4, i); surf2Dwrite<uchar4>(make_uchar4(1, 2, 3, i), s, i * 4, i, cudaBoundaryModeTrap); surf2Dwrite<float4>(make_float4(1, 2, 3, i), s, i * 16, i); surf1Dwrite<short>(3, s, i * 2); }
K s2_fmt(cudaSurfaceObject_t s, int v) { int i = threadIdx.x; asm volatile("sust.p.2d.v2.b32.zero [%0, {%1,%2}], {%3,%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)); asm volatile("sust.p.3d.v4.b32.trap [%0, {%1,%2,%2,%2}], {%3,%3,%3,%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)); asm volatile("sust.p.a2d.v4.b32.trap [%0, {%1,%2,%2,%2}], {%3,%3,%3,%3};" ::"l"(s), "r"(i), "r"(i), "r"(v)); }
