/* host.c - db_rnn_lstm_infer: a recurrent layer of LSTM cells in inference.
 *
 * Size paper has one of Deepbench's shapes: 512 units, a batch of two and 25 time steps.
 * The others are scaled down.
 */
#include "../deepbench/rnn.h"

static int db_rnn_lstm_infer_run(struct workload_env *env)
{
    static const struct rnn_shape shapes[N_WORKLOAD_SIZE] = { { 128, 2, 2 },
                                                              { 256, 2, 12 },
                                                              { 512, 2, 25 } };

    return rnn_run_infer(env, &rnn_lstm, &shapes[env->size]);
}

const struct workload workload_db_rnn_lstm_infer = {
    .name = "db_rnn_lstm_infer",
    .summary = "LSTM layer in inference: weights streamed, then cells",
    .suite = "Deepbench",
    .theirs = "rnn_lstm_inference",
    .papers = "socgpu",
    .sizes = { "128 units, batch 2, 2 steps", "256 units, batch 2, 12 steps",
               "512 units, batch 2, 25 steps" },
    .run = db_rnn_lstm_infer_run,
};
