/* db_gemm_infer.cu - matrix products of inference: few rows, in float and on tensor cores.
 *
 * gemm_nn: tiles of 32 x 128, for an output layer whose rows are few. gemm_skinny: a batch
 * of four vectors under a large layer, weights streamed by one warp per row.
 * gemm_tensor: half precision, tiles of 64 x 64.
 */
#include "../deepbench/skinny.cuh"
#include "../deepbench/tensor.cuh"

extern "C" __global__ void __launch_bounds__(flat_tile::THREADS)
    gemm_nn(const float *a, const float *b, float *c, int m, int n, int k)
{
    blas<flat_tile>::nn(a, b, c, m, n, k);
}

/* m is 4. */
extern "C" __global__ void __launch_bounds__(skinny::THREADS)
    gemm_skinny(const float *a, const float *b, float *c, int m, int n, int k)
{
    skinny::nt<4>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(tensor::THREADS)
    gemm_tensor(const half *a, const half *b, float *c, int m, int n, int k)
{
    tensor::nt(a, b, c, m, n, k);
}
