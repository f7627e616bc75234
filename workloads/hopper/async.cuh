/* async.cuh - the asynchronous machinery of sm_90a: barriers in shared memory, tensor copies,
 * and how a block divides its registers among its warpgroups.
 *
 * Addresses of shared memory are 32 bits wide here, as the instructions take them.
 */
#ifndef HOPPER_ASYNC_CUH
#define HOPPER_ASYNC_CUH

#include <cstdint>

/* As the host encodes it (cuda.h has it, too, but for hosts). */
struct alignas(64) tensor_map {
    uint64_t opaque[16];
};

enum { WARPGROUP = 128, LINE = 128 /* bytes of a swizzled row */ };

static __device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* ---- barriers: a phase ends when all arrivals and all announced bytes are there ---- */

static __device__ void barrier_init(uint32_t barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

/* After the initialisation, before anyone else uses the barriers: asynchronous copies and the
 * other blocks of a cluster see them, too. */
static __device__ void barrier_init_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrives at the barrier at the same place in another block of the cluster. */
static __device__ void barrier_arrive_at(uint32_t barrier, uint32_t block)
{
    asm volatile("{.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];}" ::"r"(barrier),
                 "r"(block)
                 : "memory");
}

/* Arrives, and announces bytes that copies will bring. */
static __device__ void barrier_expect(uint32_t barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/* Waits for the end of a phase of the given parity. */
static __device__ void barrier_wait(uint32_t barrier, uint32_t parity)
{
    uint32_t done;

    do {
        asm volatile("{.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    } while (!done);
}

/* ---- a ring of buffers between a producer and its consumers ---- */

/* Where one of them is in a ring: the buffer, and the parity of the lap. */
template <int STAGES> struct ring_place {
    uint32_t stage = 0, lap = 0;

    __device__ void advance()
    {
        if (++stage == STAGES) {
            stage = 0;
            lap ^= 1;
        }
    }
};

/* A barrier per buffer for each direction. At the start all buffers are empty: producers wait
 * for the parity before the first phase, which counts as over. */
template <int STAGES> struct ring {
    uint64_t full[STAGES], empty[STAGES];

    __device__ void init(uint32_t consumers)
    {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(shared_address(&full[s]), 1);
            barrier_init(shared_address(&empty[s]), consumers);
        }
        barrier_init_done();
    }
    __device__ uint32_t full_at(ring_place<STAGES> p) const { return shared_address(&full[p.stage]); }
    __device__ uint32_t empty_at(ring_place<STAGES> p) const { return shared_address(&empty[p.stage]); }
    __device__ void wait_full(ring_place<STAGES> p) const { barrier_wait(full_at(p), p.lap); }
    __device__ void wait_empty(ring_place<STAGES> p) const { barrier_wait(empty_at(p), p.lap ^ 1); }
};

/* ---- tensor copies ---- */

/* A box of a matrix into shared memory; the barrier gets its bytes. */
static __device__ void copy_box(uint32_t to, const tensor_map &map, int col, int row, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(&map), "r"(col), "r"(row), "r"(barrier)
                 : "memory");
}

/* The same into the same place of every block of the cluster that the mask names, whose
 * barriers get the bytes. */
static __device__ void cast_box(uint32_t to, const tensor_map &map, int col, int row, uint32_t barrier,
                                uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(&map), "r"(col), "r"(row), "r"(barrier), "h"(blocks)
                 : "memory");
}

/* The map itself into the cache of descriptors. */
static __device__ void prefetch_map(const tensor_map &map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/* ---- clusters ---- */

static __device__ uint32_t cluster_rank()
{
    uint32_t rank;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* ---- registers ---- */

/* All warps of a warpgroup give registers back, or take them, until each thread has N. */
template <int N> static __device__ void release_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> static __device__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

#endif
