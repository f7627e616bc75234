/* flash3.cu - attention in the style of FlashAttention-3: tensor copies, products of warpgroups,
 * a producer, and two consumers that take turns.
 *
 * A block has 128 queries of a head, each consumer 64 of them. The producer fills two rings, of
 * keys and of values, in tiles of 128. A consumer issues the products of the next keys together
 * with those of the present values, and makes the softmax of the one while the other runs; while
 * it does, the tensor cores have the other consumer's products, which is why they issue in turns.
 * Rows have 64 halves; numbers of queries and keys are multiples of 128.
 */
#include "../attention/softmax.cuh"
#include "../hopper/wgmma.cuh"

enum {
    DEPTH = 64,
    ROWS = 128, /* of queries per block */
    KEYS = 128, /* per tile */
    STAGES = 2,
    CONSUMERS = 2,
    THREADS = (1 + CONSUMERS) * WARPGROUP,
    PRODUCER_REGISTERS = 40,
    CONSUMER_REGISTERS = 232,
};

typedef ring_place<STAGES> place;

struct memory {
    uint8_t query[ROWS * LINE], key[STAGES][KEYS * LINE], value[STAGES][KEYS * LINE];
    ring<STAGES> keys, values;
    uint64_t query_full;
};

/* Rows of the whole tensors, all heads one after another. */
struct work {
    int query, key; /* the first of this block's */
    int tiles;      /* of keys */
    bool is_causal;
};

/* ---- the producer ---- */

static __device__ void copy_keys(ring<STAGES> &buffers, place at, uint8_t (&to)[STAGES][KEYS * LINE],
                                 const tensor_map &from, int row)
{
    buffers.wait_empty(at);
    barrier_expect(buffers.full_at(at), KEYS * LINE);
    copy_box(shared_address(to[at.stage]), from, 0, row, buffers.full_at(at));
}

static __device__ void produce(memory &s, const work &w, const tensor_map &q, const tensor_map &k,
                               const tensor_map &v)
{
    uint32_t full = shared_address(&s.query_full);
    place at;

    barrier_expect(full, ROWS * LINE);
    copy_box(shared_address(s.query), q, 0, w.query, full);
    for (int t = 0; t < w.tiles; t++, at.advance()) {
        copy_keys(s.keys, at, s.key, k, w.key + t * KEYS);
        copy_keys(s.values, at, s.value, v, w.key + t * KEYS);
    }
}

/* ---- consumers ---- */

static __device__ void give_back(ring<STAGES> &buffers, place at)
{
    if (threadIdx.x % WARPGROUP == 0)
        barrier_arrive(buffers.empty_at(at));
}

/* score = q k', left pending. */
static __device__ void start_scores(memory &s, place at, int consumer, float (&score)[KEYS / 2])
{
    uint32_t q = shared_address(s.query) + consumer * 64 * LINE, k = shared_address(s.key[at.stage]);

    s.keys.wait_full(at);
    pin_sums(score);
    products_begin();
#pragma unroll
    for (int step = 0; step < LINE / STEP; step++)
        product<f16, KEYS>::add(score, rows_descriptor(q + step * STEP), rows_descriptor(k + step * STEP),
                                step);
    products_commit();
}

/* sums += weight v, left pending. */
static __device__ void start_values(memory &s, place at, const uint32_t (&weight)[KEYS / 16][4],
                                    float (&sums)[DEPTH / 2])
{
    uint32_t v = shared_address(s.value[at.stage]);

    s.values.wait_full(at);
    pin_sums(sums);
    products_begin();
#pragma unroll
    for (int step = 0; step < KEYS / 16; step++)
        add_product_of_registers(sums, weight[step], columns_descriptor(v + step * 16 * LINE));
    products_commit();
}

static __device__ void pack(const float (&weight)[KEYS / 2], uint32_t (&packed)[KEYS / 16][4])
{
#pragma unroll
    for (int step = 0; step < KEYS / 16; step++)
        pack_weights(weight, step, packed[step]);
}

/* Consumers issue products in turns: each waits at its own barrier for the other. */
static __device__ void turn_wait(int consumer)
{
    asm volatile("bar.sync %0, %1;" ::"r"(1 + consumer), "n"(CONSUMERS * WARPGROUP) : "memory");
}

static __device__ void turn_give(int other)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(1 + other), "n"(CONSUMERS * WARPGROUP) : "memory");
}

/* The last keys of a causal block are its own queries. */
static __device__ void mask_last(const work &w, int t, int consumer, float (&score)[KEYS / 2])
{
    if (w.is_causal && t == w.tiles - 1)
        mask_future(score, consumer * 64 + sums_place::row(), sums_place::col());
}

static __device__ void store(const float (&sums)[DEPTH / 2], float *o)
{
    o += sums_place::row() * DEPTH + sums_place::col();
#pragma unroll
    for (int i = 0; i < DEPTH / 2; i += 2)
        *(float2 *)&o[i / 2 % 2 * 8 * DEPTH + i / 4 * 8] = make_float2(sums[i], sums[i + 1]);
}

static __device__ void consume(memory &s, const work &w, int consumer, float scale, float *o)
{
    float score[KEYS / 2], sums[DEPTH / 2] = {}, shrink[2];
    uint32_t weight[KEYS / 16][4];
    softmax_rows rows;
    place key, value;

    if (consumer == 1)
        turn_give(0);
    barrier_wait(shared_address(&s.query_full), 0);
    turn_wait(consumer);
    start_scores(s, key, consumer, score);
    turn_give(!consumer);
    products_wait<0>();
    pin_sums(score);
    give_back(s.keys, key);
    mask_last(w, 0, consumer, score);
    rows.add(score, scale, shrink); /* nothing to shrink yet */
    pack(score, weight);
    for (int t = 1; t < w.tiles; t++) {
        key.advance();
        turn_wait(consumer);
        start_scores(s, key, consumer, score);
        start_values(s, value, weight, sums);
        turn_give(!consumer);
        products_wait<1>();
        pin_sums(score);
        give_back(s.keys, key);
        mask_last(w, t, consumer, score);
        rows.add(score, scale, shrink);
        products_wait<0>();
        pin_sums(sums);
        give_back(s.values, value);
        value.advance();
        scale_rows(sums, shrink);
        pack(score, weight);
    }
    if (consumer == 0) /* the turn that the second gave at last */
        turn_wait(consumer);
    start_values(s, value, weight, sums);
    products_wait<0>();
    pin_sums(sums);
    shrink[0] = rows.share(0);
    shrink[1] = rows.share(1);
    scale_rows(sums, shrink);
    store(sums, o + (size_t)(w.query + consumer * 64) * DEPTH);
}

/* Dynamic shared memory from its first multiple of 1024, for swizzled tiles. */
static __device__ memory &shared()
{
    extern __shared__ uint8_t raw[];
    uint32_t past = shared_address(raw) % 1024;

    return *(memory *)(raw + (past ? 1024 - past : 0));
}

static __device__ void start(memory &s)
{
    if (threadIdx.x == 0) {
        barrier_init(shared_address(&s.query_full), 1);
        s.keys.init(CONSUMERS);
        s.values.init(CONSUMERS);
    }
    __syncthreads();
}

/* scale: from products to powers of two. */
template <bool CAUSAL>
static __device__ void attend(const tensor_map &q, const tensor_map &k, const tensor_map &v, float *o,
                              int queries, int keys, float scale)
{
    memory &s = shared();
    int role = threadIdx.x / WARPGROUP;
    work w = { (int)(blockIdx.y * queries + blockIdx.x * ROWS), (int)(blockIdx.y * keys),
               CAUSAL ? (int)blockIdx.x + 1 : keys / KEYS, CAUSAL };

    start(s);
    if (role == 0) {
        release_registers<PRODUCER_REGISTERS>();
        if (threadIdx.x == 0)
            produce(s, w, q, k, v);
    } else {
        take_registers<CONSUMER_REGISTERS>();
        consume(s, w, role - 1, scale, o);
    }
}

#define FLASH3_KERNEL(name, causal)                                                              \
    extern "C" __global__ void __launch_bounds__(THREADS, 1)                                     \
        name(const __grid_constant__ tensor_map q, const __grid_constant__ tensor_map k,         \
             const __grid_constant__ tensor_map v, float *o, int queries, int keys, float scale) \
    {                                                                                            \
        attend<causal>(q, k, v, o, queries, keys, scale);                                        \
    }

FLASH3_KERNEL(flash3, false)
FLASH3_KERNEL(flash3_causal, true)
