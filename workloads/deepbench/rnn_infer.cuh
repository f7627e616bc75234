/* rnn_infer.cuh - the kernels of a recurrent layer in inference, for the includer's rnn_cell
 * and a batch of RNN_BATCH: rnn_product streams the weights, rnn_forward is the cells' step.
 */
#include "rnn_forward.cuh"
#include "skinny.cuh"

extern "C" __global__ void __launch_bounds__(skinny::THREADS)
    rnn_product(const float *a, const float *b, float *c, int m, int n, int k)
{
    skinny::nt<RNN_BATCH>(a, b, c, n, k);
}
