/* db_gemm_train.cu - matrix products of training, in float.
 *
 * A layer's forward step (nn) and the products of its two gradients: by its input (nt) and
 * by its weights (tn). Blocks of 128 threads make tiles of 128 x 64.
 */
#include "../deepbench/product.cuh"

using product = blas<large_tile>;

extern "C" __global__ void __launch_bounds__(large_tile::THREADS)
    gemm_nn(const float *a, const float *b, float *c, int m, int n, int k)
{
    product::nn(a, b, c, m, n, k);
}

extern "C" __global__ void __launch_bounds__(large_tile::THREADS)
    gemm_nt(const float *a, const float *b, float *c, int m, int n, int k)
{
    product::nt(a, b, c, m, n, k);
}

extern "C" __global__ void __launch_bounds__(large_tile::THREADS)
    gemm_tn(const float *a, const float *b, float *c, int m, int n, int k)
{
    product::tn(a, b, c, m, n, k);
}
