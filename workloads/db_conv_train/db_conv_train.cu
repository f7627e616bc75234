/* db_conv_train.cu - a convolution layer in training: the result and both gradients.
 *
 * Implicit matrix products in float: blocks of 64 threads make tiles of 64 x 64, and what
 * lies under the filter is gathered while slabs are loaded.
 */
#include "../deepbench/conv.cuh"

using layer = convolution<square_tile>;

extern "C" __global__ void __launch_bounds__(square_tile::THREADS)
    conv_forward(const float *x, const float *filters, float *y, struct conv v)
{
    layer::forward(x, filters, y, v);
}

extern "C" __global__ void __launch_bounds__(square_tile::THREADS)
    conv_backward_data(const float *dy, const float *filters, float *dx, struct conv v)
{
    layer::backward_data(dy, filters, dx, v);
}

extern "C" __global__ void __launch_bounds__(square_tile::THREADS)
    conv_backward_filter(const float *x, const float *dy, float *dfilters, struct conv v)
{
    layer::backward_filter(x, dy, dfilters, v);
}
