/* convert.cu - conversions among all types; half and bfloat16 arithmetic, comparison and functions. */
#include "feature.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#define O(k) out[TID + (k) * 128]
#define Q(k) ((u64 *)out)[TID + (k) * 128]

// run cvt_f32int grid=1 block=128 out=3072 in=128 kind=f32
KERNEL(cvt_f32int)
{
    float a = __uint_as_float(in[TID]);
    O(0) = (u32)__float2int_rn(a); O(1) = (u32)__float2int_rz(a); O(2) = (u32)__float2int_ru(a); O(3) = (u32)__float2int_rd(a); O(4) = __float2uint_rn(a); O(5) = __float2uint_rz(a); O(6) = __float2uint_ru(a); O(7) = __float2uint_rd(a);
    Q(4) = (u64)__float2ll_rn(a); Q(5) = (u64)__float2ll_rz(a); Q(6) = __float2ull_ru(a); Q(7) = __float2ull_rd(a); O(16) = (u32)(signed char)a; O(17) = (unsigned char)a; O(18) = (u32)(short)a; O(19) = (unsigned short)a; O(20) = __float_as_uint(floorf(a)); O(21) = __float_as_uint(rintf(a)); Q(11) = (u64)__double_as_longlong((double)a);
}
// run cvt_f64int grid=1 block=128 out=3072 in=256 kind=f64
KERNEL(cvt_f64int)
{
    double a = __longlong_as_double((long long)((const u64 *)in)[TID]);
    O(0) = (u32)__double2int_rn(a); O(1) = (u32)__double2int_rz(a); O(2) = (u32)__double2int_ru(a); O(3) = (u32)__double2int_rd(a); O(4) = __double2uint_rn(a); O(5) = __double2uint_rz(a); O(6) = __double2uint_ru(a); O(7) = __double2uint_rd(a);
    Q(4) = (u64)__double2ll_rn(a); Q(5) = (u64)__double2ll_rz(a); Q(6) = __double2ull_ru(a); Q(7) = __double2ull_rd(a); O(16) = __float_as_uint(__double2float_rn(a)); O(17) = __float_as_uint(__double2float_rz(a)); O(18) = __float_as_uint(__double2float_ru(a)); O(19) = __float_as_uint(__double2float_rd(a)); O(20) = (u32)__double2hiint(a); O(21) = (u32)(short)a; O(22) = (unsigned char)a; O(23) = __half_as_ushort(__double2half(a));
}
// run cvt_int grid=1 block=128 out=3328 in=256
KERNEL(cvt_int)
{
    u32 a = in[TID] >> (in[TID + 128] & 31); s32 b = (s32)in[TID] >> (in[TID + 128] & 31); u64 c = (u64)in[TID] << 32 | in[TID + 128]; c >>= TID & 63; s64 d = (s64)((u64)in[TID] << 32 | in[TID + 128]) >> (TID & 63);
    O(0) = __float_as_uint(__uint2float_rn(a)); O(1) = __float_as_uint(__uint2float_rz(a)); O(2) = __float_as_uint(__uint2float_ru(a)); O(3) = __float_as_uint(__int2float_rn(b)); O(4) = __float_as_uint(__int2float_rd(b)); O(5) = __float_as_uint(__ull2float_rn(c)); O(6) = __float_as_uint(__ull2float_rz(c)); O(7) = __float_as_uint(__ll2float_ru(d));
    Q(4) = (u64)__double_as_longlong(__uint2double_rn(a)); Q(5) = (u64)__double_as_longlong(__int2double_rn(b)); Q(6) = (u64)__double_as_longlong(__ull2double_rn(c)); Q(7) = (u64)__double_as_longlong(__ull2double_rd(c)); Q(8) = (u64)__double_as_longlong(__ll2double_ru(d)); O(18) = __float_as_uint((float)(unsigned char)(a >> 3)); O(19) = __float_as_uint((float)(short)a); O(20) = __float_as_uint((float)(signed char)(a >> 5)); O(21) = __float_as_uint((float)(unsigned short)a); O(22) = __half_as_ushort(__uint2half_rn(a)) | (u32)__half_as_ushort(__int2half_rz(b)) << 16; O(23) = __half_as_ushort(__ull2half_ru(c)) | (u32)__half_as_ushort(__ll2half_rd(d)) << 16; Q(12) = (u64)__double_as_longlong((double)(short)a);
}
#define H(x) (u32)__half_as_ushort(x)
// run cvt_half grid=1 block=128 out=3072 in=256 kind=f16
KERNEL(cvt_half)
{
    __half a = __ushort_as_half((unsigned short)in[TID]), b = __ushort_as_half((unsigned short)(in[TID] >> 16));
    O(0) = H(a + b); O(1) = H(a - b); O(2) = H(a * b); O(3) = H(__hfma(a, b, a)); O(4) = H(a / b); O(5) = H(hsqrt(a)); O(6) = H(hrcp(b)); O(7) = H(hexp(a)); O(8) = H(hlog(b)); O(9) = H(hsin(a)); O(10) = H(htrunc(a)) | H(hceil(b)) << 16; O(11) = H(hfloor(a)) | H(hrint(b)) << 16;
    O(12) = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | __hltu(a, b) << 6 | __hneu(a, b) << 7 | __hisnan(a) << 8 | !!__hisinf(b) << 9; O(13) = __float_as_uint(__half2float(a)); O(14) = (u32)__half2int_rn(a); O(15) = (u32)__half2int_rz(b); O(16) = __half2uint_ru(a); O(17) = (u32)__half2short_rd(a) + __half2ushort_rz(b) * 65536; Q(9) = (u64)__half2ll_rn(a); O(20) = H(__hmax(a, b)) | H(__hmin(a, b)) << 16; O(21) = H(__habs(a)) | H(__hneg(b)) << 16; O(22) = H(__hadd_sat(a, b)) | H(__hmul_sat(a, b)) << 16; O(23) = H(hrsqrt(a)) | H(hlog2(b)) << 16;
}
union h2u { __half2 h; u32 u; __device__ h2u(__half2 x) : h(x) {} __device__ h2u(u32 x) : u(x) {} };
#define P2(x) h2u(x).u
// run cvt_half2 grid=1 block=128 out=2816 in=256 kind=f16
KERNEL(cvt_half2)
{
    __half2 a = h2u(in[TID]).h, b = h2u(in[TID + 128]).h;
    O(0) = P2(__hadd2(a, b)); O(1) = P2(__hsub2(a, b)); O(2) = P2(__hmul2(a, b)); O(3) = P2(__hfma2(a, b, a)); O(4) = P2(__h2div(a, b)); O(5) = P2(__hadd2_sat(a, b)); O(6) = P2(__hfma2_sat(a, b, b)); O(7) = P2(__heq2(a, b)); O(8) = P2(__hgt2(a, b)); O(9) = P2(__hltu2(a, b)); O(10) = P2(__hmax2(a, b)); O(11) = P2(__hmin2(a, b)); O(12) = __hbeq2(a, b) + 2 * __hbgt2(a, b) + 4 * __hbneu2(a, b); O(13) = P2(__lowhigh2highlow(a)); O(14) = P2(__hneg2(__habs2(a))); O(15) = P2(h2exp2(a)); O(16) = P2(h2rsqrt(b)); O(17) = P2(h2cos(a)); O(18) = P2(__hcmadd(a, b, a)); O(19) = __heq2_mask(a, b) ^ __hleu2_mask(a, b); O(20) = P2(__hisnan2(a)); O(21) = P2(__low2half2(a) * __high2half2(b) + __floats2half2_rn(1.5f, -2.0f));
}
// run cvt_bf16 grid=1 block=128 out=2560 in=256 kind=bf16 arch=80
#if __CUDA_ARCH__ >= 800
#define B(x) (u32)__bfloat16_as_ushort(x)
union b2u { __nv_bfloat162 h; u32 u; __device__ b2u(__nv_bfloat162 x) : h(x) {} __device__ b2u(u32 x) : u(x) {} };
KERNEL(cvt_bf16)
{
    __nv_bfloat162 p = b2u(in[TID]).h, q = b2u(in[TID + 128]).h; __nv_bfloat16 a = p.x, b = p.y;
    O(0) = B(a + b); O(1) = B(a - b); O(2) = B(a * b); O(3) = B(__hfma(a, b, a)); O(4) = B(a / b); O(5) = B(hsqrt(a)); O(6) = B(hexp(b)); O(7) = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a == b) << 4 | (a != b) << 5 | __hisnan(a) << 8; O(8) = __float_as_uint(__bfloat162float(a)); O(9) = (u32)__bfloat162int_rz(a); O(10) = b2u(__hfma2(p, q, p)).u; O(11) = b2u(__hmax2(p, q)).u; O(12) = b2u(__hmin2_nan(p, q)).u; O(13) = b2u(__hgt2(p, q)).u; O(14) = b2u(__hadd2(p, q)).u; O(15) = b2u(__hmul2(p, q)).u; O(16) = b2u(__hfma2_relu(p, q, q)).u; O(17) = B(__float2bfloat16_rz(__uint_as_float(in[TID]))) | B(__float2bfloat16_rn(__uint_as_float(in[TID]))) << 16; O(18) = B(__int2bfloat16_rn((s32)in[TID])) | B(__uint2bfloat16_ru(in[TID])) << 16; O(19) = b2u(__hsub2(p, q)).u;
}
#endif
// run cvt_fp8 grid=1 block=128 out=1024 in=256 kind=m32 golden=89
KERNEL(cvt_fp8)
{
    float a = __uint_as_float(in[TID]), b = __uint_as_float(in[TID + 128]);
    O(0) = __nv_cvt_float_to_fp8(a, __NV_SATFINITE, __NV_E4M3); O(1) = __nv_cvt_float_to_fp8(a, __NV_NOSAT, __NV_E5M2); O(2) = __nv_cvt_float2_to_fp8x2(make_float2(a, b), __NV_SATFINITE, __NV_E5M2); O(3) = __nv_cvt_float2_to_fp8x2(make_float2(a, b), __NV_SATFINITE, __NV_E4M3); O(4) = __nv_cvt_fp8_to_halfraw((unsigned char)in[TID], __NV_E4M3).x; O(5) = __nv_cvt_fp8_to_halfraw((unsigned char)in[TID], __NV_E5M2).x; __half2_raw r = __nv_cvt_fp8x2_to_halfraw2((unsigned short)in[TID + 128], __NV_E4M3); O(6) = r.x | (u32)r.y << 16; O(7) = __nv_cvt_double_to_fp8((double)b, __NV_SATFINITE, __NV_E4M3);
}
