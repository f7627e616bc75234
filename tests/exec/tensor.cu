/* tensor.cu - tensor maps and what copies by them: each case prints the bytes that a barrier
 * was told and a sum over what arrived. tensor.out is what an H200 prints.
 *
 *   tensor [-v|-q]                   all cases; -v: what arrived, too; -q: without waiting
 *   tensor [-v|-q] only NAME         one case
 *   tensor maps                      the words of encoded maps, and what is refused
 */
#include <cuda.h>
#include <cstdint>

#include "check.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { GLOBAL = 1 << 18, SHARED = 16384, MAX_RANK = 5 };
enum kind { LOAD, STORE, REDUCE, PREFETCH, CAST, REMOTE, REPLACE };
enum op { ADD, MIN, MAX, INC, DEC, AND, OR, XOR };

struct tensor {
    char name[32];
    kind what;
    int op;
    CUtensorMapDataType type;
    u32 rank;
    u64 dim[MAX_RANK], stride[MAX_RANK - 1]; /* strides 0: dense */
    u32 box[MAX_RANK], step[MAX_RANK];       /* steps 0: 1 */
    int at[MAX_RANK];
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
    u32 pixels, channels; /* pixels: im2col */
    int lower[3], upper[3];
    u32 offset; /* packed as the instruction wants it: by rank */
    u32 to;     /* where in shared memory */
};

static int bytes_of(CUtensorMapDataType type)
{
    static const int bytes[] = { 1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4 };

    return bytes[type];
}

static CUresult encode(CUtensorMap *map, void *base, const struct tensor *t)
{
    u64 stride[MAX_RANK - 1], next = t->dim[0] * bytes_of(t->type);
    u32 step[MAX_RANK];

    for (u32 k = 0; k < MAX_RANK; k++)
        step[k] = t->step[k] ? t->step[k] : 1;
    for (u32 k = 0; k + 1 < MAX_RANK; k++) {
        stride[k] = t->stride[k] ? t->stride[k] : (next + 15) / 16 * 16;
        next = stride[k] * t->dim[k + 1];
    }
    if (t->pixels)
        return cuTensorMapEncodeIm2col(map, t->type, t->rank, base, t->dim, stride, t->lower,
                                       t->upper, t->channels, t->pixels, step, t->interleave,
                                       t->swizzle, t->promotion, t->fill);
    return cuTensorMapEncodeTiled(map, t->type, t->rank, base, t->dim, stride, t->box, step,
                                  t->interleave, t->swizzle, t->promotion, t->fill);
}

/* What a kernel is told. */
struct job {
    CUtensorMap map;
    int at[MAX_RANK];
    u32 offset, to, wait;
    u8 *global;
    u32 *out; /* bytes, then shared memory */
};

static __device__ u32 address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

#define C1 "{%1}"
#define C2 "{%1, %2}"
#define C3 "{%1, %2, %3}"
#define C4 "{%1, %2, %3, %4}"
#define C5 "{%1, %2, %3, %4, %5}"
#define COORDINATES "r"(j.at[0]), "r"(j.at[1]), "r"(j.at[2]), "r"(j.at[3]), "r"(j.at[4])
#define BYTES ".mbarrier::complete_tx::bytes"
#define IM_OFFSETS "h"(w), "h"(h), "h"(d)

template <int RANK, bool IM2COL> static __device__ void copy_in(const job &j, u32 to, u32 bar)
{
    short w = (short)j.offset, h = (short)(j.offset >> 8 & 0xff), d = 0;

    if (IM2COL && RANK == 4)
        w = j.offset & 0xff;
    if (IM2COL && RANK == 5) {
        w = j.offset & 31;
        h = j.offset >> 5 & 31;
        d = j.offset >> 10 & 31;
    }
#define IN(n, mode, rest, ...)                                                                \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global." mode BYTES            \
                 " [%0], [%6, " C##n "], [%7]" rest ";" ::"r"(to), COORDINATES, "l"(&j.map), \
                 "r"(bar), ##__VA_ARGS__ : "memory")
    if constexpr (IM2COL) {
        if constexpr (RANK == 3) IN(3, "im2col", ", {%8}", "h"(w));
        if constexpr (RANK == 4) IN(4, "im2col", ", {%8, %9}", "h"(w), "h"(h));
        if constexpr (RANK == 5) IN(5, "im2col", ", {%8, %9, %10}", IM_OFFSETS);
    } else {
        if constexpr (RANK == 1) IN(1, "tile", "");
        if constexpr (RANK == 2) IN(2, "tile", "");
        if constexpr (RANK == 3) IN(3, "tile", "");
        if constexpr (RANK == 4) IN(4, "tile", "");
        if constexpr (RANK == 5) IN(5, "tile", "");
    }
}

template <int RANK> static __device__ void cast_in(const job &j, u32 to, u32 bar, short blocks)
{
#define CASTS(n)                                                                          \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.tile" BYTES         \
                 ".multicast::cluster [%0], [%6, " C##n "], [%7], %8;" ::"r"(to),         \
                 COORDINATES, "l"(&j.map), "r"(bar), "h"(blocks) : "memory")
    if constexpr (RANK == 1) CASTS(1);
    if constexpr (RANK == 2) CASTS(2);
    if constexpr (RANK == 3) CASTS(3);
    if constexpr (RANK == 4) CASTS(4);
    if constexpr (RANK == 5) CASTS(5);
}

template <int RANK> static __device__ void prefetch(const job &j)
{
#define AHEAD(n)                                                                  \
    asm volatile("cp.async.bulk.prefetch.tensor." #n "d.L2.global.tile [%0, " C##n \
                 "];" ::"l"(&j.map), COORDINATES : "memory")
    if constexpr (RANK == 1) AHEAD(1);
    if constexpr (RANK == 2) AHEAD(2);
    if constexpr (RANK == 3) AHEAD(3);
    if constexpr (RANK == 4) AHEAD(4);
    if constexpr (RANK == 5) AHEAD(5);
}

#define OUT(n, name, mode)                                                           \
    asm volatile(name "." #n "d.global.shared::cta" mode ".bulk_group [%0, " C##n     \
                 "], [%6];" ::"l"(&j.map), COORDINATES, "r"(from) : "memory")
#define OUT_BY_RANK(name, mode)                    \
    do {                                           \
        if constexpr (RANK == 1) OUT(1, name, mode); \
        if constexpr (RANK == 2) OUT(2, name, mode); \
        if constexpr (RANK == 3) OUT(3, name, mode); \
        if constexpr (RANK == 4) OUT(4, name, mode); \
        if constexpr (RANK == 5) OUT(5, name, mode); \
    } while (0)

template <int RANK, bool IM2COL> static __device__ void copy_out(const job &j, u32 from)
{
    if constexpr (IM2COL) {
        if constexpr (RANK == 3) OUT(3, "cp.async.bulk.tensor", ".im2col_no_offs");
        if constexpr (RANK == 4) OUT(4, "cp.async.bulk.tensor", ".im2col_no_offs");
        if constexpr (RANK == 5) OUT(5, "cp.async.bulk.tensor", ".im2col_no_offs");
    } else {
        OUT_BY_RANK("cp.async.bulk.tensor", ".tile");
    }
}

template <int RANK> static __device__ void reduce_out(const job &j, u32 from, int op)
{
    switch (op) {
    case ADD: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".add.tile"); break;
    case MIN: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".min.tile"); break;
    case MAX: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".max.tile"); break;
    case INC: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".inc.tile"); break;
    case DEC: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".dec.tile"); break;
    case AND: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".and.tile"); break;
    case OR: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".or.tile"); break;
    case XOR: OUT_BY_RANK("cp.reduce.async.bulk.tensor", ".xor.tile"); break;
    }
}

static __device__ void barrier_init(u32 bar)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Waits, then tells the barrier to expect bytes until its phase is over: how many came. */
static __device__ u32 bytes_come(u32 bar, u32 wait)
{
    long long start = clock64();
    u32 n = 0, done = 0;

    while (clock64() - start < wait)
        ;
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
    for (;;) {
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;"
                     "selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(bar) : "memory");
        if (done || n >= 65536)
            return n;
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 16;" ::"r"(bar) : "memory");
        n += 16;
    }
}

static __device__ void put_result(const job &j, const u32 *s, u32 bytes)
{
    if (threadIdx.x == 0)
        j.out[0] = bytes;
    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        j.out[1 + k] = s[k];
}

template <int RANK, bool IM2COL> __global__ void load(const __grid_constant__ job j)
{
    __shared__ alignas(1024) u32 s[SHARED / 4];
    __shared__ u64 bar;
    u32 bytes = 0;

    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        s[k] = 0xa5a5a5a5;
    if (threadIdx.x == 0)
        barrier_init(address(&bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&j.map) : "memory");
        copy_in<RANK, IM2COL>(j, address(s) + j.to, address(&bar));
        bytes = bytes_come(address(&bar), j.wait);
    }
    __syncthreads();
    put_result(j, s, bytes);
}

/* Blocks of a cluster: the second casts to those of `offset`, or (REMOTE) copies to the
 * first; everybody counts. */
template <int RANK> __global__ void __cluster_dims__(4, 1, 1)
    cast(const __grid_constant__ job j)
{
    __shared__ alignas(1024) u32 s[SHARED / 4];
    __shared__ u64 bar;
    u32 rank, bytes = 0;
    job mine = j;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        s[k] = 0xa5a5a5a5;
    if (threadIdx.x == 0)
        barrier_init(address(&bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0 && rank == 1) {
        if (j.offset) {
            cast_in<RANK>(j, address(s) + j.to, address(&bar), (short)j.offset);
        } else {
            u32 to, there;

            asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(address(s) + j.to));
            asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(address(&bar)));
            copy_in<RANK, false>(j, to, there);
        }
    }
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0)
        bytes = bytes_come(address(&bar), j.wait);
    __syncthreads();
    mine.out = j.out + rank * (1 + SHARED / 4);
    put_result(mine, s, bytes);
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

static __host__ __device__ u32 hash(u32 x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static __device__ void wait_stores()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <int RANK, bool IM2COL> __global__ void store(const __grid_constant__ job j)
{
    __shared__ alignas(1024) u32 s[SHARED / 4];

    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        s[k] = hash(k + 77777);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!IM2COL)
            prefetch<RANK>(j);
        copy_out<RANK, IM2COL>(j, address(s) + j.to);
        wait_stores();
    }
}

template <int RANK> __global__ void reduce(const __grid_constant__ job j)
{
    __shared__ alignas(1024) u32 s[SHARED / 4];

    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        s[k] = hash(k + 77777);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        reduce_out<RANK>(j, address(s) + j.to, (int)j.offset);
        wait_stores();
    }
}

/* A map in global memory, changed by the kernel before it is used. */
#define REPLACED(field, type, value, rest)                                         \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0]" \
                 rest ";" ::"r"(address(map)), value : "memory")
__global__ void replace(const __grid_constant__ job j, CUtensorMap *there, u8 *base)
{
    __shared__ alignas(1024) u32 s[SHARED / 4];
    __shared__ alignas(128) u64 map[16];
    __shared__ u64 bar;
    u32 bytes = 0;

    for (u32 k = threadIdx.x; k < SHARED / 4; k += blockDim.x)
        s[k] = 0xa5a5a5a5;
    if (threadIdx.x < 16)
        map[threadIdx.x] = j.map.opaque[threadIdx.x];
    if (threadIdx.x == 0)
        barrier_init(address(&bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        REPLACED("global_address", "b64", "l"(base), ", %1");
        REPLACED("rank", "b32", "n"(1), ", %1");
        REPLACED("box_dim", "b32", "r"(16), ", 0, %1");
        REPLACED("box_dim", "b32", "r"(9), ", 1, %1");
        REPLACED("global_dim", "b32", "r"(40), ", 0, %1");
        REPLACED("global_dim", "b32", "r"(11), ", 1, %1");
        REPLACED("global_stride", "b64", "l"(256ull), ", 0, %1");
        REPLACED("element_stride", "b32", "r"(2), ", 1, %1");
        REPLACED("elemtype", "b32", "n"(2), ", %1");
        REPLACED("interleave_layout", "b32", "n"(0), ", %1");
        REPLACED("swizzle_mode", "b32", "n"(2), ", %1");
        REPLACED("fill_mode", "b32", "n"(0), ", %1");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release"
                     ".gpu.sync.aligned [%0], [%1], 128;" ::"l"(there), "r"(address(map)) : "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(there) : "memory");
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile" BYTES
                         " [%0], [%1, {%2, %3}], [%4];" ::"r"(address(s)), "l"(there), "r"(j.at[0]),
                         "r"(j.at[1]), "r"(address(&bar)) : "memory");
            bytes = bytes_come(address(&bar), j.wait);
        }
    }
    __syncthreads();
    put_result(j, s, bytes);
}

static u8 *global;       /* the tensor, with room before and after it */
static u32 *result;
static u8 *before, *after; /* the host's copies of global */
static u32 *host;
static bool verbose;
static u32 patience = 20000;

static u32 sum(const void *p, size_t n)
{
    const u8 *b = (const u8 *)p;
    u32 h = 2166136261u;

    for (size_t k = 0; k < n; k++)
        h = (h ^ b[k]) * 16777619u;
    return h;
}

/* Index patterns where types permit, so that -v shows what came from where. */
static void fill_global(const struct tensor *t)
{
    for (u32 k = 0; k < GLOBAL / 4; k++) {
        u32 v = bytes_of(t->type) <= 2 ? (2 * k & 0xffff) | (2 * k + 1) << 16 : k;

        if (bytes_of(t->type) == 1)
            v = hash(k);
        if (t->type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 || t->what == REDUCE)
            v = hash(k);
        if (t->type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && t->what == LOAD && k % 7 == 3)
            v &= 0x807fffff; /* denormal */
        memcpy(before + 4 * k, &v, 4);
    }
    GOOD(cudaMemcpy(global, before, GLOBAL, cudaMemcpyHostToDevice));
}

#define BY_RANK(kernel, ...)                                       \
    switch (t->rank) {                                             \
    case 1: kernel<1 __VA_ARGS__><<<1, 64>>>(j); break;            \
    case 2: kernel<2 __VA_ARGS__><<<1, 64>>>(j); break;            \
    case 3: kernel<3 __VA_ARGS__><<<1, 64>>>(j); break;            \
    case 4: kernel<4 __VA_ARGS__><<<1, 64>>>(j); break;            \
    case 5: kernel<5 __VA_ARGS__><<<1, 64>>>(j); break;            \
    }
#define COMMA ,

static void launch_load(const struct tensor *t, const job &j)
{
    switch (t->what) {
    case REPLACE: {
        CUtensorMap *there;

        GOOD(cudaMalloc(&there, sizeof *there));
        replace<<<1, 64>>>(j, there, global + GLOBAL / 2);
        GOOD(cudaDeviceSynchronize());
        GOOD(cudaFree(there));
        break;
    }
    case CAST:
    case REMOTE:
        switch (t->rank) {
        case 1: cast<1><<<4, 64>>>(j); break;
        case 2: cast<2><<<4, 64>>>(j); break;
        case 3: cast<3><<<4, 64>>>(j); break;
        case 4: cast<4><<<4, 64>>>(j); break;
        case 5: cast<5><<<4, 64>>>(j); break;
        }
        break;
    default:
        if (!t->pixels) {
            BY_RANK(load, COMMA false)
        } else if (t->rank == 3) {
            load<3, true><<<1, 64>>>(j);
        } else if (t->rank == 4) {
            load<4, true><<<1, 64>>>(j);
        } else {
            load<5, true><<<1, 64>>>(j);
        }
    }
}

static void launch_store(const struct tensor *t, const job &j)
{
    if (t->what == REDUCE) {
        BY_RANK(reduce, )
    } else if (!t->pixels) {
        BY_RANK(store, COMMA false)
    } else if (t->rank == 3) {
        store<3, true><<<1, 64>>>(j);
    } else if (t->rank == 4) {
        store<4, true><<<1, 64>>>(j);
    } else {
        store<5, true><<<1, 64>>>(j);
    }
}

static void show_words(const char *name, const u32 *w, u32 n)
{
    while (n && w[n - 1] == 0xa5a5a5a5)
        n--;
    printf("  %s", name);
    for (u32 k = 0; k < n; k++)
        printf(" %x", w[k]);
    printf("\n");
}

static void show_changes()
{
    printf("  changed");
    for (u32 k = 0; k < GLOBAL; k += 4) {
        u32 a, b;

        memcpy(&a, before + k, 4);
        memcpy(&b, after + k, 4);
        if (a != b)
            printf(" %x:%x", k, b);
    }
    printf("\n");
}

static void run_case(const struct tensor *t)
{
    bool is_store = t->what == STORE || t->what == REDUCE;
    u32 blocks = t->what == CAST || t->what == REMOTE ? 4 : 1;
    size_t size = 4 + SHARED;
    alignas(64) job j = {};
    CUresult r;

    fill_global(t);
    r = encode(&j.map, global + GLOBAL / 4, t);
    if (r != CUDA_SUCCESS) {
        printf("%s: not encoded, %d\n", t->name, (int)r);
        return;
    }
    memcpy(j.at, t->at, sizeof j.at);
    j.offset = t->what == REDUCE ? (u32)t->op : t->offset;
    j.to = t->to;
    j.wait = patience;
    j.global = global;
    j.out = result;
    GOOD(cudaMemset(result, 0, blocks * size));
    if (is_store)
        launch_store(t, j);
    else
        launch_load(t, j);
    GOOD(cudaGetLastError());
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("%s: %s\n", t->name, cudaGetErrorName(cudaGetLastError()));
        exit(1);
    }
    GOOD(cudaMemcpy(host, result, blocks * size, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(after, global, GLOBAL, cudaMemcpyDeviceToHost));
    printf("%s:", t->name);
    for (u32 b = 0; !is_store && b < blocks; b++)
        printf(" %u bytes %08x", host[b * size / 4], sum(host + b * size / 4 + 1, SHARED));
    printf(" global %08x\n", sum(after, GLOBAL));
    for (u32 b = 0; verbose && !is_store && b < blocks; b++)
        show_words("shared", host + b * size / 4 + 1, SHARED / 4);
    if (verbose && is_store)
        show_changes();
    fflush(stdout);
}

#include "tensor_cases.cuh"

int main(int argc, char **argv)
{
    const char *only = NULL;
    struct tensor *t;
    int n, k = 1;

    if (k < argc && !strcmp(argv[k], "-v")) {
        verbose = true;
        k++;
    }
    if (k < argc && !strcmp(argv[k], "-q")) {
        patience = 0;
        k++;
    }
    if (k < argc && !strcmp(argv[k], "maps")) {
        GOOD(cudaFree(0));
        show_maps();
        return 0;
    }
    if (k + 1 < argc && !strcmp(argv[k], "only"))
        only = argv[k + 1];
    before = (u8 *)malloc(GLOBAL);
    after = (u8 *)malloc(GLOBAL);
    host = (u32 *)malloc(4 * (4 + SHARED));
    CHECK(before && after && host);
    GOOD(cudaMalloc(&global, GLOBAL));
    GOOD(cudaMalloc(&result, 4 * (4 + SHARED)));
    n = make_cases(&t, only != NULL);
    for (int c = 0; c < n; c++)
        if (!only || !strcmp(only, t[c].name))
            run_case(&t[c]);
    return 0;
}
