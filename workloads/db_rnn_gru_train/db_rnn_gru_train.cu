/* db_rnn_gru_train.cu - a recurrent layer of GRU cells in training: forward through time, and
 * back for the gradients of the input. Per time step a product in tiles and a kernel of the
 * cells, each way.
 */
#include "../deepbench/cell.cuh"

using rnn_cell = cell::gru;

#include "../deepbench/rnn_train.cuh"
