/* db_rnn_gru_infer.cu - a recurrent layer of GRU cells in inference, batch of one: per time step
 * the weights, streamed by one warp per row, and a kernel of the cells.
 */
#include "../deepbench/cell.cuh"

using rnn_cell = cell::gru;
enum { RNN_BATCH = 1 };

#include "../deepbench/rnn_infer.cuh"
