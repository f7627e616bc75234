/* together.cu - clusters: their barrier, shared memory of other blocks, arrivals at barriers
 * there, copies that go to several blocks. What blocks compute is checked, and a cluster has
 * to start as a whole, on different SMs.
 */
#include <cstdio>
#include <cstdlib>

typedef unsigned u32;
typedef unsigned long long u64;

enum { THREADS = 64, WORDS = 1024 };

static __device__ u32 rank_of() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
static __device__ u32 sm_of() { u32 r; asm volatile("mov.u32 %0, %%smid;" : "=r"(r)); return r; }
static __device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
static __device__ u32 there(u32 a, u32 rank) { u32 r; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(rank)); return r; }
static __device__ void meet() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }
static __device__ u32 load(u32 a) { u32 v; asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory"); return v; }
static __device__ void store(u32 a, u32 v) { asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory"); }
static __device__ void add(u32 a, u32 v) { asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory"); }
static __device__ void init(u32 bar, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(bar), "r"(n) : "memory"); }
static __device__ void expect(u32 bar, u32 bytes) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory"); }
static __device__ void arrive(u32 bar) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory"); }

static __device__ void wait(u32 bar, u32 parity)
{
    u32 over = 0;

    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over) : "r"(bar), "r"(parity) : "memory");
}

/* out: per block what it read of the next one, a sum that all have added to, rounds of a ring of
 * arrivals, words that came with st.async, and words of a copy to all. */
__global__ void together(const u32 *in, u32 *out, u32 *sms, u32 n)
{
    __shared__ __align__(128) u32 words[WORDS], copied[WORDS], sum, sent[THREADS];
    __shared__ __align__(8) u64 bars[3];
    u32 rank = rank_of(), t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x, got = 0;

    for (u32 k = t; k < WORDS; k += THREADS)
        words[k] = block * WORDS + k;
    if (t == 0) {
        sum = 0;
        sms[block] = sm_of();
        for (int k = 0; k < 3; k++)
            init(at(&bars[k]), 1);
        expect(at(&bars[1]), 4 * THREADS);
        expect(at(&bars[2]), 4 * WORDS);
    }
    __syncthreads();
    meet();
    for (u32 k = t; k < WORDS; k += THREADS)
        got += load(there(at(&words[k]), (rank + 1) % n));
    add(there(at(&sum), 0), got);
    if (rank == 0 && t == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                     ::"r"(at(copied)), "l"(in), "r"(4 * WORDS), "r"(at(&bars[2])), "h"((short)((1 << n) - 1)) : "memory");
    }
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                 ::"r"(there(at(&sent[t]), rank ^ 1)), "r"(1000 * rank + t), "r"(there(at(&bars[1]), rank ^ 1)) : "memory");
    if (t == 0) /* a token goes around three times */
        for (u32 k = 0; k < 3; k++) {
            if (rank == 0 && k == 0)
                arrive(there(at(&bars[0]), 1));
            wait(at(&bars[0]), k & 1);
            if (rank || k < 2)
                arrive(there(at(&bars[0]), (rank + 1) % n));
        }
    wait(at(&bars[1]), 0);
    wait(at(&bars[2]), 0);
    if (t < 32) /* and one word that only a store brings */
        store(there(at(&words[t]), (rank + 2) % n), rank);
    meet();
    out[(block * THREADS + t) * 4] = got;
    out[(block * THREADS + t) * 4 + 1] = rank ? 0 : sum;
    out[(block * THREADS + t) * 4 + 2] = sent[t];
    out[(block * THREADS + t) * 4 + 3] = copied[t * 16] + words[0];
}

/* One block ends at once; the others do not wait for it. */
__global__ void leaves(u32 *out)
{
    if (rank_of() == 1)
        return;
    meet();
    out[blockIdx.x] = blockIdx.x;
}

static u32 in[WORDS], *device_in, *out, *sms;
static int wrong;

static void expect_equal(const char *what, u32 block, u32 got, u32 want)
{
    if (got == want || wrong++ > 5)
        return;
    printf("%s of block %u: %u, expected %u\n", what, block, got, want);
}

static u32 sum_of(u32 block, u32 t)
{
    u32 s = 0;

    for (u32 k = t; k < WORDS; k += THREADS)
        s += block * WORDS + k;
    return s;
}

static void run(dim3 grid, u32 x, u32 y)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a[1];
    u32 n = x * y, blocks = grid.x * grid.y;
    u32 *got = (u32 *)calloc(blocks * THREADS, 16), *on = (u32 *)calloc(blocks, 4);

    c.gridDim = grid;
    c.blockDim = THREADS;
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = x, a[0].val.clusterDim.y = y, a[0].val.clusterDim.z = 1;
    c.attrs = a;
    c.numAttrs = 1;
    if (cudaLaunchKernelEx(&c, together, (const u32 *)device_in, out, sms, n) || cudaDeviceSynchronize()) {
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
        exit(1);
    }
    cudaMemcpy(got, out, blocks * THREADS * 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(on, sms, blocks * 4, cudaMemcpyDeviceToHost);
    for (u32 b = 0; b < blocks; b++) {
        u32 bx = b % grid.x, by = b / grid.x, rank = by % y * x + bx % x, total = 0;
        u32 first = (by - by % y) * grid.x + bx - bx % x;

        for (u32 r = 0; r < n; r++) {
            u32 peer = first + r / x * grid.x + r % x;

            for (u32 t = 0; t < THREADS; t++)
                total += sum_of(peer, t);
            if (peer != b && on[peer] == on[b])
                expect_equal("SM", b, on[b], ~0u);
        }
        for (u32 t = 0; t < THREADS; t++) {
            u32 next = first + (rank + 1) % n / x * grid.x + (rank + 1) % n % x;
            const u32 *g = &got[(b * THREADS + t) * 4];

            expect_equal("words of the next", b, g[0], sum_of(next, t));
            expect_equal("sum", b, g[1], rank ? 0 : total);
            expect_equal("st.async", b, g[2], 1000 * (rank ^ 1) + t);
            expect_equal("copy", b, g[3], in[t * 16] + (rank + n - 2 % n) % n);
        }
    }
    free(got);
    free(on);
}

int main()
{
    u32 got[64];

    for (u32 k = 0; k < WORDS; k++)
        in[k] = 7 * k + 1;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&out, 4096 * THREADS * 16);
    cudaMalloc(&sms, 4096 * 4);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    run(dim3(16), 2, 1);
    run(dim3(8, 4), 2, 2);
    run(dim3(64), 8, 1);
    cudaMemset(out, 0, 256);
    {
        cudaLaunchConfig_t c = {};
        cudaLaunchAttribute a[1];

        c.gridDim = 64;
        c.blockDim = 64;
        a[0].id = cudaLaunchAttributeClusterDimension;
        a[0].val.clusterDim.x = 4, a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
        c.attrs = a;
        c.numAttrs = 1;
        cudaLaunchKernelEx(&c, leaves, out);
    }
    cudaMemcpy(got, out, 256, cudaMemcpyDeviceToHost);
    for (u32 k = 0; k < 64; k++)
        expect_equal("the end", k, got[k], k % 4 == 1 ? 0 : k);
    printf("together: %s\n", wrong ? "wrong" : "good");
    return wrong != 0;
}
