/* db_conv_infer.cu - a convolution layer in inference, in float and on tensor cores.
 *
 * Implicit matrix products: what lies under the filter is gathered while slabs are loaded.
 * conv_forward: tiles of 128 positions x 32 filters. conv_tensor: half precision, tiles of
 * 64 x 64.
 */
#include "../deepbench/conv.cuh"
#include "../deepbench/tensor.cuh"

extern "C" __global__ void __launch_bounds__(tall_tile::THREADS)
    conv_forward(const float *x, const float *filters, float *y, struct conv v)
{
    convolution<tall_tile>::forward(x, filters, y, v);
}

extern "C" __global__ void __launch_bounds__(tensor::THREADS)
    conv_tensor(const uint4 *x, const uint4 *filters, float *y, struct conv v)
{
    using namespace tensor;
    int positions = v.n * v.p * v.q, depth = v.r * v.s * v.c;

    make_tile(patches<uint4, WORDS>(x, v, v.c / WORD, mine(blockIdx.y, positions)),
              along<uint4, WORDS>(filters, depth / WORD, mine(blockIdx.x, v.k)), y, positions,
              v.k, depth);
}
