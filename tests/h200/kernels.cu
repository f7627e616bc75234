// kernels.cu - loops of 256 instructions of one kind, as nvcc compiles them, and small
// pieces of control flow. nvcc -arch=sm_90 -cubin -o kernels.sm_90.cubin kernels.cu
// Every result is used, so that nothing is removed.
#include <cuda_fp16.h>
#include <stdint.h>

#define X8(m)  m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7)
#define X4(m)  m(0) m(1) m(2) m(3)
#define R4(x)  x x x x
#define R8(x)  R4(x) R4(x)
#define R32(x) R8(x) R8(x) R8(x) R8(x)
#define R64(x) R32(x) R32(x)

// A loop whose counter is stepped behind the body, not among it.
#define LOOP(body)                                         \
    int i = 0;                                             \
    _Pragma("unroll 1") do {                               \
        body asm volatile("add.s32 %0, %0, 1;" : "+r"(i)); \
    } while (i < n);

// Eight chains of 32 operations on a type held in eight registers.
#define KERNEL(name, type, init, op)                                            \
    extern "C" __global__ void run_##name(type *out, int n, type b, type c)           \
    {                                                                           \
        type r0 = init(0), r1 = init(1), r2 = init(2), r3 = init(3);            \
        type r4 = init(4), r5 = init(5), r6 = init(6), r7 = init(7);            \
        LOOP(R32(X8(op)))         \
        out[threadIdx.x] = r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7;               \
    }
#define INIT_B(k)  (b + (float)k)
#define INIT_I(k)  (b + threadIdx.x * (k + 1))
#define INIT_D(k)  (b + k)

#define FFMA(k) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(r##k) : "f"(b), "f"(c));
#define FADD(k) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(r##k) : "f"(b));
#define FMUL(k) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(r##k) : "f"(b));
#define LOP3(k) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(r##k) : "r"(b), "r"(c));
#define SHF(k)  asm volatile("shf.l.wrap.b32 %0, %0, %1, 5;" : "+r"(r##k) : "r"(b));
#define PRMT(k) asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(r##k) : "r"(b));
#define IMAD(k) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(r##k) : "r"(b), "r"(c));
#define IADD(k) asm volatile("add.u32 %0, %0, %1;" : "+r"(r##k) : "r"(b));
#define DFMA(k) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(r##k) : "d"(b), "d"(c));
#define DADD(k) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(r##k) : "d"(b));
#define MUFU(k) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(r##k));
#define POPC(k) asm volatile("popc.b32 %0, %0;" : "+r"(r##k));
#define F2F(k)  asm volatile("{.reg .f32 t; cvt.rn.f32.f64 t, %0; cvt.f64.f32 %0, t;}" : "+d"(r##k));
#define SHFL(k) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(r##k));

KERNEL(ffma, float, INIT_B, FFMA)
KERNEL(fadd, float, INIT_B, FADD)
KERNEL(fmul, float, INIT_B, FMUL)
KERNEL(lop3, uint32_t, INIT_I, LOP3)
KERNEL(shf, uint32_t, INIT_I, SHF)
KERNEL(prmt, uint32_t, INIT_I, PRMT)
KERNEL(imad, uint32_t, INIT_I, IMAD)
KERNEL(iadd, uint32_t, INIT_I, IADD)
KERNEL(dfma, double, INIT_D, DFMA)
KERNEL(dadd, double, INIT_D, DADD)
KERNEL(mufu, float, INIT_B, MUFU)
KERNEL(popc, uint32_t, INIT_I, POPC)

// Four chains of 64.
#define KERNEL4(name, type, init, op)                                 \
    extern "C" __global__ void run_##name(type *out, int n, type b, type c) \
    {                                                                 \
        type r0 = init(0), r1 = init(1), r2 = init(2), r3 = init(3);  \
        LOOP(R64(X4(op))) \
        out[threadIdx.x] = r0 + r1 + r2 + r3;                         \
    }
KERNEL4(shfl, uint32_t, INIT_I, SHFL)
KERNEL4(f2f, double, INIT_D, F2F)

#define LDS32(k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(r##k));
#define LDS64(k) asm volatile("{.reg .b32 t; ld.shared.v2.u32 {%0, t}, [%0];}" : "+r"(r##k));
#define LDS128(k) \
    asm volatile("{.reg .b32 t, u, v; ld.shared.v4.u32 {%0, t, u, v}, [%0];}" : "+r"(r##k));
#define ATOMS(k) asm volatile("atom.shared.add.u32 %0, [%0], %1;" : "+r"(r##k) : "r"(b));

// A chain of addresses in shared memory: each word holds its own address. nvcc loads only
// the word that is used, so that the wider ones are loads of 32 bits with conflicts.
#define SHARED(name, width, op)                                                     \
    extern "C" __global__ void run_##name(uint32_t *out, int n, uint32_t b, uint32_t c)   \
    {                                                                               \
        __shared__ __align__(16) uint32_t s[32 * width];                            \
        uint32_t at = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x % 32 * width]); \
        for (int i = 0; i < width; i++)                                             \
            s[threadIdx.x % 32 * width + i] = at;                                   \
        __syncthreads();                                                            \
        uint32_t r0 = at, r1 = at, r2 = at, r3 = at;                                \
        LOOP(R64(X4(op)))             \
        out[threadIdx.x] = r0 + r1 + r2 + r3;                                       \
    }
SHARED(lds32, 1, LDS32)
SHARED(lds64, 2, LDS64)
SHARED(lds128, 4, LDS128)
SHARED(atoms, 1, ATOMS)

// Two chains of matrix products.
#define HMMA(k)                                                                      \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "                \
                 "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"             \
                 : "+f"(r##k[0]), "+f"(r##k[1]), "+f"(r##k[2]), "+f"(r##k[3])        \
                 : "r"(b), "r"(c));
#define HMMA8(k)                                                                     \
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "                 \
                 "{%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};"                      \
                 : "+f"(r##k[0]), "+f"(r##k[1]), "+f"(r##k[2]), "+f"(r##k[3])        \
                 : "r"(b), "r"(c));
#define MATRIX(name, op)                                                              \
    extern "C" __global__ void run_##name(float *out, int n, uint32_t b, uint32_t c)        \
    {                                                                                 \
        float r0[4] = { 0, 1, 2, 3 }, r1[4] = { 1, 2, 3, 4 };                         \
        LOOP(R32(op(0) op(1)))          \
        out[threadIdx.x] = r0[0] + r0[1] + r0[2] + r0[3] + r1[0] + r1[1] + r1[2] + r1[3]; \
    }
MATRIX(hmma, HMMA)
MATRIX(hmma8, HMMA8)

// So many times if (condition) { k additions } else { k multiplications }, one chain; bit
// i of the condition is the i-th choice. Two numbers of choices, so that their difference
// leaves the loop out.
#define CHOOSE(name, times, k, otherwise)                                                    \
    extern "C" __global__ void run_##name(float *out, int n, const uint32_t *bits, float *p) \
    {                                                                                  \
        uint32_t c = bits[threadIdx.x];                                                \
        float b = p[threadIdx.x], r0 = b;                                                                 \
        _Pragma("unroll 1") for (int i = 0; i < n; i++)                                \
        {                                                                              \
            _Pragma("unroll") for (int j = 0; j < times; j++)                             \
            {                                                                          \
                if (c >> j & 1) {                                                      \
                    _Pragma("unroll") for (int l = 0; l < k; l++) FADD(0)              \
                } else {                                                               \
                    otherwise                                                          \
                }                                                                      \
            }                                                                          \
        }                                                                              \
        out[threadIdx.x] = r0;                                                         \
    }
#define ELSE(k) _Pragma("unroll") for (int l = 0; l < k; l++) FMUL(0)
CHOOSE(either16_2, 2, 16, ELSE(16))
CHOOSE(either16_4, 4, 16, ELSE(16))
CHOOSE(either24_2, 2, 24, ELSE(24))
CHOOSE(either24_4, 4, 24, ELSE(24))
CHOOSE(maybe16_2, 2, 16, )
CHOOSE(maybe16_4, 4, 16, )
CHOOSE(maybe24_2, 2, 24, )
CHOOSE(maybe24_4, 4, 24, )

extern "C" __global__ void run_membar(uint32_t *out, int n, uint32_t b, uint32_t c)
{
    LOOP(R64(asm volatile("membar.cta;");))
    out[threadIdx.x] = b;
}
