/* gemm.cuh - C = A B' with warps that specialise: one thread copies, warpgroups multiply.
 *
 * A is m x k, B n x k, rows of both along k; C is m x n, in floats. A block makes a tile of C.
 * Its first warpgroup is the producer: one of its threads fills a ring of buffers, each a line
 * of 128 bytes deep, by tensor copies, and all its warps give their registers to the others.
 * The other warpgroups each multiply 64 rows of the tile; while one step's products run, the
 * next buffer is waited for. Extents need not be multiples of the tile: copies put zeros where
 * there is nothing, and only what exists is stored. n is even.
 */
#ifndef HOPPER_GEMM_CUH
#define HOPPER_GEMM_CUH

#include "wgmma.cuh"

/* CLUSTER blocks, one above the other, share their columns of B: each copies a part of them
 * for all. */
template <typename ELEMENT_, int ROWS_, int COLS_, int STAGES_, int CLUSTER_ = 1> struct gemm {
    typedef ELEMENT_ ELEMENT;
    enum {
        ROWS = ROWS_,
        COLS = COLS_,
        STAGES = STAGES_,
        CLUSTER = CLUSTER_,
        CONSUMERS = ROWS / 64,
        THREADS = (1 + CONSUMERS) * WARPGROUP,
        DEPTH = LINE / ELEMENT::BYTES, /* elements of k in a buffer */
        PRODUCER_REGISTERS = CONSUMERS == 1 ? 56 : 40,
        CONSUMER_REGISTERS = CONSUMERS == 1 ? 240 : 232,
    };
    typedef ring_place<STAGES> place;

    /* Swizzled tiles begin at multiples of 1024 bytes. */
    struct memory {
        uint8_t a[STAGES][ROWS * LINE], b[STAGES][COLS * LINE];
        ring<STAGES> buffers;
    };

    /* Dynamic shared memory from its first multiple of 1024; the host adds 1024 bytes. */
    static __device__ memory &shared()
    {
        extern __shared__ uint8_t raw[];
        uint32_t past = shared_address(raw) % 1024;

        return *(memory *)(raw + (past ? 1024 - past : 0));
    }

    static __device__ void start(memory &s)
    {
        if (threadIdx.x == 0)
            s.buffers.init(CONSUMERS * CLUSTER);
        if (CLUSTER > 1)
            cluster_sync();
        else
            __syncthreads();
    }

    /* This block's part of the columns of B, for all blocks of the cluster. */
    static __device__ void copy_b(memory &s, place at, const tensor_map &b, int k)
    {
        int first = blockIdx.x * COLS, part = COLS / CLUSTER;
        uint32_t to = shared_address(s.b[at.stage]);

        if (CLUSTER == 1) {
            copy_box(to, b, k, first, s.buffers.full_at(at));
        } else {
            int mine = cluster_rank() * part;

            cast_box(to + mine * LINE, b, k, first + mine, s.buffers.full_at(at), (1 << CLUSTER) - 1);
        }
    }

    static __device__ void produce(memory &s, const tensor_map &a, const tensor_map &b, int depth)
    {
        place at;

        prefetch_map(a);
        prefetch_map(b);
        for (int k = 0; k < depth; k += DEPTH, at.advance()) {
            s.buffers.wait_empty(at);
            barrier_expect(s.buffers.full_at(at), (ROWS + COLS) * LINE);
            copy_box(shared_address(s.a[at.stage]), a, k, blockIdx.y * ROWS, s.buffers.full_at(at));
            copy_b(s, at, b, k);
        }
    }

    /* The consumers of all blocks of the cluster have read a buffer: each may be filled again. */
    static __device__ void give_back(memory &s, place at)
    {
        uint32_t thread = threadIdx.x % WARPGROUP;

        if (CLUSTER == 1 && thread == 0)
            barrier_arrive(s.buffers.empty_at(at));
        if (CLUSTER > 1 && thread < CLUSTER)
            barrier_arrive_at(s.buffers.empty_at(at), thread);
    }

    /* The products of one buffer, left pending. */
    static __device__ void multiply(memory &s, place at, int consumer, float (&sums)[COLS / 2], bool first)
    {
        uint32_t a = shared_address(s.a[at.stage]) + consumer * 64 * LINE;
        uint32_t b = shared_address(s.b[at.stage]);

        products_begin();
#pragma unroll
        for (int step = 0; step < LINE / STEP; step++)
            product<ELEMENT, COLS>::add(sums, rows_descriptor(a + step * STEP),
                                        rows_descriptor(b + step * STEP), !first || step);
        products_commit();
    }

    static __device__ void store(const float (&sums)[COLS / 2], int consumer, float *c, int m, int n)
    {
        int row = blockIdx.y * ROWS + consumer * 64 + sums_place::row();
        int col = blockIdx.x * COLS + sums_place::col();

#pragma unroll
        for (int j = 0; j < COLS / 8; j++)
#pragma unroll
            for (int half = 0; half < 2; half++)
                if (row + 8 * half < m && col + 8 * j < n)
                    *(float2 *)&c[(size_t)(row + 8 * half) * n + col + 8 * j] =
                        make_float2(sums[4 * j + 2 * half], sums[4 * j + 2 * half + 1]);
    }

    static __device__ void consume(memory &s, int consumer, float *c, int m, int n, int depth)
    {
        float sums[COLS / 2];
        place at, before;

        for (int k = 0; k < depth; k += DEPTH, at.advance()) {
            s.buffers.wait_full(at);
            multiply(s, at, consumer, sums, k == 0);
            if (k) {
                products_wait<1>();
                give_back(s, before);
                before.advance();
            }
        }
        products_wait<0>();
        store(sums, consumer, c, m, n);
    }

    static __device__ void run(const tensor_map &a, const tensor_map &b, float *c, int m, int n, int depth)
    {
        memory &s = shared();
        int role = threadIdx.x / WARPGROUP;

        start(s);
        if (role == 0) {
            release_registers<PRODUCER_REGISTERS>();
            if (threadIdx.x == 0)
                produce(s, a, b, depth);
        } else {
            take_registers<CONSUMER_REGISTERS>();
            consume(s, role - 1, c, m, n, depth);
        }
        if (CLUSTER > 1) /* a block's memory lives until nobody copies to it or arrives there */
            cluster_sync();
    }
};

#define GEMM_BODY(name, ...)                                                                   \
    name(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c, \
         int m, int n, int k)                                                                  \
    {                                                                                          \
        gemm<__VA_ARGS__>::run(a, b, c, m, n, k);                                              \
    }
#define GEMM_KERNEL(name, ...)                                                  \
    extern "C" __global__ void __launch_bounds__(gemm<__VA_ARGS__>::THREADS, 1) \
        GEMM_BODY(name, __VA_ARGS__)
/* cluster is the last of the template's arguments once more. */
#define GEMM_KERNEL_IN_CLUSTERS(name, cluster, ...)                               \
    extern "C" __global__ void __cluster_dims__(1, cluster, 1)                    \
        __launch_bounds__(gemm<__VA_ARGS__>::THREADS, 1) GEMM_BODY(name, __VA_ARGS__)

#endif
