/* db_rnn_lstm_infer.cu - a recurrent layer of LSTM cells in inference, batch of two: per time step
 * the weights, streamed by one warp per row, and a kernel of the cells.
 */
#include "../deepbench/cell.cuh"

using rnn_cell = cell::lstm;
enum { RNN_BATCH = 2 };

#include "../deepbench/rnn_infer.cuh"
