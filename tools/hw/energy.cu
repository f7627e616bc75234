// energy.cu: loops that keep one kind of event going at a known rate; energy.c runs them and
// reads the board's energy, energy.py says which and writes other instructions over those
// of alu(). Compiled with nvcc -cubin -arch=sm_90a.
//
// Every kernel has the same parameters. in: operands, 64 KB of the data that the row names;
// out: nothing is stored there unless arg is NEVER; n: times round the loop; arg: the
// kernel's own; bytes: of the buffer `in` that a streaming kernel walks through.
#include <cstdint>

#define NEVER 0xffffffffu
#define PARAMS                                                                            \
    const uint4 *in, uint4 *out, unsigned n, unsigned arg, unsigned long long bytes
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(1024) name(PARAMS)

#define R2(x)  x x
#define R4(x)  R2(x) R2(x)
#define R8(x)  R4(x) R4(x)
#define R16(x) R8(x) R8(x)
#define R32(x) R16(x) R16(x)
#define R64(x) R32(x) R32(x)

#define LOOP _Pragma("unroll 1") for (unsigned i_ = 0; i_ < n; i_++)

// 256 FFMA with factors in 16 registers and sums in 16 others; arg: active lanes.
#define FMA(k)                                                                            \
    asm volatile("fma.rn.f32 %0, %1, %2, %0;"                                             \
                 : "+f"(d[(k) & 15])                                                      \
                 : "f"(s[(k) & 15]), "f"(s[((k) * 5 + 1) & 15]));
#define FMA16(k)                                                                          \
    FMA(k) FMA(k + 1) FMA(k + 2) FMA(k + 3) FMA(k + 4) FMA(k + 5) FMA(k + 6) FMA(k + 7)   \
        FMA(k + 8) FMA(k + 9) FMA(k + 10) FMA(k + 11) FMA(k + 12) FMA(k + 13) FMA(k + 14) \
            FMA(k + 15)
#define ALU(body)                                                                         \
    union {                                                                               \
        uint4 q[4];                                                                       \
        float f[16];                                                                      \
    } u;                                                                                  \
    float d[16] = {}, *s = u.f;                                                           \
    if ((threadIdx.x & 31) >= (arg & 63))                                                 \
        return;                                                                           \
    for (int i = 0; i < 4; i++)                                                           \
        u.q[i] = in[threadIdx.x + 1024 * i];                                              \
    LOOP                                                                                  \
    {                                                                                     \
        body                                                                              \
    }                                                                                     \
    if (arg == NEVER)                                                                     \
        for (int i = 0; i < 4; i++)                                                       \
            ((float4 *)out)[threadIdx.x + 1024 * i] =                                     \
                make_float4(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]);
KERNEL(alu) { ALU(R16(FMA16(0))) }
KERNEL(alu_long) { ALU(R64(FMA16(0))) } // 16 KB of code: beyond the first level of fetch

// Waiting. sleep: all warps sleep; spin: they read the clock (arg: one per arg cycles or so).
KERNEL(sleep)
{
    LOOP asm volatile("nanosleep.u32 1000;");
}
KERNEL(chain) // one dependent addition after another: a warp that mostly waits
{
    float a = __uint_as_float(arg);
    LOOP
    {
        R64(asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(a));)
    }
    if (arg == NEVER)
        out[0].x = __float_as_uint(a);
}
KERNEL(empty) {}

// Shared memory. arg: bytes between lanes; loads and stores of 4, 8, 16 bytes.
#define SHARED                                                                            \
    extern __shared__ uint4 box[];                                                        \
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x)                             \
        box[i] = in[i];                                                                   \
    __syncthreads();                                                                      \
    unsigned at = (unsigned)__cvta_generic_to_shared(box) +                               \
                  ((threadIdx.x & 31) * arg & 0x3fff);                                    \
    uint4 v0 = in[threadIdx.x], v1 = v0, v2 = v0, v3 = v0;
#define SHARED_END(v)                                                                     \
    if (arg == NEVER)                                                                     \
        out[threadIdx.x] =                                                                \
            make_uint4(v0.x ^ v1.x ^ v2.x ^ v3.x, v0.y ^ v1.y ^ v2.y ^ v3.y,              \
                       v0.z ^ v1.z ^ v2.z ^ v3.z, v0.w ^ v1.w ^ v2.w ^ v3.w);
#define ON4(op) op(v0, 0) op(v1, 4096) op(v2, 8192) op(v3, 12288)
#define LDS1(v, k) asm volatile("ld.volatile.shared.u32 %0, [%1+" #k "];" : "=r"(v.x) : "r"(at));
#define LDS2(v, k)                                                                        \
    asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2+" #k "];"                                 \
                 : "=r"(v.x), "=r"(v.y)                                                   \
                 : "r"(at));
#define LDS4(v, k)                                                                        \
    asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4+" #k "];"                           \
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                             \
                 : "r"(at));
#define STS1(v, k) asm volatile("st.volatile.shared.u32 [%0+" #k "], %1;" ::"r"(at), "r"(v.x));
#define STS2(v, k)                                                                        \
    asm volatile("st.volatile.shared.v2.u32 [%0+" #k "], {%1,%2};" ::"r"(at), "r"(v.x), "r"(v.y));
#define STS4(v, k)                                                                        \
    asm volatile("st.volatile.shared.v4.u32 [%0+" #k "], {%1,%2,%3,%4};" ::"r"(at), "r"(v.x),      \
                 "r"(v.y), "r"(v.z), "r"(v.w));
#define ATM1(v, k)                                                                        \
    asm volatile("atom.shared.add.u32 %0, [%1+" #k "], %2;"                               \
                 : "=r"(v.y)                                                              \
                 : "r"(at), "r"(v.x));
#define SHARED_KERNEL(name, op)                                                           \
    KERNEL(name)                                                                          \
    {                                                                                     \
        SHARED                                                                            \
        LOOP                                                                              \
        {                                                                                 \
            R32(ON4(op))                                                                  \
        }                                                                                 \
        SHARED_END(v)                                                                     \
    }
SHARED_KERNEL(lds32, LDS1)
SHARED_KERNEL(lds64, LDS2)
SHARED_KERNEL(lds128, LDS4)
SHARED_KERNEL(sts32, STS1)
SHARED_KERNEL(sts64, STS2)
SHARED_KERNEL(sts128, STS4)
SHARED_KERNEL(atoms, ATM1)

KERNEL(shfl)
{
    unsigned v[4] = { in[threadIdx.x].x, in[threadIdx.x].y, in[threadIdx.x].z,
                      in[threadIdx.x].w };
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 128; k++)
            asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;"
                         : "+r"(v[k & 3]));
    }
    if (arg == NEVER)
        out[threadIdx.x] = make_uint4(v[0], v[1], v[2], v[3]);
}

// Constants: lines that stay in the first level, by an indexed load; a chain of them.
__constant__ unsigned constants[256];
KERNEL(ldc)
{
    unsigned v[4] = { arg & 63, arg & 31, arg & 15, arg & 7 };
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 64; k++)
            v[k & 3] = constants[v[k & 3] + (k & 3)];
    }
    if (arg == NEVER)
        out[threadIdx.x] = make_uint4(v[0], v[1], v[2], v[3]);
}

// What is loaded is xored, so that nothing is removed.
#define XOR1(w) asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(w));
#define XOR2(v, w) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(sum) : "r"(v), "r"(w));

// Constants by lanes: arg = different ones per warp + 256 x their distance; four chains.
// The table is all zero, so that an address is what it was, but the loads depend on each other.
__constant__ __align__(16) unsigned table[12288];
#define LDC_KERNEL(name, type, use)                                                       \
    KERNEL(name)                                                                          \
    {                                                                                     \
        const unsigned lane = threadIdx.x & 31;                                           \
        unsigned v[4], base = in[threadIdx.x].x + lane % (arg & 255) * (arg >> 8);        \
        for (int k = 0; k < 4; k++)                                                       \
            v[k] = base;                                                                  \
        LOOP                                                                              \
        {                                                                                 \
            _Pragma("unroll") for (int k = 0; k < 64; k++)                                \
            {                                                                             \
                type w = ((const type *)table)[v[k & 3]];                                 \
                v[k & 3] = base + (use);                                                  \
            }                                                                             \
        }                                                                                 \
        if (arg == NEVER)                                                                 \
            out[threadIdx.x] = make_uint4(v[0], v[1], v[2], v[3]);                        \
    }
LDC_KERNEL(ldc_words, uint1, w.x)
LDC_KERNEL(ldc_pairs, uint2, w.x ^ w.y)

// Constants that all lanes read, 8 bytes after the other, from the first arg bytes (a power of
// two) of the table. uldc_walk: by the uniform datapath; ldc_walk: by LDC, as lanes might differ.
#define WALK_KERNEL(name, start)                                                          \
    KERNEL(name)                                                                          \
    {                                                                                     \
        const float2 *from = (const float2 *)table + (start);                             \
        const int pairs = (int)arg / 8;                                                   \
        float sum = 0;                                                                    \
        LOOP                                                                              \
        {                                                                                 \
            _Pragma("unroll 1") for (int at = 0; at < pairs; at += 16)                    \
            {                                                                             \
                _Pragma("unroll") for (int k = 0; k < 16; k++)                            \
                {                                                                         \
                    float2 w = from[at + k];                                              \
                    sum = fmaf(sum, w.x, sum) + w.y;                                      \
                }                                                                         \
            }                                                                             \
        }                                                                                 \
        if (arg == NEVER)                                                                 \
            out[threadIdx.x].x = __float_as_uint(sum);                                    \
    }
WALK_KERNEL(uldc_walk, 0)
WALK_KERNEL(ldc_walk, in[threadIdx.x].x)

// Textures of 64 x 64 texels, which stay in L1: lanes are arg side by side and 32 / arg above
// each other. bytes: the texture. tex_chain: each coordinate depends on the texel before.
#define TEXELS                                                                            \
    const float x = (float)(threadIdx.x % arg) + 0.5f,                                    \
                y = (float)(threadIdx.x % 256 / arg) + 0.5f;                              \
    unsigned sum = 0;
#define TEX_KERNEL(name, times, fetch, use)                                               \
    KERNEL(name)                                                                          \
    {                                                                                     \
        TEXELS LOOP                                                                       \
        {                                                                                 \
            const float from = y + (float)(i_ & 31);                                      \
            _Pragma("unroll") for (int k = 0; k < times; k++)                             \
            {                                                                             \
                unsigned v[4];                                                            \
                asm volatile(fetch " {%0,%1,%2,%3}, [%4, {%5,%6}];"                       \
                             : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])             \
                             : "l"(bytes), "f"(x + (float)(k & 15)), "f"(from));          \
                use                                                                       \
            }                                                                             \
        }                                                                                 \
        if (arg == NEVER)                                                                 \
            out[threadIdx.x].x = sum;                                                     \
    }
TEX_KERNEL(tex1, 32, "tex.2d.v4.u32.f32", XOR1(v[0]))
TEX_KERNEL(tex4, 8, "tex.2d.v4.u32.f32", XOR2(v[0], v[1]) XOR2(v[2], v[3]))
KERNEL(tex_chain)
{
    TEXELS float at = x;
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 32; k++) {
            float v[4];
            asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"
                         : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                         : "l"(bytes), "f"(at), "f"(y));
            at = x + v[0];
        }
    }
    if (arg == NEVER)
        out[threadIdx.x].x = sum + __float_as_uint(at);
}
KERNEL(tex_line) // tex1Dfetch
{
    int at = threadIdx.x % 256;
    unsigned sum = 0;
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 32; k++) {
            unsigned v[4];
            asm volatile("tex.1d.v4.u32.s32 {%0,%1,%2,%3}, [%4, {%5}];"
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                         : "l"(bytes), "r"(at + 32 * k + (int)(i_ & 31)));
            XOR1(v[0])
        }
    }
    if (arg == NEVER)
        out[threadIdx.x].x = sum;
}

// Global memory that stays in L1: 32 loads per time round of 16 KB. arg: bytes between lanes.
#define LDG1                                                                              \
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k].x) : "l"(at + 512 * k));           \
    XOR1(v[k].x)
#define LDG2                                                                              \
    asm volatile("ld.global.v2.u32 {%0,%1}, [%2];"                                        \
                 : "=r"(v[k].x), "=r"(v[k].y)                                             \
                 : "l"(at + 512 * k));                                                    \
    XOR2(v[k].x, v[k].y)
#define LDG4                                                                              \
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"                                  \
                 : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)                 \
                 : "l"(at + 512 * k));                                                    \
    XOR2(v[k].x, v[k].y)                                                                  \
    XOR2(v[k].z, v[k].w)
#define L1_KERNEL(name, op)                                                               \
    KERNEL(name)                                                                          \
    {                                                                                     \
        const char *from = (const char *)in + ((threadIdx.x & 31) * arg & 0x3fff);        \
        unsigned sum = 0;                                                                 \
        LOOP                                                                              \
        {                                                                                 \
            const char *at = from + (i_ & 1) * 16384;                                     \
            uint4 v[32];                                                                  \
            _Pragma("unroll") for (int k = 0; k < 32; k++)                                \
            {                                                                             \
                op                                                                        \
            }                                                                             \
        }                                                                                 \
        if (arg == NEVER)                                                                 \
            out[threadIdx.x].x = sum;                                                     \
    }
L1_KERNEL(l1_32, LDG1)
L1_KERNEL(l1_64, LDG2)
L1_KERNEL(l1_128, LDG4)

// Streams over `bytes` of a buffer, past L1: 16 steps per time round. All blocks walk through
// all of it, each from a place of its own, so that `bytes` says where the data comes from.
// A lane reads or writes an operand; operands are side by side, or with arg > 0 arg bytes apart.
#define STREAM_KERNEL(name, width, op)                                                    \
    KERNEL(name)                                                                          \
    {                                                                                     \
        const unsigned unit = arg ? arg : width, limit = (unsigned)(bytes / unit);        \
        const unsigned step = gridDim.x * blockDim.x;                                     \
        unsigned place = (blockIdx.x * blockDim.x + threadIdx.x) % limit, sum = 0;        \
        uint4 v = make_uint4(arg, n, arg * 3, n * 5);                                     \
        LOOP                                                                              \
        {                                                                                 \
            _Pragma("unroll") for (int k = 0; k < 16; k++)                                \
            {                                                                             \
                const char *at = (const char *)in + (unsigned long long)place * unit;     \
                place += step;                                                            \
                if (place >= limit)                                                       \
                    place -= limit;                                                       \
                op                                                                        \
            }                                                                             \
        }                                                                                 \
        if (arg == NEVER)                                                                 \
            out[threadIdx.x] = make_uint4(v.x, v.y, v.z, v.w + sum);                      \
    }
STREAM_KERNEL(read32, 4, asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v.x) : "l"(at));
              XOR1(v.x))
STREAM_KERNEL(read128, 16, asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                                        : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                                        : "l"(at));
              XOR2(v.x, v.y) XOR2(v.z, v.w))
STREAM_KERNEL(write32, 4, asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(v.x));)
STREAM_KERNEL(write128, 16, asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(at),
                                         "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));)
STREAM_KERNEL(reduce32, 4, asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1));)

// Two thirds of the buffer are read and the last third is written, as in c = a + b.
KERNEL(triad128)
{
    const unsigned limit = (unsigned)(bytes / 3 / 16), step = gridDim.x * blockDim.x;
    unsigned place = (blockIdx.x * blockDim.x + threadIdx.x) % limit;
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const uint4 *at = in + place;
            uint4 a = __ldcg(at), b = __ldcg(at + limit);
            __stcg((uint4 *)at + 2 * limit,
                   make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w));
            place += step;
            if (place >= limit)
                place -= limit;
        }
    }
    if (arg == NEVER)
        out[threadIdx.x].x = place;
}

// Once through the buffer, block by block in order, as kernels of programs do: reads it, writes
// it, or writes its last third from the others. arg: bytes per thread, 4 or 16.
#define SWEEP_KERNEL(name, use)                                                           \
    KERNEL(name)                                                                          \
    {                                                                                     \
        const unsigned long long at = blockIdx.x * blockDim.x + threadIdx.x,              \
                                 third = bytes / 3;                                       \
        char *from = (char *)in + at * arg;                                               \
        if (arg == 4) {                                                                   \
            unsigned *p = (unsigned *)from;                                               \
            use                                                                           \
        } else {                                                                          \
            uint4 *p = (uint4 *)from;                                                     \
            use                                                                           \
        }                                                                                 \
    }
__device__ static bool never(unsigned v)
{
    return v == NEVER;
}
__device__ static bool never(uint4 v)
{
    return v.x == NEVER && v.y == NEVER;
}
__device__ static unsigned both(unsigned a, unsigned b)
{
    return a ^ b;
}
__device__ static uint4 both(uint4 a, uint4 b)
{
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}
template <class T> __device__ static T word(unsigned v);
template <> __device__ unsigned word<unsigned>(unsigned v)
{
    return v;
}
template <> __device__ uint4 word<uint4>(unsigned v)
{
    return make_uint4(v, v, v, v);
}
SWEEP_KERNEL(sweep_read, if (never(*p)) out[0].x = (unsigned)third;)
SWEEP_KERNEL(sweep_write, *p = word<__typeof__(*p)>((unsigned)third + threadIdx.x);)
SWEEP_KERNEL(sweep_triad, auto q = p + third / sizeof *p;
             q[third / sizeof *p] = both(*p, *q);)

// Every thread reads a row of its own, arg words long, word by word through L1: lanes are apart,
// and each sector is read eight times.
KERNEL(rows)
{
    const unsigned n_rows = (unsigned)(bytes / 4 / arg), step = gridDim.x * blockDim.x;
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) % n_rows, sum = 0;
    LOOP
    {
        const unsigned *at = (const unsigned *)in + (size_t)row * arg;
#pragma unroll 4
        for (unsigned k = 0; k < arg; k++) {
            unsigned v = at[k];
            XOR1(v)
        }
        row += step;
        if (row >= n_rows)
            row -= n_rows;
    }
    if (n == NEVER)
        out[threadIdx.x].x = sum;
}

// Tensor operations of a warp: 64 per time round, four accumulators, operands in registers.
#define TENSOR                                                                            \
    uint4 a = in[threadIdx.x], b = in[threadIdx.x + 1024];                                \
    unsigned d[4][4] = {};
#define TENSOR_END                                                                        \
    if (arg == NEVER)                                                                     \
        for (int i = 0; i < 4; i++)                                                       \
            out[threadIdx.x + 1024 * i] = make_uint4(d[i][0], d[i][1], d[i][2], d[i][3]);
#define TENSOR_KERNEL(name, ...)                                                          \
    KERNEL(name)                                                                          \
    {                                                                                     \
        TENSOR LOOP                                                                       \
        {                                                                                 \
            _Pragma("unroll") for (int k = 0; k < 64; k++)                                \
            {                                                                             \
                unsigned *c = d[k & 3];                                                   \
                asm volatile(__VA_ARGS__);                                                \
            }                                                                             \
        }                                                                                 \
        TENSOR_END                                                                        \
    }
#define D4 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define D2 "+r"(c[0]), "+r"(c[1])
#define A4 "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w)
#define A2 "r"(a.x), "r"(a.y)
#define B2 "r"(b.x), "r"(b.y)
#define B1 "r"(b.x)
#define M_4_4_2 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#define M_4_2_1 " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
#define M_2_4_2 " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
#define MMA_SYNC(shape) "mma.sync.aligned." shape
TENSOR_KERNEL(hmma16816_f32, MMA_SYNC("m16n8k16.row.col.f32.f16.f16.f32") M_4_4_2
              : D4 : A4, B2)
TENSOR_KERNEL(hmma16816_bf16, MMA_SYNC("m16n8k16.row.col.f32.bf16.bf16.f32") M_4_4_2
              : D4 : A4, B2)
TENSOR_KERNEL(hmma16816_f16, MMA_SYNC("m16n8k16.row.col.f16.f16.f16.f16") M_2_4_2
              : D2 : A4, B2)
TENSOR_KERNEL(hmma1688_f32, MMA_SYNC("m16n8k8.row.col.f32.f16.f16.f32") M_4_2_1
              : D4 : A2, B1)
TENSOR_KERNEL(hmma1688_tf32, MMA_SYNC("m16n8k8.row.col.f32.tf32.tf32.f32") M_4_4_2
              : D4 : A4, B2)
TENSOR_KERNEL(imma16832, MMA_SYNC("m16n8k32.row.col.s32.s8.s8.s32") M_4_4_2 : D4 : A4, B2)
KERNEL(dmma884)
{
    const double *v = (const double *)in;
    double a = v[threadIdx.x], b = v[threadIdx.x + 1024], d[4][2] = {};
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 64; k++)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, "
                         "{%3}, {%0,%1};"
                         : "+d"(d[k & 3][0]), "+d"(d[k & 3][1])
                         : "d"(a), "d"(b));
    }
    if (arg == NEVER)
        for (int i = 0; i < 4; i++)
            ((double *)out)[threadIdx.x + 1024 * i] = d[i][0] + d[i][1];
}

// A warpgroup's product of 64 x 128 x 16 halves from shared memory, 16 per time round. The
// matrices' places there are without swizzling; what is multiplied does not matter.
#define D8(k)                                                                             \
    "+f"(d[k]), "+f"(d[k + 1]), "+f"(d[k + 2]), "+f"(d[k + 3]), "+f"(d[k + 4]),           \
        "+f"(d[k + 5]), "+f"(d[k + 6]), "+f"(d[k + 7])
extern "C" __global__ void __launch_bounds__(256) wgmma(PARAMS)
{
    extern __shared__ uint4 box[];
    float d[64] = {};
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x)
        box[i] = in[i];
    __syncthreads();
    const unsigned long long at = (__cvta_generic_to_shared(box) & 0x3ffff) >> 4;
    const unsigned long long a = at | 8ull << 16 | 16ull << 32, b = a + 512;
    LOOP
    {
        asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile(
                "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
                "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,"
                "%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,"
                "%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, 0, 0;"
                : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
                : "l"(a), "l"(b));
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;");
    }
    if (arg == NEVER)
        for (int i = 0; i < 64; i++)
            ((float *)out)[threadIdx.x + 256 * i] = d[i];
}
