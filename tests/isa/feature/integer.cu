/* integer.cu - division, wide products, shifts, bit fields, permutes, dot products, packed words. */
#include "feature.h"
#define I(k) in[TID + (k) * 64]

// run int_div grid=1 block=64 out=512 in=128
KERNEL(int_div)
{
    u32 a = I(0), b = I(1) >> (TID & 31) | 1; s32 c = (s32)a, d = (s32)b; if (d == -1) d = 3;
    out[TID] = a / b; out[TID + 64] = a % b; out[TID + 128] = (u32)(c / d); out[TID + 192] = (u32)(c % d); out[TID + 256] = a / 7 + a % 1000; out[TID + 320] = (u32)(c / 7 - c % 1000 + c / 8 + c % 16); out[TID + 384] = a / 0xfffffff1u + a / 641; out[TID + 448] = (u32)((short)a / (short)(b | 1)) + (unsigned char)a / (unsigned char)(b | 1);
}
// run int_div64 grid=1 block=64 out=768 in=256
KERNEL(int_div64)
{
    u64 a = (u64)I(0) << 32 | I(1), b = ((u64)I(2) << 32 | I(3)) >> (TID & 63) | 1, *o = (u64 *)out; s64 c = (s64)a, d = (s64)b; if (d == -1) d = 3;
    o[TID] = a / b; o[TID + 64] = a % b; o[TID + 128] = (u64)(c / d); o[TID + 192] = (u64)(c % d); o[TID + 256] = a / 10 + a % 1000003; o[TID + 320] = (u64)(c / 10 - c % 1000);
}
// run int_divzero grid=1 block=64 out=256 in=64
KERNEL(int_divzero) { u32 z = n; out[TID] = I(0) / z; out[TID + 64] = I(0) % z; out[TID + 128] = (u32)((s32)I(0) / (s32)z); out[TID + 192] = (u32)((s64)I(0) / (s64)z >> 3); }
// run int_mul grid=1 block=64 out=1024 in=256
KERNEL(int_mul)
{
    u32 a = I(0), b = I(1), c = I(2); u64 *o = (u64 *)out, p = (u64)a << 32 | b, q = (u64)c << 32 | I(3);
    o[TID] = (u64)a * b; o[TID + 64] = (u64)((s64)(s32)a * (s32)b); o[TID + 128] = __umul64hi(p, q); o[TID + 192] = (u64)__mul64hi((s64)p, (s64)q); o[TID + 256] = p * q + c; o[TID + 320] = ((u64)__umulhi(a, b) << 32) + (u32)__mulhi((s32)a, (s32)b); o[TID + 384] = (u64)__mul24((s32)a, (s32)b) << 32 | __umul24(a, b); o[TID + 448] = (u64)(a * b + c) << 32 | (u32)((short)a * (short)b + (s32)c);
}
// run int_wide grid=1 block=64 out=768 in=256
KERNEL(int_wide)
{
    unsigned __int128 a = (unsigned __int128)((u64)I(0) << 32 | I(1)) << 64 | ((u64)I(2) << 32 | I(3)), b = a * 0x123456789abcdefull; __int128 c = (__int128)a; u64 *o = (u64 *)out;
    b = a + (b << 3) - (b >> 5); o[TID] = (u64)b; o[TID + 64] = (u64)(b >> 64); b = (unsigned __int128)(c >> (TID & 127)) ^ (a << (127 - (TID & 127))); o[TID + 128] = (u64)b; o[TID + 192] = (u64)(b >> 64); b = a / (((u64)I(3) << (TID & 31)) | 1); o[TID + 256] = (u64)b; o[TID + 320] = (u64)(b >> 64) + (c < (__int128)b) * 2 + (a > b);
}
// run int_shift grid=1 block=64 out=1024 in=256
KERNEL(int_shift)
{
    u32 a = I(0), b = I(1), s = TID < 40 ? TID : I(2) & 127; u64 p = (u64)a << 32 | b, *o = (u64 *)out; u32 x, y, z; u64 q;
    asm("shl.b32 %0,%1,%2;" : "=r"(x) : "r"(a), "r"(s)); asm("shr.u32 %0,%1,%2;" : "=r"(y) : "r"(a), "r"(s)); asm("shr.s32 %0,%1,%2;" : "=r"(z) : "r"(a), "r"(s)); out[TID] = x; out[TID + 64] = y; out[TID + 128] = z; out[TID + 192] = __funnelshift_l(a, b, s) ^ __funnelshift_r(a, b, s) * 3;
    out[TID + 256] = __funnelshift_lc(a, b, s) ^ __funnelshift_rc(a, b, s) * 3; asm("shl.b64 %0,%1,%2;" : "=l"(q) : "l"(p), "r"(s)); o[TID + 192] = q; asm("shr.u64 %0,%1,%2;" : "=l"(q) : "l"(p), "r"(s)); o[TID + 256] = q; asm("shr.s64 %0,%1,%2;" : "=l"(q) : "l"(p), "r"(s)); o[TID + 320] = q; o[TID + 384] = p << (s & 63) | p >> (64 - (s & 63) & 63);
    unsigned short h = (unsigned short)a, r; asm("shl.b16 %0,%1,%2;" : "=h"(r) : "h"(h), "r"(s)); out[TID + 896] = r; asm("shr.s16 %0,%1,%2;" : "=h"(r) : "h"(h), "r"(s)); out[TID + 960] = r;
}
// run int_bits grid=1 block=64 out=1152 in=256
KERNEL(int_bits)
{
    u32 a = I(0) >> (I(3) & 31), b = I(1), c = I(2), x; u64 p = (u64)a << (TID & 32) | (TID & 16 ? b : 0); u32 *o = out + TID; u64 q;
    o[0] = __popc(a) + __popcll(p) * 100; o[64] = (u32)__clz(a) + (u32)__clzll(p) * 100; o[128] = (u32)__ffs(a) + (u32)__ffsll(p) * 100; o[192] = __brev(a); *(u64 *)(out + 256 + 2 * TID) = __brevll(p);
    asm("bfe.u32 %0,%1,%2,%3;" : "=r"(x) : "r"(b), "r"(c & 63), "r"(c >> 8 & 63)); o[384] = x; asm("bfe.s32 %0,%1,%2,%3;" : "=r"(x) : "r"(b), "r"(c & 63), "r"(c >> 8 & 63)); o[448] = x; asm("bfi.b32 %0,%1,%2,%3,%4;" : "=r"(x) : "r"(a), "r"(b), "r"(c & 63), "r"(c >> 8 & 63)); o[512] = x;
    asm("bfind.u32 %0,%1;" : "=r"(x) : "r"(a)); o[576] = x; asm("bfind.s32 %0,%1;" : "=r"(x) : "r"(b)); o[640] = x; asm("bfind.shiftamt.s64 %0,%1;" : "=r"(x) : "l"(p)); o[704] = x; asm("bfe.s64 %0,%1,%2,%3;" : "=l"(q) : "l"(p), "r"(c & 127), "r"(c >> 8 & 127)); *(u64 *)(out + 768 + 2 * TID) = q;
    asm("bmsk.clamp.b32 %0,%1,%2;" : "=r"(x) : "r"(a & 63), "r"(c & 63)); o[896] = x; asm("szext.wrap.s32 %0,%1,%2;" : "=r"(x) : "r"(b), "r"(c)); o[960] = x; asm("lop3.b32 %0,%1,%2,%3,0x1b;" : "=r"(x) : "r"(a), "r"(b), "r"(c)); o[1024] = x; asm("bfi.b64 %0,%1,%2,%3,%4;" : "=l"(q) : "l"(p), "l"((u64)b * c), "r"(c & 63), "r"(b & 63)); o[1088] = (u32)(q >> 13);
}
// run int_prmt grid=1 block=64 out=640 in=192
KERNEL(int_prmt)
{
    u32 a = I(0), b = I(1), c = I(2), *o = out + TID, x;
    o[0] = __byte_perm(a, b, c); o[64] = __byte_perm(a, b, 0x5173) ^ __byte_perm(a, 0, 0x4321);
#define P(k, m) asm("prmt.b32." m " %0,%1,%2,%3;" : "=r"(x) : "r"(a), "r"(b), "r"(c)); o[64 * k] = x;
    P(2, "f4e") P(3, "b4e") P(4, "rc8") P(5, "ecl") P(6, "ecr") P(7, "rc16")
    asm("prmt.b32 %0,%1,%2,%3;" : "=r"(x) : "r"(a), "r"(b), "r"(c | 0x8888)); o[512] = x; o[576] = (a & 0xff) << 24 | (b & 0xff00) | c >> 24;
}
// run int_dot grid=1 block=64 out=768 in=192
KERNEL(int_dot)
{
    u32 a = I(0), b = I(1), c = I(2), *o = out + TID, x;
#define D(k, m) asm(m " %0,%1,%2,%3;" : "=r"(x) : "r"(a), "r"(b), "r"(c)); o[64 * k] = x;
    D(0, "dp4a.s32.s32") D(1, "dp4a.u32.u32") D(2, "dp4a.s32.u32") D(3, "dp2a.lo.s32.s32") D(4, "dp2a.hi.u32.s32") D(5, "dp2a.hi.s32.u32")
    D(6, "sad.s32") D(7, "sad.u32") D(8, "mad.hi.s32") D(9, "mad24.lo.s32") D(10, "mad.hi.u32") D(11, "dp2a.lo.u32.u32")
}
// run int_video grid=1 block=64 out=1536 in=192
KERNEL(int_video)
{
    u32 a = I(0), b = I(1), c = I(2), *o = out + TID, x;
#define V(k, m, s) asm(m " %0," s ",%3;" : "=r"(x) : "r"(a), "r"(b), "r"(c)); o[64 * k] = x;
    V(0, "vadd.s32.s32.s32.add", "%1.b0,%2.h1") V(1, "vsub.s32.u32.s32.min", "%1.b3,%2.b1") V(2, "vabsdiff.u32.s32.s32.max", "%1.h0,%2.h1") V(3, "vmin.s32.u32.s32.add", "%1,%2.b2") V(4, "vmax.s32.s32.u32.sat.add", "%1.b1,%2") V(5, "vmad.s32.s32.u32", "%1.b0,%2.h1") V(6, "vmad.u32.u32.u32.shr7", "%1.h0,%2.b2") V(7, "vset.s32.u32.lt.add", "%1.b0,%2.b1") V(8, "vshl.u32.u32.u32.clamp.add", "%1,%2.b0") V(9, "vshr.s32.s32.u32.wrap.add", "%1,%2.b0")
    V(10, "vadd2.s32.s32.s32.sat", "%1.h10,%2.h32") V(11, "vsub4.u32.u32.u32.sat", "%1,%2") V(12, "vavrg4.u32.u32.u32", "%1,%2") V(13, "vabsdiff4.u32.u32.u32.add", "%1,%2") V(14, "vabsdiff2.u32.s32.s32.add", "%1,%2") V(15, "vmin2.s32.s32.s32", "%1,%2") V(16, "vmax4.u32.u32.s32", "%1,%2") V(17, "vset4.u32.u32.gt", "%1,%2") V(18, "vavrg2.s32.s32.s32", "%1,%2") V(19, "vset2.s32.s32.ne.add", "%1,%2") V(20, "vadd4.s32.s32.s32.add", "%1,%2") V(21, "vmax2.s32.u32.u32.add", "%1,%2") V(22, "vmin4.s32.s32.s32.add", "%1,%2") V(23, "vsub2.s32.s32.s32.add", "%1,%2")
}
// run int_simd grid=1 block=64 out=2816 in=192
KERNEL(int_simd)
{
    u32 x = I(0), y = I(1), z = I(2), k = 0; bool p, q;
    u32 r[] = {__vadd2(x, y), __vadd4(x, y), __vaddss2(x, y), __vaddus4(x, y), __vsub2(x, y), __vsubss4(x, y), __vabs2(x), __vabsss4(x), __vabsdiffs2(x, y), __vabsdiffu4(x, y), __vavgs2(x, y), __vavgu4(x, y), __vhaddu2(x, y), __vcmpeq4(x & 0x03030303, y & 0x03030303), __vcmpgts2(x, y), __vcmpleu4(x, y), __vmaxs2(x, y), __vmaxu4(x, y), __vmins4(x, y), __vminu2(x, y), __vneg2(x), __vnegss4(x), __vsads2(x, y), __vsadu4(x, y), __vsads4(x, y), __vseteq2(x & 0x10001, y & 0x10001), __vsetges4(x, y), (u32)__vimax3_s32((s32)x, (s32)y, (s32)z), __vimin3_u32(x, y, z), (u32)__vimax_s32_relu((s32)x, (s32)y), (u32)__viaddmax_s32((s32)x, (s32)y, (s32)z), __viaddmin_s16x2(x, y, z), __vimax3_s16x2(x, y, z), __viaddmax_u32(x, y, z), __viaddmax_s16x2_relu(x, y, z), __vimin_s16x2_relu(x, y), (u32)__vimax3_s32_relu((s32)x, (s32)y, (s32)z), __viaddmin_u16x2(x, y, z), __vimin3_u16x2(x, y, z), (u32)__viaddmin_s32_relu((s32)x, (s32)y, (s32)z), (u32)__vibmax_s32((s32)x, (s32)y, &p) + p, __vibmin_u16x2(x, y, &p, &q) + p + 2 * q, __vibmax_s16x2(x, y, &p, &q) + p + 2 * q, __vibmin_u32(x, y, &q) + q};
#pragma unroll
    for (k = 0; k < 44; k++) out[k * 64 + TID] = r[k];
}
// run int_minmax grid=1 block=64 out=640 in=192
KERNEL(int_minmax)
{
    s32 a = (s32)I(0), b = (s32)I(1), c = (s32)I(2); u32 *o = out + TID; u64 p = (u64)(u32)a << 32 | (u32)b, q = (u64)(u32)c << 32 | (u32)a;
    o[0] = (u32)min(min(a, b), c); o[64] = (u32)max(max(a, b), c); o[128] = (u32)max(min(a, b), c); o[192] = min((u32)a, max((u32)b, (u32)c)); o[256] = (u32)max(a + b, c); o[320] = (u32)min(a + b, 0); o[384] = (u32)abs(a) + (u32)(llabs((s64)p) >> 5); o[448] = (u32)(min((s64)p, (s64)q) >> 7); o[512] = (u32)(max(p, q) >> 9); o[576] = (a < b) + 2 * (a <= c) + 4 * ((u32)a > (u32)b) + 8 * (p > q) + 16 * ((s64)p <= (s64)q) + 32 * (a == b) + 64 * (p != q);
}
// run int_carry grid=1 block=64 out=640 in=256
KERNEL(int_carry)
{
    u32 a = I(0), b = I(1), c = I(2), d = I(3), *o = out + TID, x, y, z;
    asm("add.cc.u32 %0,%3,%4; addc.cc.u32 %1,%5,%6; addc.u32 %2,0,0;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c), "r"(d)); o[0] = x; o[64] = y; o[128] = z;
    asm("sub.cc.u32 %0,%3,%4; subc.cc.u32 %1,%5,%6; subc.u32 %2,%3,%6;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c), "r"(d)); o[192] = x; o[256] = y; o[320] = z;
    asm("mad.lo.cc.u32 %0,%3,%4,%5; madc.hi.cc.u32 %1,%3,%4,%6; addc.u32 %2,%5,0;" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c), "r"(d)); o[384] = x; o[448] = y; o[512] = z;
    asm("add.sat.s32 %0,%1,%2;" : "=r"(x) : "r"(a), "r"(b)); o[576] = x;
}
// run int_imm grid=1 block=64 out=512 in=64
KERNEL(int_imm)
{
    u32 a = I(0), *o = out + TID; u64 p = (u64)a * 0x100000001ull;
    o[0] = a * 0x12345 + 0x7fedcba9; o[64] = (a & 0xff00ff00) | 0x00120034; o[128] = a > 0x12345678 ? 0x11111111 : 0x22222222; *(u64 *)(out + 192 + 2 * TID) = p * 0x123456789abcull + 0x7fedcba987654321ull; o[320] = (a ^ 0x80000001) - 0x7fffffff; o[384] = (a << 3) + (a << 12) + 17; o[448] = a * 31 + a * 65537 - a * 9;
}
// run int_convert grid=1 block=64 out=768 in=128
KERNEL(int_convert)
{
    u32 a = I(0), b = I(1), *o = out + TID, x; s64 p = (s64)((u64)a << 32 | b) >> (TID & 63);
    o[0] = (u32)(signed char)a; o[64] = (unsigned char)(a >> 3); o[128] = (u32)(short)a + (unsigned short)b; *(s64 *)(out + 192 + 2 * TID) = (s64)(s32)a + (u32)b;
    asm("cvt.sat.s8.s32 %0,%1;" : "=r"(x) : "r"((s32)a >> (TID & 31))); o[320] = x; asm("cvt.sat.u8.s32 %0,%1;" : "=r"(x) : "r"((s32)a >> (TID & 31))); o[384] = x; asm("cvt.sat.u16.u32 %0,%1;" : "=r"(x) : "r"(b >> (TID & 31))); o[448] = x; asm("cvt.sat.s32.s64 %0,%1;" : "=r"(x) : "l"(p)); o[512] = x; asm("cvt.sat.u32.s64 %0,%1;" : "=r"(x) : "l"(p)); o[576] = x; asm("cvt.sat.s16.u32 %0,%1;" : "=r"(x) : "r"(b >> (TID & 31))); o[640] = x; asm("cvt.pack.sat.u8.s32.b32 %0,%1,%2,%3;" : "=r"(x) : "r"((s32)a >> 22), "r"((s32)b >> 23), "r"(a)); o[704] = x;
}
