/* tex.cu - texture fetches of every dimension, type and mode through texture objects. */
#include <cuda_runtime.h>

#define PUT4(v) do { float4 t_ = (v); o[i] = t_.x + t_.y * 2 + t_.z * 3 + t_.w * 4; } while (0)
#define K extern "C" __global__ void

K t1d(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1D<float>(t, x + i); }
K t1df(cudaTextureObject_t t, float4 *o) { int i = threadIdx.x; o[i] = tex1Dfetch<float4>(t, i); }
K t1dfi(cudaTextureObject_t t, int *o) { int i = threadIdx.x; o[i] = tex1Dfetch<int>(t, i) + tex1Dfetch<short2>(t, i + 3).y; }
K t1lod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1DLod<float>(t, x + i, x); }
K t1grad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1DGrad<float>(t, x + i, x, x * 2); }
K t1lay(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1DLayered<float>(t, x + i, i); }
K t1laylod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1DLayeredLod<float>(t, x + i, i, x); }
K t1laygrad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex1DLayeredGrad<float>(t, x + i, i, x, x); }
K t2d(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2D<float4>(t, x + i, x * i)); }
K t2d2(cudaTextureObject_t t, float2 *o, float x) { int i = threadIdx.x; o[i] = tex2D<float2>(t, x + i, x * i); }
K t2d1(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; o[i] = tex2D<float4>(t, x + i, x * i).w; }
K t2du(cudaTextureObject_t t, uchar4 *o, float x) { int i = threadIdx.x; o[i] = tex2D<uchar4>(t, x + i, x * i); }
K t2dyw(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; float4 v = tex2D<float4>(t, x + i, x * i); o[i] = v.y + v.w; }
K t2lod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DLod<float4>(t, x + i, x * i, x)); }
K t2lod0(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DLod<float4>(t, x + i, x * i, 0.0f)); }
K t2grad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DGrad<float4>(t, x + i, x * i, make_float2(x, 1), make_float2(2, x))); }
K t2lay(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DLayered<float4>(t, x + i, x * i, i)); }
K t2laylod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DLayeredLod<float4>(t, x + i, x * i, i, x)); }
K t2laygrad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex2DLayeredGrad<float4>(t, x + i, x * i, i, make_float2(x, 1), make_float2(2, x))); }
K t3d(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex3D<float4>(t, x + i, x * i, x - i)); }
K t3lod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex3DLod<float4>(t, x + i, x * i, x - i, x)); }
K t3grad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(tex3DGrad<float4>(t, x + i, x * i, x - i, make_float4(x, 1, 2, 0), make_float4(2, x, i, 0))); }
K tcube(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(texCubemap<float4>(t, x + i, x * i, x - i)); }
K tcubelod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(texCubemapLod<float4>(t, x + i, x * i, x - i, x)); }
K tcubegrad(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(texCubemapGrad<float4>(t, x + i, x * i, x - i, make_float4(x, 1, 2, 0), make_float4(2, x, i, 0))); }
K tcubelay(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(texCubemapLayered<float4>(t, x + i, x * i, x - i, i)); }
K tcubelaylod(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; PUT4(texCubemapLayeredLod<float4>(t, x + i, x * i, x - i, i, x)); }
K tgather(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; float4 a = tex2Dgather<float4>(t, x + i, x * i, 0), b = tex2Dgather<float4>(t, x, x * i, 1), c = tex2Dgather<float4>(t, x + i, x, 2), d = tex2Dgather<float4>(t, x - i, x * i, 3); o[i] = a.x + b.y + c.z + d.w + a.w; }
K tgatheri(cudaTextureObject_t t, int4 *o, float x) { int i = threadIdx.x; o[i] = tex2Dgather<int4>(t, x + i, x * i, 2); }
K tsparse(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; bool r; float4 v = tex2D<float4>(t, x + i, x * i, &r); o[i] = r ? v.x : v.y; }
K tsparse3(cudaTextureObject_t t, float *o, float x) { int i = threadIdx.x; bool r; float4 v = tex3DLod<float4>(t, x + i, x * i, x, x, &r); o[i] = r ? v.x : v.y; }
K tdiv(cudaTextureObject_t *t, float *o, float x) { int i = threadIdx.x; PUT4(tex2D<float4>(t[i], x + i, x * i)); }
K tquery(cudaTextureObject_t t, int *o)
{
    int w, h, d, c, f, n, l, s;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(t));
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(t));
    asm volatile("txq.depth.b32 %0, [%1];" : "=r"(d) : "l"(t));
    asm volatile("txq.channel_data_type.b32 %0, [%1];" : "=r"(c) : "l"(t));
    asm volatile("txq.channel_order.b32 %0, [%1];" : "=r"(f) : "l"(t));
    asm volatile("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(n) : "l"(t));
    asm volatile("txq.array_size.b32 %0, [%1];" : "=r"(l) : "l"(t));
    asm volatile("txq.num_samples.b32 %0, [%1];" : "=r"(s) : "l"(t));
    o[0] = w; o[1] = h; o[2] = d; o[3] = c; o[4] = f; o[5] = n; o[6] = l; o[7] = s;
}
K tptx(cudaTextureObject_t t, float4 *o, float x)
{
    int i = threadIdx.x; float a, b, c, d;
    asm volatile("tex.2dms.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "r"(i), "r"(i));
    o[i] = make_float4(a, b, c, d);
    asm volatile("tex.a2dms.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "r"(i), "r"(i));
    o[i + 32] = make_float4(a, b, c, d);
    asm volatile("tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "r"(i));
    o[i + 64] = make_float4(a, b, c, d);
    asm volatile("tex.3d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%6,%6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "r"(i));
    o[i + 96] = make_float4(a, b, c, d);
    asm volatile("tex.a2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6,%6,%6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "r"(i));
    o[i + 128] = make_float4(a, b, c, d);
    asm volatile("{.reg .b32 e; mov.b32 e, 0x00010201; tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%5}], e;}" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x));
    o[i + 160] = make_float4(a, b, c, d);
    asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%5}], {%6,%6}, %5;" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "r"(i));
    o[i + 192] = make_float4(a, b, c, d);
    asm volatile("{.reg .b32 e<2>; mov.b32 e0, 1; mov.b32 e1, 2; tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%5}], {e0,e1};}" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x));
    o[i + 224] = make_float4(a, b, c, d);
    asm volatile("tld4.g.a2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%6,%6}], %6;" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "r"(i), "f"(x));
    o[i + 256] = make_float4(a, b, c, d);
    asm volatile("tld4.b.cube.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%5,%5,%5}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x));
    o[i + 288] = make_float4(a, b, c, d);
    asm volatile("tex.base.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%5}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x));
    o[i + 320] = make_float4(a, b, c, d);
}
K th(cudaTextureObject_t t, uint2 *o, float x)
{
    int i = threadIdx.x; unsigned a, b;
    asm volatile("tex.2d.v2.f16x2.f32 {%0,%1}, [%2, {%3,%3}];" : "=r"(a), "=r"(b) : "l"(t), "f"(x));
    o[i] = make_uint2(a, b);
}
