/* product.cuh - products of matrices in float, the way libraries compute them.
 *
 * C(row, col) is the sum over depth of A(row, depth) * B(depth, col). A block makes a tile
 * of C, a thread a few quads (4 x 4) of it. Slabs of DEPTH pass through two buffers of
 * shared memory: while one is multiplied, the next is on its way from memory into
 * registers. With two buffers one barrier per slab is enough.
 *
 * Where elements come from is up to the two operands. An operand has
 *     template <int N> void fetch(T (&next)[N])
 * which loads what this thread brings of the next slab: N successive depths of one line (a
 * row of A, a column of B), chosen by struct share. Lines beyond the edge of C may bring
 * anything, since their sums are not stored.
 *
 * Every sum is made in the order of depth, with fmaf(): a host can repeat it bit for bit.
 */
#ifndef PRODUCT_CUH
#define PRODUCT_CUH

/* Shape of a tile: a thread has HIGH x WIDE quads. */
template <int ROWS_, int COLS_, int HIGH_, int WIDE_> struct tile {
    static constexpr int ROWS = ROWS_, COLS = COLS_, HIGH = HIGH_, WIDE = WIDE_;
    static constexpr int DEPTH = 8;
    static constexpr int ACROSS = COLS / (4 * WIDE); /* threads */
    static constexpr int THREADS = ACROSS * ROWS / (4 * HIGH);
    static constexpr int ROW_EACH = ROWS * DEPTH / THREADS; /* elements a thread brings */
    static constexpr int COL_EACH = COLS * DEPTH / THREADS;
};

using large_tile = tile<128, 64, 2, 2>; /* 128 threads with 8 x 8 sums */
using square_tile = tile<64, 64, 2, 2>; /* 64 threads with 8 x 8 sums */
using tall_tile = tile<128, 32, 2, 1>;  /* 128 threads with 8 x 4 sums */
using flat_tile = tile<32, 128, 1, 2>;  /* 128 threads with 4 x 8 sums */
using small_tile = tile<32, 32, 1, 1>;  /* 64 threads with 4 x 4 sums */

/* What a thread brings of each slab: depths from `first` on, of one line. */
template <int LINES, int EACH> struct share {
    int line, first;
    __device__ share(int block, int n_lines)
        : line(min(block * LINES + (int)threadIdx.x % LINES, n_lines - 1)),
          first((int)threadIdx.x / LINES * EACH)
    {
    }
};

/* N neighbours in memory, in words as wide as they come. */
template <class T, int N> __device__ void load_run(T (&to)[N], const T *from)
{
    constexpr int WIDE = N * sizeof(T) < 16 ? N : 16 / sizeof(T);
    struct alignas(WIDE * sizeof(T)) word {
        T v[WIDE];
    };

#pragma unroll
    for (int i = 0; i < N; i += WIDE) {
        word w = *reinterpret_cast<const word *>(from + i);
#pragma unroll
        for (int j = 0; j < WIDE; j++)
            to[i + j] = w.v[j];
    }
}

/* Operand whose lines are contiguous along the depth. */
template <class T, int DEPTH> struct along {
    const T *at;

    template <class SHARE>
    __device__ along(const T *matrix, int stride, const SHARE &mine)
        : at(matrix + (size_t)mine.line * stride + mine.first)
    {
    }
    template <int N> __device__ void fetch(T (&next)[N])
    {
        load_run(next, at);
        at += DEPTH;
    }
};

/* Operand in which neighbouring lines are contiguous; a step of depth is a stride. */
template <int DEPTH> struct across {
    const float *at;
    int stride;

    template <class SHARE>
    __device__ across(const float *matrix, int stride_, const SHARE &mine)
        : at(matrix + (size_t)mine.first * stride_ + mine.line), stride(stride_)
    {
    }
    template <int N> __device__ void fetch(float (&next)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            next[i] = at[i * stride];
        at += DEPTH * stride;
    }
};

/* A thread's share into shared memory: lanes have neighbouring lines. */
template <int LINES, int DEPTH, int N>
__device__ void put_share(float (&slab)[DEPTH][LINES], const float (&next)[N])
{
    int line = threadIdx.x % LINES, first = threadIdx.x / LINES * N;

#pragma unroll
    for (int i = 0; i < N; i++)
        slab[first + i][line] = next[i];
}

/* The lines of quad i of a thread that is number `at` along a side of the tile. */
template <int LINES, int QUADS> __device__ int quad_line(int i, int at)
{
    return i * (LINES / QUADS) + at * 4;
}

template <int LINES, int QUADS>
__device__ void load_quads(float (&to)[4 * QUADS], const float (&line)[LINES], int at)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        float quad[4];

        load_run(quad, &line[quad_line<LINES, QUADS>(i, at)]);
#pragma unroll
        for (int j = 0; j < 4; j++)
            to[4 * i + j] = quad[j];
    }
}

template <class S, class A, class B>
__device__ void multiply(A &a, B &b, int slabs, float (&sum)[4 * S::HIGH][4 * S::WIDE])
{
    __shared__ __align__(16) float rows[2][S::DEPTH][S::ROWS];
    __shared__ __align__(16) float cols[2][S::DEPTH][S::COLS];
    float next_rows[S::ROW_EACH], next_cols[S::COL_EACH];
    int x = threadIdx.x % S::ACROSS, y = threadIdx.x / S::ACROSS;

    a.fetch(next_rows);
    b.fetch(next_cols);
    for (int buffer = 0; slabs > 0; slabs--, buffer ^= 1) {
        put_share(rows[buffer], next_rows);
        put_share(cols[buffer], next_cols);
        __syncthreads();
        if (slabs > 1) {
            a.fetch(next_rows);
            b.fetch(next_cols);
        }
#pragma unroll
        for (int d = 0; d < S::DEPTH; d++) {
            float left[4 * S::HIGH], right[4 * S::WIDE];

            load_quads<S::ROWS, S::HIGH>(left, rows[buffer][d], y);
            load_quads<S::COLS, S::WIDE>(right, cols[buffer][d], x);
#pragma unroll
            for (int i = 0; i < 4 * S::HIGH; i++)
#pragma unroll
                for (int j = 0; j < 4 * S::WIDE; j++)
                    sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
    }
}

/* The part of the tile that lies within C, which has n columns, a multiple of 4. */
template <class S>
__device__ void store_tile(float *c, int m, int n,
                           const float (&sum)[4 * S::HIGH][4 * S::WIDE])
{
    int x = threadIdx.x % S::ACROSS, y = threadIdx.x / S::ACROSS;

#pragma unroll
    for (int i = 0; i < 4 * S::HIGH; i++) {
        int row = blockIdx.y * S::ROWS + quad_line<S::ROWS, S::HIGH>(i / 4, y) + i % 4;

#pragma unroll
        for (int j = 0; j < S::WIDE; j++) {
            int col = blockIdx.x * S::COLS + quad_line<S::COLS, S::WIDE>(j, x);

            if (row < m && col < n)
                *reinterpret_cast<float4 *>(&c[(size_t)row * n + col]) =
                    make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2],
                                sum[i][4 * j + 3]);
        }
    }
}

/* One tile of C (m x n) from operands that have `depth` elements each, a multiple of 8. */
template <class S, class A, class B>
__device__ void make_tile(A a, B b, float *c, int m, int n, int depth)
{
    float sum[4 * S::HIGH][4 * S::WIDE] = {};

    multiply<S>(a, b, depth / S::DEPTH, sum);
    store_tile<S>(c, m, n, sum);
}

/* ---- the products of BLAS: A is m x k and B k x n, each stored by rows (N) or columns (T) ---- */

template <class S> struct blas {
    using row_share = share<S::ROWS, S::ROW_EACH>;
    using col_share = share<S::COLS, S::COL_EACH>;
    using rows_along = along<float, S::DEPTH>;
    using lines_across = across<S::DEPTH>;

    static __device__ void nn(const float *a, const float *b, float *c, int m, int n, int k)
    {
        make_tile<S>(rows_along(a, k, row_share(blockIdx.y, m)),
                     lines_across(b, n, col_share(blockIdx.x, n)), c, m, n, k);
    }
    static __device__ void nt(const float *a, const float *b, float *c, int m, int n, int k)
    {
        make_tile<S>(rows_along(a, k, row_share(blockIdx.y, m)),
                     rows_along(b, k, col_share(blockIdx.x, n)), c, m, n, k);
    }
    static __device__ void tn(const float *a, const float *b, float *c, int m, int n, int k)
    {
        make_tile<S>(lines_across(a, m, row_share(blockIdx.y, m)),
                     lines_across(b, n, col_share(blockIdx.x, n)), c, m, n, k);
    }
};

#endif
