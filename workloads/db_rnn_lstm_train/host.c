/* host.c - db_rnn_lstm_train: a recurrent layer of LSTM cells in training.
 *
 * Size paper has one of Deepbench's shapes: 256 units and a batch of 32, with 15 of its 150 time steps.
 * The others are scaled down.
 */
#include "../deepbench/rnn.h"

static int db_rnn_lstm_train_run(struct workload_env *env)
{
    static const struct rnn_shape shapes[N_WORKLOAD_SIZE] = { { 32, 12, 3 },
                                                              { 128, 32, 15 },
                                                              { 256, 32, 15 } };

    return rnn_run_train(env, &rnn_lstm, &shapes[env->size]);
}

const struct workload workload_db_rnn_lstm_train = {
    .name = "db_rnn_lstm_train",
    .summary =
        "LSTM layer in training: products in tiles, cells, and back through time",
    .suite = "Deepbench",
    .theirs = "rnn_lstm_train",
    .papers = "socgpu",
    .sizes = { "32 units, batch 12, 3 steps", "128 units, batch 32, 15 steps",
               "256 units, batch 32, 15 steps" },
    .run = db_rnn_lstm_train_run,
};
