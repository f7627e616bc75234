/* wgmma.cuh - products of a warpgroup: D += A B on the tensor cores, asynchronously.
 *
 * A has 64 rows, B has N columns; both are 32 bytes deep: 16 halves, 8 floats of TF32, 32 small
 * floats. Factors in shared memory lie as tensor copies with the swizzle of 128 bytes leave them,
 * and are named by descriptors.
 */
#ifndef HOPPER_WGMMA_CUH
#define HOPPER_WGMMA_CUH

#include "async.cuh"

/* Elements by which kernels are instantiated: a line of 128 bytes holds LINE_ELEMENTS. */
struct f16 {
    enum { BYTES = 2 };
};
struct bf16 {
    enum { BYTES = 2 };
};
struct tf32 {
    enum { BYTES = 4 };
};
struct e4m3 {
    enum { BYTES = 1 };
};

enum { STEP = 32 /* bytes of a row that one product takes */, SWIZZLED_ROWS = 8 };

/* Rows of 128 bytes, eight of which are a swizzled tile of 1024; a step into the row adds to the
 * address. Fields count in 16 bytes: address, (unused), distance of tiles, mode 1 = 128 bytes. */
static __device__ uint64_t rows_descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 |
           (uint64_t)(SWIZZLED_ROWS * LINE >> 4) << 32 | (uint64_t)1 << 62;
}

/* A factor whose depth goes down the rows of 128 bytes: 64 columns wide. Tiles of eight rows follow
 * each other, so both distances are the same. */
static __device__ uint64_t columns_descriptor(uint32_t address)
{
    return rows_descriptor(address) & ~((uint64_t)0x3fff << 16) |
           (uint64_t)(SWIZZLED_ROWS * LINE >> 4) << 16;
}

/* Keeps the compiler from moving uses of sums past this place: products change them behind its
 * back until they are waited for. */
template <int N> static __device__ void pin_sums(float (&sums)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("" : "+f"(sums[i])::"memory");
}

/* The registers and shared memory written so far are seen by products from here on. */
static __device__ void products_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ void products_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most N groups are pending. */
template <int N> static __device__ void products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* Operands of the accumulators: the text of the first 32, 64 and 128, and the lvalues. */
#define REGISTERS_32 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_64 \
    REGISTERS_32 ", " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_128 \
    REGISTERS_64 ", " \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define SUMS_8(d, i)                                                                          \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS_32(d, i) SUMS_8(d, i), SUMS_8(d, i + 8), SUMS_8(d, i + 16), SUMS_8(d, i + 24)
#define SUMS_64(d, i) SUMS_32(d, i), SUMS_32(d, i + 32)
#define SUMS_128(d, i) SUMS_64(d, i), SUMS_64(d, i + 64)

/* d = a b, or d += a b. N columns give each thread N / 2 sums. */
template <typename ELEMENT, int N> struct product;

/* first, second, third: the operands after the sums; tail: of halves, that both factors lie with
 * their depth along the rows. */
#define PRODUCT(element, n, shape, types, sums, first, second, third, tail)                        \
    template <> struct product<element, n> {                                                       \
        static __device__ void add(float (&d)[n / 2], uint64_t a, uint64_t b, int accumulate)      \
        {                                                                                          \
            asm volatile("{.reg .pred p;\n"                                                        \
                         "setp.ne.b32 p, " third ", 0;\n"                                          \
                         "wgmma.mma_async.sync.aligned." shape ".f32." types " {" REGISTERS_##sums \
                         "}, " first ", " second ", p, 1, 1" tail ";}"                             \
                         : SUMS_##sums(d, 0)                                                       \
                         : "l"(a), "l"(b), "r"(accumulate));                                       \
        }                                                                                          \
    };
#define PRODUCT_64(element, shape, types, tail) \
    PRODUCT(element, 64, "m64n64" shape, types, 32, "%32", "%33", "%34", tail)
#define PRODUCT_128(element, shape, types, tail) \
    PRODUCT(element, 128, "m64n128" shape, types, 64, "%64", "%65", "%66", tail)
#define PRODUCT_256(element, shape, types, tail) \
    PRODUCT(element, 256, "m64n256" shape, types, 128, "%128", "%129", "%130", tail)

PRODUCT_64(f16, "k16", "f16.f16", ", 0, 0")
PRODUCT_128(f16, "k16", "f16.f16", ", 0, 0")
PRODUCT_256(f16, "k16", "f16.f16", ", 0, 0")
PRODUCT_128(bf16, "k16", "bf16.bf16", ", 0, 0")
PRODUCT_256(bf16, "k16", "bf16.bf16", ", 0, 0")
PRODUCT_128(tf32, "k8", "tf32.tf32", "")
PRODUCT_256(tf32, "k8", "tf32.tf32", "")
PRODUCT_128(e4m3, "k32", "e4m3.e4m3", "")
PRODUCT_256(e4m3, "k32", "e4m3.e4m3", "")

/* The same with 64 columns, the first factor in registers, and the second along its columns. */
static __device__ void add_product_of_registers(float (&d)[32], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" REGISTERS_32
                 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                 : SUMS_32(d, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/* Where a thread's sums are in the 64 x N of its warpgroup: sum 4 j + 2 h + i is at
 * (row() + 8 h, col() + 8 j + i). */
struct sums_place {
    static __device__ int row()
    {
        return threadIdx.x % WARPGROUP / 32 * 16 + threadIdx.x % 32 / 4;
    }
    static __device__ int col() { return threadIdx.x % 4 * 2; }
};

#endif
