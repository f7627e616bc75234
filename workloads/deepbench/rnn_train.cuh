/* rnn_train.cuh - the kernels of a recurrent layer in training, for the includer's rnn_cell.
 *
 * rnn_product: the gates' products of a time step, from rows of weights. rnn_forward: the
 * cells' step. rnn_backward: its gradients. rnn_dproduct: the gradient of the hidden state
 * through the weights. Products are made in tiles of 32 x 32.
 */
#include "product.cuh"
#include "rnn_forward.cuh"

using rnn_tile = small_tile;

extern "C" __global__ void __launch_bounds__(cell::THREADS)
    rnn_backward(const float *dy, const float *back, float *carry, const float *saved,
                 const float *before, const float *after, float *dproduct, float *dx,
                 int hidden, int cells)
{
    cell::step_backward<rnn_cell>(dy, back, carry, saved, before, after, dproduct, dx, hidden,
                                  cells);
}

extern "C" __global__ void __launch_bounds__(rnn_tile::THREADS)
    rnn_product(const float *a, const float *b, float *c, int m, int n, int k)
{
    blas<rnn_tile>::nt(a, b, c, m, n, k);
}

extern "C" __global__ void __launch_bounds__(rnn_tile::THREADS)
    rnn_dproduct(const float *a, const float *b, float *c, int m, int n, int k)
{
    blas<rnn_tile>::nn(a, b, c, m, n, k);
}
