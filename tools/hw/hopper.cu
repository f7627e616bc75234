/* hopper.cu - times of the asynchronous machinery of sm_90a: barriers in shared memory, bulk
 * and tensor copies, clusters. A line a row: NAME VALUE...; every row is measured four times
 * in one kernel, and the least is printed. The same program runs on a GPU and under
 *   leno exec --gpu h200 -- hopper
 */
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#define GOOD(call)                                                                     \
    do {                                                                               \
        cudaError_t error_ = (call);                                                   \
        if (error_ != cudaSuccess) {                                                   \
            fprintf(stderr, "%d: %s: %s\n", __LINE__, #call, cudaGetErrorName(error_)); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

enum { REPEATS = 4, VALUES = 40, SHARED = 200 * 1024, GLOBAL = 64 << 20 };

static u8 *global;
static u32 *out; /* REPEATS rows of VALUES */
static const char *only;

static __device__ u32 now()
{
    u32 t;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}

static __device__ u32 address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

static __device__ void bar_init(u32 bar, u32 n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(n) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void bar_expect(u32 bar, u32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

static __device__ void bar_arrive(u32 bar)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
}

static __device__ u32 bar_try(u32 bar, u32 parity)
{
    u32 done;

    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    return done;
}

static __device__ u32 bar_test(u32 bar, u32 parity)
{
    u32 done;

    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    return done;
}

static __device__ void bar_wait(u32 bar, u32 parity)
{
    while (!bar_try(bar, parity))
        ;
}

extern __shared__ __align__(1024) u8 shared[];
__shared__ u64 bars[8];

/* Barriers. */
__global__ void barriers(u32 *out, u32 mode)
{
    u32 bar = address(&bars[0]), other = address(&bars[1]), v = 0, phase = 0;

    if (threadIdx.x == 0) {
        bar_init(bar, 1);
        bar_init(other, 1);
    }
    __syncthreads();
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a = now(), b = a;

        if (mode == 0 && threadIdx.x == 0) { /* an arrival and a wait that is over */
#pragma unroll
            for (int k = 0; k < 16; k++) {
                bar_arrive(bar);
                bar_wait(bar, phase);
                phase ^= 1;
            }
            b = now();
        }
        if (mode == 1 && threadIdx.x == 0) { /* checks that hold */
#pragma unroll
            for (int k = 0; k < 16; k++)
                v += bar_try(other, 1);
            b = now();
        }
        if (mode == 2 && threadIdx.x == 0) { /* checks that do not hold */
#pragma unroll
            for (int k = 0; k < 16; k++)
                v += bar_test(other, 0);
            b = now();
        }
        if (mode == 3 && threadIdx.x == 0) { /* one wait that gives up */
            v += bar_try(other, 0);
            b = now();
        }
        if (mode == 4 && threadIdx.x == 0) { /* arrivals in a row */
#pragma unroll
            for (int k = 0; k < 16; k++)
                bar_arrive(bar);
            b = now();
        }
        if (threadIdx.x == 0)
            out[0] = b - a, out[1] = v;
    }
}

/* Warp 0 waits; warp 1 arrives `delay` later. Values: from the arrival to the return. */
__global__ void wake(u32 *out, u32 delay)
{
    __shared__ u32 at;
    u32 bar = address(&bars[0]);

    if (threadIdx.x == 0)
        bar_init(bar, 1);
    __syncthreads();
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        __syncthreads();
        if (threadIdx.x == 0) {
            u32 t;

            bar_wait(bar, r & 1);
            t = now();
            out[0] = t - *(volatile u32 *)&at;
        }
        if (threadIdx.x == 32) {
            u32 t = now();

            while (now() - t < delay)
                ;
            t = now();
            *(volatile u32 *)&at = t;
            bar_arrive(bar);
        }
        __syncthreads();
    }
}

/* N bulk copies of some bytes. Values: issued, done, per copy: when it was issued. */
template <int N> __global__ void bulk_in(const u8 *g, u32 *out, u32 bytes, u32 step)
{
    u32 bar = address(&bars[0]), times[N];

    if (threadIdx.x == 0)
        bar_init(bar, 1);
    __syncthreads();
    if (threadIdx.x)
        return;
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a, b;

        bar_expect(bar, N * bytes);
        a = now();
#pragma unroll
        for (u32 k = 0; k < N; k++) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         " [%0], [%1], %2, [%3];" ::"r"(address(shared) + k * bytes % 131072),
                         "l"(g + k * step), "r"(bytes), "r"(bar) : "memory");
            times[k] = now();
        }
        bar_wait(bar, r & 1);
        b = now();
        out[0] = times[N - 1] - a;
        out[1] = b - a;
        for (u32 k = 0; k < N; k++)
            out[2 + k] = times[k] - a;
    }
}

template <int N> __global__ void bulk_out(u8 *g, u32 *out, u32 bytes, u32 step)
{
    if (threadIdx.x)
        return;
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a = now(), b, c, d;

#pragma unroll
        for (u32 k = 0; k < N; k++)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(g + k * step),
                         "r"(address(shared) + k * bytes % 131072), "r"(bytes) : "memory");
        b = now();
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        c = now();
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        d = now();
        out[0] = b - a;
        out[1] = c - a;
        out[2] = d - a;
    }
}

/* N tiles of two dimensions, rows rows apart. */
template <int N> __global__ void tiles_in(const __grid_constant__ CUtensorMap map, u32 *out, u32 bytes, u32 rows, u32 ahead)
{
    u32 bar = address(&bars[0]), times[N];

    if (threadIdx.x == 0)
        bar_init(bar, 1);
    __syncthreads();
    if (threadIdx.x)
        return;
    out += blockIdx.x * REPEATS * VALUES;
    if (ahead)
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    for (u32 t = now(); ahead && now() - t < 4000;)
        ;
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a, b;

        bar_expect(bar, N * bytes);
        a = now();
#pragma unroll
        for (u32 k = 0; k < N; k++) {
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                         " [%0], [%1, {%2, %3}], [%4];" ::"r"(address(shared) + k * bytes % 131072),
                         "l"(&map), "r"(0), "r"((blockIdx.x * N + k) * rows), "r"(bar) : "memory");
            times[k] = now();
        }
        bar_wait(bar, r & 1);
        b = now();
        out[0] = times[N - 1] - a;
        out[1] = b - a;
        for (u32 k = 0; k < N; k++)
            out[2 + k] = times[k] - a;
    }
}

template <int N, bool REDUCE> __global__ void tiles_out(const __grid_constant__ CUtensorMap map, u32 *out, u32 bytes, u32 rows)
{
    if (threadIdx.x)
        return;
    out += blockIdx.x * REPEATS * VALUES;
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a = now(), b, c, d;

#pragma unroll
        for (u32 k = 0; k < N; k++) {
            u32 from = address(shared) + k * bytes % 131072, y = (blockIdx.x * N + k) * rows;

            if (REDUCE)
                asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
                             " [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(from), "r"(0), "r"(y) : "memory");
            else
                asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
                             " [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(from), "r"(0), "r"(y) : "memory");
        }
        b = now();
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        c = now();
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        d = now();
        out[0] = b - a;
        out[1] = c - a;
        out[2] = d - a;
    }
}

/* cp.async of 16 bytes per lane by the whole block: N per thread, then commit and wait. */
template <int N> __global__ void lane_copies(const u8 *g, u32 *out)
{
    u32 to = address(shared) + 16 * threadIdx.x;

    g += 16 * threadIdx.x;
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a, b, c;

        __syncthreads();
        a = now();
#pragma unroll
        for (u32 k = 0; k < N; k++)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + k * 16 * blockDim.x),
                         "l"(g + k * 16 * blockDim.x) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        b = now();
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        c = now();
        if (threadIdx.x == 0)
            out[0] = b - a, out[1] = c - a;
    }
}

/* Clusters. */
static __device__ u32 cluster_rank()
{
    u32 r;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

static __device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

__global__ void cluster_barriers(u32 *out)
{
    u32 rank = cluster_rank();

    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a;

        cluster_sync();
        a = now();
#pragma unroll
        for (int k = 0; k < 8; k++)
            cluster_sync();
        if (threadIdx.x == 0 && rank == 0)
            out[0] = now() - a;
    }
}

/* Block 0 reads, writes and adds to shared memory of block `where`. */
__global__ void remote(u32 *out, u32 where, u32 mode)
{
    u32 rank = cluster_rank(), lane = threadIdx.x;
    u32 *words = (u32 *)shared, at, n = blockDim.x;

    for (u32 k = lane; k < 16384; k += n)
        words[k] = 0;
    cluster_sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(address(shared)), "r"(where));
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a, b, v = at + 4 * lane, w = 0;

        cluster_sync();
        if (rank == 0) {
            a = now();
            if (mode == 0) { /* dependent loads */
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(w) : "r"(v) : "memory");
                    v += w;
                }
            }
            if (mode == 1) { /* independent ones of 16 bytes */
                u32 x, y, z;

                v = at + 16 * lane;
#pragma unroll
                for (int k = 0; k < 16; k++) {
                    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(w), "=r"(x), "=r"(y), "=r"(z) : "r"(v + k % 4 * n * 16) : "memory");
                    v += w + x + y + z;
                    if (k % 4 != 3)
                        v -= w + x + y + z;
                }
            }
            if (mode == 2) { /* stores of 16 bytes */
#pragma unroll
                for (int k = 0; k < 16; k++)
                    asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at + 16 * lane + k % 4 * n * 16), "r"(w) : "memory");
            }
            if (mode == 3) { /* dependent atomics */
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    asm volatile("atom.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(w) : "r"(v) : "memory");
                    v += w;
                }
            }
            b = now() + (v == 1) + (w == 1);
            if (lane == 0)
                out[0] = b - a;
        }
        cluster_sync();
    }
}

/* Block 1 waits; block 0 arrives at its barrier. The clocks of two SMs are not alike, so the
 * answer comes back the same way: half of the round trip. */
__global__ void ping(u32 *out)
{
    u32 rank = cluster_rank(), bar = address(&bars[0]), there;

    if (threadIdx.x == 0)
        bar_init(bar, 1);
    cluster_sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(bar), "r"(rank ^ 1));
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a = now();

        for (u32 k = 0; k < 8 && threadIdx.x == 0; k++) {
            if (rank == 0)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            while (!bar_try(bar, k & 1))
                ;
            if (rank == 1)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
        }
        if (rank == 0 && threadIdx.x == 0)
            out[0] = now() - a;
    }
    cluster_sync();
}

/* Block 0 casts N tiles to all blocks; each waits. */
template <int N> __global__ void casts(const __grid_constant__ CUtensorMap map, u32 *out, u32 bytes, u32 rows, u32 blocks)
{
    u32 rank = cluster_rank(), bar = address(&bars[0]);

    if (threadIdx.x == 0)
        bar_init(bar, 1);
    cluster_sync();
    for (u32 r = 0; r < REPEATS; r++, out += VALUES) {
        u32 a, b;

        if (threadIdx.x == 0)
            bar_expect(bar, N * bytes);
        cluster_sync();
        if (threadIdx.x == 0) {
            a = now();
            if (rank == 0) {
#pragma unroll
                for (u32 k = 0; k < N; k++)
                    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(shared) + k * bytes % 131072),
                                 "l"(&map), "r"(0), "r"(k * rows), "r"(bar), "h"((short)((1 << blocks) - 1)) : "memory");
            }
            bar_wait(bar, r & 1);
            b = now();
            out[rank] = b - a;
        }
        cluster_sync();
    }
}

__global__ void where(u32 *out)
{
    u32 sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sm;
}

/* The rows. */
static bool wanted(const char *name)
{
    return !only || !strncmp(name, only, strlen(only));
}

/* The least of the repeats, value by value; the first one apart: it is cold. */
static void print_row(const char *name, int n)
{
    static u32 host[REPEATS * VALUES];

    GOOD(cudaGetLastError());
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (int k = 0; k < n; k++) {
        u32 least = ~0u;

        for (int r = 1; r < REPEATS; r++)
            if (host[r * VALUES + k] < least)
                least = host[r * VALUES + k];
        printf(" %u", least);
    }
    printf(" | first");
    for (int k = 0; k < n && k < 3; k++)
        printf(" %u", host[k]);
    printf("\n");
    fflush(stdout);
}

/* The mean over blocks of the least of value 1, and the worst. */
static void print_blocks(const char *name, int blocks)
{
    static u32 host[132 * REPEATS * VALUES];
    double sum = 0;
    u32 worst = 0;

    GOOD(cudaGetLastError());
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int b = 0; b < blocks; b++) {
        u32 least = ~0u;

        for (int r = 1; r < REPEATS; r++)
            if (host[(b * REPEATS + r) * VALUES + 1] < least)
                least = host[(b * REPEATS + r) * VALUES + 1];
        sum += least;
        worst = least > worst ? least : worst;
    }
    printf("%s %.1f %u\n", name, sum / blocks, worst);
    fflush(stdout);
}

static CUtensorMap map_of(u32 columns, u32 rows, CUtensorMapSwizzle swizzle, CUtensorMapDataType type, u32 bytes, u32 pitch)
{
    alignas(64) CUtensorMap map;
    u64 dim[2] = { pitch / bytes, GLOBAL / pitch }, stride[1] = { pitch };
    u32 box[2] = { columns, rows }, step[2] = { 1, 1 };
    CUresult r = cuTensorMapEncodeTiled(&map, type, 2, global, dim, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    if (r != CUDA_SUCCESS) {
        fprintf(stderr, "no map: %d\n", (int)r);
        exit(1);
    }
    return map;
}

static void allow(const void *f)
{
    GOOD(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    GOOD(cudaFuncSetAttribute(f, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

template <typename... P, typename... A> static void launch(void (*f)(P...), u32 grid, u32 block, u32 cluster, A... a)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute attribute[1];

    allow((const void *)f);
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = SHARED;
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    c.attrs = attribute;
    c.numAttrs = cluster > 1;
    GOOD(cudaLaunchKernelEx(&c, f, a...));
}

static void rows_barriers()
{
    static const char *const names[] = { "arrive-wait16", "try-holds16", "test-fails16", "try-gives-up", "arrive16" };
    char name[64];

    for (u32 mode = 0; mode < 5; mode++) {
        snprintf(name, sizeof name, "mbarrier.%s", names[mode]);
        if (!wanted(name))
            continue;
        launch(barriers, 1, 32, 1, out, mode);
        print_row(name, 1);
    }
    for (u32 delay = 50; delay <= 6400; delay *= 2) {
        snprintf(name, sizeof name, "mbarrier.wake.%u", delay);
        if (!wanted(name))
            continue;
        launch(wake, 1, 64, 1, out, delay);
        print_row(name, 1);
    }
}

static void rows_bulk()
{
    char name[64];

    for (u32 bytes = 16; bytes <= 65536; bytes *= 2) {
        snprintf(name, sizeof name, "bulk.in.1.%u", bytes);
        if (wanted(name)) {
            launch(bulk_in<1>, 1, 32, 1, (const u8 *)global, out, bytes, bytes);
            print_row(name, 2);
        }
        snprintf(name, sizeof name, "bulk.out.1.%u", bytes);
        if (wanted(name)) {
            launch(bulk_out<1>, 1, 32, 1, global, out, bytes, bytes);
            print_row(name, 3);
        }
    }
    for (u32 bytes = 16; bytes <= 4096; bytes *= 4) {
        snprintf(name, sizeof name, "bulk.in.8.%u", bytes);
        if (wanted(name)) {
            launch(bulk_in<8>, 1, 32, 1, (const u8 *)global, out, bytes, bytes);
            print_row(name, 10);
        }
        snprintf(name, sizeof name, "bulk.in.32.%u", bytes);
        if (wanted(name)) {
            launch(bulk_in<32>, 1, 32, 1, (const u8 *)global, out, bytes, bytes);
            print_row(name, 34);
        }
        snprintf(name, sizeof name, "bulk.in.32.%u.apart", bytes);
        if (wanted(name)) {
            launch(bulk_in<32>, 1, 32, 1, (const u8 *)global, out, bytes, 8192u);
            print_row(name, 34);
        }
        snprintf(name, sizeof name, "bulk.out.32.%u", bytes);
        if (wanted(name)) {
            launch(bulk_out<32>, 1, 32, 1, global, out, bytes, bytes);
            print_row(name, 3);
        }
    }
}

static void rows_tiles()
{
    static const struct { u32 columns, rows, pitch; CUtensorMapSwizzle swizzle; } shapes[] = {
        { 64, 1, 128, CU_TENSOR_MAP_SWIZZLE_NONE },   { 64, 8, 128, CU_TENSOR_MAP_SWIZZLE_NONE },
        { 64, 64, 128, CU_TENSOR_MAP_SWIZZLE_NONE },  { 64, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B },
        { 64, 64, 4096, CU_TENSOR_MAP_SWIZZLE_128B }, { 64, 128, 4096, CU_TENSOR_MAP_SWIZZLE_128B },
        { 64, 256, 4096, CU_TENSOR_MAP_SWIZZLE_128B }, { 32, 64, 4096, CU_TENSOR_MAP_SWIZZLE_64B },
        { 16, 64, 4096, CU_TENSOR_MAP_SWIZZLE_32B },  { 8, 64, 4096, CU_TENSOR_MAP_SWIZZLE_NONE },
        { 8, 64, 16, CU_TENSOR_MAP_SWIZZLE_NONE },    { 256, 16, 4096, CU_TENSOR_MAP_SWIZZLE_NONE },
        { 64, 16, 4096, CU_TENSOR_MAP_SWIZZLE_128B },
    };
    char name[64];

    for (auto &s : shapes) {
        CUtensorMap map = map_of(s.columns, s.rows, s.swizzle, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, s.pitch);
        u32 bytes = s.columns * s.rows * 2, sw = (u32)s.swizzle;

        snprintf(name, sizeof name, "tile.in.1.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_in<1>, 1, 32, 1, map, out, bytes, s.rows, 0u);
            print_row(name, 2);
        }
        snprintf(name, sizeof name, "tile.ahead.1.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_in<1>, 1, 32, 1, map, out, bytes, s.rows, 1u);
            print_row(name, 2);
        }
        if (bytes * 4 <= SHARED) {
            snprintf(name, sizeof name, "tile.in.4.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
            if (wanted(name)) {
                launch(tiles_in<4>, 1, 32, 1, map, out, bytes, s.rows, 1u);
                print_row(name, 6);
            }
        }
        snprintf(name, sizeof name, "tile.in.16.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_in<16>, 1, 32, 1, map, out, bytes, s.rows, 1u);
            print_row(name, 18);
        }
        snprintf(name, sizeof name, "tile.all.16.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name) && (u64)132 * 16 * s.rows * s.pitch <= GLOBAL) {
            launch(tiles_in<16>, 132, 32, 1, map, out, bytes, s.rows, 1u);
            print_blocks(name, 132);
        }
        snprintf(name, sizeof name, "tile.out.1.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_out<1, false>, 1, 32, 1, map, out, bytes, s.rows);
            print_row(name, 3);
        }
        snprintf(name, sizeof name, "tile.out.8.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_out<8, false>, 1, 32, 1, map, out, bytes, s.rows);
            print_row(name, 3);
        }
        snprintf(name, sizeof name, "tile.add.1.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_out<1, true>, 1, 32, 1, map, out, bytes, s.rows);
            print_row(name, 3);
        }
        snprintf(name, sizeof name, "tile.add.8.%ux%u.p%u.s%u", s.columns, s.rows, s.pitch, sw);
        if (wanted(name)) {
            launch(tiles_out<8, true>, 1, 32, 1, map, out, bytes, s.rows);
            print_row(name, 3);
        }
    }
}

static void rows_lanes()
{
    char name[64];

    for (u32 threads = 32; threads <= 512; threads *= 4) {
        snprintf(name, sizeof name, "cpasync.1.%u", threads);
        if (wanted(name)) {
            launch(lane_copies<1>, 1, threads, 1, (const u8 *)global, out);
            print_row(name, 2);
        }
        snprintf(name, sizeof name, "cpasync.8.%u", threads);
        if (wanted(name)) {
            launch(lane_copies<8>, 1, threads, 1, (const u8 *)global, out);
            print_row(name, 2);
        }
    }
}

static void rows_clusters()
{
    static const char *const names[] = { "load8", "load16x16", "store16x16", "atom8" };
    CUtensorMap map = map_of(64, 64, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 4096);
    static u32 host[1024];
    char name[64];

    for (u32 size = 1; size <= 16; size *= 2) {
        snprintf(name, sizeof name, "cluster.barrier8.%u", size);
        if (wanted(name)) {
            launch(cluster_barriers, size, 128, size, out);
            print_row(name, 1);
        }
        snprintf(name, sizeof name, "cluster.cast1.%u", size);
        if (wanted(name) && size > 1) {
            launch(casts<1>, size, 32, size, map, out, 8192u, 64u, size);
            print_row(name, (int)size);
        }
        snprintf(name, sizeof name, "cluster.cast8.%u", size);
        if (wanted(name) && size > 1) {
            launch(casts<8>, size, 32, size, map, out, 8192u, 64u, size);
            print_row(name, (int)size);
        }
        snprintf(name, sizeof name, "cluster.sms.%u", size);
        if (wanted(name)) {
            GOOD(cudaMemset(out, 0xff, 4096));
            launch(where, 128, 32, size, out);
            GOOD(cudaDeviceSynchronize());
            GOOD(cudaMemcpy(host, out, 512, cudaMemcpyDeviceToHost));
            printf("%s", name);
            for (int k = 0; k < 128; k++)
                printf(" %d", (int)host[k]);
            printf("\n");
        }
    }
    for (u32 mode = 0; mode < 4; mode++)
        for (u32 threads = 32; threads <= 512; threads *= 4)
            for (u32 to = 0; to < 4; to++) {
                snprintf(name, sizeof name, "remote.%s.%u.to%u", names[mode], threads, to);
                if (!wanted(name) || (to > 1 && threads > 32))
                    continue;
                launch(remote, 4, threads, 4, out, to, mode);
                print_row(name, 1);
            }
    if (wanted("cluster.ping8")) {
        launch(ping, 2, 32, 2, out);
        print_row("cluster.ping8", 1);
    }
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    GOOD(cudaMalloc(&global, GLOBAL));
    GOOD(cudaMalloc(&out, sizeof(u32) * 132 * REPEATS * VALUES));
    GOOD(cudaMemset(global, 0, GLOBAL));
    GOOD(cudaMemset(out, 0, sizeof(u32) * 132 * REPEATS * VALUES));
    rows_barriers();
    rows_bulk();
    rows_tiles();
    rows_lanes();
    rows_clusters();
    return 0;
}
