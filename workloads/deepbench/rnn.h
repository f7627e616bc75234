/* rnn.h - hosts of recurrent layers: forward through time and, in training, back again.
 *
 * As in Deepbench the input is added to the gates without weights of its own, and training
 * stops at the gradients of input and states. Kernels and layouts: rnn_train.cuh,
 * rnn_infer.cuh, cell.cuh. Results are checked against the same layer in double precision.
 */
#ifndef RNN_H
#define RNN_H

#include "../workload.h"

struct rnn_cell;

extern const struct rnn_cell rnn_lstm, rnn_gru;

struct rnn_shape {
    unsigned hidden, batch, steps;
};

int rnn_run_infer(struct workload_env *env, const struct rnn_cell *cell,
                  const struct rnn_shape *shape);
int rnn_run_train(struct workload_env *env, const struct rnn_cell *cell,
                  const struct rnn_shape *shape);

#endif
