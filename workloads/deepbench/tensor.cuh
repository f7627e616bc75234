/* tensor.cuh - products of matrices in half precision on tensor cores, with float sums.
 *
 * As product.cuh: slabs of DEPTH through two buffers of shared memory, the next one in
 * registers meanwhile. A block of four warps makes 64 x 64 of C, a warp 32 x 32 of it as
 * 2 x 2 fragments of 16 x 16. Operands bring words of eight halves, and lines keep them
 * contiguous along the depth in shared memory too, a few halves apart so that fragments are
 * read without bank conflicts.
 */
#ifndef TENSOR_CUH
#define TENSOR_CUH

#include <mma.h>

#include "product.cuh"

namespace tensor
{
using namespace nvcuda;

constexpr int TILE = 64, THREADS = 128, FRAGMENT = 16, SIDE = 2;
constexpr int WORD = 8;            /* halves of a uint4 */
constexpr int DEPTH = 32;          /* halves of a slab */
constexpr int WORDS = DEPTH / WORD;
constexpr int EACH = TILE * WORDS / THREADS; /* words that a thread brings of each side */
constexpr int PITCH = DEPTH + WORD;

using sums = wmma::fragment<wmma::accumulator, FRAGMENT, FRAGMENT, FRAGMENT, float>;
using left = wmma::fragment<wmma::matrix_a, FRAGMENT, FRAGMENT, FRAGMENT, half, wmma::row_major>;
using right = wmma::fragment<wmma::matrix_b, FRAGMENT, FRAGMENT, FRAGMENT, half, wmma::col_major>;
using mine = share<TILE, EACH>;

__device__ void put_words(half (&slab)[TILE][PITCH], const uint4 (&next)[EACH])
{
    int line = threadIdx.x % TILE, first = threadIdx.x / TILE * EACH;

#pragma unroll
    for (int i = 0; i < EACH; i++)
        *reinterpret_cast<uint4 *>(&slab[line][(first + i) * WORD]) = next[i];
}

/* First line of fragment i of a warp that is number `at` along a side of the tile. */
__device__ int fragment_line(int i, int at)
{
    return (at * SIDE + i) * FRAGMENT;
}

__device__ void multiply_slab(sums (&sum)[SIDE][SIDE], const half (&rows)[TILE][PITCH],
                              const half (&cols)[TILE][PITCH])
{
    int warp = threadIdx.x / 32, x = warp % SIDE, y = warp / SIDE;

#pragma unroll
    for (int d = 0; d < DEPTH; d += FRAGMENT) {
        left a[SIDE];
        right b[SIDE];

#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            wmma::load_matrix_sync(a[i], &rows[fragment_line(i, y)][d], PITCH);
            wmma::load_matrix_sync(b[i], &cols[fragment_line(i, x)][d], PITCH);
        }
#pragma unroll
        for (int i = 0; i < SIDE; i++)
#pragma unroll
            for (int j = 0; j < SIDE; j++)
                wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
    }
}

/* C has m rows and n columns; fragments that begin within it are stored whole, so memory has
 * room for multiples of 16 rows, and n is such a multiple. */
__device__ void store_fragments(float *c, int m, int n, const sums (&sum)[SIDE][SIDE])
{
    int warp = threadIdx.x / 32, x = warp % SIDE, y = warp / SIDE;

#pragma unroll
    for (int i = 0; i < SIDE; i++) {
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            int row = blockIdx.y * TILE + fragment_line(i, y);
            int col = blockIdx.x * TILE + fragment_line(j, x);

            if (row < m && col < n)
                wmma::store_matrix_sync(c + (size_t)row * n + col, sum[i][j], n,
                                        wmma::mem_row_major);
        }
    }
}

/* One tile of C from operands of `depth` halves, a multiple of 32. */
template <class A, class B>
__device__ void make_tile(A a, B b, float *c, int m, int n, int depth)
{
    __shared__ __align__(16) half rows[2][TILE][PITCH], cols[2][TILE][PITCH];
    uint4 next_rows[EACH], next_cols[EACH];
    sums sum[SIDE][SIDE];

#pragma unroll
    for (int i = 0; i < SIDE; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    a.fetch(next_rows);
    b.fetch(next_cols);
    for (int slabs = depth / DEPTH, buffer = 0; slabs > 0; slabs--, buffer ^= 1) {
        put_words(rows[buffer], next_rows);
        put_words(cols[buffer], next_cols);
        __syncthreads();
        if (slabs > 1) {
            a.fetch(next_rows);
            b.fetch(next_cols);
        }
        multiply_slab(sum, rows[buffer], cols[buffer]);
    }
    store_fragments(c, m, n, sum);
}

/* A and B both contiguous along the depth. */
__device__ void nt(const half *a, const half *b, float *c, int m, int n, int k)
{
    using lines = along<uint4, WORDS>;

    make_tile(lines(reinterpret_cast<const uint4 *>(a), k / WORD, mine(blockIdx.y, m)),
              lines(reinterpret_cast<const uint4 *>(b), k / WORD, mine(blockIdx.x, n)), c, m,
              n, k);
}

} // namespace tensor

#endif
