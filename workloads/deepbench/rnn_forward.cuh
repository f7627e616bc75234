/* rnn_forward.cuh - the step of a recurrent layer's cells. The program that includes it says
 * of which kind: `using rnn_cell = cell::lstm`.
 */
extern "C" __global__ void __launch_bounds__(cell::THREADS)
    rnn_forward(const float *product, const float *x, const float *bias, const float *before,
                float *after, float *saved, int hidden, int cells)
{
    cell::step_forward<rnn_cell>(product, x, bias, before, after, saved, hidden, cells);
}
