/* flash2.cu - attention without storing scores: o = softmax(q k' / sqrt(d)) v per head, in the
 * style of FlashAttention-2: cp.async, ldmatrix, mma.sync, softmax as keys come.
 *
 * A block has 64 queries of a head, a warp 16 of them, whose rows of the softmax stay in its
 * registers. Keys and values come in tiles of 64, each copied while the other kind is used.
 * Rows have 64 halves; numbers of queries and keys are multiples of 64.
 */
#include "../attention/softmax.cuh"

enum { DEPTH = 64, ROWS = 64, KEYS = 64, THREADS = 128, LINE = DEPTH * 2, CHUNK = 16 };

/* 64 lines of 128 bytes; chunks of 16 bytes change places within a line, so that eight lines at
 * one chunk are in different banks. */
struct alignas(128) tile {
    uint8_t bytes[ROWS * LINE];

    __device__ uint32_t place(int row, int chunk) const
    {
        return (uint32_t)__cvta_generic_to_shared(bytes) + row * LINE + (chunk ^ row % 8) * CHUNK;
    }
};

static __device__ void copy_tile(const tile &to, const half *from)
{
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * LINE / CHUNK; i += THREADS) {
        int row = i / (LINE / CHUNK), chunk = i % (LINE / CHUNK);

        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to.place(row, chunk)),
                     "l"(from + row * DEPTH + chunk * 8)
                     : "memory");
    }
}

static __device__ void copies_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* All but the last group have arrived, for all threads. */
static __device__ void copies_wait()
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
}

/* Four matrices of 8 x 8 halves, each at the addresses of eight lanes. */
static __device__ void load_matrices(uint32_t (&r)[4], uint32_t at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

static __device__ void load_transposed(uint32_t (&r)[4], uint32_t at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

/* 16 x 8 sums += 16 x 16 by 16 x 8. */
static __device__ void multiply(float *d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3},"
                 " {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* The warp's 16 queries as factors, 16 elements of depth each. */
static __device__ void load_queries(uint32_t (&q)[DEPTH / 16][4], const tile &t)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

#pragma unroll
    for (int step = 0; step < DEPTH / 16; step++)
        load_matrices(q[step], t.place(warp * 16 + lane % 16, 2 * step + lane / 16));
}

/* score = q k' */
static __device__ void add_scores(float (&score)[KEYS / 2], const uint32_t (&q)[DEPTH / 16][4], const tile &k)
{
    int lane = threadIdx.x % 32;

#pragma unroll
    for (int i = 0; i < KEYS / 2; i++)
        score[i] = 0.0f;
#pragma unroll
    for (int step = 0; step < DEPTH / 16; step++) {
#pragma unroll
        for (int pair = 0; pair < KEYS / 16; pair++) {
            uint32_t b[4];

            load_matrices(b, k.place(16 * pair + lane % 8 + lane / 16 * 8, 2 * step + lane / 8 % 2));
            multiply(&score[8 * pair], q[step], b[0], b[1]);
            multiply(&score[8 * pair + 4], q[step], b[2], b[3]);
        }
    }
}

/* sums += weight v */
static __device__ void add_values(float (&sums)[DEPTH / 2], const float (&weight)[KEYS / 2], const tile &v)
{
    int lane = threadIdx.x % 32;

#pragma unroll
    for (int step = 0; step < KEYS / 16; step++) {
        uint32_t a[4];

        pack_weights(weight, step, a);
#pragma unroll
        for (int pair = 0; pair < DEPTH / 16; pair++) {
            uint32_t b[4];

            load_transposed(b, v.place(16 * step + lane % 16, 2 * pair + lane / 16));
            multiply(&sums[8 * pair], a, b[0], b[1]);
            multiply(&sums[8 * pair + 4], a, b[2], b[3]);
        }
    }
}

static __device__ void store_rows(float *o, const float (&sums)[DEPTH / 2])
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    o += (warp * 16 + lane / 4) * DEPTH + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < DEPTH / 2; i += 2)
        *(float2 *)&o[i / 2 % 2 * 8 * DEPTH + i / 4 * 8] = make_float2(sums[i], sums[i + 1]);
}

/* scale: from products to powers of two. CAUSAL: a query sees the keys up to its own. */
template <bool CAUSAL>
static __device__ void attend(const half *q, const half *k, const half *v, float *o, int queries,
                              int keys, float scale)
{
    __shared__ tile query, key[2], value[2];
    int first = blockIdx.x * ROWS, lane = threadIdx.x % 32;
    int row = first + threadIdx.x / 32 * 16 + lane / 4;
    int tiles = CAUSAL ? blockIdx.x + 1 : keys / KEYS;
    uint32_t factor[DEPTH / 16][4];
    float score[KEYS / 2], sums[DEPTH / 2] = {}, shrink[2];
    softmax_rows rows;

    q += ((size_t)blockIdx.y * queries + first) * DEPTH;
    o += ((size_t)blockIdx.y * queries + first) * DEPTH;
    k += (size_t)blockIdx.y * keys * DEPTH;
    v += (size_t)blockIdx.y * keys * DEPTH;
    copy_tile(query, q);
    copy_tile(key[0], k);
    copies_commit();
    copy_tile(value[0], v);
    copies_commit();
    for (int t = 0; t < tiles; t++) {
        bool more = t + 1 < tiles;

        copies_wait(); /* keys are here; nobody reads those before them */
        if (more)
            copy_tile(key[(t + 1) % 2], k + (t + 1) * KEYS * DEPTH);
        copies_commit();
        if (t == 0)
            load_queries(factor, query);
        add_scores(score, factor, key[t % 2]);
        if (CAUSAL && !more)
            mask_future(score, row, t * KEYS + lane % 4 * 2);
        rows.add(score, scale, shrink);
        scale_rows(sums, shrink);
        copies_wait(); /* the same with values */
        if (more)
            copy_tile(value[(t + 1) % 2], v + (t + 1) * KEYS * DEPTH);
        copies_commit();
        add_values(sums, score, value[t % 2]);
    }
    shrink[0] = rows.share(0);
    shrink[1] = rows.share(1);
    scale_rows(sums, shrink);
    store_rows(o, sums);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    flash2(const half *q, const half *k, const half *v, float *o, int queries, int keys, float scale)
{
    attend<false>(q, k, v, o, queries, keys, scale);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    flash2_causal(const half *q, const half *k, const half *v, float *o, int queries, int keys,
                  float scale)
{
    attend<true>(q, k, v, o, queries, keys, scale);
}
