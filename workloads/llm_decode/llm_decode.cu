/* llm_decode.cu - one token through one layer of a language model, and what comes next: RMSNorm,
 * matrices times a vector, attention over cached keys and values, a gated feed-forward part,
 * logarithms of the softmax over the vocabulary.
 *
 * Weights and the cache are halves, activations floats. Nothing is reused but the vector, so
 * matrices are streamed: one warp per row, eight halves per load.
 */
#include <cstdint>
#include <cuda_fp16.h>

enum { WARP = 32, THREADS = 128, WARPS = THREADS / WARP, DEPTH = 64 /* of a head */, PACK = 8 };

/* ---- sums and maxima ---- */

static __device__ float warp_sum(float x)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

static __device__ float warp_max(float x)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
    return x;
}

/* Of a value of each warp; called by all threads of the block. */
template <bool IS_MAX> static __device__ float block_combine(float x)
{
    __shared__ float part[WARPS];
    float all;

    __syncthreads(); /* the last use of part is over */
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = x;
    __syncthreads();
    all = part[0];
#pragma unroll
    for (int w = 1; w < WARPS; w++)
        all = IS_MAX ? fmaxf(all, part[w]) : all + part[w];
    return all;
}

static __device__ float block_sum(float x)
{
    return block_combine<false>(warp_sum(x));
}

static __device__ float block_max(float x)
{
    return block_combine<true>(warp_max(x));
}

/* ---- normalisation ---- */

/* y = gain x / sqrt(mean of x^2). One block. */
extern "C" __global__ void __launch_bounds__(THREADS) rms_norm(const float *x, const half *gain, float *y, int n)
{
    float square = 0.0f, by;

    for (int i = threadIdx.x; i < n; i += THREADS)
        square = fmaf(x[i], x[i], square);
    by = rsqrtf(block_sum(square) / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += THREADS)
        y[i] = x[i] * by * __half2float(gain[i]);
}

/* ---- a matrix times a vector ---- */

/* Eight products. */
static __device__ float dot_pack(const half *w, const float *x, float sum)
{
    uint4 pack = *(const uint4 *)w;
    const half2 *pair = (const half2 *)&pack;

#pragma unroll
    for (int i = 0; i < PACK / 2; i++) {
        float2 f = __half22float2(pair[i]);

        sum = fmaf(f.x, x[2 * i], sum);
        sum = fmaf(f.y, x[2 * i + 1], sum);
    }
    return sum;
}

/* A row times the vector, in all lanes; n is a multiple of 8. */
static __device__ float dot_row(const half *row, const float *x, int n)
{
    float sum = 0.0f;

    for (int i = threadIdx.x % WARP * PACK; i < n; i += WARP * PACK)
        sum = dot_pack(row + i, x + i, sum);
    return warp_sum(sum);
}

static __device__ int row_of_warp()
{
    return blockIdx.x * WARPS + threadIdx.x / WARP;
}

/* y = w x, or base + w x. */
extern "C" __global__ void __launch_bounds__(THREADS)
    project(const half *w, const float *x, const float *base, float *y, int rows, int n)
{
    int row = row_of_warp();
    float sum;

    if (row >= rows)
        return;
    sum = dot_row(w + (size_t)row * n, x, n);
    if (threadIdx.x % WARP == 0)
        y[row] = base ? base[row] + sum : sum;
}

/* y = silu(gate x) (up x), the gated part's first half; silu(a) = a / (1 + exp(-a)). */
extern "C" __global__ void __launch_bounds__(THREADS)
    project_gated(const half *gate, const half *up, const float *x, float *y, int rows, int n)
{
    int row = row_of_warp();
    float a, b;

    if (row >= rows)
        return;
    a = dot_row(gate + (size_t)row * n, x, n);
    b = dot_row(up + (size_t)row * n, x, n);
    if (threadIdx.x % WARP == 0)
        y[row] = a / (1.0f + __expf(-a)) * b;
}

/* ---- attention ---- */

/* The new key and value of every head join the cache, whose rows are [head][place][64], room
 * of them per head. qkv: queries, keys, values, each of all heads. */
extern "C" __global__ void __launch_bounds__(DEPTH)
    append(const float *qkv, half *keys, half *values, int place, int room)
{
    int head = blockIdx.x, heads = gridDim.x, i = threadIdx.x;
    size_t to = ((size_t)head * room + place) * DEPTH + i;

    keys[to] = __float2half_rn(qkv[(heads + head) * DEPTH + i]);
    values[to] = __float2half_rn(qkv[(2 * heads + head) * DEPTH + i]);
}

/* Scores of all keys, one warp per key, two elements per lane. */
static __device__ void make_scores(const float *q, const half *keys, int n, float *score)
{
    int lane = threadIdx.x % WARP;
    float2 mine = make_float2(q[2 * lane], q[2 * lane + 1]);

    for (int k = threadIdx.x / WARP; k < n; k += WARPS) {
        float2 f = __half22float2(((const half2 *)(keys + (size_t)k * DEPTH))[lane]);
        float sum = warp_sum(fmaf(mine.x, f.x, mine.y * f.y));

        if (lane == 0)
            score[k] = sum * 0.125f; /* 1 / sqrt(64) */
    }
    __syncthreads();
}

/* Scores become exponentials; their sum, in all threads. */
static __device__ float exponentiate(float *score, int n)
{
    float most = -INFINITY, sum = 0.0f;

    for (int k = threadIdx.x; k < n; k += THREADS)
        most = fmaxf(most, score[k]);
    most = block_max(most);
    for (int k = threadIdx.x; k < n; k += THREADS) {
        score[k] = __expf(score[k] - most);
        sum += score[k];
    }
    return block_sum(sum); /* after it, everybody sees all exponentials */
}

/* One block per head; shared memory for n scores. */
extern "C" __global__ void __launch_bounds__(THREADS)
    attend(const float *q, const half *keys, const half *values, float *o, int n, int room)
{
    extern __shared__ float score[];
    __shared__ float part[THREADS];
    int head = blockIdx.x, i = threadIdx.x % DEPTH;
    size_t cache = (size_t)head * room * DEPTH;
    float sum, x = 0.0f;

    make_scores(q + head * DEPTH, keys + cache, n, score);
    sum = exponentiate(score, n);
    for (int k = threadIdx.x / DEPTH; k < n; k += THREADS / DEPTH)
        x = fmaf(score[k], __half2float(values[cache + (size_t)k * DEPTH + i]), x);
    part[threadIdx.x] = x;
    __syncthreads();
    if (threadIdx.x < DEPTH)
        o[head * DEPTH + i] = (part[i] + part[DEPTH + i]) / sum;
}

/* ---- what comes next ---- */

/* y = log(softmax(x)). One block. */
extern "C" __global__ void __launch_bounds__(THREADS) log_softmax(const float *x, float *y, int n)
{
    float most = -INFINITY, sum = 0.0f, less;

    for (int i = threadIdx.x; i < n; i += THREADS)
        most = fmaxf(most, x[i]);
    most = block_max(most);
    for (int i = threadIdx.x; i < n; i += THREADS)
        sum += __expf(x[i] - most);
    less = most + __logf(block_sum(sum));
    for (int i = threadIdx.x; i < n; i += THREADS)
        y[i] = x[i] - less;
}
