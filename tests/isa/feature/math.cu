/* math.cu - float and double arithmetic: division, roots, rounding modes, approximations, the whole libm. */
#include "feature.h"
#define FA __uint_as_float(in[TID])
#define FB __uint_as_float(in[TID + 128])
#define DA __longlong_as_double((long long)((const u64 *)in)[TID])
#define DB __longlong_as_double((long long)((const u64 *)in)[TID + 128])
#define SF(k, e) ((float *)out)[TID + (k) * 128] = (e);
#define SD(k, e) ((double *)out)[TID + (k) * 128] = (e);

// run math_f32 grid=1 block=128 out=2560 in=256 kind=f32
KERNEL(math_f32)
{
    float a = FA, b = FB;
    SF(0, a / b) SF(1, sqrtf(a)) SF(2, 1.0f / a) SF(3, rsqrtf(a)) SF(4, __fdiv_rz(a, b)) SF(5, __fdiv_ru(a, b)) SF(6, __fdiv_rd(a, b)) SF(7, __fsqrt_rz(a)) SF(8, __fsqrt_ru(b)) SF(9, __frcp_rd(a)) SF(10, __fadd_rd(a, b)) SF(11, __fmul_ru(a, b)) SF(12, __fmaf_rz(a, b, a)) SF(13, a * b + a) SF(14, fmaxf(a, b)) SF(15, fminf(a, b)) SF(16, __saturatef(a)) SF(17, -a * fabsf(b) - a) SF(18, __frcp_ru(b)) SF(19, __fsqrt_rd(a))
}
// run math_f64 grid=1 block=128 out=4096 in=512 kind=f64
KERNEL(math_f64)
{
    double a = DA, b = DB;
    SD(0, a / b) SD(1, sqrt(a)) SD(2, 1.0 / a) SD(3, rsqrt(a)) SD(4, __ddiv_rz(a, b)) SD(5, __ddiv_ru(a, b)) SD(6, __ddiv_rd(a, b)) SD(7, __dsqrt_rz(a)) SD(8, __dsqrt_ru(b)) SD(9, __drcp_rd(a)) SD(10, __dadd_rd(a, b)) SD(11, __dmul_ru(a, b)) SD(12, __fma_rz(a, b, a)) SD(13, fmax(a, b)) SD(14, fmin(a, b)) SD(15, -a * fabs(b) - a)
}
// run math_fast grid=1 block=128 out=2304 in=256 kind=f32
KERNEL(math_fast)
{
    float a = FA, b = FB, s, c, x;
    SF(0, __sinf(a)) SF(1, __cosf(a)) SF(2, __tanf(b)) SF(3, __expf(a)) SF(4, __exp10f(b)) SF(5, __logf(a)) SF(6, __log2f(b)) SF(7, __log10f(a)) SF(8, __powf(a, b)) SF(9, __fdividef(a, b)) __sincosf(b, &s, &c); SF(10, s - c)
    asm("tanh.approx.f32 %0,%1;" : "=f"(x) : "f"(a)); SF(11, x) asm("ex2.approx.ftz.f32 %0,%1;" : "=f"(x) : "f"(a)); SF(12, x) asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(x) : "f"(b)); SF(13, x) asm("sqrt.approx.f32 %0,%1;" : "=f"(x) : "f"(a)); SF(14, x) asm("rsqrt.approx.ftz.f32 %0,%1;" : "=f"(x) : "f"(b)); SF(15, x) asm("lg2.approx.ftz.f32 %0,%1;" : "=f"(x) : "f"(a)); SF(16, x) asm("div.full.f32 %0,%1,%2;" : "=f"(x) : "f"(a), "f"(b)); SF(17, x)
}
// run math_approx64 grid=1 block=128 out=768 in=512 kind=f64
KERNEL(math_approx64)
{
    double a = DA, x;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(x) : "d"(a)); SD(0, x) asm("rsqrt.approx.ftz.f64 %0,%1;" : "=d"(x) : "d"(a)); SD(1, x) asm("rsqrt.approx.f64 %0,%1;" : "=d"(x) : "d"(a)); SD(2, x)
}
// run math_cmp32 grid=1 block=128 out=512 in=256 kind=f32
KERNEL(math_cmp32)
{
    float a = FA, b = FB; u32 *o = out + TID;
    o[0] = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | !(a < b) << 6 | !(a >= b) << 7 | isnan(a) << 8 | isinf(a) << 9 | isfinite(b) << 10 | !!signbit(a) << 11 | (isnan(a) || isnan(b)) << 12 | (a < b || a > b) << 13 | (fabsf(a) > fabsf(b)) << 14 | (-a < b) << 15;
    o[128] = a < b ? in[TID] : in[TID + 128]; o[256] = (a < b && b != 1.0f) || (a > 2.0f); o[384] = __float_as_uint(a > 0 ? a : b * 2);
}
// run math_cmp64 grid=1 block=128 out=256 in=512 kind=f64
KERNEL(math_cmp64)
{
    double a = DA, b = DB;
    out[TID] = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | !(a < b) << 6 | !(a >= b) << 7 | isnan(a) << 8 | isinf(a) << 9 | isfinite(b) << 10 | !!signbit(a) << 11 | (isnan(a) || isnan(b)) << 12 | (fabs(a) > fabs(b)) << 14 | (-a < b) << 15;
    out[TID + 128] = (u32)__double_as_longlong(a > b ? a : b * 2);
}
#define M1(f) SF(k++, f(a))
#define M1D(f) SD(k++, f(a))
// run math_trig32 grid=1 block=128 out=2048 in=256 kind=m32
KERNEL(math_trig32) { float a = FA, b = FB, s, c; int k = 0; M1(sinf) M1(cosf) M1(tanf) M1(asinf) M1(acosf) M1(atanf) M1(sinhf) M1(coshf) M1(tanhf) M1(asinhf) M1(acoshf) M1(atanhf) M1(sinpif) M1(cospif) SF(k++, atan2f(a, b)) sincosf(b, &s, &c); SF(k++, s + c) }
// run math_exp32 grid=1 block=128 out=2304 in=256 kind=m32
KERNEL(math_exp32) { float a = FA, b = FB; int k = 0; M1(expf) M1(exp2f) M1(exp10f) M1(expm1f) M1(logf) M1(log2f) M1(log10f) M1(log1pf) M1(logbf) M1(cbrtf) M1(rcbrtf) SF(k++, powf(a, b)) SF(k++, hypotf(a, b)) SF(k++, rhypotf(a, b)) SF(k++, powf(fabsf(a), b)) SF(k++, norm3df(a, b, a)) SF(k++, rnorm4df(a, b, a, b)) SF(k++, ldexpf(a, 5)) }
// run math_special32 grid=1 block=128 out=2304 in=256 kind=m32
KERNEL(math_special32) { float a = FA; int k = 0; M1(erff) M1(erfcf) M1(erfinvf) M1(erfcinvf) M1(erfcxf) M1(lgammaf) M1(tgammaf) M1(normcdff) M1(normcdfinvf) M1(j0f) M1(j1f) M1(y0f) M1(y1f) M1(cyl_bessel_i0f) M1(cyl_bessel_i1f) SF(k++, jnf(3, a)) SF(k++, ynf(2, a)) SF(k++, jnf(5, FB)) }
// run math_round32 grid=1 block=128 out=2432 in=256 kind=m32
KERNEL(math_round32) { float a = FA, b = FB, t; int k = 0, q; M1(floorf) M1(ceilf) M1(truncf) M1(roundf) M1(rintf) M1(nearbyintf) SF(k++, fmodf(a, b)) SF(k++, remainderf(a, b)) SF(k++, fdimf(a, b)) SF(k++, copysignf(a, b)) SF(k++, nextafterf(a, b)) SF(k++, frexpf(a, &q)) SF(k++, (float)q) SF(k++, modff(a, &t)) SF(k++, t) SF(k++, remquof(a, b, &q)) SF(k++, (float)q) SF(k++, (float)ilogbf(a)) SF(k++, (float)lroundf(b)) }
// run math_trig64 grid=1 block=128 out=4096 in=512 kind=m64
KERNEL(math_trig64) { double a = DA, b = DB, s, c; int k = 0; M1D(sin) M1D(cos) M1D(tan) M1D(asin) M1D(acos) M1D(atan) M1D(sinh) M1D(cosh) M1D(tanh) M1D(asinh) M1D(acosh) M1D(atanh) M1D(sinpi) M1D(cospi) SD(k++, atan2(a, b)) sincos(b, &s, &c); SD(k++, s + c) }
// run math_exp64 grid=1 block=128 out=4096 in=512 kind=m64
KERNEL(math_exp64) { double a = DA, b = DB; int k = 0; M1D(exp) M1D(exp2) M1D(exp10) M1D(expm1) M1D(log) M1D(log2) M1D(log10) M1D(log1p) M1D(logb) M1D(cbrt) M1D(rcbrt) SD(k++, pow(a, b)) SD(k++, hypot(a, b)) SD(k++, rhypot(a, b)) SD(k++, pow(fabs(a), b)) SD(k++, norm3d(a, b, a)) }
// run math_special64 grid=1 block=128 out=4608 in=512 kind=m64
KERNEL(math_special64) { double a = DA; int k = 0; M1D(erf) M1D(erfc) M1D(erfinv) M1D(erfcinv) M1D(erfcx) M1D(lgamma) M1D(tgamma) M1D(normcdf) M1D(normcdfinv) M1D(j0) M1D(j1) M1D(y0) M1D(y1) M1D(cyl_bessel_i0) M1D(cyl_bessel_i1) SD(k++, jn(3, a)) SD(k++, yn(2, a)) SD(k++, jn(5, DB)) }
// run math_round64 grid=1 block=128 out=4608 in=512 kind=m64
KERNEL(math_round64) { double a = DA, b = DB, t; int k = 0, q; M1D(floor) M1D(ceil) M1D(trunc) M1D(round) M1D(rint) SD(k++, fmod(a, b)) SD(k++, remainder(a, b)) SD(k++, fdim(a, b)) SD(k++, copysign(a, b)) SD(k++, nextafter(a, b)) SD(k++, frexp(a, &q)) SD(k++, (double)q) SD(k++, modf(a, &t)) SD(k++, t) SD(k++, remquo(a, b, &q)) SD(k++, (double)q) SD(k++, (double)ilogb(a)) SD(k++, ldexp(b, -7)) }
